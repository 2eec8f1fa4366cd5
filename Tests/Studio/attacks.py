#!/usr/bin/env python3
"""Attacks a running studio as a foreign page, a foreign program or a broken client would.

    attacks.py DUCTUS [--seed N] [--requests N] [--only NAME]...

Every route of Sources/Studio is attacked: the list is read from the sources. The seed is printed.
Ends with 1 if the studio gave something away, answered with the status 500, or stopped.
"""
import argparse
import base64
import http.client
import json
import os
import random
import socket
import stat
import struct
import sys
import threading
import time
from pathlib import Path

from bodies import MEMBERS, NUMBERS, SOURCE, STROKE, TEXTS, Fuzzer
from studio import (Failed, Folder, Studio, check, filled, free_port, quoted, routes, run,
                    status_of, wait_for)

SECRET = "planted-secret-5f1c"
#: What every answer must have, by header.
HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
}
#: Bodies of a route may be this long at most, in bytes.
LONGEST_BODY = 64 << 20
PAGES = ["/", "/try", "/page", "/collect", "/data", "/train", "/evaluate", "/models"]
FILES = ["/js/shell.js", "/css/studio.css", "/icon.svg", "/index.html"]

studio = None
options = None


def plant(folder):
    """Makes an outside folder with a secret, and links to it in the project."""
    outside = folder / "outside"
    (outside / "sub.ductus").mkdir(parents=True)
    (outside / "index.html").write_text(SECRET)
    (outside / "secret.txt").write_text(SECRET)
    (outside / "sub.ductus/manifest.json").write_text(json.dumps({"identifier": SECRET}))
    stroke = {"x": [1, 2, 3], "y": [1, 2, 3]}
    (outside / "secret.jsonl").write_text(
        json.dumps({"label": SECRET, "strokes": [stroke]}) + "\n")
    project = folder / "project"
    project.mkdir()
    for name in ("collect", "decisions", "models", "reports", "pages"):
        (project / name).mkdir()
        (project / name / "link").symlink_to(outside)
        (project / name / "link.jsonl").symlink_to(outside / "secret.jsonl")
        (project / name / "link.json").symlink_to(outside / "secret.jsonl")
        (project / name / "link.ductus").symlink_to(outside / "sub.ductus")
        (project / name / "nothing.jsonl").symlink_to(outside / "made.jsonl")
        (project / name / "nothing").symlink_to(outside / "made")
    (project / "link").symlink_to(outside)
    (project / "link.jsonl").symlink_to(outside / "secret.jsonl")
    return outside, project


def fill():
    """Makes a session, a page and labelled ink with the name x, so that routes find something."""
    lines = [json.dumps({"label": label, "strokes": [STROKE]}) for label in ("line", "circle") * 20]
    (Path(studio.folder) / "symbols.jsonl").write_text("\n".join(lines) + "\n")
    for path, body in (("/v1/collect", {"name": "x", "writer": "w1", "source": SOURCE}),
                       ("/v1/pages", {"name": "x"}), ("/v1/data/open", {"data": "ink:symbols.jsonl"})):
        if ("POST", path) in routes():
            status, _, answer = studio.request("POST", path, body)
            check(status < 300, f"the studio to take {path}, found {status}: {answer[:200]!r}")


def listing(folder):
    """Returns the names, sizes and contents of a folder, to see changes."""
    return {str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
            for path in sorted(folder.rglob("*"))}


def alive(what):
    check(studio.is_alive, f"a running studio after {what}, found that it ended; see its log")
    status, _, _ = studio.request("GET", "/v1/studio")
    check(status == 200, f"status 200 of /v1/studio after {what}, found {status}")


