#!/usr/bin/env python3
"""Goes the way of a newcomer: from an empty folder to a model of twenty own symbols, on the pages.

    newcomer.py DUCTUS [--pace SECONDS] [--samples N] [--screenshots DIR]

Collects samples of twenty symbols with a pen, trains on them, and writes each symbol once more on the page
Try. All of it must take less than five minutes. --pace is the least time of a sample: a person needs about
1.5 s for a symbol and the Enter key. With --screenshots, pictures for the documents are written, which
needs Pillow.
"""
import argparse
import asyncio
import sys
import time
from pathlib import Path

from collect_scenarios import gone_on, make_session, prompt, save
from pages import Browser, Place
from studio import Failed, Folder, check, jittered, quoted, symbol_ink
from train_scenarios import is_read, train

#: The most seconds for the whole way, and the fewest of the 20 symbols that are read at its end.
MOST_SECONDS, FEWEST_RIGHT = 300, 16
#: The most bytes of a picture.
MOST_BYTES = 60_000


async def picture(tab, folder, name):
    """Writes a picture of the page with few colours."""
    if folder is None:
        return
    Path(folder).mkdir(parents=True, exist_ok=True)
    path = Path(folder) / f"studio-{name}.png"
    await tab.page.evaluate("scrollTo(0, 0)")
    await tab.page.screenshot(path=path)
    from PIL import Image
    image = Image.open(path).convert("RGB").quantize(colors=160, dither=Image.Dither.NONE)
    image.save(path, optimize=True)
    check(path.stat().st_size <= MOST_BYTES, f"at most {MOST_BYTES} bytes of {path.name}, found {path.stat().st_size}")


async def way(place, options):
    """The way; returns the seconds of its steps and the number of symbols that are read."""
    ink = symbol_ink()
    times, started = {}, time.monotonic()

    def step(name):
        times[name] = time.monotonic() - started - sum(times.values())
    place.start()
    tab = await place.tab("try")
    await make_session(tab, "my symbols", ink, options.samples)
    step("start and form")
    total = len(ink) * options.samples
    for turn in range(total):
        began = time.monotonic()
        number, _, label = await prompt(tab)
        await tab.write(jittered(ink[label], turn))
        if turn == total // 2:
            await picture(tab, options.screenshots, "collect")
        await asyncio.sleep(max(0, options.pace - (time.monotonic() - began)))
        await save(tab)
        await gone_on(tab, number)
    step("writing")
    await tab.role("link", "Train on it").click()
    await tab.shown("train")
    await train(tab, MOST_SECONDS)
    step("training")
    await asyncio.sleep(1)
    await picture(tab, options.screenshots, "train")
    await tab.role("button", "Try it").click()
    await tab.shown("try")
    right = 0
    for turn, (label, strokes) in enumerate(ink.items()):
        right += await is_read(tab, strokes, label, 10_000 + turn)
        if label == "star":
            await picture(tab, options.screenshots, "try")
    step("trying")
    if options.screenshots:
        await tab.page.goto(f"{tab.base}/data?data={quoted('ink:collect/my symbols.jsonl')}")
        await tab.shown("data")
        await tab.page.wait_for_load_state("networkidle")
        await asyncio.sleep(1)
        await picture(tab, options.screenshots, "clean")
    return times, right


async def run(options):
    async with Browser() as browser:
        with Folder() as folder:
            place = Place(folder, browser, options)
            try:
                times, right = await way(place, options)
                await place.finish()
            finally:
                await place.close()
    total = sum(times.values())
    steps = ", ".join(f"{name} {seconds:.0f} s" for name, seconds in times.items())
    print(f"newcomer: {20 * options.samples} samples of 20 symbols, a model after {total:.0f} s ({steps}); "
          f"{right} of 20 symbols are read")
    check(total <= MOST_SECONDS, f"a model within {MOST_SECONDS} s, found {total:.0f} s")
    check(right >= FEWEST_RIGHT, f"at least {FEWEST_RIGHT} of 20 symbols to be read, found {right}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("--pace", type=float, default=0)
    parser.add_argument("--samples", type=int, default=5)
    parser.add_argument("--screenshots")
    options = parser.parse_args()
    try:
        asyncio.run(run(options))
    except Failed as error:
        print(f"newcomer: error: {error}", file=sys.stderr)
        sys.exit(1)


if __name__ == "__main__":
    main()
