#!/usr/bin/env python3
"""Sends mutated requests to the pipe and the HTTP interface: no crash, every request answered.

    soak.py DUCTUS [--requests N] [--growth N] [--seed S]

DUCTUS is the tool. N mutated requests (1,000,000 unless told otherwise) go to each door, then as many
plain ones as --growth says (200,000), while its memory is watched: after a minute, it may not grow by
more than 5 %. A server keeps the timer of a request for so long. Bounded in count; ends by itself.
"""
import argparse
import copy
import http.client
import json
import random
import re
import statistics
import subprocess
import sys
import threading
import time

# A server keeps the timer of the whole exchange until its time has come.
SECONDS = 65

WORD = {"strokes": [{"x": [102, 108, 113, 117, 118, 117, 117, 116, 117, 115, 117, 119, 123, 128, 136],
                     "y": [187, 183, 176, 170, 176, 189, 200, 208, 195, 180, 172, 170, 172, 180, 188],
                     "t": [0, 16, 32, 48, 64, 80, 96, 112, 128, 144, 160, 176, 192, 208, 224]}]}
SEEDS = [
    {"id": 1, **WORD},
    {"id": "a", "model": "latin-characters", "layout": "glyph", "spans": True, **WORD},
    {"id": 2, "language": "en-US", "preContext": "Dear ", "candidates": 3, "layout": "line", **WORD},
    {"id": 3, "area": {"x": 0, "y": 0, "width": 300, "height": 80}, "alphabet": "abc\\p{Nd}", **WORD},
    {"id": 4, "lexicon": ["cat", "dog", "a"], "lexiconBonus": 2, "layout": "page", **WORD},
    {"id": 5, "model": "shapes", "strokes": [{"x": [1], "y": [2], "force": [None]}]},
    {"id": None, "strokes": []},
]
VALUES = [None, True, False, 0, -1, 1.5, 1e308, -1e308, 1e-320, 10**30, "", "x", "\u0000", "\ud83d\ude00",
          "../../etc/passwd", "a" * 300, [], {}, [[]], [None], {"x": 1}, 1e9, -1e9, 5e-324]
TEXTS = [b"NaN", b"Infinity", b"-", b"1e", b"1e999", b"\xff", b"\xc3", b'"', b"\\u", b"\\ud800",
         b"{", b"}", b"[", b"]", b",", b":", b"nul", b"//", b"\t", b"\r", b"\x00", b" " * 50,
         b"[" * 200, b'{"a":' * 100]


def mutated(rng):
    """One line that is nearly a request."""
    request = json.loads(json.dumps(rng.choice(SEEDS)))
    for _ in range(rng.randrange(3)):
        node = request
        for _ in range(rng.randrange(1, 5)):
            keys = list(node) if isinstance(node, dict) else list(range(len(node)))
            if not keys:
                break
            key = rng.choice(keys)
            if isinstance(node[key], (dict, list)) and rng.random() < 0.6:
                node = node[key]
                continue
            node[key] = copy.deepcopy(rng.choice(VALUES))
            break
    text = bytearray(json.dumps(request).encode())
    for _ in range(rng.choice([0, 0, 1, 1, 2, 5])):
        place = rng.randrange(len(text) + 1)
        kind = rng.randrange(4)
        if kind == 0 and place < len(text):
            text[place] = rng.randrange(256)
        elif kind == 1:
            text[place:place] = rng.choice(TEXTS)
        elif kind == 2:
            del text[place:place + rng.randrange(1, 20)]
        else:
            end = min(len(text), place + rng.randrange(1, 60))
            text[place:place] = text[place:end]
    return bytes(text).replace(b"\n", b" ")


def memory(pid):
    """Resident bytes of a process."""
    with open(f"/proc/{pid}/status", encoding="ascii") as file:
        return int(re.search(r"VmRSS:\s+(\d+) kB", file.read()).group(1)) * 1024


def check(text):
    answer = json.loads(text)
    good = "candidates" in answer or {"code", "message", "field"} <= set(answer["error"])
    if not good or "id" not in answer:
        sys.exit(f"soak: error: an answer of another form: {text[:300]!r}")
    return answer


class Pipe:
    """`ductus recognize -`, with a thread that writes."""

    def __init__(self, tool):
        self.process = subprocess.Popen(
            [tool, "recognize", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.pid = self.process.pid

    def exchange(self, requests):
        def write():
            for request in requests:
                self.process.stdin.write(request + b"\n")
            self.process.stdin.flush()

        writer = threading.Thread(target=write)
        writer.start()
        for index, request in enumerate(requests):
            line = self.process.stdout.readline()
            if not line:
                sys.exit(f"soak: error: the pipe ended ({self.process.wait()}) at {request[:2000]!r}")
            yield check(line)
        writer.join()

    def close(self):
        self.process.stdin.close()
        if self.process.wait() != 0:
            sys.exit(f"soak: error: the pipe ended with {self.process.returncode}")


class Server:
    """`ductus serve`, over one connection."""

    def __init__(self, tool):
        self.process = subprocess.Popen(
            [tool, "serve", "--port", "0"], stdout=subprocess.PIPE, text=True)
        self.pid = self.process.pid
        port = re.search(r":(\d+)/", self.process.stdout.readline()).group(1)
        self.connection = http.client.HTTPConnection("127.0.0.1", int(port), timeout=60)

    def exchange(self, requests):
        headers = {"Content-Type": "application/json"}
        for request in requests:
            # An array of requests is something else.
            body = b"x" + request if request.lstrip()[:1] == b"[" else request
            self.connection.request("POST", "/v1/recognize", body, headers)
            response = self.connection.getresponse()
            text = response.read()
            if response.status >= 500:
                sys.exit(f"soak: error: status {response.status} for {request[:2000]!r}: {text!r}")
            yield check(text)

    def close(self):
        self.connection.close()
        self.process.terminate()
        if self.process.wait() != 0:
            sys.exit(f"soak: error: the server ended with {self.process.returncode}")


def soak(name, door, options):
    rng = random.Random(options.seed)
    read = refused = done = 0
    while done < options.requests:
        block = [mutated(rng) for _ in range(min(2000, options.requests - done))]
        for answer in door.exchange(block):
            read, refused = read + ("candidates" in answer), refused + ("error" in answer)
        done += len(block)
        if done % 50_000 == 0:
            print(f"soak: {name}: {done} requests", flush=True)
    print(f"soak: {name}: {done} mutated requests, all answered: {read} read, {refused} refused")
    plain = json.dumps(SEEDS[0]).encode()
    sizes, done = [], 0
    settled = time.monotonic() + SECONDS
    while done < options.growth or len(sizes) < 5:
        block = [plain] * 2000
        for answer in door.exchange(block):
            if "error" in answer:
                sys.exit(f"soak: error: {answer}")
        done += len(block)
        if time.monotonic() > settled:
            sizes.append(memory(door.pid))
    # The rate varies, and with it the number of timers.
    early, late = (statistics.median(part) for part in (sizes[:len(sizes) // 2], sizes[len(sizes) // 2:]))
    print(f"soak: {name}: {done} requests, {early / 1e6:.1f} MB after a minute, "
          f"{late / 1e6:.1f} MB at the end")
    if late > 1.05 * early:
        sys.exit(f"soak: error: the memory of the {name} grows")
    door.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tool")
    parser.add_argument("--requests", type=int, default=1_000_000)
    parser.add_argument("--growth", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print(f"soak: seed {options.seed}")
    soak("pipe", Pipe(options.tool), options)
    soak("server", Server(options.tool), options)


main()