def check_headers(answer, where):
    """Checks the headers of the bytes of an answer."""
    head = answer.partition(b"\r\n\r\n")[0].decode("latin-1")
    fields = {}
    for line in head.split("\r\n")[1:]:
        name, _, value = line.partition(":")
        fields[name.strip().lower()] = value.strip()
    is_report = "sandbox" in fields.get("content-security-policy", "")
    for name, value in HEADERS.items():
        # A sandboxed page has an origin of its own already, and no opener.
        if is_report and name == "cross-origin-opener-policy":
            continue
        check(fields.get(name) == value, f"{name}: {value} of {where}, found {fields.get(name)}")
    check("x-frame-options" in fields, f"X-Frame-Options of {where}")
    policy = fields.get("content-security-policy", "")
    rules = dict((rule.strip().split(" ", 1) + [""])[:2] for rule in policy.split(";"))
    check(rules.get("default-src") == "'none'", f"default-src 'none' of {where}, found {policy!r}")
    check(rules.get("base-uri") == "'none'", f"base-uri 'none' of {where}")
    check(rules.get("form-action") == "'none'", f"form-action 'none' of {where}")
    check("frame-ancestors" in rules, f"frame-ancestors of {where}")
    for name, value in rules.items():
        if name == "style-src" and "sandbox" in rules:
            continue
        check("unsafe" not in value and "*" not in value, f"a strict {name} of {where}: {value}")
    check("access-control-allow-origin" not in fields, f"no CORS headers of {where}")
    check("server" not in fields, f"no header Server of {where}")
    return fields


def simple(method, path, extra="", host=None, body=b""):
    """Returns the bytes of a request without a token."""
    head = f"{method} {path} HTTP/1.1\r\nHost: {host or studio.host}\r\n{extra}"
    if body:
        head += f"Content-Length: {len(body)}\r\n"
    return head.encode("utf-8", "surrogateescape") + b"Connection: close\r\n\r\n" + body


def authorised():
    return f"Authorization: Bearer {studio.token}\r\n"


# MARK: - Who may ask

def token():
    """No route answers without the right token."""
    wrong = {
        "no token": "",
        "an empty token": "Authorization: Bearer \r\n",
        "another token": f"Authorization: Bearer {'0' * 48}\r\n",
        "the start of the token": f"Authorization: Bearer {studio.token[:47]}\r\n",
        "more than the token": f"Authorization: Bearer {studio.token}0\r\n",
        "the token in capitals": f"Authorization: Bearer {studio.token.upper()}\r\n"
        if studio.token.upper() != studio.token else "",
        "another scheme": f"Authorization: Basic {studio.token}\r\n",
        "another cookie": f"Cookie: ductus-studio-{studio.port}={'f' * 48}\r\n",
        "a cookie of another name": f"Cookie: token={studio.token}\r\n",
    }
    for method, path in routes():
        for what, header in wrong.items():
            answer = studio.raw(simple(method, filled(path), header))
            check(status_of(answer) == 401,
                  f"status 401 of {method} {path} with {what}, found {status_of(answer)}")
            check_headers(answer, f"{method} {path} with {what}")
            check(studio.token.encode() not in answer, "no token in the answer")
        # The token in the address lets pages in, and nothing else.
        answer = studio.raw(simple(method, filled(path) + f"?token={studio.token}"))
        check(status_of(answer) == 401, f"status 401 of {method} {path} with a token in the address")
    for path in PAGES:
        answer = studio.raw(simple("GET", f"{path}?token={'0' * 48}"))
        check(b"set-cookie" not in answer.lower(), f"no cookie of {path} with a wrong token")


def sign_in():
    """The address with the token sets a strict cookie and leads to one without it."""
    for path in PAGES:
        answer = studio.raw(simple("GET", f"{path}?token={studio.token}"))
        fields = check_headers(answer, path)
        check(status_of(answer) == 303, f"status 303 of {path}, found {status_of(answer)}")
        check(fields.get("location") == path, f"the location {path}, found {fields.get('location')}")
        cookie = [each.strip().lower() for each in fields["set-cookie"].split(";")]
        for flag in ("httponly", "samesite=strict", "path=/"):
            check(flag in cookie, f"{flag} in the cookie")
        check(str(studio.port) in cookie[0], f"the port in the name of the cookie {cookie[0][:20]}")
        check(fields.get("cache-control") == "no-store", "an answer with a token is not stored")
        name = fields["set-cookie"].split(";")[0]
        answer = studio.raw(simple("GET", "/v1/studio", f"Cookie: a=b; {name}\r\n"))
        check(status_of(answer) == 200, f"status 200 with the cookie, found {status_of(answer)}")
    file = Path(studio.folder) / ".studio/token"
    check(stat.S_IMODE(file.stat().st_mode) == 0o600, f"mode 600 of {file.name}")
    check(stat.S_IMODE(file.parent.stat().st_mode) & 0o077 == 0, "a closed folder .studio")
    check(len(studio.token) == 48, "a token of 192 bits")


