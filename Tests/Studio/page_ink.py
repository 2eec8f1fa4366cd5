"""Real ink for the checks of the page: lines of IAM-OnDB in millimetres, or the ink of Examples."""
import json
import os
import random
import xml.etree.ElementTree as ET
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LINE_HEIGHT = 7.0
SPACING = 12.0


def iam_lines(count, seed):
    folder = Path(os.environ.get("INK_DATASETS", Path.home() / ".cache/ink-datasets")) / "iam-ondb"
    splits = folder / "splits" / "testset_v.txt"
    if not splits.exists():
        return []
    files = sorted((folder / "lineStrokes").glob("*/*/*.xml"))
    random.Random(seed).shuffle(files)
    lines = []
    for file in files:
        strokes = []
        for stroke in ET.parse(file).getroot().iter("Stroke"):
            points = [(float(p.get("x")), float(p.get("y")), float(p.get("time"))) for p in stroke.iter("Point")]
            if points:
                strokes.append(points)
        if 8 <= len(strokes) <= 60:
            lines.append(strokes)
        if len(lines) == count:
            break
    return lines


def example_lines(count):
    record = json.loads((ROOT / "Examples/hello.jsonl").read_text().splitlines()[0])
    line = [[(x, y, 1e-3 * 10 * i) for i, (x, y) in enumerate(zip(s["x"], s["y"]))] for s in record["strokes"]]
    return [line] * count


def page(strokes, seed=1, width=160.0, per_row=1):
    """Returns about this many strokes as lines of a page, each a dict of columns in millimetres."""
    result = []
    lines = iam_lines(max(10, strokes // 12), seed) or example_lines(strokes // 8 + 1)
    row = 0
    while len(result) < strokes:
        line = lines[row % len(lines)]
        xs = [p[0] for s in line for p in s]
        ys = sorted(p[1] for s in line for p in s)
        low, high = ys[len(ys) // 20], ys[-1 - len(ys) // 20]
        scale = min(LINE_HEIGHT / max(1, high - low), width / max(1, max(xs) - min(xs)))
        column = row % per_row
        left, top = 12 + column * (width + 20), 12 + (row // per_row) * SPACING
        start = line[0][0][2]
        for s in line:
            result.append({
                "x": [round(left + (p[0] - min(xs)) * scale, 3) for p in s],
                "y": [round(top + (p[1] - low) * scale, 3) for p in s],
                "t": [max(0, round((p[2] - s[0][2]) * 1000)) for p in s],
                "time": 1_700_000_000_000 + round((s[0][2] - start) * 1000) + row * 60_000,
            })
            t = result[-1]["t"]
            for i in range(1, len(t)):
                t[i] = max(t[i], t[i - 1])
        row += 1
    return result[:strokes]
