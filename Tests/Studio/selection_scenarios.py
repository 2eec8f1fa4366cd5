"""Scenarios of selections on a page: lasso, handles, commands and touch. Each change is one step, and undo brings back."""
from pages import DESK, PHONE, until
from pen_page import PenPage, box_of, case
from studio import check


async def two_words(place, **more):
    """Returns a page with the words hello and how, and the box of the second one in pixels."""
    ink = case("gestures/underline")[:2]
    page = await PenPage.open(place, ink, 2, **more)
    return page, await page.pixels(box_of(ink[1:]))


async def lasso(page, box):
    """Draws a lasso around pixels with the mouse."""
    left, top, right, bottom = box
    await page.key("l")
    # A pointer at the frame of a selection would drag it.
    await page.key("Escape")
    await page.wait(lambda now: not now["selected"], "no selection")
    await page.mouse((left - 8, top - 9), (right + 9, top - 8), (right + 8, bottom + 9), (left - 9, bottom + 8), (left - 8, top - 4))
    return await page.wait(lambda now: len(now["selected"]) == 1 and now["frame"], "one word in the lasso")


def middle(frame):
    return (frame[0] + frame[2]) / 2, (frame[1] + frame[3]) / 2


def is_near(one, other, most=0.3):
    return one and all(abs(a - b) <= most for a, b in zip(one, other))


async def page_lasso(place):
    """The lasso selects a word, which is moved, scaled and deleted; undo brings back each time."""
    page, word = await two_words(place)
    first = await lasso(page, word)
    x, y = middle(first["frame"])
    await page.mouse((x, y), (x + 30, y + 70))
    # 96 pixels are 25.4 mm.
    dx, dy = 30 * 25.4 / 96, 70 * 25.4 / 96
    left, top, right, bottom = first["box"]
    goal = [left + dx, top + dy, right + dx, bottom + dy]
    moved = await page.wait(lambda now: is_near(now["box"], goal) and now["undo"] == 3 and now["frame"], "a word that was moved")
    corner = moved["frame"][2:]
    await page.mouse(corner, (corner[0] + 60, corner[1] + 60 * (bottom - top) / (right - left)))
    larger = await page.wait(lambda now: now["undo"] == 4 and now["box"] and now["frame"]
                             and now["box"][2] - now["box"][0] > 1.2 * (right - left), "a word that was scaled")
    shares = [(larger["box"][2] - larger["box"][0]) / (right - left), (larger["box"][3] - larger["box"][1]) / (bottom - top)]
    check(abs(shares[0] - shares[1]) < 0.05, f"the same proportions at a corner, found {shares}")
    side = larger["frame"]
    await page.mouse((side[2], (side[1] + side[3]) / 2), (side[2] + 40, (side[1] + side[3]) / 2))
    await page.wait(lambda now: now["undo"] == 5 and now["box"] and abs(now["box"][3] - larger["box"][3]) < 0.1
                    and now["box"][2] > larger["box"][2] + 5, "a word that is wider, and as high as before")
    await page.key("Delete")
    await page.wait(lambda now: now["strokes"] == 1 and now["undo"] == 6 and not now["selected"], "no ink of the word")
    await page.undo()
    await page.wait(lambda now: now["strokes"] == 2 and now["undo"] == 5, "the word after undo")
    for _ in range(3):
        await page.undo()
    await page.wait(lambda now: now["undo"] == 2 and any(is_near(each, first["box"]) for each in now["boxes"]),
                    "the word at its first place after undo")