def host():
    """A foreign name that resolves to this machine (DNS rebinding) is refused."""
    names = ["evil.example", f"evil.example:{studio.port}", "127.0.0.1.evil.example",
             f"127.evil.example:{studio.port}", "127.0.0.1.evil.example:80", "localhost.evil.example",
             "evil.example:127.0.0.1", "[::1].evil.example", "[::1]evil.example:1", "", "0.0.0.0",
             "127.0.0.1@evil.example", "evil.example/127.0.0.1", "127.0.0.1\t.evil.example", "[",
             "[]", ":", "192.168.0.1", "my.local", "127.0.0.1,evil.example", "127.1.evil.example"]
    for name in names:
        for method, path in routes() + [("GET", each) for each in PAGES + FILES]:
            if method != "GET":
                continue
            answer = studio.raw(simple(method, filled(path), authorised(), host=name or " "))
            check(status_of(answer) in (400, 403),
                  f"status 403 of {path} with the host {name!r}, found {status_of(answer)}")
            check(studio.token.encode() not in answer, "no token in the answer")
        answer = studio.raw(simple("GET", f"/?token={studio.token}", host=name or " "))
        check(b"set-cookie" not in answer.lower(), f"no cookie for the host {name!r}")
    answer = studio.raw(f"GET /v1/studio HTTP/1.1\r\n{authorised()}Connection: close\r\n\r\n".encode())
    check(status_of(answer) in (400, 403), "status 403 without a host")
    for good in (studio.host, f"localhost:{studio.port}", f"[::1]:{studio.port}", "127.0.0.1"):
        answer = studio.raw(simple("GET", "/v1/studio", authorised(), host=good))
        check(status_of(answer) == 200, f"status 200 with the host {good}")


def origin():
    """Pages of other origins and other sites are refused, also with the token."""
    origins = ["http://evil.example", "null", "https://" + studio.host, f"http://127.0.0.1:{studio.port + 1}",
               f"http://{studio.host}.evil.example", f"http://evil.example#{studio.host}", "file://",
               f"http://localhost:{studio.port}", f"http://user@{studio.host}", "", "http://",
               f"http://{studio.host}/"]
    for method, path in routes():
        for each in origins:
            answer = studio.raw(simple(method, filled(path), f"{authorised()}Origin: {each}\r\n"))
            if each == "":
                continue
            check(status_of(answer) == 403,
                  f"status 403 of {method} {path} from {each!r}, found {status_of(answer)}")
            check_headers(answer, f"{method} {path} from {each!r}")
        for site in ("cross-site", "same-site", "evil", "CROSS-SITE"):
            answer = studio.raw(
                simple(method, filled(path), f"{authorised()}Sec-Fetch-Site: {site}\r\n"))
            check(status_of(answer) == 403,
                  f"status 403 of {method} {path} of {site}, found {status_of(answer)}")
        # A preflight gets no permission.
        answer = studio.raw(simple(
            "OPTIONS", filled(path), f"{authorised()}Origin: http://evil.example\r\n"
            "Access-Control-Request-Method: POST\r\n"))
        check(b"access-control-allow" not in answer.lower(), f"no permission for {path}")
    good = f"{authorised()}Origin: http://{studio.host}\r\nSec-Fetch-Site: same-origin\r\n"
    check(status_of(studio.raw(simple("GET", "/v1/studio", good))) == 200, "status 200 of the own page")


