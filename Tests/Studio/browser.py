#!/usr/bin/env python3
"""Tests the studio in headless Chromium, as a person uses it.

    browser.py DUCTUS [--screenshots DIR] [--only NAME]...

One function per scenario. Each has a studio and a browser context of its own. A scenario fails if the
page reports an error, also of the content-security policy, that the scenario does not cause on purpose.
"""
import argparse
import asyncio
import json
import math
import re
import statistics
import sys
import time
import traceback
from pathlib import Path

from pages import CONTROLS, DESK, PHONE, VIEWS, Browser
from studio import (ROOT, Failed, Folder, Studio, check, jittered, paris, points, read_ink)

#: The most milliseconds until the first page is loaded, and the most bytes of all files of the app.
MOST_MILLISECONDS, MOST_BYTES = 300, 400_000

options = None
browser = None


class Place:
    """A project with a running studio."""

    def __init__(self, folder):
        self.project = folder / "project"
        self.project.mkdir()
        self.studio = None
        self.tabs = []

    def start(self, *arguments):
        self.studio = Studio(options.tool, self.project, arguments=arguments)
        return self.studio

    async def tab(self, view="try", **more):
        tab = await browser.tab(self.studio, view, **more)
        self.tabs.append(tab)
        return tab

    async def finish(self):
        for tab in self.tabs:
            tab.check_quiet()

    async def close(self):
        for context in {tab.page.context for tab in self.tabs}:
            await context.close()
        if self.studio:
            self.studio.stop()


async def until(condition, expected, seconds=30):
    """Waits until a condition, which may be asynchronous, holds; returns its value."""
    end = time.monotonic() + seconds
    while True:
        value = condition()
        if asyncio.iscoroutine(value):
            value = await value
        if value:
            return value
        if time.monotonic() > end:
            raise Failed(f"expected {expected} within {seconds} s")
        await asyncio.sleep(0.1)


def shape_ink():
    """Real and synthetic ink of the repository, by label: symbols of few strokes."""
    result = {}
    for path in sorted((ROOT / "Tests/Cases").rglob("*.jsonl")):
        if path.parent.name not in ("shapes", "gestures"):
            continue
        for record in read_ink(path):
            strokes = [s for s in points(record) if s]
            if strokes and sum(map(len, strokes)) > 5:
                result.setdefault(path.stem, strokes)
    return result


# MARK: - Try

async def best(tab):
    """Returns the first candidate that is shown, or an empty text."""
    items = tab.page.locator("main ol li .text")
    return (await items.first.inner_text()).strip() if await items.count() else ""


async def writes_and_reads(place):
    """Writes real ink with a pen, and reads the text that is shown."""
    place.start()
    tab = await place.tab("try")
    strokes = points(paris())
    await tab.write(strokes)
    await until(lambda: is_text(tab, "paris"), "the text paris")
    shown = await tab.page.locator("main").inner_text()
    check(f"{len(strokes)} stroke" in shown, f"the number of strokes, {len(strokes)}, on the page")
    # Undo takes a stroke, redo gives it back, Escape clears.
    await tab.page.keyboard.press("Control+z")
    await until(lambda: is_shown(tab, f"{len(strokes) - 1} stroke"), "one stroke less after undo")
    await tab.page.keyboard.press("Control+Shift+Z")
    await until(lambda: is_shown(tab, f"{len(strokes)} stroke"), "the stroke again after redo")
    await until(lambda: is_text(tab, "paris"), "the text paris after redo")
    await tab.page.keyboard.press("Escape")
    await until(lambda: is_text(tab, ""), "no text after Escape")
    # With the mouse, too.
    await tab.write(strokes, pen=False)
    await until(lambda: is_text(tab, "paris"), "the text paris of the mouse")


async def is_text(tab, text):
    found = await best(tab)
    return found.lower() == text or (text == "" and not await tab.page.locator("main ol li .text").count())


async def is_shown(tab, text):
    return text in await tab.page.locator("body").inner_text()


async def palm(place):
    """A palm beside the pen leaves no ink."""
    place.start()
    context = await browser.context(has_touch=True)
    tab = await place.tab("try", context=context)
    strokes = points(paris())
    await tab.write(strokes)
    await until(lambda: is_text(tab, "paris"), "the text paris")
    box = await tab.surface.bounding_box()
    for radius in (5, 70):
        await tab.touch(box["x"] + 60, box["y"] + 60, radius)
    await asyncio.sleep(0.3)
    check(await is_shown(tab, f"{len(strokes)} stroke"), "no stroke of the palm")


