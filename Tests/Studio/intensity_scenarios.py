"""Scenarios of the page Intensity: keys pressed softly and hard, every scheme, files."""
import asyncio
import json
from pathlib import Path

from pages import PHONE, until
from studio import check


async def press(tab, name, force=0.5, seconds=0.05, pen=True):
    """Presses a key of the pressure keyboard."""
    key = tab.page.locator(".keys-board").get_by_role("button", name=name, exact=True)
    await key.scroll_into_view_if_needed()
    box = await key.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    common = {"x": x, "y": y, "pointerType": "pen" if pen else "mouse", "clickCount": 1}
    await tab.cdp.send("Input.dispatchMouseEvent", {
        "type": "mousePressed", "button": "left", "buttons": 1, "force": force, **common})
    await asyncio.sleep(seconds)
    await tab.cdp.send("Input.dispatchMouseEvent", {
        "type": "mouseReleased", "button": "left", "buttons": 0, "force": 0, **common})


async def shown(tab, scheme="weight"):
    return await tab.page.locator(f"[data-scheme={scheme}] .layer:last-child").inner_text()


async def styles(tab, scheme, name):
    """The values of a style of all runs of a scheme."""
    return await tab.page.locator(f"[data-scheme={scheme}] .layer:last-child span").evaluate_all(
        f"spans => spans.map(each => getComputedStyle(each).{name})")


async def types_with_force(place):
    """Keys of a pen type characters as strong as they are pressed, in every scheme."""
    place.start()
    tab = await place.tab("intensity")
    await tab.role("combobox", "Measure").select_option("force")
    for name, force in (("h", 0.1), ("i", 0.95)):
        before = await shown(tab)
        await press(tab, name, force)
        await until(lambda: longer(tab, before), f"the character {name}")
    check(await shown(tab) == "hi", "the text hi")
    weights = await styles(tab, "weight", "fontWeight")
    check(weights == ["100", "900"], f"a thin and a black character, found {weights}")
    sizes = await styles(tab, "size", "fontSize")
    check(sizes == ["16px", "24px"], f"a small and a large character, found {sizes}")
    colours = await styles(tab, "hue", "color")
    check(len(set(colours)) == 2, f"two colours, found {colours}")
    alphas = [round(float(each), 2) for each in await styles(tab, "alpha", "opacity")]
    check(alphas == [0.14, 1], f"a faint and an opaque character, found {alphas}")
    # Words share one intensity.
    await tab.role("combobox", "Share one intensity").select_option("Word")
    await until(lambda: runs(tab, 1), "one run for the word")
    # Two layers when it is animated.
    await tab.role("checkbox", "Animate").check()
    await until(lambda: layers(tab, "hue", 2), "two layers of colour")
    check(await tab.page.locator("[data-scheme=weight] .layer").count() == 1, "one layer of weight")
    await tab.page.get_by_role("button", name="Undo").click()
    if place.options.screenshots:
        folder = Path(place.options.screenshots)
        await tab.page.screenshot(path=folder / "intensity.png")


async def longer(tab, before):
    return len(await shown(tab)) > len(before)


async def runs(tab, count):
    return await tab.page.locator("[data-scheme=weight] span").count() == count


async def layers(tab, scheme, count):
    return await tab.page.locator(f"[data-scheme={scheme}] .layer").count() == count


async def types_by_duration(place):
    """The mouse, a held key with variants, and the keyboard type by the duration."""
    place.start()
    tab = await place.tab("intensity", size=PHONE)
    await press(tab, "a", seconds=0.05, pen=False)
    await until(lambda: longer(tab, ""), "a character of the mouse")
    await press(tab, "e", seconds=0.9, pen=False)
    await until(lambda: longer(tab, "a"), "a character that was held")
    variant = tab.page.locator(".variants button").first
    await variant.click()
    await until(lambda: is_text(tab, "aé"), "the variant of the held key")
    await press(tab, "Space", pen=False)
    await until(lambda: is_text(tab, "aé "), "a space")
    await tab.page.keyboard.press("x", delay=120)
    await until(lambda: is_text(tab, "aé x"), "a character of the keyboard")
    for name in ("json", "html", "svg", "ansi"):
        async with tab.page.expect_download() as download:
            await tab.page.locator(f"button[data-format={name}]").click()
        file = await (await download.value).path()
        content = Path(file).read_text(encoding="utf-8")
        if name == "json":
            text = json.loads(content)
            check(text["text"] == "aé x", "the text in the file")
            check(len(text["intensities"]) == 4, "a number for each unit")
            soft, hard = text["intensities"][0], text["intensities"][1]
            check(soft < hard, f"the held key is stronger, found {text['intensities']}")
            check(text["options"]["renderScheme"] == "hue", "the scheme of the file")
        else:
            check(len(content) > 20, f"content of {name}")
    if place.options.screenshots:
        await tab.page.screenshot(path=Path(place.options.screenshots) / "intensity-phone.png", full_page=True)


async def is_text(tab, text):
    return await shown(tab) == text


SCENARIOS = [types_with_force, types_by_duration]
