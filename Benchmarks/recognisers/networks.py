#!/usr/bin/env python3
"""Networks in PyTorch: those of the glyph presets on the features of Ductus, and a bidirectional LSTM.

    networks.py train MODEL.pt INK.jsonl --kind small|standard --features GLYPHS.ductus --ductus PATH
    networks.py train MODEL.pt INK.jsonl --kind blstm
    networks.py serve MODEL.pt --ductus PATH

The preset networks have the layers, sizes, optimiser, schedule and averaged weights of `ductus train
glyphs`, without augmentation. The LSTM reads points of the path (x, y, the step to the next point, and
whether it jumps to another stroke), as in Graves et al. (2009): two bidirectional layers, the mean of
their outputs, and a softmax. With --seconds the schedule ends when that much processor time is
spent.
"""

import json
import math
import time

import numpy as np
import torch
from torch import nn

from exchange import Features, candidates_of, records, resample, run, serve, strokes_of

# Stages (channels, kernel, pools), units over maps, context and head, and dropout of the presets.
PRESETS = {
    "small": ([(32, 5, 1), (48, 3, 1), (64, 3, 1)], 64, 32, 96, 0.2),
    "standard": (
        [(48, 5, 1), (80, 3, 0), (80, 3, 1), (112, 3, 0), (112, 3, 1)], 128, 48, 160, 0.3),
}
POINTS = 40
EPOCHS = {"small": 30, "standard": 30, "blstm": 20}
BATCH, PEAK, DECAY, AVERAGE, NORM, SMOOTHING = 128, 4e-3, 0.02, 0.998, 2.0, 0.05
# Share of the steps in which the rate grows.
WARM_UP = 0.2


def dense(inputs, units, dropout=0.0):
    layers = [nn.Linear(inputs, units, bias=False), nn.BatchNorm1d(units), nn.ReLU()]
    return nn.Sequential(*layers, *([nn.Dropout(dropout)] if dropout else []))


