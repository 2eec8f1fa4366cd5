"""Reads lines of ink with an ONNX file: features, network, and the best class of each step (greedy CTC).

    ductus models export latin-lines --format onnx --output lines.onnx
    python3 read_onnx.py lines.onnx ink.jsonl

Needs numpy and onnxruntime. To stay short, it neither rotates the line, nor moves late dots to their
letters, nor uses the writing area: 'featureSteps' in lines.json has all steps.
"""
import json
import sys

import numpy as np
import onnxruntime


def features(strokes, spacing):
    """The steps [1, T, 13] of strokes, each an array [points, 2] with y growing down."""
    ends = [(s[:-1], s[1:]) for s in strokes if len(s) > 1]
    first, last = (np.concatenate([pair[side] for pair in ends]) for side in (0, 1))
    length = np.hypot(*(last - first).T)
    height = (first[:, 1] + last[:, 1]) / 2
    middle = np.average(height, weights=length)
    squares = np.average(height**2 + (last - first)[:, 1] ** 2 / 12, weights=length)
    unit = 4 * np.sqrt(squares - middle**2)
    origin = np.array([min(s[:, 0].min() for s in strokes), middle])
    rows, rightmost, before = [], -np.inf, None
    for stroke in strokes:
        points = (stroke - origin) / unit
        path = np.concatenate([[0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))])
        places = np.arange(0, path[-1] + 1e-9, spacing)
        if path[-1] - places[-1] > 0.3 * spacing:
            places = np.append(places, path[-1])
        x, y = (np.interp(places, path, points[:, axis]) for axis in (0, 1))
        angle = np.arctan2(np.diff(y), np.diff(x))
        for i in range(len(places)):
            rightmost = max(rightmost, x[i])
            row = np.zeros(13, np.float32)
            if i > 0:
                row[0:2] = np.cos(angle[i - 1]), np.sin(angle[i - 1])
            elif before is not None:
                row[5:7] = np.clip((x[0] - before[0], y[0] - before[1]), -3, 3)
            row[2] = np.clip(2 * y[i], -3, 3)
            row[3:5] = i == 0, i == len(places) - 1
            row[7] = min(4, rightmost - x[i])
            row[8] = np.sin(angle[i - 1] - angle[i - 2]) if i > 1 else 0
            rows.append(row)
        before = x[-1], y[-1]
    return np.stack(rows)[None]


network = onnxruntime.InferenceSession(sys.argv[1])
with open(sys.argv[1].removesuffix(".onnx") + ".json") as file:
    description = json.load(file)
for line in open(sys.argv[2]):
    strokes = [np.array([s["x"], s["y"]], float).T for s in json.loads(line)["strokes"]]
    steps = features(strokes, description["features"]["spacing"])
    best = network.run(None, {"steps": steps})[0][0].argmax(axis=1)
    classes = [k for k, previous in zip(best, [0, *best]) if k != previous and k != 0]
    print("".join(description["labels"][k - 1] for k in classes))
