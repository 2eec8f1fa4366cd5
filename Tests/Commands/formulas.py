"""Writes small files of formulas for the commands of the documents.

    formulas.py FOLDER [COUNT]

Each file is InkML with the ink, the LaTeX, the MathML and a group of traces for each symbol. The symbols are
drawn by virtual writers.
"""
import math
import pathlib
import random
import sys

DIGITS = "017"


def line(start, end):
    return [(start[0] + part / 8 * (end[0] - start[0]), start[1] + part / 8 * (end[1] - start[1])) for part in range(9)]


SHAPES = {
    "0": [[(0.3 * math.sin(a * math.pi / 8), -0.5 * math.cos(a * math.pi / 8)) for a in range(17)]],
    "1": [line((0, -0.5), (0, 0.5))],
    "7": [line((-0.3, -0.5), (0.3, -0.5)) + line((0.3, -0.5), (-0.1, 0.5))],
    "+": [line((-0.4, 0), (0.4, 0)), line((0, -0.4), (0, 0.4))],
    "-": [line((-0.5, 0), (0.5, 0))],
}


class Formula:
    """A formula with its traces and groups."""

    def __init__(self, chance):
        self.chance, self.traces, self.groups = chance, [], []

    def draw(self, symbol, x, y, size):
        """Draws a symbol around a place; returns its MathML."""
        name = f"s{len(self.groups)}"
        first = len(self.traces)
        for path in SHAPES[symbol]:
            self.traces.append(", ".join(
                f"{100 * (x + size * px + self.chance.gauss(0, 0.02)):.1f} "
                f"{100 * (y + size * py + self.chance.gauss(0, 0.02)):.1f}" for px, py in path))
        self.groups.append((name, symbol, range(first, len(self.traces))))
        tag = "mn" if symbol in DIGITS else "mo"
        return f'<{tag} xml:id="{name}">{symbol}</{tag}>'

    def term(self, x):
        """Draws a digit, a power or a fraction at a place; returns LaTeX, MathML and the place behind it."""
        a, b = self.chance.choice(DIGITS), self.chance.choice(DIGITS)
        form = self.chance.randrange(3)
        if form == 0:
            return a, self.draw(a, x + 0.4, 0, 1), x + 0.9
        if form == 1:
            parts = self.draw(a, x + 0.4, 0, 1) + self.draw(b, x + 0.9, -0.7, 0.5)
            return f"{a}^{b}", f"<msup>{parts}</msup>", x + 1.3
        bar = self.draw("-", x + 0.7, 0, 1.3)
        parts = self.draw(a, x + 0.7, -0.9, 0.9) + self.draw(b, x + 0.7, 0.9, 0.9)
        identifier = bar.split('"')[1]
        return f"\\frac{{{a}}}{{{b}}}", f'<mfrac xml:id="{identifier}">{parts}</mfrac>', x + 1.5


def document(number):
    chance = random.Random(number)
    formula = Formula(chance)
    latex, mathml, x = formula.term(0)
    for _ in range(chance.randrange(3)):
        sign = chance.choice("+-")
        sign_mathml = formula.draw(sign, x + 0.6, 0, 0.8)
        more, more_mathml, x = formula.term(x + 1.2)
        latex, mathml = f"{latex}{sign}{more}", mathml + sign_mathml + more_mathml
    traces = "".join(f'<trace id="{index}">{trace}</trace>\n' for index, trace in enumerate(formula.traces))
    groups = "".join(
        f'<traceGroup xml:id="g{name}"><annotation type="truth">{symbol}</annotation>'
        + "".join(f'<traceView traceDataRef="{trace}"/>' for trace in places)
        + f'<annotationXML href="{name}"/></traceGroup>\n' for name, symbol, places in formula.groups)
    return f"""<ink xmlns="http://www.w3.org/2003/InkML">
<annotation type="truth">${latex}$</annotation><annotation type="writer">writer-{number % 24}</annotation>
<annotationXML type="truth" encoding="Content-MathML"><math><mrow>{mathml}</mrow></math></annotationXML>
{traces}<traceGroup xml:id="all"><annotation type="truth">Segmentation</annotation>
{groups}</traceGroup></ink>
"""


folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
for number in range(int(sys.argv[2]) if len(sys.argv) > 2 else 120):
    (folder / f"{number:03}.inkml").write_text(document(number))
