"""Scenarios of correcting a page with the pen: each gesture, the highlighter and both erasers, with undo.

The ink is that of Tests/Cases: people wrote the words and drew the gestures.
"""
from pen_page import PenPage, box_of, case, line

async def page_gesture_scratch_out(place):
    """A zigzag erases what it covers, and undo brings it back."""
    ink = case("gestures/scratch-out")
    page = await PenPage.open(place, ink, 1)
    await page.draw(ink[1])
    await page.wait(lambda now: now["strokes"] == 0 and now["undo"] == 2, "an empty page after a scratch-out")
    await page.undo()
    await page.wait(lambda now: now["strokes"] == 1, "the ink after undo")


async def page_gesture_strike_through(place):
    """A line through a word strikes it through, and undo takes the line away."""
    ink = case("gestures/strike")
    page = await PenPage.open(place, ink, 1)
    await page.draw(ink[1])
    await decorates(page, "strike-through", 1)


async def page_gesture_underline(place):
    """A line below a word underlines it, and undo takes the line away."""
    ink = case("gestures/underline")
    page = await PenPage.open(place, ink, 2)
    await page.draw(ink[2])
    await decorates(page, "underline", 2)


async def page_gesture_double_underline(place):
    """A second line makes an underline double, as a step of its own."""
    ink = case("gestures/underline")
    page = await PenPage.open(place, ink, 2)
    await page.draw(ink[2])
    await page.wait(lambda now: now["decorations"] == ["underline"], "an underline")
    _, top, _, bottom = box_of(ink[:2])
    await page.draw([(x, y + 0.08 * (bottom - top), force) for x, y, force in ink[2]])
    await page.wait(lambda now: now["decorations"] == ["double-underline"] and now["undo"] == 4,
                    "a double underline")
    await page.undo()
    await page.wait(lambda now: now["decorations"] == ["underline"], "a single underline after undo")
    await page.undo()
    await page.wait(lambda now: now["decorations"] == [] and now["strokes"] == 2, "no underline after undo")


async def decorates(page, kind, strokes):
    """Checks that a gesture left a decoration and no ink, and that undo takes it back."""
    await page.wait(lambda now: now["decorations"] == [kind] and now["strokes"] == strokes and
                    now["undo"] == strokes + 1, f"the decoration {kind}")
    await page.undo()
    await page.wait(lambda now: now["decorations"] == [] and now["strokes"] == strokes, "no decoration after undo")


async def page_gesture_surround(place):
    """A ring or a box around a word selects it and leaves no ink; undo takes back what was written before."""
    ink = case("gestures/surround-by-box")
    page = await PenPage.open(place, ink, 2)
    await page.draw(ink[2])
    await page.wait(lambda now: len(now["selected"]) == 1 and now["strokes"] == 2 and now["undo"] == 2,
                    "one word selected by a box around it")
    await page.key("Delete")
    await page.wait(lambda now: now["strokes"] == 1 and now["selected"] == [], "no ink of the deleted word")
    await page.undo()
    await page.wait(lambda now: now["strokes"] == 2, "the word after undo")
    await page.press("Clear the page")
    await page.wait(lambda now: now["strokes"] == 0, "an empty page")
    page.strokes = word, ring = case("gestures/surround")
    await page.draw(word)
    await page.wait(lambda now: now["strokes"] == 1 and now["words"], "a word alone")
    await page.draw(ring)
    await page.wait(lambda now: len(now["selected"]) == 1 and now["strokes"] == 1, "a word selected by a ring")
    await page.undo()
    await page.wait(lambda now: now["strokes"] == 0 and now["selected"] == [], "no word after undo")


async def page_gesture_insert(place):
    """A line downward in a word inserts a space, and undo takes it out."""
    ink = case("gestures/insert")
    page = await PenPage.open(place, ink, 1)
    await page.wait(lambda now: len(now["words"]) == 1, "one word")
    # The line of the case is twice as high as the word.
    (_, top, _, bottom), high = box_of(ink[:1]), box_of(ink[1:])
    await page.draw([(x, top + (y - high[1]) / (high[3] - high[1]) * 1.5 * (bottom - top) - 0.25 * (bottom - top), force)
                     for x, y, force in ink[1]])
    await page.wait(lambda now: len(now["words"]) == 2 and now["undo"] == 2, "two words after an insert")
    await page.undo()
    await page.wait(lambda now: len(now["words"]) == 1 and now["strokes"] == 1, "one word after undo")


async def page_gesture_join(place):
    """A line upward between words joins them, and undo parts them."""
    ink = case("gestures/underline")[:2]
    page = await PenPage.open(place, ink, 2)
    await page.wait(lambda now: len(now["words"]) == 2, "two words")
    (_, top, left, bottom), (right, *_) = box_of(ink[:1]), box_of(ink[1:])
    middle, high = (left + right) / 2, bottom - top
    await page.draw(line(middle, bottom + 0.3 * high, middle, top - 0.3 * high))
    await page.wait(lambda now: len(now["words"]) == 1 and now["undo"] == 3, "one word after a join")
    await page.undo()
    await page.wait(lambda now: len(now["words"]) == 2 and now["strokes"] == 2, "two words after undo")


async def page_gestures_off(place):
    """With gestures switched off, the stroke of a gesture is ink."""
    ink = case("gestures/strike")
    page = await PenPage.open(place, ink, 1)
    await page.press("Gestures")
    await page.draw(ink[1])
    await page.wait(lambda now: now["strokes"] == 2 and now["decorations"] == [], "a line that is ink")


async def page_highlighter(place):
    """The highlighter marks the words that it passes over, and undo takes the mark away."""
    ink = case("gestures/underline")[:2]
    page = await PenPage.open(place, ink, 2)
    left, top, right, bottom = box_of(ink[1:])
    await page.key("m")
    await page.draw(line(left, (top + bottom) / 2, right, (top + bottom) / 2))
    await decorates(page, "highlight", 2)


async def page_erasers(place):
    """The eraser takes whole strokes, or exactly what is under it, and undo brings them back."""
    ink = case("gestures/underline")[:2]
    page = await PenPage.open(place, ink, 2)
    left, top, right, bottom = box_of(ink[1:])
    across = line((left + right) / 2, top, (left + right) / 2, bottom)
    await page.key("e")
    await page.draw(across)
    await page.wait(lambda now: now["strokes"] == 1 and now["undo"] == 3, "one stroke less")
    await page.undo()
    await page.wait(lambda now: now["strokes"] == 2, "both strokes after undo")
    await page.press("Erase exactly")
    await page.draw(across)
    await page.wait(lambda now: now["strokes"] > 2 and now["undo"] == 3, "the pieces of a stroke")
    await page.undo()
    await page.wait(lambda now: now["strokes"] == 2, "whole strokes after undo")


SCENARIOS = [
    page_gesture_scratch_out, page_gesture_strike_through, page_gesture_underline, page_gesture_double_underline,
    page_gesture_surround, page_gesture_insert, page_gesture_join, page_gestures_off, page_highlighter, page_erasers]