async def saves_ink(place):
    """Saves what was written as labelled ink, which keeps pressure and time."""
    place.start()
    tab = await place.tab("try")
    await tab.write(points(paris()))
    await until(lambda: is_text(tab, "paris"), "the text paris")
    await tab.role("button", "Save").click()
    dialog = tab.role("dialog")
    await dialog.get_by_role("textbox").first.fill("paris")
    await dialog.get_by_role("button", name="Save").click()
    await dialog.wait_for(state="detached")

    def saved():
        return [record for path in place.project.rglob("*.jsonl") if ".studio" not in path.parts
                for record in read_ink(path) if record.get("label") == "paris"]
    records = await until(saved, "a record with the label paris in the project")
    strokes = records[0]["strokes"]
    check(len(strokes) == len(paris()["strokes"]), f"all strokes, found {len(strokes)}")
    check(all("force" in each and "t" in each for each in strokes), "force and time of the pen")
    written = sum(len(each["x"]) for each in paris()["strokes"])
    kept = sum(len(each["x"]) for each in strokes)
    check(kept >= 0.8 * written, f"most of the {written} points of the pen, found {kept}")


# MARK: - Frame

async def all_pages(place):
    """Every page is shown by the navigation, by its address and by the keyboard, without errors."""
    place.start()
    tab = await place.tab("try")
    for view in VIEWS:
        await tab.go(view)
        await tab.page.wait_for_load_state("networkidle")
        current = tab.page.locator("nav a[aria-current='page']")
        check(await current.count() == 1, f"one current page in the navigation of {view}")
        check(await current.first.get_attribute("href") == f"/{view}", f"{view} as the current page")
        check("Ductus Studio" in await tab.page.title(), f"a title of {view}")
    for view in VIEWS:
        await tab.page.goto(f"{tab.base}/{view}")
        await tab.shown(view)
    await tab.page.go_back()
    await tab.shown(VIEWS[-2])
    for index, view in enumerate(VIEWS):
        await tab.page.keyboard.press(f"Alt+{index + 1}")
        await tab.shown(view)
    # Going to and fro quickly ends at the last one.
    for view in VIEWS * 3:
        await tab.page.locator(f"nav a[href='/{view}']").click()
    await tab.shown(VIEWS[-1])
    await tab.page.keyboard.press("?")
    await tab.role("dialog").wait_for()
    await tab.page.keyboard.press("Escape")
    await tab.role("dialog").wait_for(state="detached")
    check("token" not in tab.page.url, "no token in the address")


async def without_token(place):
    """A page without the token says what to do."""
    studio = place.start()
    context = await browser.context()
    page = await context.new_page()
    for view in VIEWS:
        await page.goto(f"{studio.base}/{view}")
        alert = page.get_by_role("alert").filter(has_text="token")
        await alert.first.wait_for(timeout=10_000)
    await context.close()


async def policy(place):
    """The policy stops scripts, styles, frames and requests that are not of the studio."""
    studio = place.start()
    tab = await place.tab("try")
    tab.expected = [r"Content Security Policy", r"ERR_BLOCKED", r"violates", r"/none\.png"]
    result = await tab.page.evaluate("""async () => {
      const found = [];
      const violations = [];
      document.addEventListener("securitypolicyviolation", (event) => violations.push(event.effectiveDirective));
      const script = document.createElement("script");
      script.textContent = "window.__inline = true";
      document.body.append(script);
      if (window.__inline) found.push("inline script");
      // The tools of the browser may evaluate texts themselves, but not what they leave behind.
      await new Promise((done) => setTimeout(() => {
        try { (0, eval)("window.__eval = true"); } catch {}
        done();
      }));
      if (window.__eval) found.push("eval");
      const image = document.createElement("img");
      image.setAttribute("onerror", "window.__handler = true");
      image.src = "/none.png";
      document.body.append(image);
      try { await fetch("http://example.invalid/"); found.push("fetch"); } catch {}
      const style = document.createElement("div");
      style.setAttribute("style", "color: rgb(1, 2, 3)");
      document.body.append(style);
      if (getComputedStyle(style).color === "rgb(1, 2, 3)") found.push("inline style");
      await new Promise((done) => setTimeout(done, 300));
      if (window.__handler) found.push("inline handler");
      for (const each of ["script-src-elem", "script-src", "connect-src"])
        if (!violations.some((one) => one.startsWith(each))) found.push(`no violation of ${each}`);
      if (document.cookie !== "") found.push("a cookie that scripts can read");
      return found;
    }""")
    check(not result, f"a policy without gaps, found {result}")
    # Another origin can neither frame nor read the studio.
    context = await browser.context()
    page = await context.new_page()
    await page.goto(f"http://localhost:{studio.port}/icon.svg")
    answer = await page.evaluate(
        "address => fetch(address).then((r) => r.status, () => 'refused')", f"{studio.base}/v1/studio")
    check(answer == "refused", f"a refusal for another origin, found {answer}")
    await context.close()


