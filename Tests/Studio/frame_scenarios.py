"""Scenarios of the frame: navigation, token, policy, and the time of the first page."""
import statistics

from pages import VIEWS, until
from studio import ROOT, check

#: The most milliseconds until the first page is loaded, and the most bytes of all files of the app.
MOST_MILLISECONDS, MOST_BYTES = 300, 500_000


async def all_pages(place):
    """Every page is shown by the navigation, by its address and by the keyboard, without errors."""
    place.start()
    tab = await place.tab("try")
    for view in VIEWS:
        await tab.go(view)
        await tab.page.wait_for_load_state("networkidle")
        current = tab.page.locator("nav a[aria-current='page']")
        check(await current.count() == 1, f"one current page in the navigation of {view}")
        check(await current.first.get_attribute("href") == f"/{view}", f"{view} as the current page")
        check("Ductus Studio" in await tab.page.title(), f"a title of {view}")
    for view in VIEWS:
        await tab.page.goto(f"{tab.base}/{view}")
        await tab.shown(view)
    await tab.page.go_back()
    await tab.shown(VIEWS[-2])
    for index, view in enumerate(VIEWS):
        await tab.page.keyboard.press(f"Alt+{index + 1}")
        await tab.shown(view)
    # Going to and fro quickly ends at the last one.
    for view in VIEWS * 3:
        await tab.page.locator(f"nav a[href='/{view}']").click()
    await tab.shown(VIEWS[-1])
    await tab.page.keyboard.press("?")
    await tab.role("dialog").wait_for()
    await tab.page.keyboard.press("Escape")
    await tab.role("dialog").wait_for(state="detached")
    check("token" not in tab.page.url, "no token in the address")


async def without_token(place):
    """A page without the token says what to do."""
    studio = place.start()
    context = await place.browser.context()
    page = await context.new_page()
    for view in VIEWS:
        await page.goto(f"{studio.base}/{view}")
        alert = page.get_by_role("alert").filter(has_text="token")
        await alert.first.wait_for(timeout=10_000)
    await context.close()


async def policy(place):
    """The policy stops scripts, styles, frames and requests that are not of the studio."""
    studio = place.start()
    tab = await place.tab("try")
    tab.expected = [r"Content Security Policy", r"ERR_BLOCKED", r"violates", r"/none\.png"]
    result = await tab.page.evaluate("""async () => {
      const found = [];
      const violations = [];
      document.addEventListener("securitypolicyviolation", (event) => violations.push(event.effectiveDirective));
      const script = document.createElement("script");
      script.textContent = "window.__inline = true";
      document.body.append(script);
      if (window.__inline) found.push("inline script");
      // The tools of the browser may evaluate texts themselves, but not what they leave behind.
      await new Promise((done) => setTimeout(() => {
        try { (0, eval)("window.__eval = true"); } catch {}
        done();
      }));
      if (window.__eval) found.push("eval");
      const image = document.createElement("img");
      image.setAttribute("onerror", "window.__handler = true");
      image.src = "/none.png";
      document.body.append(image);
      try { await fetch("http://example.invalid/"); found.push("fetch"); } catch {}
      const style = document.createElement("div");
      style.setAttribute("style", "color: rgb(1, 2, 3)");
      document.body.append(style);
      if (getComputedStyle(style).color === "rgb(1, 2, 3)") found.push("inline style");
      await new Promise((done) => setTimeout(done, 300));
      if (window.__handler) found.push("inline handler");
      for (const each of ["script-src-elem", "script-src", "connect-src"])
        if (!violations.some((one) => one.startsWith(each))) found.push(`no violation of ${each}`);
      if (document.cookie !== "") found.push("a cookie that scripts can read");
      return found;
    }""")
    check(not result, f"a policy without gaps, found {result}")
    # Another origin can neither frame nor read the studio.
    context = await place.browser.context()
    page = await context.new_page()
    await page.goto(f"http://localhost:{studio.port}/icon.svg")
    answer = await page.evaluate(
        "address => fetch(address).then((r) => r.status, () => 'refused')", f"{studio.base}/v1/studio")
    check(answer == "refused", f"a refusal for another origin, found {answer}")
    await context.close()


async def first_page(place):
    """The first page is shown quickly, and the files of the app are small."""
    place.start()
    context = await place.browser.context()
    tab = await place.tab("try", context=context)
    loads, paints = [], []
    for _ in range(10):
        await tab.page.goto(f"{tab.base}/try")
        await tab.shown("try")
        load, paint = await until(lambda: tab.page.evaluate("""() => {
          const navigation = performance.getEntriesByType("navigation")[0];
          const paint = performance.getEntriesByName("first-contentful-paint")[0];
          return navigation?.loadEventEnd > 0 && paint ? [navigation.loadEventEnd, paint.startTime] : null;
        }"""), "times of the load")
        loads.append(load)
        paints.append(paint)
    load, paint = statistics.median(loads), statistics.median(paints)
    folder = ROOT / "Sources/Studio/Web"
    total = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    print(f"browser: first page: loaded after {load:.0f} ms, first paint after {paint:.0f} ms "
          f"(medians of 10); all files {total / 1000:.0f} kB")
    check(load <= MOST_MILLISECONDS and paint <= MOST_MILLISECONDS,
          f"the first page within {MOST_MILLISECONDS} ms")
    check(total <= MOST_BYTES, f"at most {MOST_BYTES} bytes of files, found {total}")


SCENARIOS = [all_pages, without_token, policy, first_page]
