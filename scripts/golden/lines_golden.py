#!/usr/bin/env python3
"""Prints the golden numbers of the line network's tests, as Swift literals.

pip install torch && python3 scripts/golden/lines_golden.py

Tests/NetworksTests/SequenceNetworkGoldenTests.swift and PackedConvolutionGoldenTests.swift hold them;
building and testing need no Python. All is computed in double. Inputs and weights are `pattern`s,
which the tests make again.
"""
import torch
from layers_golden import pattern, show, with_grad

torch.set_default_dtype(torch.float64)

C, H, K = 2, 3, 4
lengths, labels = [5, 3], [[1, 3, 3], [2]]

# Ours: W_x [C, 8H] and b [8H] of both directions side by side, W_h [H, 4H] each; PyTorch's are
# transposed, and one for each direction. Both have the gates in the order input, forget, cell,
# output.
wx, wh = with_grad(pattern([C, 8 * H], 1)), [with_grad(pattern([H, 4 * H], s)) for s in (2, 3)]
b, w, c = with_grad(pattern([8 * H], 4)), with_grad(pattern([2 * H, K], 5)), with_grad(
    pattern([K], 6))
x = pattern([2, 5, C], 7)


def lstm(sequence, direction):
    h, cell, out = torch.zeros(1, H), torch.zeros(1, H), []
    part = slice(direction * 4 * H, (direction + 1) * 4 * H)
    for step in sequence if direction == 0 else sequence.flip(0):
        h, cell = torch.lstm_cell(
            step[None], (h, cell), wx[:, part].T, wh[direction].T, b[part], torch.zeros(4 * H))
        out.append(h[0])
    return torch.stack(out if direction == 0 else out[::-1])


losses = []
for index, (length, label) in enumerate(zip(lengths, labels)):
    sequence = x[index, :length]
    y = torch.cat([lstm(sequence, 0), lstm(sequence, 1)], dim=1) @ w + c
    losses.append(torch.nn.functional.ctc_loss(
        y.log_softmax(1)[:, None], torch.tensor([label]), [length], [len(label)],
        reduction="sum"))
sum(losses).backward()
show("losses", torch.stack(losses))
for name, tensor in [
    ("inputWeight", wx), ("forwardWeight", wh[0]), ("backwardWeight", wh[1]), ("bias", b),
    ("outputWeight", w), ("outputBias", c)]:
    show(name, tensor.grad)

# Layer normalisation of three steps of seven channels, and its gradients for the sum of products with
# a pattern.
x, scale, shift = (with_grad(pattern(shape, s)) for shape, s in [([3, 7], 8), ([7], 9), ([7], 10)])
y = torch.nn.functional.layer_norm(x, [7], scale, shift, eps=1e-5)
(y * pattern([3, 7], 11)).sum().backward()
for name, tensor in [
    ("normalized", y.detach()), ("input", x.grad), ("scale", scale.grad), ("shift", shift.grad)]:
    show(name, tensor)

# Convolution over sequences of 7, 4 and 1 steps, kernel 3, stride 2, 2 channels to 3, with ReLU; and
# its gradients for the sum of products with a pattern. W is [K, C, C'] here and [C', C, K] in PyTorch.
lengths, kernel, stride = [7, 4, 1], 3, 2
x, w, b = with_grad(pattern([3, 7, 2], 12)), with_grad(pattern([kernel, 2, 3], 13)), with_grad(
    pattern([3], 14))
weighting, outputs, total = pattern([3, 4, 3], 15), [], 0
for index, length in enumerate(lengths):
    y = torch.nn.functional.conv1d(
        x[index, :length].T[None], w.permute(2, 1, 0), b, stride=stride, padding=kernel // 2)
    y = torch.relu(y[0].T)
    outputs.append(y.detach())
    total = total + (y * weighting[index, :len(y)]).sum()
total.backward()
print("// sequence by sequence, of", [len(y) for y in outputs], "steps; dx has rows of 0 behind each end")
for name, tensor in [
    ("convolved", torch.cat(outputs)), ("input", x.grad), ("weight", w.grad), ("bias", b.grad)]:
    show(name, tensor)