async def first_page(place):
    """The first page is shown quickly, and the files of the app are small."""
    place.start()
    context = await browser.context()
    tab = await place.tab("try", context=context)
    loads, paints = [], []
    for _ in range(10):
        await tab.page.goto(f"{tab.base}/try")
        await tab.shown("try")
        load, paint = await until(lambda: tab.page.evaluate("""() => {
          const navigation = performance.getEntriesByType("navigation")[0];
          const paint = performance.getEntriesByName("first-contentful-paint")[0];
          return navigation?.loadEventEnd > 0 && paint ? [navigation.loadEventEnd, paint.startTime] : null;
        }"""), "times of the load")
        loads.append(load)
        paints.append(paint)
    load, paint = statistics.median(loads), statistics.median(paints)
    folder = ROOT / "Sources/Studio/Pages"
    total = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    print(f"browser: first page: loaded after {load:.0f} ms, first paint after {paint:.0f} ms "
          f"(medians of 10); all files {total / 1000:.0f} kB")
    check(load <= MOST_MILLISECONDS and paint <= MOST_MILLISECONDS,
          f"the first page within {MOST_MILLISECONDS} ms")
    check(total <= MOST_BYTES, f"at most {MOST_BYTES} bytes of files, found {total}")


# MARK: - Disturbances

async def restart(place):
    """The studio is killed while a page is open, and started again: the page goes on."""
    studio = place.start()
    tab = await place.tab("try")
    tab.expected = tab.cut
    strokes = points(paris())
    await tab.write(strokes[:1])
    studio.kill()
    await tab.write(strokes[1:])
    await tab.role("alert").filter(has_text=re.compile("connection|reached", re.I)).first.wait_for()
    check(await is_shown(tab, f"{len(strokes)} stroke"), "all strokes while the studio is away")
    studio.start()
    banner = tab.page.locator("body > [role=alert]")
    await banner.wait_for(state="hidden")
    await tab.page.keyboard.press("Control+z")
    await tab.page.keyboard.press("Control+Shift+Z")
    await until(lambda: is_text(tab, "paris"), "the text after the restart, without a reload")


async def slow_connection(place):
    """On a slow connection, the text comes late, but it is that of the last stroke."""
    place.start()
    tab = await place.tab("try")
    await tab.slow(400, 20_000)
    for stroke in points(paris()):
        pass
    await tab.write(points(paris()), pace=0.004)
    await until(lambda: is_text(tab, "paris"), "the text paris", seconds=60)
    for view in VIEWS:
        await tab.go(view)


async def cut_connection(place):
    """The connection is cut and comes back: the ink stays, and the text comes."""
    place.start()
    tab = await place.tab("try")
    tab.expected = tab.cut
    strokes = points(paris())
    await tab.write(strokes[:1])
    await tab.offline()
    await tab.write(strokes[1:])
    await asyncio.sleep(0.5)
    check(await is_shown(tab, f"{len(strokes)} stroke"), "all strokes without a connection")
    await tab.offline(False)
    await tab.page.locator("body > [role=alert]").wait_for(state="hidden")
    await tab.page.keyboard.press("Control+z")
    await tab.page.keyboard.press("Control+Shift+Z")
    await until(lambda: is_text(tab, "paris"), "the text after the connection came back")


# MARK: - Accessibility

