"""Reads event files with the package 'tensorboard', and checks what they hold.

    events.py training DIR    files of a training with --tensorboard-histograms
    events.py export DIR      a folder of 'ductus runs export'
"""
import os
import struct
import sys

from tensorboard.backend.event_processing import event_accumulator, event_file_loader

mode, folder = sys.argv[1:]
# The reader of single files checks every checksum.
events = 0
for name in sorted(os.listdir(folder)):
    loader = event_file_loader.EventFileLoader(os.path.join(folder, name))
    events += sum(1 for _ in loader.Load())
board = event_accumulator.EventAccumulator(
    folder, size_guidance={"scalars": 0, "images": 0, "histograms": 0, "tensors": 0})
board.Reload()


def values(tag):
    """The steps and the numbers of a scalar, which newer readers hold as tensors."""
    tags = board.Tags()
    if tag in tags["scalars"]:
        return [(each.step, each.value) for each in board.Scalars(tag)]
    return [(each.step, each.tensor_proto.float_val[0]) for each in board.Tensors(tag)]


def all_tags():
    tags = board.Tags()
    return set(tags["scalars"]) | set(tags["images"]) | set(tags["histograms"]) | set(tags["tensors"])


expected = {"loss/training", "loss/validation", "error/validation", "rate", "settings", "command"}
if mode == "training":
    expected |= {"loss/step", "time/samplesPerSecond", "time/epochSeconds", "model/top1"}
missing = expected - all_tags()
assert not missing, f"missing: {sorted(missing)}"
for tag in ("loss/training", "loss/validation", "error/validation"):
    steps = [step for step, _ in values(tag)]
    assert len(steps) >= 2 and steps == sorted(set(steps)), f"{tag}: steps {steps}"
assert all(0 <= value <= 1 for _, value in values("error/validation"))
(settings,) = board.Tensors("settings")
text = settings.tensor_proto.string_val[0].decode()
assert "| seed | 1 |" in text, text
if mode == "training":
    losses = [value for _, value in values("loss/step")]
    assert losses[-1] < losses[0], "the loss did not fall"
    histograms = [tag for tag in all_tags() if tag.startswith("weights/")]
    assert histograms, "no histogram of weights"
    images = [tag for tag in all_tags() if tag.startswith("worst/")]
    assert images, "no picture of an error"
    for tag in images:
        if tag in board.Tags()["images"]:
            png = board.Images(tag)[0].encoded_image_string
        else:
            png = board.Tensors(tag)[0].tensor_proto.string_val[2]
        width, height = struct.unpack(">II", png[16:24])
        assert png[:8] == b"\x89PNG\r\n\x1a\n" and width >= 16 and height >= 16
print(f"{events} events, {len(all_tags())} tags")
