#!/usr/bin/env python3
"""Scrolls a wall of 50,000 inks in headless Chromium and reports long tasks and memory.

    python3 -m venv venv && venv/bin/pip install playwright
    venv/bin/python Tests/Studio/wall.py [--ductus .build/release/ductus] [--inks 50000]
        [--seconds 10] [--chromium /usr/bin/chromium] [--most 50] [--window 1280x800] [--size medium]

Makes a project in a temporary folder, starts the studio on it, and scrolls at several speeds: slowly,
by pages, by flings and by jumps. Prints one JSON object. Exits with 1 if a task took more than --most
milliseconds, if an ink was not drawn after scrolling had ended, or if the console has errors.

longestTaskMs is the longest task of the Long Tasks API (0 if none took 50 ms), which includes the time in
which other programs had the processor. longestTaskCpuMs is the time on the processor of the longest task, from
a trace. On a machine with other load, only the second one decides.
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

from playwright.sync_api import sync_playwright

SCROLL = """
async (seconds) => {
  const wall = document.querySelector(".wall");
  const tasks = [];
  const observer = new PerformanceObserver((list) => { for (const each of list.getEntries()) tasks.push(each.duration); });
  observer.observe({ type: "longtask" });
  const frames = [];
  performance.mark("wall-start");
  const start = performance.now();
  let last = start, place = 0, cells = 0;
  while (performance.now() - start < 1000 * seconds) {
    await new Promise((done) => requestAnimationFrame(done));
    const now = performance.now();
    frames.push(now - last);
    last = now;
    const share = (now - start) / (1000 * seconds);
    // A quarter of the time each: by hand, by pages, by flings, by jumps of the scroll bar.
    if (share < 0.25) place += 14;
    else if (share < 0.5) place += 120;
    else if (share < 0.75) place += 1500;
    else if (frames.length % 6 === 0) place = Math.random() * wall.scrollHeight;
    if (place > wall.scrollHeight) place = 0;
    wall.scrollTop = place;
    cells = Math.max(cells, wall.querySelectorAll(".cell").length);
  }
  const view = wall.getBoundingClientRect();
  const blankCells = () => [...wall.querySelectorAll(".cell")].filter((cell) => {
    const box = cell.getBoundingClientRect();
    const isShown = box.bottom > view.top && box.top < view.bottom && box.right > view.left;
    return isShown && (cell.dataset.state === "waiting" || cell.querySelector("canvas").style.visibility !== "visible");
  }).length;
  const stopped = performance.now();
  let blank = 1;
  while (blank > 0 && performance.now() - stopped < 30_000) {
    await new Promise((done) => setTimeout(done, 100));
    blank = blankCells();
  }
  const drawnMs = Math.round(performance.now() - stopped);
  observer.disconnect();
  performance.mark("wall-end");
  frames.sort((a, b) => a - b);
  return {
    longestTaskMs: Math.max(0, ...tasks), longTasks: tasks.length, frames: frames.length,
    frameMsMedian: frames[frames.length >> 1], frameMs99: frames[Math.floor(frames.length * 0.99)],
    cells, blank, drawnMs, scrollHeight: wall.scrollHeight,
    heapMB: Math.round((performance.memory?.usedJSHeapSize ?? 0) / 1e5) / 10,
  };
}
"""


def memory(pid):
    """The resident memory of a process, now and at most, in MB."""
    try:
        with open(f"/proc/{pid}/status") as file:
            text = file.read()
    except OSError:
        return None
    return {name: int(re.search(rf"{key}:\s+(\d+)", text)[1]) / 1000
            for name, key in [("nowMB", "VmRSS"), ("mostMB", "VmHWM")]}


def longest_cpu(trace):
    """The longest task of the page's main thread by its time on the processor, in ms."""
    events = json.loads(trace)["traceEvents"]
    marks = {each["name"]: each for each in events if each.get("name") in ("wall-start", "wall-end")}
    first, last = marks["wall-start"], marks["wall-end"]
    return max((each.get("tdur", 0) / 1000 for each in events
                if each.get("ph") == "X" and each["name"].endswith("RunTask") and each["tid"] == first["tid"]
                and each["pid"] == first["pid"] and first["ts"] <= each["ts"] <= last["ts"]), default=0)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--ductus", default=".build/release/ductus")
    parser.add_argument("--chromium", default=shutil.which("chromium") or shutil.which("chromium-browser"))
    parser.add_argument("--inks", type=int, default=50_000)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--most", type=float, default=50)
    parser.add_argument("--window", default="1280x800")
    parser.add_argument("--size", choices=["small", "medium", "large"], default="medium", help="the size of the cells")
    parser.add_argument("--screenshot")
    options = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="ductus-wall-")
    server = None
    try:
        subprocess.run([options.ductus, "data", "synth", "--data", f"starter:characters?count={options.inks}",
                        "--output", os.path.join(folder, "wall.jsonl")], check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        server = subprocess.Popen([options.ductus, "studio", folder, "--port", "0"], stdout=subprocess.PIPE, text=True)
        base, token = re.search(r"(http://\S+?)/?\?token=(\w+)", server.stdout.readline()).groups()
        errors = []
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=options.chromium, args=["--no-sandbox"])
            width, height = map(int, options.window.split("x"))
            page = browser.new_page(viewport={"width": width, "height": height})
            page.add_init_script(f"localStorage.setItem('wall-size', '{options.size}')")
            page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
            page.on("pageerror", lambda error: errors.append(str(error)))
            page.goto(f"{base}/data?token={token}")
            started = time.time()
            page.goto(f"{base}/data?data=ink:wall.jsonl")
            page.wait_for_selector(".cell[data-state]:not([data-state=waiting])", timeout=120_000)
            opened = time.time() - started
            page.wait_for_timeout(500)
            browser.start_tracing(page=page, categories=["toplevel", "blink.user_timing"])
            # Starting the trace is a long task itself.
            page.wait_for_timeout(500)
            result = page.evaluate(SCROLL, options.seconds)
            result["longestTaskCpuMs"] = longest_cpu(browser.stop_tracing())
            if options.screenshot:
                page.screenshot(path=options.screenshot)
            browser.close()
        load = os.getloadavg()[0]
        result.update(load=load, inks=options.inks, openedSeconds=round(opened, 2), server=memory(server.pid), consoleErrors=errors)
        print(json.dumps(result, indent=1))
        isQuiet = load < (os.cpu_count() or 1)
        longest = result["longestTaskMs"] if isQuiet else result["longestTaskCpuMs"]
        isGood = longest <= options.most and result["blank"] == 0 and not errors
        sys.exit(0 if isGood else 1)
    finally:
        if server:
            server.terminate()
            server.wait(10)
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
