#!/usr/bin/env python3
"""Kills a studio at random moments while ink is collected: no acknowledged sample may be lost.

    kills.py DUCTUS [--kills N] [--seed S] [--browser [CHROMIUM]]

DUCTUS is the tool. Two writers send samples to one session, replace, delete and skip some of them, over
connections of which some are slow and some are cut. The server is killed with SIGKILL N times (100 unless
told otherwise) and started again; the writers repeat what was not answered. After each kill, every
acknowledged sample must be in the file exactly once. At the end, the file must have exactly the samples
that were acknowledged and not deleted, point by point, and 'ductus data inspect --strict' must read it.

With --browser, the writer is the page in Chromium (needs Playwright for Python), and the browser itself is
killed in every second round. Bounded in count; ends by itself; exits with 1 after a failure.
"""
import argparse
import http.client
import json
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

SESSION = "kills"
PROMPTS = 20_000


class Studio:
    """A studio on a project that can be killed and started again on the same port."""

    def __init__(self, tool, folder):
        self.tool, self.folder, self.process = tool, folder, None
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.token = None

    def start(self):
        self.process = subprocess.Popen(
            [self.tool, "studio", self.folder, "--port", str(self.port)],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        line = self.process.stdout.readline()
        found = re.search(r"token=(\w+)", line)
        if not found:
            raise SystemExit(f"kills: the studio did not start: {line.strip()}")
        self.token = found[1]

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.process.stdout.close()

    @property
    def file(self):
        return os.path.join(self.folder, "collect", SESSION + ".jsonl")

    def request(self, method, path, body=None, rng=None):
        """Sends a request once; the status and the answer. OSError and the like if it is cut."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            data = b"" if body is None else json.dumps(body).encode()
            connection.putrequest(method, path)
            connection.putheader("Authorization", "Bearer " + self.token)
            connection.putheader("Content-Length", str(len(data)))
            if body is not None:
                connection.putheader("Content-Type", "application/json")
            connection.endheaders()
            if data and rng and rng.random() < 0.2:
                # A slow connection.
                cut = sorted(rng.randrange(len(data)) for _ in range(3))
                for start, end in zip([0] + cut, cut + [len(data)]):
                    connection.send(data[start:end])
                    time.sleep(rng.random() * 0.02)
            elif data:
                connection.send(data)
            if rng and rng.random() < 0.1:
                # The connection is cut before the answer.
                time.sleep(rng.random() * 0.005)
                raise ConnectionError("cut")
            response = connection.getresponse()
            return response.status, json.loads(response.read() or b"null")
        finally:
            connection.close()

    def persistently(self, method, path, body=None, rng=None):
        """Repeats a request until it is answered."""
        deadline = time.monotonic() + 120
        while True:
            try:
                status, answer = self.request(method, path, body, rng)
                if status != 503:
                    return status, answer
            except (OSError, http.client.HTTPException, ValueError):
                pass
            if time.monotonic() > deadline:
                raise RuntimeError(f"no answer to {method} {path} in 120 s")
            time.sleep(0.01)


def ink(rng):
    """Strokes of a random walk; now and then so many that writing them to the file takes a while."""
    strokes, clock = [], 0
    longest = 4000 if rng.random() < 0.05 else 60
    for _ in range(rng.randrange(1, 5)):
        count = rng.randrange(5, longest)
        x, y = [rng.uniform(50, 500)], [rng.uniform(40, 150)]
        for _ in range(count):
            x.append(round(x[-1] + rng.uniform(-4, 6), 2))
            y.append(round(y[-1] + rng.uniform(-5, 5), 2))
        t = [clock + 8 * index for index in range(len(x))]
        clock = t[-1] + 150
        strokes.append({"x": x, "y": y, "t": t})
    return strokes


class Ledger:
    """The samples that the studio acknowledged: by prompt, the identifier and the strokes."""

    def __init__(self):
        self.lock = threading.Lock()
        self.stored = {}
        # Prompts whose sample is being replaced or deleted: either state is right until the answer.
        self.doubtful = set()
        self.counts = dict.fromkeys(["acknowledged", "replaced", "deleted", "skipped", "stale"], 0)


class Writer(threading.Thread):
    """One page that collects: it repeats each request until it is answered."""

    def __init__(self, number, studio, ledger, seed, stop):
        super().__init__()
        self.number, self.studio, self.ledger, self.stop = number, studio, ledger, stop
        self.rng = random.Random(seed * 1000 + number)
        self.serial, self.own, self.problem = 0, [], None
        self.sending = threading.Event()

    def run(self):
        try:
            while not self.stop.is_set():
                self.step()
        except Exception as error:  # noqa: BLE001 a failure ends the run
            self.problem = f"writer {self.number}: {error!r}"

    def path(self, rest):
        return f"/v1/collect/{SESSION}{rest}"

    def send(self, method, rest, body=None):
        self.sending.set()
        return self.studio.persistently(method, self.path(rest), body, self.rng)

    def step(self):
        draw = self.rng.random()
        if self.own and draw < 0.1:
            return self.replace()
        if self.own and draw < 0.17:
            return self.delete()
        _, state = self.send("GET", "")
        if not state["next"]:
            raise RuntimeError("the prompts are used up; this run needs more of them")
        prompt = state["next"]["index"]
        if draw > 0.97:
            status, _ = self.send("PUT", f"/skipped/{prompt}")
            self.ledger.counts["skipped"] += status == 200
            return None
        return self.put(prompt, None)

    def put(self, prompt, replaces):
        self.serial += 1
        sample = {"id": f"w{self.number}-{self.serial}", "strokes": ink(self.rng), "replaces": replaces,
                  "area": {"x": 0, "y": 30, "width": 600, "height": 120}, "surface": {"width": 600, "height": 200}}
        status, answer = self.send("PUT", f"/samples/{prompt}", sample)
        with self.ledger.lock:
            self.ledger.doubtful.discard(prompt)
            if status == 200:
                self.ledger.stored[prompt] = (sample["id"], sample["strokes"])
                self.ledger.counts["acknowledged"] += 1
                self.ledger.counts["replaced"] += replaces is not None
                self.own.append(prompt) if replaces is None else None
            elif status == 409 and replaces is None:
                self.ledger.counts["stale"] += 1
            else:
                raise RuntimeError(f"PUT {prompt}: {status} {answer}")

    def chosen(self):
        """One of the samples of this writer, marked as doubtful."""
        prompt = self.rng.choice(self.own[-50:])
        with self.ledger.lock:
            self.ledger.doubtful.add(prompt)
            return prompt, self.ledger.stored[prompt][0]

    def replace(self):
        prompt, identifier = self.chosen()
        self.put(prompt, identifier)

    def delete(self):
        prompt, identifier = self.chosen()
        self.own.remove(prompt)
        status, answer = self.send("DELETE", f"/samples/{prompt}?id={identifier}")
        with self.ledger.lock:
            self.ledger.doubtful.discard(prompt)
            # Another writer may have written the prompt since an attempt that was not answered.
            if status not in (200, 409):
                raise RuntimeError(f"DELETE {prompt}: {status} {answer}")
            if self.ledger.stored.get(prompt, (None,))[0] == identifier:
                del self.ledger.stored[prompt]
            self.ledger.counts["deleted"] += 1


def lines(file):
    """The whole lines of the file as records, and true if a part of a line follows."""
    with open(file, "rb") as handle:
        data = handle.read()
    whole, _, rest = data.rpartition(b"\n")
    return [json.loads(line) for line in whole.split(b"\n") if line], rest != b""


def check(ledger, file, isFinal):
    """Returns a description of what is wrong with the file, or None; and true if it ends in a part."""
    with ledger.lock:
        stored, doubtful = dict(ledger.stored), set(ledger.doubtful)
        records, isCut = lines(file)
    seen = {}
    for record in records:
        if record["id"] in seen:
            return f"sample {record['id']} is there twice", isCut
        seen[record["id"]] = record
    for prompt, (identifier, strokes) in stored.items():
        if prompt in doubtful:
            continue
        record = seen.get(identifier)
        if record is None:
            return f"acknowledged sample {identifier} of prompt {prompt} is lost", isCut
        if record["prompt"] != prompt or record["strokes"] != strokes:
            return f"sample {identifier} of prompt {prompt} has another prompt or other points", isCut
    if isFinal:
        expected = {identifier for identifier, _ in stored.values()}
        if set(seen) != expected:
            return f"samples that nobody expects: {sorted(set(seen) - expected)[:5]}", isCut
        if isCut:
            return "the file ends in a part of a line", isCut
    return None, isCut


def make_session(studio, rng):
    words = "\n".join(f"word {number}" for number in range(200))
    status, answer = studio.persistently("POST", "/v1/collect", {
        "name": SESSION, "writer": "w1",
        "source": {"kind": "text", "text": words, "repetitions": PROMPTS // 200, "shuffle": True,
                   "seed": rng.randrange(1 << 32)}})
    if status not in (201, 409):
        raise SystemExit(f"kills: no session: {answer}")


def inspect(tool, file):
    result = subprocess.run([tool, "data", "inspect", "--strict", "--data", "ink:" + file], capture_output=True, text=True)
    return None if result.returncode == 0 else f"ductus data inspect: {result.stderr.strip()}"


def run_requests(options, studio, rng):
    """The run over HTTP; a description of the failure, or None."""
    ledger, stop = Ledger(), threading.Event()
    make_session(studio, rng)
    writers = [Writer(number, studio, ledger, options.seed, stop) for number in range(2)]
    for writer in writers:
        writer.start()
    problem, cut = None, 0
    for kill in range(1, options.kills + 1):
        target = ledger.counts["acknowledged"] + rng.randrange(20)
        deadline = time.monotonic() + 20
        while ledger.counts["acknowledged"] < target and time.monotonic() < deadline:
            time.sleep(0.002)
        if rng.random() < 0.7:
            # A moment within a request.
            writer = rng.choice(writers)
            writer.sending.clear()
            writer.sending.wait(5)
            time.sleep(rng.random() * 0.008)
        else:
            time.sleep(rng.random() * 0.1)
        studio.kill()
        problem, isCut = check(ledger, studio.file, False)
        cut += isCut
        problem = problem or next((each.problem for each in writers if each.problem), None)
        studio.start()
        if problem:
            problem = f"after kill {kill}: {problem}"
            break
        if kill % 20 == 0:
            print(f"kills: {kill} kills, {ledger.counts['acknowledged']} samples acknowledged", flush=True)
    stop.set()
    for writer in writers:
        writer.join(150)
    problem = problem or next((each.problem for each in writers if each.problem), None)
    problem = problem or check(ledger, studio.file, True)[0]
    status, state = studio.persistently("GET", f"/v1/collect/{SESSION}")
    if not problem and state["written"] != len(ledger.stored):
        problem = f"the studio counts {state['written']} samples, {len(ledger.stored)} are stored"
    counts = ", ".join(f"{count} {name}" for name, count in ledger.counts.items())
    print(f"kills: {counts}; {len(ledger.stored)} samples in the file; {cut} kills left a part of a line")
    return problem


# The page in a browser


class Browser:
    """Chromium with a profile that outlives it."""

    def __init__(self, playwright, chromium, folder):
        self.playwright, self.chromium, self.folder, self.process = playwright, chromium, folder, None

    def start(self, errors):
        port_file = os.path.join(self.folder, "DevToolsActivePort")
        if os.path.exists(port_file):
            os.unlink(port_file)
        self.process = subprocess.Popen(
            [self.chromium, "--headless=new", "--no-sandbox", "--no-first-run", "--disable-gpu",
             "--remote-debugging-port=0", "--user-data-dir=" + self.folder, "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        deadline = time.monotonic() + 60
        while not (os.path.exists(port_file) and open(port_file).read().strip()):
            if time.monotonic() > deadline:
                raise SystemExit("kills: Chromium did not start")
            time.sleep(0.05)
        port = open(port_file).read().split()[0]
        self.browser = self.playwright.chromium.connect_over_cdp(f"http://127.0.0.1:{port}")
        page = self.browser.contexts[0].new_page()
        page.set_default_timeout(60_000)
        page.on("pageerror", lambda error: errors.append(str(error)))
        return page

    def kill(self):
        """Ends all processes of the browser; any thread may call it."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def forget(self):
        """Drops the connection to a killed browser."""
        try:
            self.browser.close()
        except Exception:  # noqa: BLE001 it is dead already
            pass


def run_browser(options, studio, rng):
    """The run with the page; a description of the failure, or None."""
    from playwright.sync_api import Error, sync_playwright

    make_session(studio, rng)
    acknowledged, errors, problem = {}, [], None
    folder = tempfile.mkdtemp(prefix="ductus-kills-browser-")
    address = f"http://127.0.0.1:{studio.port}/collect?session={SESSION}"

    def heard(response):
        request = response.request
        if request.method == "PUT" and "/samples/" in request.url and response.status == 200:
            body = json.loads(request.post_data)
            acknowledged[body["id"]] = body["strokes"]

    def opened(browser):
        page = browser.start(errors)
        page.on("response", heard)
        page.goto(f"http://127.0.0.1:{studio.port}/collect?token={studio.token}")
        page.goto(address)
        page.locator(".collect-text:not(:empty)").wait_for()
        return page

    def write(page):
        box = page.locator(".collect-surface").bounding_box()
        x, y = box["x"] + rng.uniform(40, 200), box["y"] + box["height"] / 2
        page.mouse.move(x, y)
        page.mouse.down()
        for _ in range(rng.randrange(6, 16)):
            x += rng.uniform(3, 12)
            page.mouse.move(x, y + rng.uniform(-50, 50))
        page.mouse.up()
        page.keyboard.press("Enter")
        if page.locator(".note.warn button.primary").count():
            page.keyboard.press("Enter")

    with sync_playwright() as playwright:
        browser = Browser(playwright, options.browser, folder)
        page = opened(browser)
        for kill in range(1, options.kills + 1):
            victim = studio.kill if kill % 2 else browser.kill
            timer = threading.Timer(rng.uniform(0.05, 2), victim)
            for _ in range(rng.randrange(2)):
                write(page)
            timer.start()
            try:
                while timer.is_alive():
                    write(page)
            except Error as error:
                if kill % 2:
                    raise
                del error
            timer.join()
            if kill % 2:
                # Write on while the studio is away: the page keeps the sample and sends it later.
                if rng.random() < 0.5:
                    write(page)
                studio.start()
                page.wait_for_selector("[aria-busy='false'] .collect-text")
            else:
                browser.forget()
                page = opened(browser)
            stored, _ = lines(studio.file)
            found = {}
            for record in stored:
                if record["id"] in found:
                    problem = f"sample {record['id']} is there twice"
                found[record["id"]] = record["strokes"]
            lost = [each for each, strokes in acknowledged.items() if found.get(each) != strokes]
            if lost:
                problem = f"acknowledged samples are lost or changed: {lost[:5]}"
            if errors:
                problem = f"errors of the page: {errors[:3]}"
            if problem:
                problem = f"after kill {kill}: {problem}"
                break
            if kill % 10 == 0:
                print(f"kills: {kill} kills, {len(acknowledged)} samples acknowledged", flush=True)
        browser.kill()
    shutil.rmtree(folder, ignore_errors=True)
    print(f"kills: {len(acknowledged)} samples acknowledged to the page, {len(lines(studio.file)[0])} in the file")
    return problem


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ductus")
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 31))
    parser.add_argument("--browser", nargs="?", const="chromium", metavar="CHROMIUM")
    options = parser.parse_args()
    if options.kills < 1:
        parser.error("--kills takes a whole number above 0")
    print(f"kills: seed {options.seed}", flush=True)
    rng = random.Random(options.seed)
    folder = tempfile.mkdtemp(prefix="ductus-kills-")
    studio = Studio(options.ductus, folder)
    studio.start()
    started = time.monotonic()
    try:
        problem = (run_browser if options.browser else run_requests)(options, studio, rng)
    finally:
        studio.kill()
    problem = problem or inspect(options.ductus, studio.file)
    if problem:
        print(f"kills: FAILED: {problem}; seed {options.seed}; the project is {folder}", file=sys.stderr)
        return 1
    print(f"kills: passed, {options.kills} kills in {time.monotonic() - started:.0f} s, seed {options.seed}")
    shutil.rmtree(folder, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
