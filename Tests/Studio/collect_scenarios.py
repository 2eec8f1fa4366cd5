"""Scenarios of the page Collect: samples are saved once, whatever happens in between."""
import asyncio
import json
import re

from pages import is_shown, until
from proxy import Proxy
from studio import check, jittered, read_ink, symbol_ink


def symbols(count):
    """Returns ink of symbols by name."""
    return dict(list(symbol_ink().items())[:count])


async def make_session(tab, name, labels, repetitions):
    """Makes a session of own symbols over the form, and shows its first prompt."""
    await tab.go("collect")
    await tab.role("textbox", "Name of the session").fill(name)
    await tab.role("radio", "Own symbols").check()
    await tab.role("textbox", "Names of the symbols").fill("\n".join(labels))
    await tab.role("spinbutton", "Times each prompt occurs").fill(str(repetitions))
    await tab.role("button", "Make the session").click()
    await prompt(tab)


async def prompt(tab, after=0):
    """Waits for a prompt with another number than the last; returns number, count and label."""
    async def shown():
        place = tab.page.locator("main [aria-atomic='true']")
        if not await place.count():
            return None
        text = await place.first.inner_text()
        found = re.search(r"Prompt (\d+) of (\d+)", text)
        label = (text.strip().splitlines() or [""])[-1].strip()
        if not found or int(found[1]) == after or not label:
            return None
        return int(found[1]), int(found[2]), label
    return await until(shown, f"a prompt after number {after}")


async def write_sample(tab, ink, seed, keyboard=True):
    """Writes the present prompt and saves it; returns its number and label."""
    number, total, label = await prompt(tab)
    check(label in ink, f"a prompt of the session, found {label!r}")
    await tab.write(jittered(ink[label], seed))
    await save(tab, keyboard)
    return number, total, label


async def save(tab, keyboard=True):
    if keyboard:
        await tab.page.keyboard.press("Enter")
    else:
        await tab.role("button", re.compile("Save and next|Replace and next")).click()


async def gone_on(tab, number):
    """Waits until the page shows another prompt than a number, or the end; true at the end."""
    async def other():
        if await tab.role("heading", "All prompts are done").is_visible():
            return "end"
        keep = tab.role("button", re.compile("Keep and next"))
        if await keep.is_visible():
            await keep.click()
        text = await tab.page.locator("main [aria-atomic='true']").first.inner_text()
        found = re.search(r"Prompt (\d+) of", text)
        return found and int(found[1]) != number and "other"
    return await until(other, f"the prompt after {number}", seconds=60) == "end"


async def write_all(tab, ink, keyboard=True, each=None):
    """Writes all prompts that are left; `each` is awaited before every sample, with its number."""
    for turn in range(1000):
        number, _, _ = await prompt(tab)
        if each:
            await each(number)
        await write_sample(tab, ink, turn, keyboard)
        if await gone_on(tab, number):
            return


def samples(place, name):
    """Returns the records of a session on the disk."""
    path = place.project / "collect" / f"{name}.jsonl"
    return read_ink(path) if path.exists() else []


def check_samples(place, name, ink, repetitions):
    """Checks that each prompt has its samples exactly once, with the strokes that were written."""
    records = [each for each in samples(place, name) if each.get("strokes")]
    labels = sorted(each["label"] for each in records)
    check(labels == sorted(list(ink) * repetitions),
          f"{repetitions} samples of each of {len(ink)} symbols, found {len(labels)}: {labels}")
    for each in records:
        check(len(each["strokes"]) == len(ink[each["label"]]),
              f"{len(ink[each['label']])} strokes of {each['label']}, found {len(each['strokes'])}")
    points = {json.dumps(each["strokes"]) for each in records}
    check(len(points) == len(records), "no sample twice")


async def collects_twenty(place):
    """Twenty samples are collected with pen and keyboard, and are on the disk one by one."""
    place.start()
    tab = await place.tab("collect")
    ink = symbols(4)
    await make_session(tab, "mine", ink, 5)

    async def written(number):
        check(len(samples(place, "mine")) >= number - 1, f"{number - 1} samples on the disk")
    await write_all(tab, ink, each=written)
    check_samples(place, "mine", ink, 5)
    check(await is_shown(tab, "collect/mine.jsonl"), "the name of the file at the end")
    # The list of sessions knows it.
    await tab.go("collect")
    await tab.role("link", re.compile("session mine")).wait_for()


async def collect_with_buttons(place):
    """The mouse alone is enough; a sample can be taken back and written again."""
    place.start()
    tab = await place.tab("collect")
    ink = symbols(2)
    await make_session(tab, "mine", ink, 2)
    number, _, first = await write_sample(tab, ink, 1, keyboard=False)
    await gone_on(tab, number)
    await tab.page.keyboard.press("Backspace")
    again = await prompt(tab, after=number + 1)
    check(again[2] == first, f"the prompt {first} again, found {again[2]}")
    await write_sample(tab, ink, 2, keyboard=False)
    await gone_on(tab, number)
    await write_all(tab, ink, keyboard=False)
    check_samples(place, "mine", ink, 2)


