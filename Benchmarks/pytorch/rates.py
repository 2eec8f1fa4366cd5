"""How fast training steps are, for the comparisons with PyTorch."""

import time


def measure(step, items, warm_up, blocks, seconds):
    """Items per second over blocks of some seconds, each step taking so many items."""
    for _ in range(warm_up):
        step()
    rates = []
    for _ in range(blocks):
        start, steps = time.perf_counter(), 0
        while time.perf_counter() - start < seconds:
            step()
            steps += 1
        rates.append(steps * items / (time.perf_counter() - start))
    rates.sort()
    return {"median": rates[len(rates) // 2], "low": rates[0], "high": rates[-1]}
