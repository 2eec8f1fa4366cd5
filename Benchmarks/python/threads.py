#!/usr/bin/env python3
"""Measures how reading from Python scales with threads.

    DUCTUS_LIBRARY=P/lib/libductus.so OPENBLAS_NUM_THREADS=1 \\
      PYTHONPATH=python Benchmarks/python/threads.py [--threads N] [--fail-below RATIO]

The same lines are read by one thread and by N (2 by default), interleaved, so that a change of the
processor's clock meets both. With --fail-below, the exit code is 1 if the median ratio of their
speeds is lower.
"""

import argparse
import statistics
import sys
import threading
import time
from pathlib import Path

from ductus import Recognizer, read_ink

INK = Path(__file__).resolve().parent.parent.parent / "Examples/hello.jsonl"


def read_with(
    recognizer: Recognizer, strokes: list, threads: int, lines: int
) -> tuple[float, float]:
    """Reads `lines` lines with several threads, which begin together.

    Returns the lines per second, and the processor time per second: the cores that were at work.
    """
    barrier = threading.Barrier(threads + 1)

    def read() -> None:
        barrier.wait()
        for _ in range(lines // threads):
            recognizer.recognize(strokes)

    workers = [threading.Thread(target=read) for _ in range(threads)]
    for worker in workers:
        worker.start()
    barrier.wait()
    begin, used = time.perf_counter(), time.process_time()
    for worker in workers:
        worker.join()
    seconds = time.perf_counter() - begin
    return lines // threads * threads / seconds, (time.process_time() - used) / seconds


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--lines", type=int, default=400)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--fail-below", type=float)
    options = parser.parse_args()
    strokes = read_ink(INK)[0].strokes
    with Recognizer("latin-lines") as recognizer:
        recognizer.recognize(strokes)
        one, many, cores = [], [], []
        for _ in range(options.rounds):
            one.append(read_with(recognizer, strokes, 1, options.lines)[0])
            speed, used = read_with(recognizer, strokes, options.threads, options.lines)
            many.append(speed)
            cores.append(used)
    ratios = [after / before for before, after in zip(one, many)]
    ratio = statistics.median(ratios)
    print(f"1 thread: {statistics.median(one):.0f} lines/s")
    print(
        f"{options.threads} threads: {statistics.median(many):.0f} lines/s, "
        f"{statistics.median(cores):.2f} cores at work"
    )
    print(f"ratio: {ratio:.2f} ({min(ratios):.2f} to {max(ratios):.2f})")
    if options.fail_below is not None and ratio < options.fail_below:
        sys.exit(f"threads: error: expected a ratio of {options.fail_below} or more")


if __name__ == "__main__":
    main()
