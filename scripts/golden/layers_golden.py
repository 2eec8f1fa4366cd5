#!/usr/bin/env python3
"""Prints the golden numbers of the layer tests, as Swift literals.

pip install torch && python3 scripts/golden/layers_golden.py

Tests/NetworksTests/LayerGoldenTests.swift and GlyphNetworkGoldenTests.swift hold them; building
and testing need no Python. All is computed in double. Inputs and weights are `pattern`s, which the
tests make again.
"""
import torch
import torch.nn.functional as F

torch.set_default_dtype(torch.float64)


def pattern(shape, salt):
    count = torch.Size(shape).numel()
    return torch.tensor([((i * 37 + salt * 53) % 101 - 50) / 64 for i in range(count)]).view(shape)


def show(name, tensor):
    numbers = [f"{x:.7g}" for x in tensor.detach().flatten().tolist()]
    lines, line = [], "     "
    for number in numbers:
        if len(line) + len(number) + 2 > 99:
            lines.append(line)
            line = "     "
        line += f" {number},"
    lines.append(line)
    print(f"    let {name}: [Float] = [\n" + "\n".join(lines) + "\n    ]")


def with_grad(tensor):
    return tensor.clone().requires_grad_(True)


def layers():
    print("// convolution: B = 2, T = 4, C = 2, K = 3, C' = 3")
    x, w, b = with_grad(pattern([2, 4, 2], 1)), with_grad(pattern([3, 2, 3], 2)), with_grad(
        pattern([3], 3))
    # W is [K, C, C'] here and [C', C, K] in PyTorch; x is [B, T, C] here and [B, C, T] there.
    y = F.relu(F.conv1d(x.transpose(1, 2), w.permute(2, 1, 0), b, padding=1)).transpose(1, 2)
    y.backward(pattern([2, 4, 3], 4))
    for name, tensor in [("y", y), ("dx", x.grad), ("dw", w.grad), ("db", b.grad)]:
        show(name, tensor)

    print("// dense: B = 3, T C = 4, 2 units")
    x, w, b = with_grad(pattern([3, 4], 1)), with_grad(pattern([4, 2], 2)), with_grad(
        pattern([2], 3))
    y = F.relu(x @ w + b)
    y.backward(pattern([3, 2], 4))
    for name, tensor in [("y", y), ("dx", x.grad), ("dw", w.grad), ("db", b.grad)]:
        show(name, tensor)

    print("// batch normalisation: B = 2, T = 3, C = 2, training")
    x, scale, shift = with_grad(pattern([2, 3, 2], 1)), with_grad(
        1 + pattern([2], 2) / 2), with_grad(pattern([2], 3) / 4)
    mean, variance = torch.zeros(2), torch.ones(2)
    y = F.relu(F.batch_norm(
        x.reshape(6, 2), mean, variance, scale, shift, training=True, momentum=1, eps=1e-5))
    y.backward(pattern([6, 2], 4))
    tensors = [("y", y), ("dx", x.grad), ("dScale", scale.grad), ("dShift", shift.grad)]
    # PyTorch keeps the unbiased variance: 6/5 of the biased one.
    tensors += [("mean", mean), ("variance", variance * 5 / 6)]
    for name, tensor in tensors:
        show(name, tensor)

    print("// max pooling: B = 2, T = 5, C = 2")
    x = with_grad(pattern([2, 5, 2], 1))
    y = F.max_pool1d(x.transpose(1, 2), 2).transpose(1, 2)
    y.backward(pattern([2, 2, 2], 4))
    for name, tensor in [("y", y), ("dx", x.grad)]:
        show(name, tensor)

    print("// cross-entropy: B = 3, K = 4, label smoothing 0.1")
    z = with_grad(4 * pattern([3, 4], 1))
    loss = F.cross_entropy(z, torch.tensor([2, 0, 3]), label_smoothing=0.1)
    loss.backward()
    show("dz", z.grad)
    print(f"    let loss = {loss.item():.9g}")


class Network(torch.nn.Module):
    """The network of GlyphNetworkGoldenTests: trunk, side, context, head."""

    def __init__(self):
        super().__init__()
        # Salt = index of the tensor in GlyphNetwork.parameters; BN has four tensors there.
        self.tensors = torch.nn.ParameterList([
            pattern([3, 2, 3], 0), 1 + pattern([3], 1) / 2, pattern([3], 2) / 2,
            pattern([3, 2], 5), 1 + pattern([2], 6) / 2, pattern([2], 7) / 2,
            pattern([2, 2], 10), 1 + pattern([2], 11) / 2, pattern([2], 12) / 2,
            pattern([10, 3], 15), 1 + pattern([3], 16) / 2, pattern([3], 17) / 2,
            pattern([3, 3], 20), pattern([3], 21),
        ])

    def forward(self, sequence, maps, globals_):
        t = self.tensors
        # Training mode: normalised by the biased statistics of the batch.
        norm = lambda x, scale, shift: F.relu(
            F.batch_norm(x, None, None, scale, shift, training=True, eps=1e-5))
        x = F.conv1d(sequence.transpose(1, 2), t[0].permute(2, 1, 0), padding=1)
        x = F.max_pool1d(norm(x, t[1], t[2]), 2).transpose(1, 2).flatten(1)
        side = norm(maps @ t[3], t[4], t[5])
        context = norm(globals_ @ t[6], t[7], t[8])
        joined = torch.cat([x, side, context], dim=1)
        return norm(joined @ t[9], t[10], t[11]) @ t[12] + t[13]


def network():
    model = Network()
    inputs = pattern([5, 4, 2], 31), pattern([5, 3], 32), pattern([5, 2], 33)
    labels = torch.tensor([0, 1, 2, 1, 0])
    weights = [p for p in model.tensors if p.dim() > 1]
    others = [p for p in model.tensors if p.dim() == 1]
    optimizer = torch.optim.AdamW(
        [{"params": weights, "weight_decay": 0.1}, {"params": others, "weight_decay": 0}],
        lr=0.05, betas=(0.9, 0.99), eps=1e-3)
    # Some gradients are 0 in exact arithmetic; this epsilon keeps their rounding from being steps.
    # Two steps up, eight down: a rise of 2 and an end of peak / 10000 as in OneCycleSchedule.
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, max_lr=0.05, total_steps=10, pct_start=0.3, div_factor=25,
        final_div_factor=400, cycle_momentum=False)
    losses, norms = [], []
    for step in range(10):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(*inputs), labels, label_smoothing=0.05)
        loss.backward()
        if step == 0:
            print(f"// network: loss {loss.item():.9g}")
            show("gradients", torch.cat([p.grad.flatten() for p in model.tensors]))
        losses.append(loss.item())
        norms.append(torch.nn.utils.clip_grad_norm_(model.parameters(), 0.6).item())
        optimizer.step()
        schedule.step() if step < 9 else None
    show("losses", torch.tensor(losses))
    show("norms", torch.tensor(norms))
    show("parameters", torch.cat([p.flatten() for p in model.tensors]))


if __name__ == "__main__":
    layers()
    network()
