"""Ink for the recognisers of this folder, and the line protocol of `ductus recognize -`."""

import argparse
import json
import math
import subprocess
import sys

import numpy as np


def strokes_of(record):
    """The strokes of a request or a record, each an array [points, 2], y down; empty ones left out."""
    strokes = [np.array([s["x"], s["y"]], np.float32).T for s in record["strokes"]]
    return [stroke for stroke in strokes if len(stroke)]


def records(path):
    """The records of a file of JSON lines that have a label and points."""
    with open(path) as file:
        for line in file:
            record = json.loads(line)
            if record.get("label") and strokes_of(record):
                yield record


def spread_over_classes(labels, count):
    """The indices of at most `count` inks of each label, evenly over the order of the data, so that many
    writers are among them."""
    places = {}
    for index, label in enumerate(labels):
        places.setdefault(label, []).append(index)
    chosen = []
    for label in sorted(places):
        all_places = places[label]
        taken = min(count, len(all_places))
        chosen += [all_places[i * len(all_places) // taken] for i in range(taken)]
    return sorted(chosen)


def resample(strokes, count):
    """`count` points at equal distances along the strokes, each with the number of its stroke: [count, 3].

    Jumps between strokes have no length. A dot gives the same point `count` times."""
    lengths = [np.hypot(*np.diff(s, axis=0).T) for s in strokes]
    total = float(sum(each.sum() for each in lengths))
    if total <= 0:
        points = np.repeat(np.concatenate(strokes)[:1], count, axis=0)
        return np.column_stack([points, np.zeros(count, np.float32)])
    path = np.concatenate([np.concatenate([[0], each]) for each in lengths]).cumsum()
    points = np.concatenate(strokes)
    number = np.concatenate([np.full(len(s), i, np.float32) for i, s in enumerate(strokes)])
    places = np.linspace(0, total, count)
    # The segment of each place; at a jump the stroke that begins.
    right = np.clip(np.searchsorted(path, places, side="right"), 1, len(path) - 1)
    left = right - 1
    step = path[right] - path[left]
    share = np.where(step > 0, (places - path[left]) / np.where(step > 0, step, 1), 0)
    share = np.clip(share, 0, 1)[:, None]
    mixed = points[left] * (1 - share) + points[right] * share
    return np.column_stack([mixed, number[right]]).astype(np.float32)


class Features:
    """The features of a glyph model: `ductus models features` as a child process."""

    def __init__(self, ductus, model):
        self.child = subprocess.Popen(
            [ductus, "models", "features", model], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def of(self, record):
        """The features of an ink, as a list of arrays: sequence [T, C], maps [M], globals [G]."""
        request = {"strokes": record["strokes"]}
        if record.get("area"):
            request["area"] = record["area"]
        self.child.stdin.write(json.dumps(request).encode() + b"\n")
        self.child.stdin.flush()
        answer = json.loads(self.child.stdout.readline())
        if "error" in answer:
            raise ValueError(answer["error"]["message"])
        inputs = answer["inputs"]
        return [np.array(inputs[name], np.float32) for name in ("sequence", "maps", "globals")]


def candidates_of(labels, scores, count):
    """The best candidates by scores, with the softmax of the scores as probabilities."""
    scores = np.asarray(scores, float)
    scores = scores - scores.max()
    total = math.log(np.exp(scores).sum())
    best = np.argsort(-scores, kind="stable")[:count]
    return [{"text": labels[k], "score": min(0.0, float(scores[k] - total))} for k in best]


def serve(read):
    """Answers requests until the input ends. `read` gets a request and the number of candidates, and
    gives candidates."""
    for line in sys.stdin:
        request = json.loads(line)
        answer = {"id": request.get("id")}
        try:
            if not strokes_of(request):
                raise ValueError("no points")
            answer["candidates"] = read(request, request.get("candidates", 5))
        except ValueError as error:
            answer["error"] = {"code": "invalidValue", "message": str(error)}
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


def run(description, train, read, options, begin=lambda arguments: None):
    """The command line of a recogniser: `train MODEL INK` or `serve MODEL`, with options of its own, each a name
    with the arguments of `add_argument`. `begin` gets the arguments before either."""
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    parser.add_argument("task", choices=["train", "serve"])
    parser.add_argument("model")
    parser.add_argument("ink", nargs="?")
    for name, settings in options.items():
        parser.add_argument(name, **settings)
    arguments = parser.parse_args()
    begin(arguments)
    (train if arguments.task == "train" else read)(arguments)
