"""Scenarios of the page Label and clean."""
import json
import re

from pages import until
from studio import check, jittered, read_ink, symbol_ink


def plant(project, name="planted.jsonl"):
    """Writes ink of three symbols, 12 each, one of them with the label of another; returns the labels."""
    labels = ["circle", "triangle", "star"]
    ink = symbol_ink()
    records = []
    for seed in range(12):
        for label in labels:
            shown = labels[1] if (seed, label) == (7, labels[0]) else label
            records.append({"label": shown, "writer": f"w{seed % 4}", "strokes": [
                {"x": [round(p[0], 2) for p in stroke], "y": [round(p[1], 2) for p in stroke]}
                for stroke in jittered(ink[label], 31 * seed)]})
    (project / name).write_text("".join(json.dumps(each) + "\n" for each in records))
    return labels, 7 * len(labels)


async def cleans_a_wrong_label(place):
    """The data doctor finds a planted wrong label; it is relabelled by keys, kept over a restart, and used."""
    labels, index = plant(place.project)
    before = (place.project / "planted.jsonl").read_bytes()
    studio = place.start()
    tab = await place.tab("data")
    tab.expected = tab.cut
    await tab.page.get_by_text("36 inks").first.wait_for()
    await tab.role("button", "Look for wrong labels").click()
    await until(tab.page.get_by_text(re.compile(r"\d+ labels? (is|are) probably wrong")).first.is_visible,
                "the end of the examination", 180)
    suspects = tab.page.get_by_text("Suspects", exact=True).first
    await suspects.click()
    cell = tab.page.get_by_text(f"perhaps {labels[0]}").first
    await cell.click()
    await tab.page.keyboard.press("r")
    field = tab.role("textbox", "New label").or_(tab.role("combobox", "New label")).first
    await field.wait_for()
    await field.fill(labels[0])
    await tab.page.keyboard.press("Enter")
    await until(tab.page.get_by_text(re.compile("1 relabelled")).first.is_visible, "one relabelled ink")
    await until(tab.page.get_by_text(re.compile("^Saved in")).first.is_visible, "the decision to be saved")
    studio.kill()
    studio.start()
    await tab.page.reload()
    await tab.shown("data")
    await until(tab.page.get_by_text(re.compile("1 relabelled")).first.is_visible,
                "the decision after a restart and a reload")
    check((place.project / "planted.jsonl").read_bytes() == before, "unchanged data")
    files = list((place.project / "decisions").glob("*"))
    check(files, "a file of decisions")
    text = "".join(path.read_text() for path in files)
    check(labels[0] in text and '"relabel"' in text, "the decision in the file")
    check(len(read_ink(files[0])) >= 1, "one line for each decision")


SCENARIOS = [cleans_a_wrong_label]
