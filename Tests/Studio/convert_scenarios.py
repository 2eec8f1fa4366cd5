"""Scenarios of conversion: typed text and exact shapes on the page."""
from pages import until
from pen_page import PenPage, case


def word(page, text):
    """The button of a word beside the ink."""
    return page.tab.page.locator(".page-text button.word", has_text=text).first


async def typed(page):
    """The typed words that the page has."""
    return await page.tab.page.evaluate(
        "() => [...document.querySelector('main').page.model.strokes.values()].flatMap((each) => each.text ? [each.text.text] : [])")


async def page_converts(place):
    """Handwriting becomes typed text, undo gives it back, and text can be typed at a place."""
    ink = case("gestures/underline")[:2]
    place.start()
    tab = await place.tab("page")
    page = PenPage(tab, ink)
    await page.draw(*ink)
    await page.wait(lambda now: now["strokes"] == 2 and now["isRead"] and now["isSaved"], "the words of the case")
    await place.shot(tab, "page-before-conversion")
    await page.press("Convert to text and shapes")

    async def is_typed():
        return len(await typed(page)) > 1
    await until(is_typed, "typed words")
    words = await typed(page)
    await until(word(page, words[0]).is_visible, "the typed words beside the page")
    await place.shot(tab, "page-converted")
    await until(tab.role("button", "Convert to text and shapes", exact=True).is_disabled, "nothing left to convert")
    await page.press("Undo")

    async def is_ink():
        # Two words became two typed words: their number alone does not tell.
        return await typed(page) == []
    await until(is_ink, "no typed words after undo")
    await page.wait(lambda now: now["strokes"] == 2, "the ink again")
    # A word of its own.
    await word(page, words[0]).click()
    menu = tab.page.locator(".page-menu")
    await until(menu.is_visible, "the menu of a word")
    await menu.get_by_text("Select the ink", exact=True).click()
    await page.wait(lambda now: len(now["selected"]) == 1 and now["frame"], "a word that is selected")
    await page.press("Change")
    await menu.get_by_text("Convert to text and shapes", exact=True).click()

    async def is_one():
        return await typed(page) == [words[0]]
    await until(is_one, "one typed word")
    await page.key("Escape")
    # Typed at a place.
    box = await tab.page.locator("canvas.top").bounding_box()
    await tab.page.mouse.click(box["x"] + 80, box["y"] + box["height"] - 120, button="right")
    await menu.get_by_text("Type text here", exact=True).click()
    field = tab.page.locator("textarea.page-typing")
    await field.fill("typed by hand")
    await place.shot(tab, "page-typing")
    await field.press("Enter")

    async def is_there():
        return (await typed(page))[-3:] == ["typed", "by", "hand"]
    await until(is_there, "the typed words")
    await until(word(page, "hand").is_visible, "the typed words beside the page")
    await place.shot(tab, "page-typed")


SCENARIOS = [page_converts]
