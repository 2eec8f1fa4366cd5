"""Scenarios of the page Page: notes stay, over reloads, restarts and two windows."""
import asyncio
import re

from pages import until
from proxy import Proxy
from studio import check, paris, points


#: The width of the word on the page, as a part of the surface: as large as people write on paper.
WORD = 0.14


async def text_of(tab):
    """Returns the text beside the ink."""
    region = tab.role("list", "Text of the page")
    return " ".join((await region.inner_text()).split()) if await region.count() else ""


async def reads(tab, text, seconds=30):
    async def shown():
        return text in (await text_of(tab)).lower()
    await until(shown, f"the text {text} beside the ink", seconds)


async def has_no_text(tab):
    return not await text_of(tab)


async def is_saved(tab):
    await until(tab.page.get_by_role("status").filter(has_text=re.compile("^Saved$")).first.is_visible,
                "the page to be saved")


async def page_notes(place):
    """Writing on a page is read and saved; undo, redo and a reload keep it right."""
    place.start()
    tab = await place.tab("page")
    await tab.write(points(paris()), fill=WORD)
    await reads(tab, "paris")
    await is_saved(tab)
    await tab.page.reload()
    await tab.shown("page")
    await reads(tab, "paris")
    await tab.role("button", "Undo").click()
    await tab.role("button", "Undo").click()
    await until(lambda: is_empty(tab), "no text after undoing both strokes")
    await tab.role("button", "Redo").click()
    await tab.role("button", "Redo").click()
    await reads(tab, "paris")
    await tab.role("button", "Clear the page").click()
    await until(lambda: is_empty(tab), "no text on a cleared page")


async def is_empty(tab):
    return "paris" not in (await text_of(tab)).lower()


async def page_restart(place):
    """What is written while the studio is away is saved when it comes back."""
    studio = place.start()
    tab = await place.tab("page")
    tab.expected = tab.cut + [r"WebSocket connection"]
    strokes = points(paris())
    await tab.write(strokes[:1], fill=WORD)
    await until(lambda: text_of(tab), "the text of the first stroke")
    await tab.role("button", "Undo").click()
    await until(lambda: has_no_text(tab), "no text after undo")
    await is_saved(tab)
    studio.kill()
    await tab.write(strokes, fill=WORD)
    await until(tab.page.get_by_role("status").filter(has_text="Not connected").first.is_visible,
                "a note that the page is not connected")
    # A reload in the meantime would not load; the ink waits in the page.
    studio.start()
    await reads(tab, "paris", seconds=60)
    await is_saved(tab)
    again = await place.tab("page")
    await reads(again, "paris")


async def page_two_windows(place):
    """Two windows of one page show the same."""
    place.start()
    context = await place.browser.context()
    one = await place.tab("page", context=context)
    await one.write(points(paris())[:1], fill=WORD)
    await is_saved(one)
    name = one.page.url
    two = await place.tab("page", context=context)
    await two.page.goto(name)
    await two.shown("page")
    await one.role("button", "Undo").click()
    await one.write(points(paris()), fill=WORD)
    await reads(one, "paris")
    await reads(two, "paris")
    await two.role("button", "Clear the page").click()
    await until(lambda: is_empty(one), "an empty page in the other window, too")


async def page_cuts(place):
    """A connection that is cut again and again loses no stroke and doubles none."""
    studio = place.start()
    async with Proxy(studio.port) as proxy:
        tab = await place.tab("page", base=proxy.base)
        tab.expected = tab.cut + [r"WebSocket connection"]
        for stroke in points(paris()):
            proxy.cut()
            await tab.write([stroke], fill=WORD)
            await asyncio.sleep(0.3)
        proxy.mode = "closed"
        await tab.role("button", "Undo").click()
        await tab.role("button", "Undo").click()
        await tab.write(points(paris()), fill=WORD)
        await asyncio.sleep(1)
        proxy.mode = "open"
        await reads(tab, "paris", seconds=60)
        await is_saved(tab)
        pages = studio.get("/v1/pages")["pages"]
        check(len(pages) == 1, f"one page, found {len(pages)}")


async def page_cut_in_stroke(place):
    """A connection that breaks while the pen is down loses nothing and doubles nothing."""
    studio = place.start()
    async with Proxy(studio.port) as proxy:
        tab = await place.tab("page", base=proxy.base)
        tab.expected = tab.cut + [r"WebSocket connection"]
        box = await tab.surface.bounding_box()

        async def pen(kind, step):
            await tab.cdp.send("Input.dispatchMouseEvent", {
                "type": kind, "x": box["x"] + 80 + 6 * step, "y": box["y"] + 80 + step % 3, "force": 0.5,
                "button": "none" if kind == "mouseMoved" else "left", "buttons": 0 if kind == "mouseReleased" else 1,
                "clickCount": 0 if kind == "mouseMoved" else 1, "pointerType": "pen"})

        for cut_at in (None, 1, 10, 19):
            await pen("mousePressed", 0)
            for step in range(1, 20):
                await pen("mouseMoved", step)
                await asyncio.sleep(0.02)
                if step == cut_at:
                    proxy.cut()
            await pen("mouseReleased", 20)
            await is_saved(tab)
        async def lengths():
            return await tab.page.evaluate(
                "[...document.querySelector('main').page.model.strokes.values()].map((each) => each.x.length)")

        async def are_four():
            return len(await lengths()) >= 4

        await until(are_four, "four strokes")
        await asyncio.sleep(1)
        strokes = await lengths()
        check(len(strokes) == 4, f"four strokes, found {len(strokes)}")
        check(all(each >= 18 for each in strokes), f"all samples of each stroke, found {strokes}")


async def page_language(place):
    """The language of a page is chosen by name, remembered, and the same in another window."""
    place.start()
    tab = await place.tab("page")
    choice = tab.role("combobox", "Language")
    await tab.write(points(paris()), fill=WORD)
    await reads(tab, "paris")
    check(await choice.input_value() == "", "an automatic choice at first")
    await choice.select_option(label="French (fr)")
    await is_saved(tab)
    await reads(tab, "paris")
    name = tab.page.url
    await tab.page.reload()
    await tab.shown("page")
    await until(lambda: has_value(tab, "fr"), "French after a reload")
    two = await place.tab("page", context=tab.page.context)
    await two.page.goto(name)
    await two.shown("page")
    await until(lambda: has_value(two, "fr"), "French in another window")
    await two.role("combobox", "Language").select_option(label="Automatic")
    await until(lambda: has_value(tab, ""), "an automatic choice in the first window")


async def has_value(tab, value):
    return await tab.role("combobox", "Language").input_value() == value


SCENARIOS = [page_notes, page_restart, page_two_windows, page_cuts, page_cut_in_stroke, page_language]