class Glyphs(nn.Module):
    """The network of a preset: sequence [B, T, C], maps [B, M] and globals [B, G] to classes."""

    def __init__(self, preset, shapes, classes):
        super().__init__()
        stages, map_units, context_units, head_units, dropout = PRESETS[preset]
        (steps, channels), maps, globals_ = shapes
        layers = []
        for out, kernel, pools in stages:
            layers += [nn.Conv1d(channels, out, kernel, padding=kernel // 2, bias=False),
                       nn.BatchNorm1d(out), nn.ReLU()]
            if pools:
                layers.append(nn.MaxPool1d(2))
                steps //= 2
            channels = out
        self.trunk = nn.Sequential(*layers, nn.Flatten(), nn.Dropout(dropout))
        self.side = dense(maps[0], map_units, dropout)
        self.context = dense(globals_[0], context_units)
        self.head = nn.Sequential(
            dense(channels * steps + map_units + context_units, head_units, dropout),
            nn.Linear(head_units, classes))

    def forward(self, sequence, maps, globals_):
        joined = [self.trunk(sequence.transpose(1, 2)), self.side(maps), self.context(globals_)]
        return self.head(torch.cat(joined, dim=1))


class Recurrent(nn.Module):
    """Two bidirectional LSTM layers over the points [B, T, 5]."""

    def __init__(self, classes, cells=64):
        super().__init__()
        self.lstm = nn.LSTM(5, cells, 2, bidirectional=True, dropout=0.2, batch_first=True)
        self.head = nn.Sequential(nn.Dropout(0.2), nn.Linear(2 * cells, classes))

    def forward(self, points):
        return self.head(self.lstm(points)[0].mean(dim=1))


def path(record):
    """The input of the LSTM."""
    points = resample(strokes_of(record), POINTS)
    place = points[:, :2] - (points[:, :2].min(axis=0) + points[:, :2].max(axis=0)) / 2
    size = np.abs(place).max()
    place = place / (size if size > 0 else 1)
    step = np.diff(place, axis=0, append=place[-1:])
    jumps = np.diff(points[:, 2], append=points[-1, 2]) != 0
    return [np.column_stack([place, 5 * step, jumps]).astype(np.float32)]


def network(kind, shapes, classes):
    return Recurrent(classes) if kind == "blstm" else Glyphs(kind, shapes, classes)


def train(arguments):
    torch.manual_seed(1)
    inks = list(records(arguments.ink))
    labels = sorted({ink["label"] for ink in inks})
    if arguments.kind == "blstm":
        inputs = [path(ink) for ink in inks]
    else:
        features = Features(arguments.ductus, arguments.features)
        inputs = [features.of(ink) for ink in inks]
    inputs = [torch.from_numpy(np.stack(each)) for each in zip(*inputs)]
    targets = torch.tensor([labels.index(ink["label"]) for ink in inks])
    shapes = [tuple(each.shape[1:]) for each in inputs]
    model = network(arguments.kind, shapes, len(labels)).train()
    averaged = {name: value.clone() for name, value in model.state_dict().items()}
    optimizer = torch.optim.AdamW(
        model.parameters(), lr=PEAK, betas=(0.9, 0.99), weight_decay=DECAY)
    loss_of = nn.CrossEntropyLoss(label_smoothing=SMOOTHING)
    batches = len(inks) // BATCH
    steps, step, epochs = batches * EPOCHS[arguments.kind], 0, 0
    progress, started = 0.0, time.process_time()
    while progress < 1:
        order = torch.randperm(len(inks))
        for batch in range(batches):
            spent = time.process_time() - started
            share = spent / arguments.seconds if arguments.seconds else 0
            progress = max(step / steps, share)
            if progress >= 1:
                break
            rate = PEAK * (
                progress / WARM_UP if progress < WARM_UP
                else 0.5 + 0.5 * math.cos(math.pi * (progress - WARM_UP) / (1 - WARM_UP)))
            for group in optimizer.param_groups:
                group["lr"] = rate
            chosen = order[batch * BATCH:(batch + 1) * BATCH]
            optimizer.zero_grad(set_to_none=True)
            loss_of(model(*(each[chosen] for each in inputs)), targets[chosen]).backward()
            nn.utils.clip_grad_norm_(model.parameters(), NORM)
            optimizer.step()
            step += 1
            keep = min(AVERAGE, step / (step + 10))
            with torch.no_grad():
                for name, value in model.state_dict().items():
                    if value.is_floating_point():
                        averaged[name].lerp_(value, 1 - keep)
        else:
            epochs += 1
            progress = step / steps
    torch.save(
        {"weights": averaged, "labels": labels, "kind": arguments.kind, "shapes": shapes,
         "features": arguments.features}, arguments.model)
    print(json.dumps({
        "inks": len(inks), "epochs": epochs,
        "parameters": sum(p.numel() for p in model.parameters()),
    }))


def read(arguments):
    torch.set_num_threads(1)
    saved = torch.load(arguments.model)
    labels, kind = saved["labels"], saved["kind"]
    model = network(kind, saved["shapes"], len(labels)).eval()
    model.load_state_dict(saved["weights"])
    features = None if kind == "blstm" else Features(arguments.ductus, saved["features"])

    def classify(request, wanted):
        inputs = path(request) if features is None else features.of(request)
        with torch.inference_mode():
            scores = model(*(torch.from_numpy(each[None]) for each in inputs))[0]
        return candidates_of(labels, scores.numpy(), wanted)

    serve(classify)


def begin(arguments):
    """Sets the threads of training."""
    if arguments.threads:
        torch.set_num_threads(arguments.threads)


if __name__ == "__main__":
    run(__doc__, train, read, {
        "--kind": dict(choices=list(EPOCHS), default="standard"),
        "--features": dict(help="the glyph model whose features are used"),
        "--ductus": dict(default="ductus"),
        "--threads": dict(type=int, default=0, help="of training; 0: all processors"),
        "--seconds": dict(type=float, default=0, help="the processor time of training; 0: no limit"),
    }, begin)
