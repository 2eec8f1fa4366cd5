"""Scenarios of exports: menus with what is possible for a page, its selection and a block, and the files that they give."""
from pages import PHONE, until
from pen_page import PenPage, case
from studio import check


def word(page, text):
    """The button of a word beside the ink."""
    return page.tab.page.locator(".page-text button.word", has_text=text).first


async def menu_of(page, button):
    """Opens the menu of a button, and returns it with the texts of its entries."""
    await page.press(button)
    return await shown(page)


async def shown(page):
    menu = page.tab.page.locator(".page-menu")
    await until(menu.is_visible, "a menu of formats")
    return menu, await menu.locator(".text").all_inner_texts()


async def download(page, menu, entry):
    """Chooses a format and returns the name and the bytes of the file."""
    async with page.tab.page.expect_download() as found:
        await menu.get_by_text(entry, exact=True).click()
    file = await found.value
    with open(await file.path(), "rb") as content:
        return file.suggested_filename, content.read()


async def page_exports(place):
    """A page, its selection and a block become files of the formats that they have something for."""
    ink = case("gestures/underline")[:2]
    place.start()
    tab = await place.tab("page")
    page = PenPage(tab, ink)
    await page.press("Export")
    await until(lambda: tab.page.get_by_text("There is no ink to export yet.").is_visible(), "a word that the page is empty")
    check(await tab.page.locator(".page-menu").count() == 0, "no menu for an empty page")
    await page.draw(*ink)
    await page.wait(lambda now: now["strokes"] == 2 and now["isRead"] and now["isSaved"], "the words of the case")
    menu, entries = await menu_of(page, "Export")
    for entry in ["Copy the text", "PDF with text that is found", "Word", "Web page", "Xournal++", "JIIX"]:
        check(entry in entries, f"{entry} in the menu, found {entries}")
    check(not any("Diagram" in each for each in entries), f"no diagram for words, found {entries}")
    await place.shot(tab, "page-export-menu")
    title = (await tab.page.locator(".page-name .text").inner_text()).strip()
    name, content = await download(page, menu, "PDF with text that is found")
    check(name == f"{title}.pdf" and content.startswith(b"%PDF"), f"a PDF with the name of the page, found {name}")
    for entry, ending, start in [("Word", "docx", b"PK"), ("Xournal++", "xopp", b"\x1f\x8b"), ("JIIX", "jiix", b"{"),
                                 ("Web page", "html", b"<!DOCTYPE"), ("Drawing (SVG)", "svg", b"<?xml")]:
        menu, _ = await menu_of(page, "Export")
        name, content = await download(page, menu, entry)
        check(name == f"{title}.{ending}" and content.startswith(start), f"a file of {entry}, found {name}: {content[:20]}")
    # The selection alone.
    await word(page, "hello").click()
    menu, _ = await shown(page)
    await menu.get_by_text("Select the ink", exact=True).click()
    await page.wait(lambda now: len(now["selected"]) == 1 and now["frame"], "a word that is selected")
    menu, entries = await menu_of(page, "Export the selection")
    check("Text" in entries, f"text for a word, found {entries}")
    await place.shot(tab, "page-export-selection")
    _, content = await download(page, menu, "Text")
    check(content.decode().strip() == "hello", f"the selected word, found {content}")
    await page.key("Escape")
    # The block of a word.
    await word(page, "how").click()
    menu, _ = await shown(page)
    await menu.get_by_text("Export this block", exact=True).click()
    await until(lambda: tab.page.get_by_role("menu", name="Export this block").is_visible(), "the formats of the block")
    menu, entries = await shown(page)
    _, content = await download(page, menu, "Markdown")
    check("how" in content.decode(), f"the text of the block, found {content}")


async def page_exports_phone(place):
    """On a phone, the menu of formats fits into the window and scrolls."""
    place.start()
    tab = await place.tab("page", size=PHONE, theme="dark")
    page = PenPage(tab, case("gestures/underline")[:2])
    await page.draw(*page.strokes)
    await page.wait(lambda now: now["strokes"] == 2 and now["isRead"], "the words of the case")
    menu, _ = await menu_of(page, "Export")
    box = await menu.bounding_box()
    check(box["x"] >= 0 and box["x"] + box["width"] <= PHONE["width"] and box["y"] >= 0
          and box["y"] + box["height"] <= PHONE["height"], f"the menu within the window, found {box}")
    await place.shot(tab, "page-export-phone")


SCENARIOS = [page_exports, page_exports_phone]
