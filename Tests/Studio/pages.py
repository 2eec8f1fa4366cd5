"""A real browser for the tests of the studio: Playwright with Debian's Chromium.

Writes with a pen over the DevTools protocol, watches for errors of the pages, and reads the
accessibility tree. Elements are found by role and name, as a person or a screen reader does.
"""
import asyncio
import re
import shutil
import time

from playwright.async_api import async_playwright

from studio import Failed, Studio, check

VIEWS = ["try", "page", "collect", "data", "train", "evaluate", "models", "intensity", "notes"]
DESK, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}


def chromium():
    """Returns the path of Chromium, or None."""
    return shutil.which("chromium") or shutil.which("chromium-browser")


class Browser:
    """Chromium without a window. Use as `async with Browser() as browser`."""

    async def __aenter__(self):
        self.playwright = await async_playwright().start()
        self.browser = await self.playwright.chromium.launch(
            executable_path=chromium(), args=["--no-sandbox", "--disable-dev-shm-usage"])
        return self

    async def __aexit__(self, *_):
        await self.browser.close()
        await self.playwright.stop()

    async def context(self, theme="light", size=DESK, **more):
        """Returns a context of its own: cookies and storage are empty."""
        context = await self.browser.new_context(
            viewport=size, color_scheme=theme, reduced_motion="reduce", **more)
        context.set_default_timeout(20_000)
        return context

    async def tab(self, studio, view="try", theme="light", size=DESK, context=None, base=None):
        """Opens a page of the studio with its token, and waits until it is shown."""
        context = context or await self.context(theme, size)
        tab = Tab(await context.new_page(), base or studio.base)
        await tab.start()
        await tab.page.goto(f"{tab.base}/{view}?token={studio.token}")
        await tab.shown(view)
        return tab


class Tab:
    """A page of the studio in the browser."""

    def __init__(self, page, base):
        self.page, self.base = page, base
        self.problems = []
        #: Patterns of messages that a scenario causes on purpose, such as a cut connection.
        self.expected = []
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.problems.append(f"an error of the page: {error}"))
        page.on("crash", lambda _: self.problems.append("a crash of the page"))

    async def start(self):
        self.cdp = await self.page.context.new_cdp_session(self.page)

    def _console(self, message):
        if message.type in ("error", "warning"):
            place = message.location.get("url", "") if message.location else ""
            self.problems.append(f"{message.type}: {message.text} {place}".strip())

    def check_quiet(self):
        """Fails if the page reported an error that no scenario expects."""
        left = [each for each in self.problems
                if not any(re.search(pattern, each) for pattern in self.expected)]
        check(not left, f"no error in the console, found {left[:5]}")

    async def shown(self, view):
        """Waits until a view is mounted and has its heading."""
        await self.page.wait_for_function(
            "view => { const main = document.querySelector('main');"
            " return main?.dataset.page === view && main.querySelector('h1, .problem') }", arg=view)
        problem = await self.page.locator("main > .problem:not([hidden])").count()
        if problem:
            raise Failed(f"the page {view}, found the problem "
                         f"{await self.page.locator('main > .problem:not([hidden])').first.inner_text()!r}")

    async def go(self, view):
        """Goes to a view by the navigation."""
        await self.page.get_by_role("navigation").locator(f"a[href='/{view}']").click()
        await self.shown(view)

    def role(self, role, name=None, exact=False):
        return self.page.get_by_role(role, name=name, exact=exact)

    @property
    def surface(self):
        """The canvas to write on."""
        return self.page.locator("main .surface canvas.ink[role]").first

    # MARK: - Pen

    async def write(self, strokes, surface=None, pen=True, fill=0.7, pace=0, part_of=None, scale=None):
        """Writes strokes of (x, y, force) into the middle of a surface, as large as fits or at a scale.

        If they are part of other strokes, they are written where they are among those.
        All events are sent at once and arrive in order, faster than a person writes.
        """
        surface = surface or self.surface
        await surface.scroll_into_view_if_needed()
        box = await surface.bounding_box()
        check(box and box["width"] > 50 and box["height"] > 50, "a surface to write on")
        xs = [p[0] for s in part_of or strokes for p in s]
        ys = [p[1] for s in part_of or strokes for p in s]
        wide, high = max(max(xs) - min(xs), 1e-6), max(max(ys) - min(ys), 1e-6)
        scale = scale or min(fill * box["width"] / wide, fill * box["height"] / high, 3)
        left = box["x"] + (box["width"] - wide * scale) / 2 - min(xs) * scale
        top = box["y"] + (box["height"] - high * scale) / 2 - min(ys) * scale
        calls = []

        def send(kind, x, y, force, down):
            calls.append({
                "type": kind, "x": left + x * scale, "y": top + y * scale, "force": force,
                "button": "left" if kind != "mouseMoved" else "none", "buttons": 1 if down else 0,
                "clickCount": 1 if kind != "mouseMoved" else 0,
                "pointerType": "pen" if pen else "mouse", "tangentialPressure": 0,
                "tiltX": 20 if pen else 0, "tiltY": 10 if pen else 0})
        for stroke in strokes:
            x, y, force = stroke[0]
            send("mousePressed", x, y, force, True)
            for x, y, force in stroke[1:]:
                send("mouseMoved", x, y, force, True)
            send("mouseReleased", x, y, 0, False)
        if pace:
            for each in calls:
                await self.cdp.send("Input.dispatchMouseEvent", each)
                await asyncio.sleep(pace)
        else:
            await asyncio.gather(*(self.cdp.send("Input.dispatchMouseEvent", each) for each in calls))

    async def touch(self, x, y, radius):
        """Lays a finger or a palm on the surface."""
        point = {"x": x, "y": y, "radiusX": radius, "radiusY": radius, "force": 1, "id": 7}
        await self.cdp.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
        await self.cdp.send("Input.dispatchTouchEvent", {
            "type": "touchMove", "touchPoints": [{**point, "x": x + 20}]})
        await self.cdp.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    # MARK: - Network

    async def slow(self, latency, bytes_per_second):
        """Makes the connection slow; (0, -1) makes it fast again."""
        await self.cdp.send("Network.enable")
        await self.cdp.send("Network.emulateNetworkConditions", {
            "offline": False, "latency": latency, "downloadThroughput": bytes_per_second,
            "uploadThroughput": bytes_per_second})

    async def offline(self, is_offline=True):
        """Cuts the connection, or connects it again."""
        await self.cdp.send("Network.enable")
        await self.cdp.send("Network.emulateNetworkConditions", {
            "offline": is_offline, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1})

    #: What a browser reports when requests fail.
    cut = [r"net::ERR_", r"Failed to fetch", r"NetworkError"]

    # MARK: - Accessibility

    async def tree(self):
        """Returns the accessibility tree as a list of nodes that are not ignored."""
        await self.cdp.send("Accessibility.enable")
        nodes = (await self.cdp.send("Accessibility.getFullAXTree"))["nodes"]
        return [each for each in nodes if not each.get("ignored")]

    async def focused(self):
        """Describes the element that has the focus."""
        return await self.page.evaluate("""() => {
          const element = document.activeElement;
          if (!element || element === document.body) return null;
          const style = getComputedStyle(element);
          const box = element.getBoundingClientRect();
          window.__ids ??= new Map();
          if (!window.__ids.has(element)) window.__ids.set(element, window.__ids.size);
          return { id: window.__ids.get(element), tag: element.tagName.toLowerCase(), type: element.type ?? "",
            name: element.getAttribute("aria-label") ?? element.textContent.slice(0, 40),
            outline: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 1,
            shadow: style.boxShadow !== "none", visible: box.width > 0 && box.height > 0 };
        }""")


