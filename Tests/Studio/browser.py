#!/usr/bin/env python3
"""Tests the studio in headless Chromium, as a person uses it.

    browser.py DUCTUS [--screenshots DIR] [--only NAME]...

One function per scenario. Each has a studio and a browser context of its own. A scenario fails if the
page reports an error, also of the content-security policy, that the scenario does not cause on purpose.
"""
import argparse
import asyncio
import sys
import time
import traceback
from pathlib import Path

import clean_scenarios
import collect_scenarios
import convert_scenarios
import export_scenarios
import frame_scenarios
import gesture_scenarios
import intensity_scenarios
import look_scenarios
import notes_scenarios
import page_scenarios
import selection_scenarios
import train_scenarios
import try_scenarios
from pages import Browser, Place
from studio import Failed, Folder

SCENARIOS = [scenario for module in (
    frame_scenarios, try_scenarios, collect_scenarios, clean_scenarios, train_scenarios, page_scenarios,
    gesture_scenarios, selection_scenarios, export_scenarios, convert_scenarios, look_scenarios,
    intensity_scenarios, notes_scenarios)
             for scenario in module.SCENARIOS]


async def run(options):
    failed = []
    async with Browser() as browser:
        for scenario in SCENARIOS:
            name = scenario.__name__.replace("_", "-")
            if options.only and not any(each in name for each in options.only):
                continue
            started = time.monotonic()
            with Folder() as folder:
                place = Place(folder, browser, options)
                try:
                    await scenario(place)
                    await place.finish()
                    print(f"browser: {name}: passed in {time.monotonic() - started:.1f} s", flush=True)
                except Exception as error:  # noqa: BLE001 (every failure is reported by its scenario)
                    failed.append(name)
                    text = str(error) if isinstance(error, Failed) else f"{type(error).__name__}: {error}"
                    print(f"browser: error: {name}: {text}", file=sys.stderr, flush=True)
                    if options.trace:
                        traceback.print_exc()
                    for tab in place.tabs:
                        if tab.problems:
                            print(f"browser: console: {tab.problems[:5]}", file=sys.stderr)
                        if options.screenshots:
                            await tab.page.screenshot(path=Path(options.screenshots) / f"failed-{name}.png")
                finally:
                    await place.close()
    return failed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool", nargs="?", default=".build/release/ductus")
    parser.add_argument("--list", action="store_true", help="print the names of the scenarios")
    parser.add_argument("--screenshots")
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--trace", action="store_true", help="print where a scenario failed")
    options = parser.parse_args()
    if options.list:
        return print("\n".join(each.__name__.replace("_", "-") for each in SCENARIOS))
    sys.exit(1 if asyncio.run(run(options)) else 0)


if __name__ == "__main__":
    main()
