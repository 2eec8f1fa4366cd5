"""Scenarios of the page Try: writing, saving, restart, slow and cut connections."""
import asyncio
import re

from pages import VIEWS, is_shown, until
from studio import ROOT, check, paris, points, read_ink


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


async def choices(place):
    """Without a choice, the best language reads; languages are named in words."""
    place.start()
    tab = await place.tab("try")
    choice = tab.role("combobox", "Model", exact=True)
    check(await choice.input_value() == "automatic", "an automatic choice at first")
    names = await choice.locator("option").all_inner_texts()
    check("German (de)" in names and "de" not in names, f"languages by name, found {names}")
    asked = []
    tab.page.on("request", lambda each: asked.append(each.post_data_json) if each.url.endswith("/recognize") else None)
    await tab.write(points(paris()))
    await until(lambda: is_text(tab, "paris"), "the text paris")
    check(asked and all("model" not in each for each in asked), "requests without a model")
    await choice.select_option("fr")
    await until(lambda: is_text(tab, "paris"), "the text paris in French")
    check(asked[-1].get("model") == "fr", "a request with the chosen model")


async def is_text(tab, text):
    found = await best(tab)
    return found.lower() == text or (text == "" and not await tab.page.locator("main ol li .text").count())


async def palm(place):
    """A palm beside the pen leaves no ink."""
    place.start()
    context = await place.browser.context(has_touch=True)
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
    await tab.role("textbox", "Label").fill("paris")
    await tab.role("button", "Save").click()
    await tab.page.get_by_role("status").filter(has_text=re.compile("saved", re.I)).first.wait_for()

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


async def busy(place):
    """While the page is busy, events pile up; no stroke takes samples of the next ones."""
    place.start()
    tab = await place.tab("try")
    await tab.page.evaluate("""() => setInterval(() => {
        const end = performance.now() + 60;
        while (performance.now() < end);
      }, 65)""")
    ink = points(read_ink(ROOT / "Tests/Cases/pages/diagram.jsonl")[0])
    await tab.write(ink, fill=0.95)
    await until(lambda: is_shown(tab, f"{len(ink)} strokes"), "the number of strokes")
    await tab.role("textbox", "Label").fill("diagram")
    await tab.role("button", "Save").click()
    await tab.page.get_by_role("status").filter(has_text=re.compile("saved", re.I)).first.wait_for()
    saved = next(record for path in place.project.rglob("*.jsonl") if ".studio" not in path.parts
                 for record in read_ink(path) if record.get("label") == "diagram")
    longer = [i for i, (each, written) in enumerate(zip(saved["strokes"], ink))
              if len(each["x"]) > len(written)]
    check(not longer, f"strokes with their own samples only, but strokes {longer[:5]} have more")


async def parts(place):
    """A page with more than one text lists its parts; pointing at one marks its strokes."""
    place.start()
    tab = await place.tab("try")
    ink = points(read_ink(ROOT / "Tests/Cases/pages/diagram.jsonl")[0])
    await tab.write(ink, fill=0.95)
    await until(lambda: is_shown(tab, f"{len(ink)} strokes"), "the number of strokes")
    group = tab.role("group", "Parts of the page")
    button = group.get_by_role("button", name=re.compile("^divider"))
    await until(button.first.is_visible, "a divider among the parts of the page")

    async def are_texts():
        return await group.get_by_role("button", name=re.compile("^text ")).count() > 1
    await until(are_texts, "several texts")
    before = await tab.surface.screenshot()
    await button.first.hover()

    async def is_marked():
        return await tab.surface.screenshot() != before
    await until(is_marked, "strokes that are marked")
    await tab.page.keyboard.press("Escape")
    await until(group.is_hidden, "no parts of an empty page")


async def restart(place):
    """The studio is killed while a page is open, and started again: the page goes on."""
    studio = place.start()
    tab = await place.tab("try")
    tab.expected = tab.cut
    strokes = points(paris())
    await tab.write(strokes[:1], part_of=strokes)
    studio.kill()
    await tab.write(strokes[1:], part_of=strokes)
    await tab.role("alert").filter(has_text=re.compile("connection|reached", re.I)).first.wait_for()
    check(await is_shown(tab, f"{len(strokes)} stroke"), "all strokes while the studio is away")
    studio.start()
    banner = tab.page.locator("body > [role=alert]")
    await banner.wait_for(state="hidden")
    await until(lambda: is_text(tab, "paris"), "the text after the restart, without a reload")


async def slow_connection(place):
    """On a slow connection, the text comes late, but it is that of the last stroke."""
    place.start()
    tab = await place.tab("try")
    await tab.slow(400, 20_000)
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
    await tab.write(strokes[:1], part_of=strokes)
    await tab.offline()
    await tab.write(strokes[1:], part_of=strokes)
    await asyncio.sleep(0.5)
    check(await is_shown(tab, f"{len(strokes)} stroke"), "all strokes without a connection")
    await tab.offline(False)
    await tab.page.locator("body > [role=alert]").wait_for(state="hidden")
    await until(lambda: is_text(tab, "paris"), "the text after the connection came back")


SCENARIOS = [writes_and_reads, choices, busy, parts, palm, saves_ink, restart, slow_connection, cut_connection]
