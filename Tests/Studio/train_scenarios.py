"""Scenarios of the pages Train, Evaluate and Models."""
import asyncio
import re

from collect_scenarios import make_session, symbols, write_all
from look_scenarios import fill_project
from pages import until
from studio import check, jittered


async def train(tab, seconds=240):
    """Starts a training on what is chosen, and waits until the model is finished; returns its name."""
    await tab.role("heading", "New training").wait_for()
    await until(tab.page.get_by_text(re.compile(r"\d+ inks? of \d+ different")).first.is_visible,
                "the number of inks")
    name = await tab.role("textbox", "Name of the model").input_value()
    await tab.role("button", "Start training").click()
    await until(tab.role("button", "Try it").is_visible, "the model", seconds)
    return name


async def is_read(tab, ink, label, seed):
    """Writes a symbol on the page Try; true if it is read as its label."""
    await tab.role("button", "Clear").click() if await tab.role("button", "Clear").is_enabled() else None
    first = tab.page.locator("main ol li .text").first
    await until(lambda: is_gone(first), "an empty list of candidates")
    await tab.write(jittered(ink, seed))
    await first.wait_for()
    await asyncio.sleep(0.3)
    return (await first.inner_text()).strip() == label


async def is_gone(locator):
    return await locator.count() == 0


async def trains_on_own_ink(place):
    """Twenty collected samples become a model that reads new ink, over the links of the pages."""
    place.start()
    tab = await place.tab("collect")
    ink = symbols(4)
    await make_session(tab, "mine", ink, 5)
    await write_all(tab, ink)
    await tab.role("link", "Train on it").click()
    await tab.shown("train")
    name = await train(tab)
    await tab.role("button", "Try it").click()
    await tab.shown("try")
    right = 0
    for seed, (label, strokes) in enumerate(ink.items()):
        right += await is_read(tab, strokes, label, 1000 + seed)
    check(right >= 3, f"3 of 4 own symbols to be read, found {right}")
    await tab.go("models")
    await tab.page.get_by_text(name, exact=True).first.wait_for()


async def training_restart(place):
    """A training goes on while the studio is killed, and is shown again after a restart and a reload."""
    studio = place.start()
    fill_project(place.project)
    tab = await place.tab("train")
    tab.expected = tab.cut
    await until(tab.page.get_by_text(re.compile(r"\d+ inks? of \d+ different")).first.is_visible,
                "the number of inks")
    await tab.role("button", "Start training").click()
    await tab.page.get_by_role("progressbar").first.wait_for()
    studio.kill()
    await asyncio.sleep(2)
    studio.start()
    await until(tab.role("button", "Try it").is_visible, "the finished model without a reload", 240)
    await tab.page.reload()
    await tab.shown("train")
    await until(tab.role("button", "Try it").is_visible, "the finished model after a reload")
    models = [each for each in studio.get("/v1/models")["models"] if each["identifier"] == "symbols"]
    check(len(models) == 1, f"the model symbols, found {len(models)}")


async def evaluates(place):
    """A model is measured on labelled ink, and its report is shown in a frame without scripts."""
    place.start()
    fill_project(place.project)
    tab = await place.tab("evaluate")
    await tab.role("checkbox", re.compile("^shapes")).first.check()
    data = tab.page.get_by_text("ink:symbols.jsonl", exact=True).first
    await data.click()
    await tab.role("button", "Measure", exact=True).click()
    await until(tab.page.locator("main table").first.is_visible, "a table of figures", 120)
    frame = tab.page.locator("main iframe")
    show = tab.role("button", re.compile("^Show the report"))
    if not await frame.count() and await show.count():
        await show.first.click()
    await frame.first.wait_for()
    await until(lambda: len(tab.page.frames) > 1 and tab.page.frames[-1].locator("h1, h2").first.is_visible(),
                "a report in the frame")


async def confusions(place):
    """The confusion matrix is that of the report: one evaluation makes both, and a cell shows its inks."""
    studio = place.start()
    fill_project(place.project)
    tab = await place.tab("evaluate")
    await tab.role("checkbox", re.compile("^shapes")).first.check()
    # The default model was chosen.
    await tab.role("checkbox", re.compile("^latin-lines")).first.uncheck()
    await tab.page.get_by_text("ink:symbols.jsonl", exact=True).first.click()
    await tab.role("button", "Show confusions").click()
    summary = tab.page.get_by_text(re.compile(r"\d+ of 80 inks of ink:symbols.jsonl"))
    await until(summary.first.is_visible, "a confusion matrix", 120)
    wrong = int(re.match(r"\d+", await summary.first.inner_text())[0])
    reports = studio.get("/v1/evaluations")["evaluations"]
    check(len(reports) == 1, f"the report of the matrix, found {len(reports)}")
    right = round(reports[0]["figures"]["top1"] * 80)
    check(wrong == 80 - right, f"{80 - right} wrong inks as in the report, found {wrong}")
    await tab.page.locator("table.matrix button").first.click()
    await until(tab.page.locator("ul.inks li").first.is_visible, "the inks of a cell")
    # The matrix is there at once for a page that asks again, and nothing is measured twice.
    await tab.role("button", "Show confusions").click()
    await until(summary.first.is_visible, "the matrix again")
    found = len(studio.get("/v1/evaluations")["evaluations"])
    check(found == 1, f"one report, found {found}")


SCENARIOS = [trains_on_own_ink, training_restart, evaluates, confusions]
