#!/usr/bin/env python3
"""Training steps of the wide network of `ductus bench`, in PyTorch.

The same layers, sizes, batch and optimiser on preloaded random tensors: forward, backward,
clipping and AdamW, without averaged weights. Prints one JSON object. Needs `pip install torch`.
"""

import argparse
import json

import torch
from torch import nn

from rates import measure

CLASSES, BATCH, POINTS, CHANNELS, GLOBALS = 62, 128, 48, 8, 12


class Wide(nn.Module):
    """Five convolutions; size and place join before the head."""

    def __init__(self):
        super().__init__()
        layers, channels = [], CHANNELS
        for out, kernel, pools in [
            (32, 5, False), (96, 3, True), (160, 3, False), (160, 3, False), (176, 3, True),
        ]:
            layers += [
                nn.Conv1d(channels, out, kernel, padding=kernel // 2, bias=False),
                nn.BatchNorm1d(out),
                nn.ReLU(),
            ]
            if pools:
                layers.append(nn.MaxPool1d(2))
            channels = out
        self.trunk = nn.Sequential(*layers, nn.Flatten(), nn.Dropout(0.3))
        self.context = nn.Sequential(
            nn.Linear(GLOBALS, 8, bias=False), nn.BatchNorm1d(8), nn.ReLU())
        self.head = nn.Sequential(
            nn.Linear(channels * POINTS // 4 + 8, 160, bias=False), nn.BatchNorm1d(160), nn.ReLU(),
            nn.Dropout(0.3), nn.Linear(160, CLASSES))

    def forward(self, sequence, globals_):
        return self.head(torch.cat([self.trunk(sequence), self.context(globals_)], dim=1))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--precision", choices=["single", "mixed"], default="single",
                        help="mixed: bfloat16 where PyTorch's autocast uses it")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--blocks", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.5, help="of one block")
    parser.add_argument("--compile", action="store_true", help="use torch.compile")
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    torch.manual_seed(1)
    network = Wide().train()
    parameters = list(network.parameters())
    optimizer = torch.optim.AdamW(
        parameters, lr=2.5e-4, betas=(0.9, 0.99), weight_decay=0.02, fused=True)
    loss_of = nn.CrossEntropyLoss(label_smoothing=0.05)
    forward = torch.compile(network) if arguments.compile else network
    sequence = torch.randn(BATCH, CHANNELS, POINTS)
    globals_ = torch.randn(BATCH, GLOBALS)
    labels = torch.randint(0, CLASSES, (BATCH,))

    def step():
        optimizer.zero_grad(set_to_none=True)
        with torch.autocast("cpu", torch.bfloat16, arguments.precision == "mixed"):
            logits = forward(sequence, globals_)
        loss_of(logits.float(), labels).backward()
        nn.utils.clip_grad_norm_(parameters, 2.0)
        optimizer.step()

    rates = measure(step, BATCH, 10, arguments.blocks, arguments.seconds)
    print(json.dumps({
        "torch": torch.__version__,
        "threads": arguments.threads,
        "precision": arguments.precision,
        "parameters": sum(p.numel() for p in parameters),
        "samplesPerSecond": rates,
    }))


if __name__ == "__main__":
    main()