async def collect_reload(place):
    """A reload in the middle keeps samples and the ink that is not saved yet."""
    place.start()
    tab = await place.tab("collect")
    ink = symbols(3)
    await make_session(tab, "mine", ink, 2)

    async def reload(number):
        if number not in (2, 4):
            return
        _, _, label = await prompt(tab)
        await tab.write(jittered(ink[label], 99))
        await tab.page.reload()
        await tab.shown("collect")
        found = await prompt(tab)
        check(found[0] == number, f"prompt {number} after the reload, found {found[0]}")
        undo = tab.role("button", "Undo")
        await until(undo.is_enabled, "the unfinished ink after the reload")
        await tab.role("button", "Clear").click()
    await write_all(tab, ink, each=reload)
    check_samples(place, "mine", ink, 2)


async def collect_restart(place):
    """The studio is killed in the middle of a session and started again: nothing is lost or twice."""
    studio = place.start()
    tab = await place.tab("collect")
    tab.expected = tab.cut
    ink = symbols(3)
    await make_session(tab, "mine", ink, 3)
    for turn in range(9):
        number, _, label = await prompt(tab)
        await tab.write(jittered(ink[label], turn))
        if turn % 3 == 1:
            studio.kill()
        await save(tab)
        if turn % 3 == 1:
            await asyncio.sleep(1)
            studio.start()
        await gone_on(tab, number)
    check_samples(place, "mine", ink, 3)


async def collect_killed_page(place):
    """A page that is closed right after saving, while the studio is away, saves later."""
    studio = place.start()
    context = await place.browser.context()
    tab = await place.tab("collect", context=context)
    tab.expected = tab.cut
    ink = symbols(2)
    await make_session(tab, "mine", ink, 2)
    number, _, _ = await write_sample(tab, ink, 1)
    await gone_on(tab, number)
    studio.kill()
    await write_sample(tab, ink, 2)
    await asyncio.sleep(0.5)
    tab.check_quiet()
    await tab.page.close()
    place.tabs.remove(tab)
    studio.start()
    again = await place.tab("collect", context=context)
    await again.role("link", re.compile("Continue the session mine")).click()
    await until(lambda: len(samples(place, "mine")) == 2, "both samples on the disk")
    await write_all(again, ink)
    check_samples(place, "mine", ink, 2)


async def collect_two_tabs(place):
    """Two tabs write one session together: every prompt is written once."""
    place.start()
    context = await place.browser.context()
    one = await place.tab("collect", context=context)
    ink = symbols(3)
    await make_session(one, "mine", ink, 4)
    two = await place.tab("collect", context=context)
    await two.role("link", re.compile("Continue the session mine")).click()
    for each in (one, two):
        # Chromium reports the status of a conflict, which the page handles.
        each.expected = [r"status of 409"]
    seed = 0
    for turn in range(60):
        tab = (one, two)[turn % 2]
        await tab.page.bring_to_front()
        if await tab.role("heading", "All prompts are done").is_visible():
            break
        await asyncio.sleep(0.2)
        number, _, label = await prompt(tab)
        seed += 1
        await tab.write(jittered(ink[label], seed))
        await save(tab)
        await gone_on(tab, number)
    check_samples(place, "mine", ink, 4)


async def collect_lost_answers(place):
    """The studio saves, but its answer is cut off: the sample is sent again and counts once."""
    studio = place.start()
    async with Proxy(studio.port) as proxy:
        tab = await place.tab("collect", base=proxy.base)
        tab.expected = tab.cut
        ink = symbols(2)
        await make_session(tab, "mine", ink, 4)

        async def cut(number):
            proxy.mode, proxy.only = "answers", b"PUT /v1/collect/mine/samples"
            if number % 2:
                asyncio.get_running_loop().call_later(1.5, lambda: setattr(proxy, "mode", "open"))
            else:
                proxy.mode = "open"
        await write_all(tab, ink, each=cut)
        check(proxy.cuts > 0, "answers that were cut off")
    check_samples(place, "mine", ink, 4)


async def collect_slow(place):
    """On a slow connection, samples are saved in order, and nothing is lost by haste."""
    studio = place.start()
    async with Proxy(studio.port) as proxy:
        tab = await place.tab("collect", base=proxy.base)
        ink = symbols(2)
        await make_session(tab, "mine", ink, 2)
        proxy.delay = 0.4

        async def impatient(_):
            await tab.page.keyboard.press("Enter")
        await write_all(tab, ink, each=impatient)
    check_samples(place, "mine", ink, 2)


SCENARIOS = [collects_twenty, collect_with_buttons, collect_reload, collect_restart, collect_killed_page,
             collect_two_tabs, collect_lost_answers, collect_slow]
