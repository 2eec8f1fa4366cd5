#!/usr/bin/env python3
"""Measures and checks the page of the studio in Chromium, with real ink.

    page.py [--ductus PATH] [--checks latency,frames,cut,attacks,restart]

latency: writes 300 strokes with pointer events; milliseconds from the end of each of the last 100
    strokes to its candidates on the screen.
frames: loads 5,000 strokes and writes, moves and zooms; milliseconds of script per frame, measured
    in the page and from the trace of the browser.
cut: writes while the connection is cut, and reloads the page: nothing is lost.
restart: kills the studio in mid-session and starts it again: nothing is lost.
attacks: malformed, oversized and fragmented frames over a raw socket; the studio goes on.

Needs `pip install playwright` and Chromium. Uses IAM-OnDB from INK_DATASETS if it is there.
"""
import argparse
import base64
import json
import os
import re
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import page_ink

SCALE = 96 / 25.4


class Studio:
    """A studio in a process of its own."""

    def __init__(self, ductus, folder):
        self.ductus, self.folder = ductus, folder
        # The name of the cookie holds the port that was asked for, so it is the same after a restart.
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            [self.ductus, "studio", self.folder, "--port", str(self.port)], stdout=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        self.url = line.split("studio at ")[1].strip()
        self.base, self.token = re.match(r"(.*)/\?token=(.*)", self.url).groups()

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def request(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, {
            "Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}, method=method)
        with urllib.request.urlopen(request) as answer:
            return answer.read()

    def load(self, name, strokes):
        self.request("POST", "/v1/pages", {"name": name})
        for start in range(0, len(strokes), 100):
            self.request("POST", f"/v1/pages/{name}/commands", {
                "id": f"load-{start}", "type": "strokes", "strokes": strokes[start:start + 100]})
        self.request("GET", f"/v1/pages/{name}/export?format=text")


def percentile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(share * len(values)))] if values else float("nan")


def summary(values):
    return f"p50 {percentile(values, .5):.1f} ms, p95 {percentile(values, .95):.1f} ms, max {max(values):.1f} ms, n {len(values)}"


