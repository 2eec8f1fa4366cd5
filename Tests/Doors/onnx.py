"""Compares onnxruntime with the examples that 'ductus models export --examples' wrote.

    onnx.py NAME COUNT    NAME.onnx, NAME.json and NAME.examples.safetensors, with COUNT inks or more
"""
import json
import struct
import sys

import numpy as np
import onnxruntime

# The sums of products are in another order; the weights are the same. The limits hold for probabilities,
# and for their logarithms relative to their size if that is above 1: those of classes that are as good as
# impossible reach -60. A recurrent network repeats a difference at each step of a long line, so single
# values are up to 100 times as far apart as those of most inks: the median of the inks tells a fault of
# the export from rounding, and has the stricter limit.
MEDIAN_TOLERANCE = 1e-5
TOLERANCE = 1e-3

name, count = sys.argv[1], int(sys.argv[2])
with open(f"{name}.examples.safetensors", "rb") as file:
    (size,) = struct.unpack("<Q", file.read(8))
    header = json.loads(file.read(size))
    content = file.read()
inks = int(header["__metadata__"]["inks"])
assert inks >= count, f"expected {count} inks, found {inks}"


def tensor(key):
    entry = header[key]
    assert entry["dtype"] == "F32"
    begin, end = entry["data_offsets"]
    return np.frombuffer(content[begin:end], np.float32).reshape(entry["shape"])


with open(f"{name}.json") as file:
    description = json.load(file)
session = onnxruntime.InferenceSession(f"{name}.onnx")
inputs = [each["name"] for each in description["inputs"]]
assert inputs == [each.name for each in session.get_inputs()], "the description has other inputs"
assert session.get_modelmeta().custom_metadata_map["ductus.manifest"]
differences = []


def compare(ours, theirs):
    """Adds the largest difference of two outputs."""
    assert theirs.shape == ours.shape, f"expected the shape {ours.shape}, found {theirs.shape}"
    assert np.allclose(np.exp(ours).sum(axis=-1), 1, atol=1e-4), "no probabilities"
    difference = np.abs(theirs - ours) / np.maximum(1, np.abs(ours))
    differences.append(max(difference.max(), np.abs(np.exp(theirs) - np.exp(ours)).max()))


for number in range(inks):
    ours = tensor(f"{number}.log_probabilities")
    theirs = session.run(None, {each: tensor(f"{number}.{each}") for each in inputs})[0]
    compare(ours, theirs)
if description["kind"] == "glyph":
    # Several inks at once give the same.
    together = {e: np.concatenate([tensor(f"{n}.{e}") for n in range(8)]) for e in inputs}
    ours = np.concatenate([tensor(f"{n}.log_probabilities") for n in range(8)])
    compare(ours, session.run(None, together)[0])
median, worst = np.median(differences), max(differences)
assert median <= MEDIAN_TOLERANCE, f"expected a median of at most {MEDIAN_TOLERANCE}, found {median}"
assert worst <= TOLERANCE, f"expected differences of at most {TOLERANCE}, found {worst}"
print(f"{inks} inks, differences of {median:.1e} (median) to {worst:.1e}")