async def page_lasso_pen(place):
    """The lasso works with a pen; its tap selects a word, another one and Escape end the selection."""
    page, word = await two_words(place)
    await page.press("Lasso")
    ink = page.strokes
    left, top, right, bottom = box_of(ink[1:])
    m = 0.05 * (right - left)
    ring = [(left - m, top - m, 0.5), (right + m, top - m, 0.5), (right + m, bottom + m, 0.5), (left - m, bottom + m, 0.5), (left - m, top, 0.5)]
    await page.draw(ring)
    await page.wait(lambda now: len(now["selected"]) == 1, "one word in the lasso of a pen")
    await page.key("Escape")
    await page.wait(lambda now: not now["selected"], "no selection after Escape")
    x, y = middle(word)
    await page.mouse((x, y))
    await page.wait(lambda now: len(now["selected"]) == 1 and now["frame"], "a word selected by a tap")
    status = page.tab.page.locator("main > p[aria-live]")
    await until(lambda: has_text(status, "1 word selected"), "the selection to be announced")
    await page.mouse((x, word[3] + 120))
    await page.wait(lambda now: not now["selected"], "no selection after a tap beside the ink")
    await until(lambda: has_text(status, "Nothing is selected"), "the end of the selection to be announced")
    check((await page.state())["undo"] == 2, "no step of the history for selections")


async def has_text(locator, text):
    return text in await locator.inner_text()


async def page_selection_commands(place):
    """Copy, paste, cut, colour, type, arrow keys and the text of a selection; each change is one step."""
    context = await place.browser.context("light", DESK, permissions=["clipboard-read", "clipboard-write"])
    page, word = await two_words(place, context=context)
    await lasso(page, word)
    await page.press("Copy as text")
    await until(lambda: is_copied(page, "how"), "the text in the clipboard")
    await page.key("Control+c")
    await until(page.tab.page.get_by_text("Copied.").first.is_visible, "a note about the copy")
    await page.tab.page.mouse.move(word[0], word[3] + 60)
    await page.key("Control+v")
    await page.wait(lambda now: now["strokes"] == 3 and now["undo"] == 3 and len(now["selected"]) == 1, "a word that was pasted")
    await page.key("Control+x")
    await page.wait(lambda now: now["strokes"] == 2 and now["undo"] == 4, "a word that was cut")
    await page.undo()
    await page.wait(lambda now: now["strokes"] == 3 and now["undo"] == 3, "the word after undo")
    await page.undo()
    now = await page.wait(lambda now: now["strokes"] == 2 and now["undo"] == 2, "two words after undo")
    await lasso(page, word)
    await page.choose("Colour", "Red")
    await page.wait(lambda now: now["colors"].count("#D2382C") == 1 and now["undo"] == 3, "a red word")
    await page.undo()
    await page.wait(lambda now: not any(now["colors"]), "no colour after undo")
    await page.choose("Change", "Keep as a drawing")
    await page.wait(lambda now: len(now["words"]) == 1 and now["undo"] == 3, "one word less to read")
    await page.undo()
    await page.wait(lambda now: len(now["words"]) == 2 and now["undo"] == 2, "two words after undo")
    now = await lasso(page, word)
    box = now["box"]
    # At once, because a pause between keys ends a step.
    await page.tab.page.evaluate("""() => {
      const { element } = document.querySelector("main").page.view;
      const key = { key: "ArrowDown", bubbles: true, cancelable: true };
      for (let i = 0; i < 3; i++) element.dispatchEvent(new KeyboardEvent("keydown", key));
    }""")
    await page.wait(lambda now: now["undo"] == 3 and is_near(now["box"], [box[0], box[1] + 3, box[2], box[3] + 3], 0.05),
                    "a word that was moved 3 mm by keys, as one step")
    await page.undo()
    await page.wait(lambda now: now["undo"] == 2, "the move to be undone")
    await lasso(page, word)
    moving = await page.tab.page.evaluate("""() => {
      const { view } = document.querySelector("main").page;
      const press = (more) => view.element.dispatchEvent(new KeyboardEvent("keydown", { bubbles: true, cancelable: true, ...more }));
      press({ key: "ArrowDown" });
      const before = view.isSelecting;
      press({ key: "z", ctrlKey: true });
      return [before, view.isSelecting];
    }""")
    check(moving == [True, False], f"undo to take back a move by keys before it is sent, found {moving}")
    check((await page.state())["undo"] == 2, "no other step to be undone")
    await page.key("Control+a")
    await page.wait(lambda now: len(now["selected"]) == 2, "all ink selected")


async def is_copied(page, text):
    return await page.tab.page.evaluate("navigator.clipboard.readText()") == text