#: Roles of the accessibility tree that a person works with, which need a name.
CONTROLS = {"button", "link", "textbox", "searchbox", "combobox", "checkbox", "radio", "slider", "spinbutton",
            "switch", "tab", "menuitem", "listbox", "option", "progressbar", "dialog", "image", "img", "Canvas",
            "canvas", "DisclosureTriangle", "meter", "iframe", "Iframe", "treeitem", "grid"}


class Place:
    """A project with a running studio."""

    def __init__(self, folder, browser, options):
        self.browser, self.options, self.tool = browser, options, options.tool
        self.project = folder / "project"
        self.project.mkdir()
        self.studio = None
        self.tabs = []

    def start(self, *arguments):
        self.studio = Studio(self.tool, self.project, arguments=arguments)
        return self.studio

    async def tab(self, view="try", **more):
        tab = await self.browser.tab(self.studio, view, **more)
        self.tabs.append(tab)
        return tab

    async def shot(self, tab, name):
        """Takes a picture of a page, if pictures are asked for."""
        if self.options.screenshots:
            await tab.page.screenshot(path=f"{self.options.screenshots}/{name}.png")

    async def finish(self):
        for tab in self.tabs:
            tab.check_quiet()

    async def close(self):
        for context in {tab.page.context for tab in self.tabs}:
            await context.close()
        if self.studio:
            self.studio.stop()


async def until(condition, expected, seconds=30):
    """Waits until a condition, which may be asynchronous, holds; returns its value."""
    end = time.monotonic() + seconds
    while True:
        value = condition()
        if asyncio.iscoroutine(value):
            value = await value
        if value:
            return value
        if time.monotonic() > end:
            raise Failed(f"expected {expected} within {seconds} s")
        await asyncio.sleep(0.1)


async def is_shown(tab, text):
    """True if a text is on the page."""
    return text in await tab.page.locator("body").inner_text()