def headers_on_every_answer():
    """Every answer has the policy: files, errors, redirects, unknown paths and methods."""
    requests = [("GET", path) for path in PAGES + FILES]
    requests += [("GET", "/nothing"), ("POST", "/"), ("DELETE", "/js/shell.js"), ("HEAD", "/"),
                 ("GET", "/v1/nothing"), ("PATCH", "/v1/studio"), ("TRACE", "/"), ("OPTIONS", "/"),
                 ("GET", "/v1/recognize"), ("GET", "/favicon.ico")]
    requests += [(method, filled(path)) for method, path in routes()]
    for method, path in requests:
        answer = studio.raw(simple(method, path, authorised()))
        check(status_of(answer) not in (0, 500), f"an answer of {method} {path}, found {answer[:60]!r}")
        fields = check_headers(answer, f"{method} {path}")
        if method == "HEAD":
            check(answer.endswith(b"\r\n\r\n"), "no body of HEAD")
        if method == "GET" and path in PAGES:
            check("text/html" in fields["content-type"], "a page of HTML")
    # The HTTP library itself refuses methods that it does not know, with an empty answer.
    answer = studio.raw(simple("BREW", "/v1/studio", authorised()))
    check(status_of(answer) in (404, 405, 501) and answer.endswith(b"\r\n\r\n"),
          f"an empty refusal of an unknown method, found {answer[:80]!r}")
    answer = studio.raw(simple("TRACE", "/v1/studio", authorised() + "X-Secret: 7\r\n"))
    check(b"X-Secret" not in answer, "TRACE repeats nothing")


# MARK: - Paths

def climbing():
    """Paths that lead out of the project, in all spellings."""
    up = ["../outside/secret.txt", "../../outside/secret.jsonl", "/etc/passwd", "..", ".", "...",
          "../project/.studio/token", ".studio/token", "./.studio/token", "link/secret.txt",
          "link/secret.jsonl", "collect/link.jsonl", "link", "link.jsonl", "nothing", "nothing.jsonl",
          "collect/nothing.jsonl", "~/x", "~root", "..\\outside\\secret.txt", "a/../../outside/secret.txt",
          "link/index.html", "file:///etc/passwd", "\0", "a\0b", "secret.jsonl\0.png", "-rf", "a" * 255,
          "a" * 300, "a/" * 2000, "%2e%2e", "\u202e", "\u2028", "ａ" * 90, "con", " ", "\n", "\r\nX: y",
          "link.ductus", "link.json", "../models/link.ductus"]
    result = []
    for each in up:
        once = quoted(each)
        result += [each.replace("\n", "%0A").replace("\r", "%0D").replace("\0", "%00"),
                   once, quoted(once), once.replace("..", "%2e%2e"), once.replace(".", "%2E"),
                   once.replace("%2F", "%c0%af"), once.replace("%2F", "/./"), once.replace("%2F", "//")]
    return sorted({each for each in result if not any(c in each for c in " \n\r\0")})


def traversal():
    """No parameter of a path reads, writes or removes anything outside of the project."""
    outside = Path(options.outside)
    before = listing(outside)
    for method, path in routes():
        if ":" not in path and "*" not in path:
            continue
        for each in climbing():
            for target in {filled(path, each), filled(path, "x", each), filled(path, each, "0")}:
                body = b"{}" if method in ("POST", "PUT") else b""
                extra = authorised() + ("Content-Type: application/json\r\n" if body else "")
                answer = studio.raw(simple(method, target, extra, body=body))
                check_leak(answer, f"{method} {target[:120]}")
    for each in climbing():
        for prefix in ("/", "/js/", "/css/", "/js/pages/", "//", "/./"):
            answer = studio.raw(simple("GET", prefix + each, authorised()))
            check_leak(answer, f"GET {prefix}{each[:100]}")
    check(listing(outside) == before, "an unchanged folder outside of the project")
    alive("traversal")


def check_leak(answer, where):
    status = status_of(answer)
    check(status not in (0, 500), f"an answer below 500 of {where}, found {answer[:400]!r}")
    for each in (SECRET, "root:x:0", studio.token):
        check(each.encode() not in answer, f"nothing from outside in the answer of {where}")


