#!/usr/bin/env python3
"""The point-cloud recognisers $P and $Q: the nearest of some templates of each class.

    pointclouds.py train MODEL.npz INK.jsonl --kind p|q --templates N
    pointclouds.py serve MODEL.npz

The distances are in pointclouds.c, which cc compiles when it is first needed.
"""

import ctypes
import hashlib
import json
import os
import subprocess
import tempfile
from pathlib import Path

import numpy as np

from exchange import candidates_of, records, resample, run, serve, spread_over_classes, strokes_of

POINTS, CELLS = 32, 64
# $P turns a distance into a score by 1 - distance / 2; with probabilities in mind, a softmax of it.
SHARPNESS = 10


def library():
    """The compiled distances."""
    source = Path(__file__).with_name("pointclouds.c")
    name = hashlib.sha256(source.read_bytes()).hexdigest()[:16]
    path = Path(tempfile.gettempdir(), f"pointclouds-{os.getuid()}-{name}.so")
    if not path.exists():
        fresh = path.with_suffix(f".{os.getpid()}")
        subprocess.run(
            ["cc", "-O3", "-shared", "-fPIC", "-o", str(fresh), str(source), "-lm"], check=True)
        fresh.rename(path)
    return ctypes.CDLL(str(path))


def cloud(strokes, kind):
    """The points of an ink, with its centroid at 0 and its larger side 1; for $Q within 0 to 1."""
    points = resample(strokes, POINTS)[:, :2]
    size = (points.max(axis=0) - points.min(axis=0)).max()
    points = (points - points.mean(axis=0)) / (size if size > 0 else 1)
    return np.ascontiguousarray(points / 2 + 0.5 if kind == "q" else points, np.float32)


def pointer(array, kind=ctypes.c_float):
    return array.ctypes.data_as(ctypes.POINTER(kind))


def train(arguments):
    inks = list(records(arguments.ink))
    labels = [ink["label"] for ink in inks]
    chosen = spread_over_classes(labels, arguments.templates)
    clouds = np.stack([cloud(strokes_of(inks[i]), arguments.kind) for i in chosen])
    # By its handle, because savez adds a suffix to a path.
    with open(arguments.model, "wb") as file:
        np.savez(file, kind=arguments.kind, clouds=clouds, labels=[labels[i] for i in chosen])
    print(json.dumps({"inks": len(chosen)}))


def read(arguments):
    model = np.load(arguments.model)
    kind, clouds = str(model["kind"]), np.ascontiguousarray(model["clouds"])
    labels = [str(label) for label in model["labels"]]
    names = sorted(set(labels))
    classes = np.array([names.index(label) for label in labels])
    distances = library()
    distances.q_nearest.restype = ctypes.c_int
    count = len(clouds)
    if kind == "q":
        tables = np.zeros((count, CELLS * CELLS), np.uint8)
        for index in range(count):
            distances.q_table(pointer(clouds[index]), pointer(tables[index], ctypes.c_uint8))

    def nearest(request, wanted):
        query = cloud(strokes_of(request), kind)
        if kind == "q":
            distance = ctypes.c_float()
            found = distances.q_nearest(
                pointer(query), pointer(clouds), pointer(tables, ctypes.c_uint8), count,
                ctypes.byref(distance))
            # Early abandoning leaves the distances of the other classes unknown.
            return [{"text": labels[max(0, found)], "score": -0.01}]
        result = np.empty(count, np.float32)
        distances.p_distances(pointer(query), pointer(clouds), count, pointer(result))
        best = np.full(len(names), np.inf)
        np.minimum.at(best, classes, result)
        return candidates_of(names, -SHARPNESS * best / 2, wanted)

    serve(nearest)


if __name__ == "__main__":
    run(__doc__, train, read, {
        "--kind": dict(choices=["p", "q"], default="p"),
        "--templates": dict(type=int, default=100, help="of each class"),
    })
