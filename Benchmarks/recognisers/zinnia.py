#!/usr/bin/env python3
"""Zinnia, a recogniser with support-vector machines: its trainer, and its library.

    zinnia.py train MODEL INK.jsonl --inks N
    zinnia.py serve MODEL

Needs zinnia_learn (Debian: zinnia-utils) and libzinnia.so.0 (libzinnia0). The trainer holds all features of
all pairs of ink and class in memory, so that the number of inks is limited.
"""

import ctypes
import json
import subprocess
import sys

import numpy as np

from exchange import candidates_of, records, run, serve, spread_over_classes, strokes_of

SIZE = 1000  # Zinnia takes whole coordinates; the ink fills a square of this side.


def fitted(strokes):
    """The strokes in the square, centred, with the same scale in both directions."""
    points = np.concatenate(strokes)
    low, high = points.min(axis=0), points.max(axis=0)
    scale = 0.9 * SIZE / max(float((high - low).max()), 1e-6)
    return [np.rint((s - (low + high) / 2) * scale + SIZE / 2).astype(int) for s in strokes]


def train(arguments):
    inks = list(records(arguments.ink))
    labels = [ink["label"] for ink in inks]
    classes = len(set(labels))
    chosen = spread_over_classes(labels, max(1, arguments.inks // classes))
    names = sorted(set(labels))
    text = arguments.model + ".s-expressions"
    with open(text, "w") as file:
        for index in chosen:
            strokes = "".join(
                "(" + "".join(f"({x} {y})" for x, y in stroke) + ")"
                for stroke in fitted(strokes_of(inks[index])))
            # The classes get numbers, because brackets are labels, too.
            file.write(f"(character (value c{names.index(labels[index])})(width {SIZE})"
                       f"(height {SIZE})(strokes {strokes}))\n")
    with open(arguments.model + ".labels", "w") as file:
        json.dump(names, file)
    result = subprocess.run(
        ["zinnia_learn", text, arguments.model], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True)
    if result.returncode:
        sys.exit(f"zinnia_learn: {result.stdout[-500:]}")
    print(json.dumps({"inks": len(chosen)}))


def library():
    zinnia = ctypes.CDLL("libzinnia.so.0")
    for name, result, arguments in [
        ("recognizer_new", ctypes.c_void_p, []),
        ("recognizer_open", ctypes.c_int, [ctypes.c_void_p, ctypes.c_char_p]),
        ("recognizer_classify", ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t]),
        ("character_new", ctypes.c_void_p, []),
        ("character_clear", None, [ctypes.c_void_p]),
        ("character_set_width", None, [ctypes.c_void_p, ctypes.c_size_t]),
        ("character_set_height", None, [ctypes.c_void_p, ctypes.c_size_t]),
        ("character_add", ctypes.c_int,
         [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int]),
        ("result_size", ctypes.c_size_t, [ctypes.c_void_p]),
        ("result_value", ctypes.c_char_p, [ctypes.c_void_p, ctypes.c_size_t]),
        ("result_score", ctypes.c_float, [ctypes.c_void_p, ctypes.c_size_t]),
        ("result_destroy", None, [ctypes.c_void_p]),
    ]:
        function = getattr(zinnia, "zinnia_" + name)
        function.restype, function.argtypes = result, arguments
    return zinnia


def read(arguments):
    zinnia = library()
    with open(arguments.model + ".labels") as file:
        names = json.load(file)
    recognizer = zinnia.zinnia_recognizer_new()
    if not zinnia.zinnia_recognizer_open(recognizer, arguments.model.encode()):
        sys.exit(f"{arguments.model}: Zinnia cannot open it")
    character = zinnia.zinnia_character_new()

    def classify(request, wanted):
        zinnia.zinnia_character_clear(character)
        zinnia.zinnia_character_set_width(character, SIZE)
        zinnia.zinnia_character_set_height(character, SIZE)
        for number, stroke in enumerate(fitted(strokes_of(request))):
            for x, y in stroke:
                zinnia.zinnia_character_add(character, number, int(x), int(y))
        result = zinnia.zinnia_recognizer_classify(recognizer, character, len(names))
        if not result:
            raise ValueError("Zinnia gives no answer")
        found = [(names[int(zinnia.zinnia_result_value(result, i)[1:])],
                  zinnia.zinnia_result_score(result, i))
                 for i in range(zinnia.zinnia_result_size(result))]
        zinnia.zinnia_result_destroy(result)
        return candidates_of([f[0] for f in found], [f[1] for f in found], wanted)

    serve(classify)


if __name__ == "__main__":
    run(__doc__, train, read, {
        "--inks": dict(type=int, default=4000, help="the most inks to train on"),
    })