def named_paths():
    """No value of a body or a query opens a path outside of the project."""
    outside = Path(options.outside)
    before = listing(outside)
    names = ["data", "name", "model", "path", "file", "output", "session", "report", "from", "texts",
             "splits", "words", "label", "validation", "id", "preset", "kind", "target", "language"]
    places = ["../outside/secret.jsonl", str(outside / "secret.jsonl"), "link/secret.jsonl", "link.jsonl",
              "collect/link.jsonl", "collect/nothing.jsonl", "link", "..", "/etc/passwd", ".studio/token",
              "exec:cat /etc/passwd", "exec:touch " + str(outside / "made"), "--help", "-o/x"]
    values = list(places)
    for each in places:
        values += [f"ink:{each}", f"text:{each}", f"inkml:{each}",
                   f"starter:digits?words={quoted(each)}", f"starter:digits?splits={quoted(each)}",
                   f"starter:digits?texts={quoted(each)}", f"starter:{each}"]
    for method, path in routes():
        for value in values:
            query = "&".join(f"{name}={quoted(value)}" for name in names)
            answer = studio.raw(simple(method, f"{filled(path)}?{query}", authorised()), timeout=20)
            check_leak(answer, f"{method} {path} with the query {value}")
            if method not in ("POST", "PUT"):
                continue
            for body in ({name: value for name in names}, {name: [value] for name in names}):
                data = json.dumps(body).encode()
                answer = studio.raw(simple(method, filled(path),
                                           authorised() + "Content-Type: application/json\r\n",
                                           body=data), timeout=20)
                check_leak(answer, f"{method} {path} with {value}")
    check(listing(outside) == before, "an unchanged folder outside of the project")
    alive("named paths")


# MARK: - Bodies

def large_bodies():
    """Bodies above the limit are refused with and without a length, and are not kept."""
    for method, path in routes():
        if method not in ("POST", "PUT", "PATCH"):
            continue
        connection = http.client.HTTPConnection("127.0.0.1", studio.port, timeout=120)
        headers = {"Authorization": f"Bearer {studio.token}", "Content-Type": "application/json"}
        for chunked in (False, True):
            part = b" " * (1 << 20)
            count = (LONGEST_BODY >> 20) + 2

            def parts():
                for _ in range(count):
                    yield part
            before = studio.resident_bytes
            try:
                if chunked:
                    connection.request(method, filled(path), parts(), headers, encode_chunked=True)
                else:
                    connection.request(method, filled(path), parts(),
                                       {**headers, "Content-Length": str(count << 20)})
                response = connection.getresponse()
                status = response.status
                response.read()
            except (ConnectionError, http.client.HTTPException):
                status = 0  # The studio may also hang up.
            check(status in (0, 413), f"status 413 of {method} {path} for a long body, found {status}")
            grown = studio.resident_bytes - before
            check(grown < (LONGEST_BODY >> 20) * 3 << 20, f"no copy of a long body, grown by {grown >> 20} MB")
            connection.close()
    alive("large bodies")


def lengths():
    """Lengths that are wrong, absurd or double end the connection and nothing else."""
    post = next(path for method, path in routes() if method == "POST")
    for length in ("-1", "x", "1e3", "9223372036854775807", "9223372036854775808", "99999999999999999999999",
                   "+5", "0x10", " ", "5, 6"):
        data = (f"POST {filled(post)} HTTP/1.1\r\nHost: {studio.host}\r\n{authorised()}"
                f"Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{{}}").encode()
        answer = studio.raw(data, timeout=1)
        check(status_of(answer) != 500, f"no status 500 for the length {length}")
    for size in ("-1", "zz", "ffffffffffffffff", "7fffffffffffffff", "", "0x5", "5;" + "x" * 9000):
        data = (f"POST {filled(post)} HTTP/1.1\r\nHost: {studio.host}\r\n{authorised()}"
                f"Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n{size}\r\n{{}}\r\n").encode()
        answer = studio.raw(data, timeout=1)
        check(status_of(answer) != 500, f"no status 500 for a part of the size {size[:20]}")
    # Smuggling: two lengths, and a length beside chunks.
    for extra in ("Content-Length: 2\r\nContent-Length: 60\r\n", "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n"):
        data = (f"POST {filled(post)} HTTP/1.1\r\nHost: {studio.host}\r\n{authorised()}"
                f"Content-Type: application/json\r\n{extra}\r\n").encode()
        answer = studio.raw(data, timeout=1)
        check(status_of(answer) != 500, f"no status 500 for {extra!r}")
    alive("lengths")


