"""A page of the studio in the browser, with the ink of the cases: words, and the gestures that people drew over them."""
from pages import until
from studio import ROOT, check, points, read_ink

#: The height of what is written in pixels: as large as people write on paper. Much larger ink may be a drawing.
HEIGHT = 34

STATE = """() => {
  const { model, view } = document.querySelector("main").page;
  const { left, top } = view.element.getBoundingClientRect();
  const frame = view.selectionFrame;
  return {
    words: model.lines.flatMap((line) => line.words.map((word) => word.text.toLowerCase())),
    decorations: [...new Set(model.decorations.map((each) => each.kind))].sort(),
    strokes: model.strokes.size, undo: model.undo,
    isRead: model.unread === 0 && [...model.strokes.keys()].every((id) => model.isRead(id)),
    colors: [...model.strokes.values()].map((stroke) => stroke.color ?? null),
    selected: model.selection?.items ?? [], box: model.selection?.box ?? null,
    boxes: [...model.strokes.values()].map(({ box }) => [box.left, box.top, box.right, box.bottom]),
    frame: frame && !view.isSelecting ? [left + frame.left, top + frame.top, left + frame.right, top + frame.bottom] : null,
    isSaved: document.querySelector("main .page-status .tag").textContent === "Saved",
  };
}"""


def case(name):
    """Returns the strokes of a case: words, and at the end a gesture."""
    return points(read_ink(ROOT / f"Tests/Cases/{name}.jsonl")[0])


def box_of(strokes):
    """Returns left, top, right, bottom."""
    xs, ys = [p[0] for s in strokes for p in s], [p[1] for s in strokes for p in s]
    return min(xs), min(ys), max(xs), max(ys)


def line(left, top, right, bottom, steps=24):
    """Returns a straight stroke."""
    return [(left + (right - left) * i / steps, top + (bottom - top) * i / steps, 0.5) for i in range(steps + 1)]


class PenPage:
    """An open page with words in the middle. Places are in the units of its ink."""

    def __init__(self, tab, strokes):
        self.tab, self.strokes = tab, strokes
        _, top, _, bottom = box_of(strokes[:1])
        self.scale = HEIGHT / (bottom - top)

    @classmethod
    async def open(cls, place, strokes, count, pen=True, **more):
        """Writes the first strokes of a case on a new page, and waits until they are read."""
        place.start()
        tab = await place.tab("page", **more)
        page = cls(tab, strokes)
        await page.draw(*strokes[:count], pen=pen)
        await page.wait(lambda now: now["strokes"] == count and now["isRead"] and now["undo"] == count
                        and now["isSaved"], "the words of the case")
        return page

    async def state(self):
        return await self.tab.page.evaluate(STATE)

    async def wait(self, holds, expected):
        """Waits until the state of the page is as expected, and returns it."""
        last = None

        async def is_so():
            nonlocal last
            last = await self.state()
            return holds(last)
        try:
            await until(is_so, expected)
        except Exception:
            short = {key: value for key, value in (last or {}).items() if key != "boxes"}
            check(False, f"{expected}, found {short}")
        return last

    async def draw(self, *strokes, pen=True):
        """Draws strokes where they are among those of the case."""
        await self.tab.write(list(strokes), scale=self.scale, part_of=self.strokes, pen=pen, pace=0.002)

    async def press(self, name):
        await self.tab.role("button", name, exact=True).click()

    async def undo(self):
        await self.press("Undo")

    async def key(self, keys):
        """Presses keys on the surface."""
        await self.tab.page.keyboard.press(keys)

    async def choose(self, button, entry):
        """Chooses an entry of the menu of a button."""
        await self.press(button)
        menu = self.tab.page.locator(".page-menu")
        await menu.get_by_text(entry, exact=True).click()

    # MARK: - Pixels

    async def mouse(self, *path, steps=12):
        """Drags the mouse along places of the window."""
        mouse = self.tab.page.mouse
        await mouse.move(*path[0])
        await mouse.down()
        for x, y in path[1:]:
            await mouse.move(x, y, steps=steps)
        await mouse.up()

    async def touch(self, kind, x=0, y=0):
        """Sends an event of a finger: touchStart, touchMove or touchEnd."""
        points = [] if kind == "touchEnd" else [{"x": x, "y": y, "radiusX": 9, "radiusY": 9, "force": 0.5, "id": 3}]
        await self.tab.cdp.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    async def pixels(self, box):
        """Returns the pixels of a box of the ink of the case."""
        surface = await self.tab.surface.bounding_box()
        left, top, right, bottom = box_of(self.strokes)
        scale = self.scale
        x0 = surface["x"] + (surface["width"] - (right - left) * scale) / 2 - left * scale
        y0 = surface["y"] + (surface["height"] - (bottom - top) * scale) / 2 - top * scale
        return [x0 + box[0] * scale, y0 + box[1] * scale, x0 + box[2] * scale, y0 + box[3] * scale]
