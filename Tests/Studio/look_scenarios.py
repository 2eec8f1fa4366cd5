"""Scenarios of how the pages look and of access for everybody: names, keyboard, contrast, size."""
import asyncio
import json
import math
from pathlib import Path

from collect_scenarios import make_session, prompt
from pages import CONTROLS, DESK, PHONE, VIEWS, until
from studio import check, jittered, paris, points, symbol_ink
from try_scenarios import is_text


def fill_project(project):
    """Puts labelled ink into a project, so that its pages have something to show."""
    records = []
    for label, strokes in symbol_ink().items():
        for seed in range(4):
            records.append({"label": label, "strokes": [
                {"x": [round(p[0], 2) for p in stroke], "y": [round(p[1], 2) for p in stroke]}
                for stroke in jittered(strokes, seed)]})
    (project / "symbols.jsonl").write_text("".join(json.dumps(each) + "\n" for each in records))


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
        seen, last = {}, None
        for _ in range(expected + 40):
            await tab.page.keyboard.press("Tab")
            focused = await tab.focused()
            if focused is None:
                if seen:
                    break
                continue
            # A date has a stop for each of its parts.
            if focused["id"] == last and focused["type"] == "date":
                continue
            if focused["id"] in seen:
                break
            last = focused["id"]
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


STYLES = """() => {
  const found = {};
  const names = ["display", "color", "backgroundColor", "fontSize", "fontWeight", "padding", "margin", "flexWrap",
    "gap", "gridTemplateAreas", "borderRadius", "whiteSpace", "textAlign", "alignItems"];
  const visit = (element, path) => {
    const style = getComputedStyle(element);
    found[path] = names.map((each) => `${each}: ${style[each]}`);
    [...element.children].forEach((child, index) => visit(child, `${path} > ${index}:${child.tagName}.${child.className}`));
  };
  visit(document.querySelector("main"), "main");
  return found;
}"""


async def styles_stay(place):
    """A page looks the same after visits of all other pages: their styles do not reach it."""
    place.start()
    fill_project(place.project)
    tab = await place.tab("try")
    for view in VIEWS:
        await tab.page.goto(f"{tab.base}/{view}")
        await tab.shown(view)
        await settled(tab)
        before = await tab.page.evaluate(STYLES)
        for other in VIEWS:
            await tab.go(other)
            await settled(tab)
        await tab.go(view)
        await settled(tab)
        after = await tab.page.evaluate(STYLES)
        same = before.keys() & after.keys()
        check(len(same) >= 5, f"elements of {view} to compare, found {len(same)}")
        changed = [(path, [f"{one} -> {two}" for one, two in zip(before[path], after[path]) if one != two])
                   for path in same if before[path] != after[path]]
        check(not changed, f"the same styles of {view} after visits of other pages, found {changed[:3]}")


async def scripts(place):
    """Words of both directions are in their order, prompts have a direction, missing fonts a note."""
    place.start()
    tab = await place.tab("try")
    found = await tab.page.evaluate("""async () => {
      const { fontNote } = await import("/js/fonts.js");
      const { directedParts } = await import("/js/page/directions.js");
      const seen = (text, isLeftward = false) => {
        const line = document.createElement("div");
        line.dir = isLeftward ? "rtl" : "ltr";
        const buttons = text.split(" ").map((word) => Object.assign(document.createElement("button"), { textContent: word }));
        line.append(...directedParts(buttons, isLeftward));
        document.body.append(line);
        const placed = buttons.toSorted((a, b) => a.getBoundingClientRect().x - b.getBoundingClientRect().x);
        line.remove();
        return placed.map((each) => each.textContent).join(" ");
      };
      const notes = ["hello 12", "", "שלום", "سلام", "ภาษา", "ᠮᠣᠩ", "漢字"].map((text) => fontNote(text)?.textContent ?? "");
      return { hebrew: seen("שלום hello world 5 עולם", true), first: seen("hello world שלום 5", true), latin: seen("one שלום עולם two"), plain: seen("one 2 three"), notes };
    }""")
    check(found["hebrew"] == "עולם 5 hello world שלום", f"words of a Hebrew line, found {found['hebrew']}")
    check(found["first"] == "5 שלום hello world", f"a Hebrew line that begins with Latin, found {found['first']}")
    check(found["latin"] == "one עולם שלום two", f"Hebrew words in a Latin line, found {found['latin']}")
    check(found["plain"] == "one 2 three", f"Latin words alone, found {found['plain']}")
    check(found["notes"][:2] == ["", ""], f"no note for Latin text, found {found['notes'][:2]}")
    for note in found["notes"][2:]:
        check(note == "" or "apt install fonts-noto-" in note, f"a note that names a package, found {note!r}")
    await make_session(tab, "two directions", ["שלום", "peace"], 1)
    directions = []
    for number in (0, 1):
        shown, _, label = await prompt(tab, number)
        direction = await tab.page.evaluate("() => getComputedStyle(document.querySelector('.collect-text')).direction")
        directions.append((label, direction))
        await tab.role("button", "Skip").click()
        if shown == 2:
            break
    check(sorted(directions) == sorted([("שלום", "rtl"), ("peace", "ltr")]), f"a direction of each prompt, found {directions}")


async def settled(tab):
    """Waits until a page has loaded what it shows at first."""
    await tab.page.wait_for_load_state("networkidle")
    await asyncio.sleep(0.7)


async def screenshots(place):
    """Takes pictures of every page in both themes and two sizes, for a person to look at."""
    if not place.options.screenshots:
        return
    folder = Path(place.options.screenshots)
    folder.mkdir(parents=True, exist_ok=True)
    place.start()
    fill_project(place.project)
    for theme in ("light", "dark"):
        for name, size in (("desk", DESK), ("phone", PHONE)):
            tab = await place.tab("try", theme=theme, size=size)
            for view in VIEWS:
                await tab.go(view)
                await settled(tab)
                if view == "try":
                    await tab.write(points(paris()))
                    await until(lambda: is_text(tab, "paris"), "the text paris")
                await tab.page.screenshot(path=folder / f"{view}-{theme}-{name}.png", full_page=True)


SCENARIOS = [names, keyboard, contrasts, no_scrolling_aside, styles_stay, scripts, screenshots]