def types():
    """A body of another type is refused: a form of a foreign page can send only those."""
    for method, path in routes():
        if method not in ("POST", "PUT", "PATCH", "DELETE"):
            continue
        for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x",
                     "", "application/json/x", "application/jsonp", "text/plain; application/json"):
            extra = authorised() + (f"Content-Type: {kind}\r\n" if kind else "")
            answer = studio.raw(simple(method, filled(path), extra, body=b'{"a":1}'))
            check(status_of(answer) == 415,
                  f"status 415 of {method} {path} with {kind!r}, found {status_of(answer)}")


def malformed():
    """Malformed JSON is refused everywhere, without a crash."""
    deep = b"[" * 100_000
    broken = [b"{", b"[", b"nul", b"\xff\xfe", b'{"a":', b'"\\ud800"', b"NaN", b"1e999", b"[1,]", b"{}{}", b"\0",
              deep, b'{"a":' * 20_000, b"-", b'{"strokes":' + b"[[" * 3000, b"{'a':1}", b"{a:1}", b"[1 2]",
              b"\xc0\xaf", b'{"a":1', b"]", b"//x"]
    # Valid, or taken by Foundation.
    odd = [b'{"a":"\x01"}', b'{"' + b"a" * 500_000 + b'":1}', b"\xef\xbb\xbf{}", b'{"strokes":[{"x":[1e400],"y":[1]}]}',
           b'{"a":1,"a":2}', b"9" * 100_000, b'"' + b"\\u0000" * 1000 + b'"', b"null", b"true", b"[]", b"0", b"{}",
           deep + b"]" * 100_000, b'{"a":' * 5000 + b"1" + b"}" * 5000, b'{"name":null,"data":null,"strokes":null}']
    for method, path in routes():
        if method not in ("POST", "PUT", "PATCH"):
            continue
        # Routes without a body do not read it.
        takes_body = studio.request(method, filled(path, "x", "0"), b"[1]")[0] in (400, 422)
        for body in broken + odd:
            status, _, answer = studio.request(method, filled(path, "x", "0"), body)
            check(status != 500 and status < 600, f"no status 500 of {method} {path} for {body[:30]!r}")
            if body in broken and takes_body:
                check(400 <= status < 500,
                      f"a refusal of {method} {path} for {body[:30]!r}, found {status} {answer[:200]!r}")
    alive("malformed JSON")


def fuzz():
    """Random requests to every route: no status 500, and the studio stays."""
    fuzzer = Fuzzer(options.seed)
    chance = fuzzer.chance
    every = routes()
    seen, slow = {}, []
    connection = None
    for index in range(options.requests):
        method, path = every[index % len(every)]
        # Mostly the objects that are there.
        target = filled(path, *(quoted(str(chance.choice(
            ["x"] * 6 + [0, 1, "mine", -1, 10 ** 30, "é", "a b", "ink:link.jsonl", "%", "a%2Fb",
                         chance.choice(TEXTS)]))) for _ in range(3)))
        if chance.random() < 0.4:
            pairs = [(chance.choice(MEMBERS), chance.choice(TEXTS + NUMBERS))
                     for _ in range(chance.randint(1, 8))]
            target += "?" + "&".join(f"{name}={quoted(str(value))}" for name, value in pairs)
        body = fuzzer.body(path) if method in ("POST", "PUT", "PATCH") else None
        what = f"request {index} of seed {options.seed}: {method} {target[:200]} {(body or b'')[:400]!r}"
        started = time.monotonic()
        connection = connection or http.client.HTTPConnection("127.0.0.1", studio.port, timeout=60)
        try:
            connection.request(method, target, body, {
                "Authorization": f"Bearer {studio.token}", "Content-Type": "application/json"})
            response = connection.getresponse()
            answer = response.read()
        except (OSError, http.client.HTTPException) as error:
            raise Failed(f"an answer of {what}, found {type(error).__name__}") from error
        if time.monotonic() - started > 5:
            slow.append(what)
        if response.status == 101:
            connection.close()
            connection = None
        seen[response.status] = seen.get(response.status, 0) + 1
        check(response.status != 500, f"no status 500 of {what}, found {answer[:300]!r}")
        check(SECRET.encode() not in answer, f"nothing from outside in the answer of {what}")
    check(not slow, f"answers within 5 s, found slower ones of {slow[:3]}")
    alive("random requests")
    print(f"attacks: {options.requests} random requests: {dict(sorted(seen.items()))}")


