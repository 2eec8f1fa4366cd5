"""Scenarios of the page Notes: folders are read, the wall, search as one types, filters, a page with its text."""
import asyncio
import json

from page_ink import ROOT
from pages import PHONE, until
from studio import check


def ink():
    """The strokes of the example, which say "hello"."""
    record = json.loads((ROOT / "Examples/hello.jsonl").read_text().splitlines()[0])
    return [list(zip(each["x"], each["y"])) for each in record["strokes"]], record.get("label", "")


def page(strokes=(), typed=""):
    xs = [x for each in strokes for x, _ in each] or [0]
    ys = [y for each in strokes for _, y in each] or [0]
    scale = 200 / max(max(xs) - min(xs), max(ys) - min(ys), 1)
    lines = "".join(
        '<stroke tool="pen" color="#000000ff" width="1.4">%s</stroke>' % " ".join(
            f"{60 + (x - min(xs)) * scale:.2f} {90 + (y - min(ys)) * scale:.2f}" for x, y in each)
        for each in strokes)
    text = f'<text x="60" y="400" size="18">{typed}</text>' if typed else ""
    return f'<page width="420" height="595"><layer>{lines}{text}</layer></page>'


def notebook(*pages):
    return "<xournal>" + "".join(pages) + "</xournal>"


async def cards(tab, number):
    return await tab.page.locator(".notes-card").count() == number


async def searches_notes(place):
    """The pages of the folders are a wall; words find handwriting and typed text while one types."""
    folder = place.project.parent / "notes"
    folder.mkdir()
    strokes, label = ink()
    word = label.lower().split()[0]
    (folder / "written.xopp").write_text(notebook(page(strokes), page(typed="harbour at dawn")))
    (folder / "typed.xopp").write_text(notebook(page(typed="the harbour &amp; &lt;b&gt;boats&lt;/b&gt;")))
    (folder / "broken.xopp").write_text("<xournal><page")
    place.start("--notes", str(folder))
    tab = await place.tab("notes")
    await until(lambda: cards(tab, 3), "three pages", seconds=60)
    await until(lambda: loaded(tab, 3), "their pictures")
    await place.shot(tab, "notes-wall")
    check(await tab.page.get_by_text("1 file could not be read").count() == 1, "the broken file is named")
    # The word is not complete yet.
    await tab.role("searchbox").press_sequentially(word[:3], delay=20)
    await until(lambda: cards(tab, 1), f"the page with {word}")
    await until(lambda: loaded(tab, 1), "the ink around the hit")
    check(await tab.page.locator(".notes-card mark").first.inner_text() != "", "a marked word")
    await place.shot(tab, "notes-hit")
    await tab.role("searchbox").fill("harbour")
    await until(lambda: cards(tab, 2), "two pages with a typed word")
    await tab.role("searchbox").fill("harbour -dawn ")
    await until(lambda: cards(tab, 1), "one page without the other word")
    # Markup in notes is text.
    check(await tab.page.locator(".notes-card b").count() == 0, "no markup of notes in the page")
    await tab.page.locator(".notes-card").first.click()
    dialog = tab.role("dialog")
    await until(lambda: has_text(dialog, "<b>boats</b>"), "the text of the page")
    await place.shot(tab, "notes-page")
    await dialog.get_by_role("button", name="Close").click()
    # A query that cannot be one says so, and the next one works.
    await tab.role("searchbox").fill("after:yesterday harbour")
    await until(lambda: says(tab, "expected a date"), "the reason")
    tab.expected.append("422")
    await tab.role("searchbox").fill("zzzz ")
    await until(lambda: says(tab, "No page has it"), "that nothing was found")
    await tab.role("searchbox").fill("")
    await until(lambda: cards(tab, 3), "all pages again")
    await tab.page.get_by_label("Changed from").fill("2999-01-01")
    await until(lambda: cards(tab, 0), "no page of a later time")
    await tab.page.get_by_label("Changed from").fill("")
    await until(lambda: cards(tab, 3), "all pages without the filter")
    # New notes are found without a new start.
    (folder / "new.xopp").write_text(notebook(page(typed="lighthouse")))
    await tab.role("button", "Read changes").click()
    await until(lambda: cards(tab, 4), "the new page", seconds=60)


async def notes_without_folder(place):
    """Without a folder, the page says how to name one; a phone shows it without scrolling aside."""
    place.start()
    tab = await place.tab("notes", size=PHONE)
    check(await tab.page.get_by_text("ductus studio --notes").count() == 1, "how to name a folder")
    await place.shot(tab, "notes-none")
    # Files outside of the index are not read.
    status = await tab.page.evaluate(
        "fetch('/v1/studio/notes/picture?path=/etc/passwd&page=1').then(answer => answer.status)")
    tab.expected.append("404")
    check(status == 404, f"no picture of another file, found {status}")
    await asyncio.sleep(0.2)


async def loaded(tab, number):
    return await tab.page.locator(".notes-card img").evaluate_all(
        "images => images.filter(each => each.complete && each.naturalWidth > 0).length") == number


async def has_text(element, text):
    return text in await element.inner_text()


async def says(tab, text):
    return text in await tab.page.locator("main [role=status]").inner_text()


SCENARIOS = [searches_notes, notes_without_folder]