class Browser:
    """A tab of Chromium on a page, with pointer events over the debugging protocol."""

    def __init__(self, playwright, studio, width=1280, height=900):
        self.browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        self.context = self.browser.new_context(viewport={"width": width, "height": height})
        self.studio = studio
        self.faults = []
        self.tab = self.new_tab()
        self.cdp = self.context.new_cdp_session(self.tab)

    def new_tab(self):
        tab = self.context.new_page()
        # A cut connection is reported by the browser itself.
        tab.on("console", lambda m: self.faults.append(m.text) if m.type == "error" and "ERR_" not in m.text and "404" not in m.text else None)
        tab.on("pageerror", lambda e: self.faults.append(str(e)))
        tab.goto(self.studio.base + f"/page?token={self.studio.token}")
        return tab

    def open(self, name, tab=None):
        tab = tab or self.tab
        tab.goto(f"{self.studio.base}/page?name={name}")
        self.wait("page?.model.isComplete", tab)
        tab.wait_for_timeout(300)
        box = tab.locator("canvas.top").bounding_box()
        self.left, self.top = box["x"], box["y"]
        return box

    def page(self, script, tab=None):
        return (tab or self.tab).evaluate(f"(() => {{ const page = document.querySelector('main').page; return {script}; }})()")

    def wait(self, script, tab=None, seconds=60):
        """Waits until a script is true; the policy of the page forbids wait_for_function."""
        end = time.monotonic() + seconds
        while not self.page(script, tab):
            if time.monotonic() > end:
                raise TimeoutError(script)
            (tab or self.tab).wait_for_timeout(50)

    def mouse(self, kind, x, y, held=True):
        self.cdp.send("Input.dispatchMouseEvent", {
            "type": kind, "x": x, "y": y, "button": "left" if held else "none", "buttons": 1 if held else 0,
            "clickCount": 1 if kind != "mouseMoved" else 0, "pointerType": "mouse"})

    def write(self, stroke, dy=0.0, interval=0.0, most=10 ** 6):
        step = max(1, len(stroke["x"]) // most)
        points = list(zip(stroke["x"], stroke["y"]))
        points = points[::step] + ([points[-1]] if (len(points) - 1) % step else [])
        pixels = [(self.left + x * SCALE, self.top + (y - dy) * SCALE) for x, y in points]
        self.mouse("mouseMoved", *pixels[0], held=False)
        self.mouse("mousePressed", *pixels[0])
        for pixel in pixels[1:]:
            start = time.perf_counter()
            self.mouse("mouseMoved", *pixel)
            rest = interval - (time.perf_counter() - start)
            if rest > 0:
                time.sleep(rest)
        self.mouse("mouseReleased", *pixels[-1])


def latency(playwright, studio, fails):
    """The last 100 of 300 strokes at the pace of writing."""
    strokes = page_ink.page(300)
    studio.load("latency", strokes[:200])
    browser = Browser(playwright, studio)
    box = browser.open("latency")
    for index, stroke in enumerate(strokes[200:]):
        low, high = min(stroke["y"]), max(stroke["y"])
        y = browser.page("page.view.camera.y")
        x = browser.page("page.view.camera.x")
        if (high - y) * SCALE > box["height"] - 60 or (low - y) * SCALE < 10 or index == 0:
            y = low - 30
            browser.page(f"page.view.setCamera({{ x: 0, y: {y}, scale: {SCALE} }})")
            browser.tab.wait_for_timeout(300)
        browser.write(stroke, dy=y, interval=0.008)
        time.sleep(0.12)
    browser.tab.wait_for_timeout(1000)
    values = browser.page("page.latencies")
    print(f"latency: stroke end to candidates on the screen: {summary(values)}")
    print("latency: strokes on the page:", browser.page("page.model.strokes.size"))
    if len(values) < 95:
        fails.append(f"only {len(values)} of 100 strokes were read")
    if percentile(values, 0.95) > 60:
        fails.append("latency p95 is above 60 ms")
    fails += browser.faults
    browser.browser.close()


def script_per_frame(events, main):
    """Milliseconds of script of the main thread in each sixtieth of a second that has any."""
    names = {"FunctionCall", "EvaluateScript", "RunMicrotasks", "FireAnimationFrame", "TimerFire", "EventDispatch",
             "v8.callFunction"}
    spans = sorted((e["ts"], e["ts"] + e.get("dur", 0)) for e in events
                   if (e["pid"], e["tid"]) == main and e["ph"] == "X" and e["name"] in names)
    merged = []
    for start, end in spans:
        if merged and start < merged[-1][1]:
            merged[-1][1] = max(merged[-1][1], end)
        else:
            merged.append([start, end])
    sums = {}
    for start, end in merged:
        sums[int(start * 60 / 1e6)] = sums.get(int(start * 60 / 1e6), 0) + (end - start) / 1000
    return list(sums.values())


def frames(playwright, studio, fails, count=5000):
    """Script time while writing, moving and zooming a page of 5,000 strokes."""
    strokes = page_ink.page(count, per_row=4)
    start = time.perf_counter()
    studio.load("frames", strokes)
    print(f"frames: loaded {count} strokes and read them in {time.perf_counter() - start:.1f} s")
    browser = Browser(playwright, studio)
    start = time.perf_counter()
    box = browser.open("frames")
    print(f"frames: opened in {time.perf_counter() - start:.2f} s; strokes {browser.page('page.model.strokes.size')}")
    browser.page(f"page.view.setCamera({{ x: 0, y: 0, scale: {SCALE} }})")
    browser.tab.wait_for_timeout(1500)
    traced = []
    for name, action in [("writing", writing), ("moving", moving), ("zooming", zooming), ("all seen", all_seen)]:
        browser.tab.wait_for_timeout(300)
        browser.page("void (page.view.meter.frames.length = 0)")
        events = trace(browser, lambda: action(browser, box))
        own = browser.page("page.view.meter.frames")
        main = next((e["pid"], e["tid"]) for e in events if e["name"] == "FireAnimationFrame")
        values = script_per_frame(events, main)
        traced += values
        print(f"frames, {name}: in the page {summary(own)}; traced {summary(values)}")
        if percentile(own, 0.95) > 8:
            fails.append(f"script while {name} is above 8 ms")
    print(f"frames, together: traced {summary(traced)}")
    if percentile(traced, 0.95) > 8:
        fails.append("traced script is above 8 ms")
    fails += browser.faults
    browser.browser.close()


def writing(browser, box):
    for stroke in page_ink.page(40, seed=5):
        browser.write(stroke, dy=-4, interval=0.008)
        time.sleep(0.05)
    time.sleep(0.5)


def moving(browser, box):
    x, y = browser.left + box["width"] / 2, browser.top + box["height"] / 2
    for i in range(200):
        browser.cdp.send("Input.dispatchMouseEvent", {
            "type": "mouseWheel", "x": x, "y": y, "deltaX": 20 if i % 3 else -10, "deltaY": 60 if i < 120 else -70})
        time.sleep(0.014)


def zooming(browser, box):
    x, y = browser.left + box["width"] / 3, browser.top + box["height"] / 3
    for i in range(120):
        browser.cdp.send("Input.dispatchMouseEvent", {
            "type": "mouseWheel", "x": x, "y": y, "deltaX": 0, "deltaY": 8 if i < 60 else -8, "modifiers": 2})
        time.sleep(0.014)
        if i % 40 == 39:
            time.sleep(0.6)


def all_seen(browser, box):
    browser.page("page.view.fit(page.model.box)")
    time.sleep(1.5)
    for stroke in page_ink.page(10, seed=6):
        browser.write(stroke, interval=0.008)
        time.sleep(0.05)


def trace(browser, action):
    events = []
    done = []
    def collect(data):
        events.extend(data["value"])

    def finish(_):
        done.append(True)

    browser.cdp.on("Tracing.dataCollected", collect)
    browser.cdp.on("Tracing.tracingComplete", finish)
    browser.cdp.send("Tracing.start", {
        "transferMode": "ReportEvents",
        "traceConfig": {"includedCategories": ["devtools.timeline", "disabled-by-default-devtools.timeline", "v8"]}})
    action()
    browser.cdp.send("Tracing.end")
    while not done:
        browser.tab.wait_for_timeout(50)
    browser.cdp.remove_listener("Tracing.dataCollected", collect)
    browser.cdp.remove_listener("Tracing.tracingComplete", finish)
    return events


def expect(holds, text, fails):
    print(("ok: " if holds else "FAILED: ") + text)
    if not holds:
        fails.append(text)


def cut(playwright, studio, fails):
    """A cut connection, a reload while it is cut, and two tabs."""
    strokes = page_ink.page(24)
    studio.load("cut", [])
    browser = Browser(playwright, studio)
    browser.open("cut")
    second = browser.new_tab()
    browser.open("cut", second)
    browser.tab.bring_to_front()
    for stroke in strokes[:6]:
        browser.write(stroke)
    browser.tab.wait_for_timeout(1200)
    expect(browser.page("page.model.strokes.size", second) == 6, "the second tab sees the ink of the first", fails)
    studio.process.send_signal(signal.SIGSTOP)
    for stroke in strokes[6:12]:
        browser.write(stroke)
    browser.tab.wait_for_timeout(2500)
    state = browser.tab.locator(".page-status .tag").inner_text()
    expect("Saving" in state or "Not connected" in state, f"a studio that does not answer is shown: {state}", fails)
    studio.process.send_signal(signal.SIGCONT)
    browser.tab.wait_for_timeout(2000)
    expect(browser.page("page.model.strokes.size") == 12, "what was written while it stood still is saved", fails)
    studio.kill()
    browser.tab.wait_for_timeout(800)
    for stroke in strokes[12:18]:
        browser.write(stroke)
    browser.tab.wait_for_timeout(800)
    expect(browser.tab.locator(".page-status .tag").inner_text().startswith("Not connected: 6"), "the changes that are kept are counted", fails)
    browser.tab.keyboard.press("Control+z")
    browser.tab.wait_for_timeout(200)
    expect("5 changes" in browser.tab.locator(".page-status .tag").inner_text(), "ink that was never sent can be undone while cut", fails)
    browser.tab.screenshot(path="/tmp/page-cut.png")
    studio.start()
    # The tab is reloaded before it has connected again.
    browser.open("cut")
    browser.tab.wait_for_timeout(1500)
    expect(browser.page("page.model.strokes.size") == 17, "ink of a cut connection survives a reload", fails)
    browser.tab.wait_for_timeout(6000)
    expect(browser.page("page.model.strokes.size", second) == 17, "the second tab connects again by itself", fails)
    expect(browser.page("localStorage.length && Object.keys(localStorage).filter(k => k.startsWith('studio-page/')).length") == 0,
           "nothing stays in the browser once it is saved", fails)
    fails += browser.faults
    browser.browser.close()


def restart(playwright, studio, fails):
    """Kills the studio after random strokes, and looks whether anything is lost or doubled."""
    strokes = page_ink.page(60, seed=3)
    studio.load("restart", [])
    browser = Browser(playwright, studio)
    browser.open("restart")
    for index, stroke in enumerate(strokes):
        browser.write(stroke, most=20)
        if index % 15 == 7:
            studio.kill()
        if index % 15 == 11:
            studio.start()
            browser.tab.wait_for_timeout(300)
    browser.wait("page?.model.strokes.size >= 60")
    browser.tab.wait_for_timeout(1500)
    browser.wait("page?.model.unread === 0")
    expect(browser.page("page.model.strokes.size") == 60, "four kills while writing lose and double nothing", fails)
    before = browser.page("page.model.lines.map(line => line.words.map(word => word.text).join(' ')).join('|')")
    studio.kill()
    studio.start()
    browser.open("restart")
    browser.wait("page?.model.unread === 0")
    after = browser.page("page.model.lines.map(line => line.words.map(word => word.text).join(' ')).join('|')")
    expect(before == after, f"the text is the same after a restart", fails)
    if before != after:
        print(before, "\n", after)
    fails += browser.faults
    browser.browser.close()


def attacks(_, studio, fails):
    """Frames that no browser sends."""
    studio.load("attacks", [])

    def upgrade():
        s = socket.create_connection(("127.0.0.1", studio.port), timeout=5)
        key = base64.b64encode(os.urandom(16)).decode()
        s.sendall((f"GET /v1/pages/attacks/socket HTTP/1.1\r\nHost: 127.0.0.1:{studio.port}\r\nUpgrade: websocket\r\n"
                   f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
                   f"Authorization: Bearer {studio.token}\r\n\r\n").encode())
        assert b"101" in s.recv(4096).split(b"\r\n")[0]
        return s

    def frame(opcode, payload, fin=True, length=None, masked=True):
        n = len(payload) if length is None else length
        head = bytes([(0x80 if fin else 0) | opcode])
        bit = 0x80 if masked else 0
        head += bytes([bit | n]) if n < 126 else bytes([bit | 126]) + struct.pack(">H", n) if n < 65536 else bytes([bit | 127]) + struct.pack(">Q", n)
        mask = os.urandom(4) if masked else b""
        return head + mask + (bytes(b ^ mask[i % 4] for i, b in enumerate(payload)) if masked else payload)

    cases = {
        "a length of 2^63 - 1": frame(1, b"x", length=2 ** 63 - 1),
        "a length above 2^63": frame(1, b"x", length=2 ** 64 - 1),
        "a message without end": b"".join(frame(1 if i == 0 else 0, b"a" * 60000, fin=False) for i in range(80)),
        "text that is not UTF-8": frame(1, b"\xff\xfe"),
        "a continuation without a beginning": frame(0, b"x"),
        "a long ping": frame(9, b"x" * 200),
        "an unknown opcode": frame(11, b"x"),
        "a close of one byte": frame(8, b"x"),
        "reserved bits": b"\xf1" + frame(1, b"x")[1:],
        "binary": frame(2, b"\0\1\2"),
        "an unmasked frame": frame(1, b"{}", masked=False),
        "random bytes": os.urandom(5000),
    }
    for name, data in cases.items():
        s = upgrade()
        try:
            s.sendall(data)
            s.settimeout(0.5)
            s.recv(4096)
        except (TimeoutError, ConnectionError, BrokenPipeError):
            pass
        s.close()
        try:
            studio.request("GET", "/v1/pages")
            alive = studio.process.poll() is None
        except OSError:
            alive = False
        expect(alive, f"the studio goes on after {name}", fails)
    # A message in fragments with a ping between them is one message.
    s = upgrade()
    s.sendall(frame(1, b'{"type": ', fin=False) + frame(9, b"hi") + frame(0, b'"ping"}'))
    s.settimeout(1)
    data = b""
    try:
        while b"pong" not in data or b"hi" not in data:
            data += s.recv(4096)
    except TimeoutError:
        pass
    expect(b'"pong"' in data and b"hi" in data, "a message in fragments is one message", fails)
    s.close()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--ductus", default=".build/release/ductus")
    parser.add_argument("--checks", default="attacks,cut,restart,latency,frames")
    options = parser.parse_args()
    from playwright.sync_api import sync_playwright
    fails = []
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        studio = Studio(options.ductus, folder)
        try:
            for name in options.checks.split(","):
                globals()[name](playwright, studio, fails)
        finally:
            studio.kill()
    for text in fails:
        print("FAILED:", text)
    sys.exit(1 if fails else 0)


if __name__ == "__main__":
    main()