def broken_heads():
    """Random bytes instead of requests: the studio stays."""
    fuzzer = Fuzzer(options.seed)
    base = simple("GET", "/v1/studio?x=1", authorised() + "Content-Type: application/json\r\n")
    heads = [b"\r\n\r\n", b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"GET http://evil.example/ HTTP/1.1\r\n\r\n",
             b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
             b"GET /%zz HTTP/1.1\r\nHost: x\r\n\r\n", b"GET /\xff\xfe HTTP/1.1\r\nHost: x\r\n\r\n",
             b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 20_000 + b"\r\n", b"GET /" + b"a" * 500_000 + b" HTTP/1.1\r\n\r\n",
             b"GET / HTTP/1.1\r\nHost\r\n:\r\n: x\r\n\r\n", b"GET * HTTP/1.1\r\n\r\n"]
    for head in heads + [fuzzer.broken(base) for _ in range(300)]:
        answer = studio.raw(head, timeout=0.3)
        check(status_of(answer) != 500, f"no status 500 for {head[:100]!r} (seed {options.seed})")
    alive("broken heads")


# MARK: - WebSockets

def handshake(extra, path):
    key = base64.b64encode(os.urandom(16)).decode()
    return (f"GET {path} HTTP/1.1\r\nHost: {studio.host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n{extra}\r\n").encode()


def web_sockets():
    """No route becomes a WebSocket for another origin or without the token."""
    upgrades = []
    for method, path in routes():
        if method != "GET":
            continue
        for extra, expected in (("", 401), (authorised() + "Origin: http://evil.example\r\n", 403),
                                (authorised() + "Origin: null\r\n", 403),
                                (authorised() + "Sec-Fetch-Site: cross-site\r\n", 403)):
            answer = studio.raw(handshake(extra, filled(path)), timeout=5)
            check(status_of(answer) == expected,
                  f"status {expected} of a WebSocket at {path} with {extra[:20]!r}, found {status_of(answer)}")
        answer = studio.raw(handshake(authorised() + f"Origin: {studio.base}\r\n", filled(path)), timeout=2)
        if status_of(answer) == 101:
            upgrades.append(path)
    for path in upgrades:
        if path.startswith("/v1/pages"):
            studio.request("POST", "/v1/pages", {"name": "frames"})
        large_frames(path)
    print(f"attacks: WebSockets at {', '.join(upgrades) or 'no route'}")


def large_frames(path):
    """Frames that claim to be huge, or are, end the connection; the memory is given back."""
    before = studio.resident_bytes
    for head, count in ((b"\x82\xff" + struct.pack(">Q", 1 << 62), 64), (b"\x82\xff" + struct.pack(">Q", (1 << 63) + 5), 4),
                        (b"\x01\xff" + struct.pack(">Q", 96 << 20), 96), (b"\x80\x80", 1), (b"\x8f\x80", 1),
                        (b"\x89\xfe\xff\xff", 1), (b"\x88\x81", 1), (b"\x00\x80", 1), (b"\xff\x80", 1)):
        with socket.create_connection(("127.0.0.1", studio.port), timeout=20) as connection:
            connection.sendall(handshake(authorised() + f"Origin: {studio.base}\r\n", filled(path, "frames")))
            check(b" 101 " in connection.recv(4096), f"a WebSocket at {path}")
            try:
                connection.sendall(head + b"\0\0\0\0")
                for _ in range(count):
                    connection.sendall(b"a" * (1 << 20))
                connection.settimeout(0.3)
                while connection.recv(65536):
                    pass
            except (ConnectionError, TimeoutError):
                pass
        alive(f"the frame {head.hex()}")
    # Many small parts of one message, which is never complete.
    with socket.create_connection(("127.0.0.1", studio.port), timeout=20) as connection:
        connection.sendall(handshake(authorised() + f"Origin: {studio.base}\r\n", filled(path, "frames")))
        connection.recv(4096)
        try:
            for index in range(200):
                connection.sendall((b"\x01" if index == 0 else b"\x00") + b"\xff" + struct.pack(">Q", 1 << 20)
                                   + b"\0\0\0\0" + b"a" * (1 << 20))
        except (ConnectionError, TimeoutError):
            pass
        check(studio.resident_bytes - before < 150 << 20, "no message without an end in memory")
    wait_for(lambda: studio.resident_bytes - before < 64 << 20, "the memory of huge frames to be given back")
    alive("huge frames")


