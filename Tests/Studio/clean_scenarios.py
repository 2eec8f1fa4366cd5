"""Scenarios of the page Label and clean: a planted wrong label, decisions that survive, hostile labels."""
import json
import re
import subprocess

from pages import until
from studio import check, jittered, symbol_ink

HOSTILE = ["\u202eabc", "<img src=x onerror=alert(1)>", "   ", "שלום עולם", "a\u0007b\n", "👩\u200d👩\u200d👧", "x" * 3000]


def record(label, strokes, seed, **more):
    return {"label": label, "strokes": [
        {"x": [round(p[0], 2) for p in stroke], "y": [round(p[1], 2) for p in stroke]}
        for stroke in jittered(strokes, seed)], **more}


def write(project, records, name="mine.jsonl"):
    (project / name).write_text("".join(json.dumps(each) + "\n" for each in records))


def decisions(project, name="mine"):
    path = project / "decisions" / f"{name}.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def cells(tab, name=None):
    """The cells of the wall that exist: those that are shown, and some that wait out of sight."""
    return tab.role("listbox", "Inks", exact=True).get_by_role("option", name=name)


async def open_data(place, name="mine.jsonl", **more):
    tab = await place.tab("data", **more)
    await tab.page.goto(f"{tab.base}/data?data=ink:{name}")
    await tab.shown("data")
    await cells(tab).first.wait_for()
    await until(lambda: tab.page.locator(".cell:not([data-state=waiting])").count(), "inks on the wall")
    return tab


async def cleans_planted_label(place):
    """The data doctor finds a planted wrong label; it is corrected by keys, and --data gives the new label."""
    shapes = list(symbol_ink().items())[:5]
    records = [record(label, strokes, seed) for seed in range(30) for label, strokes in shapes]
    planted = 77
    right = records[planted]["label"]
    wrong = next(label for label, _ in shapes if label != right)
    records[planted]["label"] = wrong
    write(place.project, records)
    source = (place.project / "mine.jsonl").read_bytes()
    place.start()
    tab = await open_data(place)
    await tab.role("button", "Look for wrong labels").click()
    await until(tab.role("button", re.compile(r"Suspects \(\d")).is_visible, "suspects", seconds=180)
    suspect = cells(tab, re.compile(rf"^{re.escape(wrong)}.*perhaps {re.escape(right)}")).first
    await suspect.click()
    await tab.page.keyboard.press("r")
    box = tab.role("textbox", "New label")
    await box.wait_for()
    await tab.page.keyboard.press("Tab")
    check(await box.input_value() == right, f"the suggestion {right} after Tab")
    await tab.page.keyboard.press("Enter")
    await until(lambda: decisions(place.project), "a decision in the project")
    made = decisions(place.project)
    check([each["decision"] for each in made] == ["relabel"] and made[0]["label"] == right,
          f"one new label {right}, found {made}")
    check((place.project / "mine.jsonl").read_bytes() == source, "the source as it was")
    shown = await tab.page.locator(".decisions code").inner_text()
    data = re.search(r"--data '(.*)'", shown)[1]
    output = place.project / "clean.jsonl"
    subprocess.run([place.tool, "data", "convert", "--data", data, "--output", str(output)],
                   cwd=place.project, check=True, capture_output=True)
    labels = [json.loads(line)["label"] for line in output.read_text().splitlines()]
    records[planted]["label"] = right
    check(labels == [each["label"] for each in records], "the corrected label, and all others, from --data")


async def decisions_survive(place):
    """A decision that is made while the studio is away is saved when it comes back, and can be taken back."""
    shapes = list(symbol_ink().items())[:3]
    write(place.project, [record(label, strokes, seed) for seed in range(4) for label, strokes in shapes])
    studio = place.start()
    tab = await open_data(place)
    tab.expected = tab.cut + ["404"]
    await cells(tab).first.click()
    await tab.page.keyboard.press("d")
    await until(lambda: decisions(place.project), "the first decision")
    await until(tab.page.get_by_text("1 dropped").is_visible, "the first decision on the page")
    studio.kill()
    await tab.page.keyboard.press("d")
    await until(lambda: tab.page.get_by_text("Saving 1").is_visible(), "a note that one is not saved yet")
    check(len(decisions(place.project)) == 1, "one decision while the studio is away")
    studio.start()
    await until(lambda: len(decisions(place.project)) == 2, "the second decision after the restart", seconds=60)
    check(len({(each["ink"], each["nth"]) for each in decisions(place.project)}) == 2, "two inks")
    await until(tab.page.get_by_text("2 dropped").is_visible, "both decisions on the page")
    await cells(tab).first.click()
    await tab.page.keyboard.press("u")
    await until(lambda: decisions(place.project)[-1]["decision"] == "undo", "the first one taken back")
    await until(tab.page.get_by_text("1 dropped").is_visible, "one decision on the page")


async def hostile_labels(place):
    """Labels of strange characters are shown as text and change nothing around them."""
    strokes = next(iter(symbol_ink().values()))
    write(place.project, [record(label, strokes, seed, writer=label) for seed, label in enumerate(HOSTILE)])
    place.start()
    tab = await open_data(place)
    await until(lambda: tab.page.locator(".cell:not([data-state=waiting])").count(), "inks")
    check(await cells(tab).count() == len(HOSTILE), "a cell for each label")
    check(await tab.page.locator("main img").count() == 0, "no element from a label")
    text = await tab.page.locator(".wall").inner_text()
    check("⟨202E⟩abc" in text and "\u202e" not in text, "a mark of direction that can be seen")
    check("␣␣␣" in text and "שלום" in text, "blanks and letters from right to left")
    for index in range(len(HOSTILE)):
        await cells(tab).nth(index).click()
        wide = await tab.page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
        check(wide <= 0, f"a page within the window with the label {index}")


async def other_pages_meanwhile(place):
    """Another page opened while data is read stays as it is."""
    strokes = next(iter(symbol_ink().values()))
    write(place.project, [record("a", strokes, seed) for seed in range(3000)])
    place.start()
    tab = await place.tab("models")
    await tab.page.evaluate("""async () => {
      document.querySelector("nav a[href='/data']").click();
      await new Promise((done) => setTimeout(done, 30));
      document.querySelector("nav a[href='/models']").click();
    }""")
    await tab.page.wait_for_timeout(2500)
    check(tab.page.url.endswith("/models"), f"the address /models, found {tab.page.url}")
    check(await tab.page.locator(".wall").count() == 0, "no wall on another page")


SCENARIOS = [cleans_planted_label, decisions_survive, hostile_labels, other_pages_meanwhile]