async def names(place):
    """Every control has a name for screen readers, on every page, and no id is used twice."""
    place.start()
    fill_project(place.project)
    for size in (DESK, PHONE):
        tab = await place.tab("try", size=size)
        for view in VIEWS:
            await tab.go(view)
            await tab.page.wait_for_load_state("networkidle")
            nameless = []
            for node in await tab.tree():
                role = node["role"]["value"]
                name = node.get("name", {}).get("value", "").strip()
                if role in CONTROLS and not name:
                    nameless.append(f"{role} {node.get('backendDOMNodeId')}")
            if nameless:
                nameless = [await describe(tab, each) for each in nameless[:8]]
            check(not nameless, f"a name of every control of {view}, found none of {nameless}")
            faults = await tab.page.evaluate("""() => {
              const found = [];
              const ids = new Set();
              for (const each of document.querySelectorAll("[id]")) {
                if (ids.has(each.id)) found.push(`two elements with the id ${each.id}`);
                ids.add(each.id);
              }
              for (const each of document.querySelectorAll("img:not([alt])")) found.push(`no alt of ${each.src}`);
              if (!document.documentElement.lang) found.push("no language of the page");
              if (document.querySelectorAll("main h1").length !== 1) found.push("not one heading h1");
              if (document.querySelector("[tabindex]:not([tabindex='0']):not([tabindex='-1'])")) found.push("a tabindex above 0");
              return found;
            }""")
            check(not faults, f"a sound document of {view}, found {faults}")


async def describe(tab, control):
    role, node = control.split()
    try:
        result = await tab.cdp.send("DOM.describeNode", {"backendNodeId": int(node)})
        found = result["node"]
        return f"{role} <{found['localName']} {' '.join(found.get('attributes', []))}>"
    except Exception:  # noqa: BLE001 (only a better message)
        return control


async def keyboard(place):
    """The Tab key reaches every control, in a circle, and the focus can be seen."""
    place.start()
    fill_project(place.project)
    tab = await place.tab("try")
    for view in VIEWS:
        await tab.page.goto(f"{tab.base}/{view}")
        await tab.shown(view)
        await tab.page.wait_for_load_state("networkidle")
        expected = await tab.page.evaluate("""() => [...document.querySelectorAll(
          "a[href], button, input, select, textarea, summary, [tabindex='0']")].filter((each) => {
          const box = each.getBoundingClientRect();
          if (each.disabled || each.tabIndex < 0 || box.width === 0 || box.height === 0 || each.closest("[hidden]")) return false;
          // Radio buttons of one name, and parts of a grid, share one place in the order.
          if (each.type === "radio") return each.checked;
          return each.checkVisibility({ visibilityProperty: true });
        }).length""")
        seen = {}
        for _ in range(expected + 40):
            await tab.page.keyboard.press("Tab")
            focused = await tab.focused()
            if focused is None:
                if seen:
                    break
                continue
            if focused["id"] in seen:
                break
            seen[focused["id"]] = focused
            check(focused["outline"] or focused["shadow"], f"a visible focus of {view} at {focused}")
            check(focused["visible"], f"a visible control with the focus of {view} at {focused}")
        check(len(seen) >= expected,
              f"{expected} controls of {view} in the order of Tab, found {len(seen)}: "
              f"{[each['name'].strip() for each in seen.values()]}")