# MARK: - Connections

def slow_heads():
    """Clients that send their heads a byte at a time do not keep others out."""
    clients = [socket.create_connection(("127.0.0.1", studio.port)) for _ in range(300)]
    try:
        for step in range(5):
            for client in clients:
                client.sendall(b"GET /v1/studio HTTP/1.1\r\n"[step:step + 1])
            started = time.monotonic()
            studio.get("/v1/studio")
            check(time.monotonic() - started < 2, "an answer within 2 s beside 300 slow clients")
    finally:
        for client in clients:
            client.close()
    alive("slow heads")


def many_connections():
    """Thousands of connections, more than the studio may open, do not end it."""
    with Folder() as folder:
        small = Studio(studio.tool, folder / "project", port=free_port(), limit=256)
        clients = []
        try:
            for _ in range(2000):
                try:
                    client = socket.create_connection(("127.0.0.1", small.port), timeout=1)
                    client.setblocking(False)
                    clients.append(client)
                except OSError:
                    break
            time.sleep(1)
            check(small.is_alive, f"a running studio with {len(clients)} connections")
            for client in clients:
                client.close()
            clients = []

            def answers():
                try:
                    return small.request("GET", "/v1/studio", timeout=2)[0] == 200
                except (OSError, http.client.HTTPException):
                    return False
            wait_for(answers, "an answer after all of them went")
        finally:
            for client in clients:
                client.close()
            small.stop()
    for _ in range(3):
        clients = [socket.create_connection(("127.0.0.1", studio.port)) for _ in range(1000)]
        for client in clients:
            client.close()
    alive("many connections")


def aborted():
    """Clients that go in the middle of a body or of an answer do not disturb others."""
    def attack(index):
        with socket.create_connection(("127.0.0.1", studio.port), timeout=5) as connection:
            if index % 2:
                connection.sendall((f"POST /v1/recognize HTTP/1.1\r\nHost: {studio.host}\r\n{authorised()}"
                                    "Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{").encode())
            else:
                connection.sendall(simple("GET", "/js/shell.js", authorised()))
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    threads = [threading.Thread(target=attack, args=(index,)) for index in range(200)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    alive("aborted requests")


def logs():
    """Neither the token nor ink and labels get into the log."""
    mark = "private-label-81c2"
    for method, path in routes():
        if method in ("POST", "PUT"):
            studio.request(method, filled(path), {"label": mark, "text": mark, "preContext": mark,
                                                  "strokes": [{"x": [1], "y": [2]}], "name": mark})
    text = Path(studio.log.name).read_text()
    check(mark not in text and studio.token not in text, "no text of users and no token in the log")


SCENARIOS = [token, sign_in, host, origin, headers_on_every_answer, traversal, named_paths, large_bodies,
             lengths, types, malformed, fuzz, broken_heads, web_sockets, slow_heads, many_connections, aborted,
             logs]


def main():
    global studio, options
    parser = argparse.ArgumentParser()
    parser.add_argument("tool", nargs="?", default=".build/release/ductus")
    parser.add_argument("--list", action="store_true", help="print the names of the attacks")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    parser.add_argument("--requests", type=int, default=4000)
    parser.add_argument("--only", action="append", default=[])
    options = parser.parse_args()
    if options.list:
        return print("\n".join(each.__name__.replace("_", "-") for each in SCENARIOS))
    print(f"attacks: seed {options.seed}, {len(routes())} routes")
    with Folder() as folder:
        options.outside, project = plant(folder)
        studio = Studio(options.tool, project)
        try:
            fill()
            failed = run(SCENARIOS, options.only)
        finally:
            if not studio.is_alive:
                print(f"attacks: error: the studio ended with {studio.process.returncode}", file=sys.stderr)
                failed = ["ended"]
            studio.stop()
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