async def page_touch(place):
    """A finger selects a word by a tap and its block by a long press, and drags the selection."""
    context = await place.browser.context("light", DESK, has_touch=True)
    page, word = await two_words(place, context=context)
    x, y = await ink_of(page)

    async def is_tapped():
        # A touch soon after the pen is a palm, and one that lasts long selects the block: then another tap helps.
        await page.touch("touchStart", x, y)
        await page.touch("touchEnd")
        return len((await page.state())["selected"]) == 1

    await until(is_tapped, "a word selected by a finger")
    first = await page.wait(lambda now: now["frame"], "the frame of the word")
    at = middle(first["frame"])
    await page.touch("touchStart", *at)
    for step in range(1, 9):
        await page.touch("touchMove", at[0] + 5 * step, at[1] + 10 * step)
    await page.touch("touchEnd")
    goal = [each + shift for each, shift in zip(first["box"], [40 * 25.4 / 96, 80 * 25.4 / 96] * 2)]
    await page.wait(lambda now: is_near(now["box"], goal) and now["undo"] == 3, "a word that a finger has moved")
    await page.undo()
    await page.wait(lambda now: now["undo"] == 2 and not now["selected"], "no selection after undo")
    # A finger that stays selects the block.
    await page.touch("touchStart", x, y)
    await page.wait(lambda now: len(now["selected"]) == 2, "a block selected by a long press")
    await page.touch("touchEnd")
    check(len((await page.state())["selected"]) == 2, "the block to stay selected")


async def page_lasso_finger(place):
    """A finger draws the lasso and scales what it selects; its long press on empty paper offers to paste and to select all."""
    context = await place.browser.context("light", PHONE, has_touch=True)
    page, word = await two_words(place, context=context, pen=False)
    left, top, right, bottom = word
    await page.press("Lasso")
    corners = [(left - 8, top - 9), (right + 9, top - 8), (right + 8, bottom + 9), (left - 9, bottom + 8), (left - 8, top - 4)]
    await page.touch("touchStart", *corners[0])
    for (x0, y0), (x1, y1) in zip(corners, corners[1:]):
        for step in range(1, 7):
            await page.touch("touchMove", x0 + (x1 - x0) * step / 6, y0 + (y1 - y0) * step / 6)
    await page.touch("touchEnd")
    first = await page.wait(lambda now: len(now["selected"]) == 1 and now["frame"], "one word in the lasso of a finger")
    bar = await page.tab.role("toolbar", "Selection").bounding_box()
    check(0 <= bar["x"] and bar["x"] + bar["width"] <= PHONE["width"], f"the bar within the window, found {bar}")
    # A finger is wide: it hits a corner beside it.
    x, y = first["frame"][2] + 8, first["frame"][3] + 8
    await page.touch("touchStart", x, y)
    for step in range(1, 7):
        await page.touch("touchMove", x + 8 * step, y + 8 * step)
    await page.touch("touchEnd")
    await page.wait(lambda now: now["undo"] == 3 and now["box"] and now["box"][2] - now["box"][0] > 1.1 * (first["box"][2] - first["box"][0]),
                    "a word that a finger has scaled")
    await page.undo()
    await page.wait(lambda now: now["undo"] == 2 and not now["selected"], "no selection after undo")
    await page.touch("touchStart", (left + right) / 2, bottom + 90)
    menu = page.tab.role("menu", "Place on the page")
    await until(menu.is_visible, "a menu after a long press on empty paper")
    await page.touch("touchEnd")
    await menu.get_by_text("Select all").click()
    await page.wait(lambda now: len(now["selected"]) == 2, "all ink selected")


async def ink_of(page):
    """Returns a pixel on the last stroke of the page."""
    return await page.tab.page.evaluate("""() => {
      const { model, view } = document.querySelector("main").page;
      const stroke = [...model.strokes.values()].at(-1);
      const { left, top } = view.element.getBoundingClientRect();
      const middle = Math.floor(stroke.x.length / 2);
      const at = view.pixel(stroke.x[middle], stroke.y[middle]);
      return [left + at.x, top + at.y];
    }""")


SCENARIOS = [page_lasso, page_lasso_pen, page_selection_commands, page_touch, page_lasso_finger]
