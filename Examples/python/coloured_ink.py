# %% [markdown]
# # Ink with its characters in colours
#
# Reads a file of ink and draws it as SVG: every character of the best reading in its own colour.
#
#     python coloured_ink.py FILE.jsonl OUTPUT.svg

# %%
import sys
from xml.sax.saxutils import escape

from ductus import Recognizer, read_ink

source, output = sys.argv[1], sys.argv[2]
sample = read_ink(source)[0]
best = Recognizer("latin-lines").recognize(sample.strokes)[0]
print(f"{best.text} ({best.probability:.0%})")

# %% [markdown]
# Each character knows the runs of points that made it. Points that no character has stay grey.

# %%
COLOURS = ["#0b6e4f", "#c1121f", "#1d4ed8", "#b45309", "#7e22ce", "#0e7490"]
paths = []
for stroke in sample.strokes:
    line = " ".join(f"{x},{y}" for x, y in zip(stroke["x"], stroke["y"]))
    paths.append(f'<polyline points="{line}" stroke="#bbb"/>')
for index, spans in enumerate(best.characters):
    for span in spans:
        stroke = sample.strokes[span.stroke]
        # One point more, so that the runs of a stroke meet.
        points = list(zip(stroke["x"], stroke["y"]))[span.start : span.end + 1]
        line = " ".join(f"{x},{y}" for x, y in points)
        paths.append(f'<polyline points="{line}" stroke="{COLOURS[index % len(COLOURS)]}"/>')

# %%
x = [value for stroke in sample.strokes for value in stroke["x"]]
y = [value for stroke in sample.strokes for value in stroke["y"]]
left, top, width, height = min(x) - 10, min(y) - 10, max(x) - min(x) + 20, max(y) - min(y) + 20
with open(output, "w", encoding="utf-8") as file:
    file.write(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{left} {top} {width} {height}">'
        f"<title>{escape(best.text)}</title>"
        '<g fill="none" stroke-width="3" stroke-linecap="round" stroke-linejoin="round">'
        + "".join(paths)
        + "</g></svg>\n"
    )
