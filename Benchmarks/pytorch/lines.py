#!/usr/bin/env python3
"""Training steps of a line network of `ductus bench --only lines`, in PyTorch.

The same layers, sizes, batch, sequence lengths and optimiser on preloaded random tensors: forward,
connectionist temporal classification, backward, clipping and AdamW, without averaged weights.
Prints one JSON object. Needs `pip install torch`.
"""

import argparse
import json

import torch
from torch import nn

from rates import measure

CHANNELS, BATCH, CHARACTERS = 13, 32, 25
PRESETS = {"small": ((32, 64), 64, 0.2), "base": ((48, 96), 128, 0.3)}


class Lines(nn.Module):
    """Two convolutions, the second with a stride of 3, and three bidirectional LSTM layers."""

    def __init__(self, preset, classes, hidden=None):
        super().__init__()
        (first, second), usual, dropout = PRESETS[preset]
        hidden = hidden or usual
        self.convolutions = nn.Sequential(
            nn.Conv1d(CHANNELS, first, 7, padding=3), nn.ReLU(),
            nn.Conv1d(first, second, 5, padding=2, stride=3), nn.ReLU())
        self.lstm = nn.LSTM(second, hidden, 3, bidirectional=True, dropout=dropout)
        self.dropout = nn.Dropout(dropout)
        self.head = nn.Linear(2 * hidden, classes)

    def forward(self, ink):
        steps = self.convolutions(ink).permute(2, 0, 1)
        return self.head(self.dropout(self.lstm(steps)[0])).log_softmax(2)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--preset", choices=PRESETS, default="base")
    parser.add_argument("--classes", type=int, required=True, help="with the blank")
    parser.add_argument("--steps", type=int, required=True, help="input steps of a line")
    parser.add_argument("--precision", choices=["single", "mixed"], default="single",
                        help="mixed: bfloat16 where PyTorch's autocast uses it")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--blocks", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2, help="of one block")
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    torch.manual_seed(1)
    network = Lines(arguments.preset, arguments.classes).train()
    parameters = list(network.parameters())
    optimizer = torch.optim.AdamW(
        parameters, lr=2.5e-4, betas=(0.9, 0.99), weight_decay=0.02, fused=True)
    ink = torch.randn(BATCH, CHANNELS, arguments.steps)
    labels = torch.randint(1, arguments.classes, (BATCH, CHARACTERS))
    lengths = torch.full((BATCH,), CHARACTERS)

    def step():
        optimizer.zero_grad(set_to_none=True)
        with torch.autocast("cpu", torch.bfloat16, arguments.precision == "mixed"):
            output = network(ink)
        output = output.float()
        steps = torch.full((BATCH,), output.shape[0])
        nn.functional.ctc_loss(output, labels, steps, lengths).backward()
        nn.utils.clip_grad_norm_(parameters, 5.0)
        optimizer.step()

    rates = measure(step, BATCH, 3, arguments.blocks, arguments.seconds)
    print(json.dumps({
        "torch": torch.__version__,
        "threads": arguments.threads,
        "precision": arguments.precision,
        # PyTorch keeps two biases for each gate, which add up to one.
        "parameters": sum(p.numel() for name, p in network.named_parameters()
                          if "bias_hh" not in name),
        "linesPerSecond": rates,
    }))


if __name__ == "__main__":
    main()