def luminance(colour):
    """The relative luminance of #rrggbb (WCAG 2.2)."""
    parts = [int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


async def contrasts(place):
    """Texts stand out from what is behind them, in both themes (4.5; 3 for ink and edges)."""
    place.start()
    pairs = [(text, ground, 4.5) for text in ("text", "dim") for ground in ("ground", "panel", "paper")]
    pairs += [("accent", ground, 4.5) for ground in ("panel", "ground", "accent-soft")]
    pairs += [("text", f"{each}-soft", 4.5) for each in ("accent", "bad", "good", "warn")]
    pairs += [(each, f"{each}-soft", 4.5) for each in ("bad", "good", "warn")]
    pairs += [(each, "panel", 4.5) for each in ("bad", "good", "warn")]
    pairs += [("accent-text", "accent", 4.5), ("ink", "paper", 7)]
    pairs += [(f"s{index}", ground, 3) for index in range(1, 7) for ground in ("panel", "paper")]
    least = math.inf
    for theme in ("light", "dark"):
        for choice in ("auto", theme):
            tab = await place.tab("try", theme=theme if choice == "auto" else "light")
            await tab.page.get_by_role("combobox", name="Theme").select_option(choice)
            colours = await tab.page.evaluate("""names => Object.fromEntries(names.map((name) =>
              [name, getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim()]))""",
                                              sorted({each for pair in pairs for each in pair[:2]}))
            is_dark = luminance(colours["ground"]) < 0.2
            check(is_dark == (theme == "dark"), f"the theme {theme} with the choice {choice}")
            for text, ground, needed in pairs:
                found = contrast(colours[text], colours[ground])
                least = min(least, found / needed)
                check(found >= needed,
                      f"contrast {needed} of {text} on {ground} in {theme}, found {found:.2f}")


async def no_scrolling_aside(place):
    """No page is wider than the window, on a phone, a tablet and with 200 % zoom."""
    place.start()
    fill_project(place.project)
    for size in ({"width": 320, "height": 640}, PHONE, {"width": 768, "height": 1024}, {"width": 640, "height": 400}, DESK):
        tab = await place.tab("try", size=size)
        for view in VIEWS:
            await tab.go(view)
            await tab.page.wait_for_load_state("networkidle")
            excess = await tab.page.evaluate(
                "() => document.documentElement.scrollWidth - document.documentElement.clientWidth")
            check(excess <= 0, f"{view} within {size['width']} px, found {excess} px more")


# MARK: - Screenshots

def fill_project(project):
    """Puts labelled ink into a project, so that its pages have something to show."""
    records = []
    for label, strokes in shape_ink().items():
        for seed in range(4):
            records.append({"label": label, "strokes": [
                {"x": [round(p[0], 2) for p in stroke], "y": [round(p[1], 2) for p in stroke]}
                for stroke in jittered(strokes, seed)]})
    (project / "symbols.jsonl").write_text("".join(json.dumps(each) + "\n" for each in records))


async def screenshots(place):
    """Takes pictures of every page in both themes and two sizes, for a person to look at."""
    if not options.screenshots:
        return
    folder = Path(options.screenshots)
    folder.mkdir(parents=True, exist_ok=True)
    place.start()
    fill_project(place.project)
    for theme in ("light", "dark"):
        for name, size in (("desk", DESK), ("phone", PHONE)):
            tab = await place.tab("try", theme=theme, size=size)
            for view in VIEWS:
                await tab.go(view)
                await tab.page.wait_for_load_state("networkidle")
                if view == "try":
                    await tab.write(points(paris()))
                    await until(lambda: is_text(tab, "paris"), "the text paris")
                await tab.page.screenshot(path=folder / f"{view}-{theme}-{name}.png", full_page=True)


SCENARIOS = [writes_and_reads, palm, saves_ink, all_pages, without_token, policy, first_page, restart,
             slow_connection, cut_connection, names, keyboard, contrasts, no_scrolling_aside, screenshots]


async def run():
    global browser
    failed = []
    async with Browser() as browser:
        for scenario in SCENARIOS:
            name = scenario.__name__.replace("_", "-")
            if options.only and not any(each in name for each in options.only):
                continue
            started = time.monotonic()
            with Folder() as folder:
                place = Place(folder)
                try:
                    await scenario(place)
                    await place.finish()
                    print(f"browser: {name}: passed in {time.monotonic() - started:.1f} s", flush=True)
                except Exception as error:  # noqa: BLE001 (every failure is reported by its scenario)
                    failed.append(name)
                    text = str(error) if isinstance(error, Failed) else f"{type(error).__name__}: {error}"
                    print(f"browser: error: {name}: {text}", file=sys.stderr, flush=True)
                    if options.trace:
                        traceback.print_exc()
                    for tab in place.tabs:
                        if tab.problems:
                            print(f"browser: console: {tab.problems[:5]}", file=sys.stderr)
                        if options.screenshots:
                            await tab.page.screenshot(path=Path(options.screenshots) / f"failed-{name}.png")
                finally:
                    await place.close()
    return failed


def main():
    global options
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("--screenshots")
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--trace", action="store_true", help="print where a scenario failed")
    options = parser.parse_args()
    sys.exit(1 if asyncio.run(run()) else 0)


if __name__ == "__main__":
    main()
