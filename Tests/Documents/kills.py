#!/usr/bin/env python3
"""Kills the tool with SIGKILL while it writes strokes into a document and saves it.

After each kill the file opens, `doc check` is clean, and every stroke that was acknowledged is in the
document or its unsaved work. At the end all strokes are compared.

    kills.py DUCTUS [--kills N] [--seed SEED] [--part TYPE]
"""
import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from documents import check, environment, exported, ink, points, run, seeded, write_ink


class Writer:
    """A process that writes strokes; it acknowledges each."""

    def __init__(self, tool, file, strokes, save_every):
        self.process = subprocess.Popen(
            [tool, "doc", "add", file, strokes, "--unread", "--scale", "1", "--save-every", str(save_every)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment())
        self.opened, self.acknowledged, self.done = None, 0, False

    def read(self, lines):
        """Reads this many lines; False at the end."""
        for _ in range(lines):
            line = self.process.stdout.readline()
            if not line:
                return False
            word, _, rest = line.strip().partition(" ")
            if word == "opened":
                self.opened = int(rest)
            elif word == "stroke":
                self.acknowledged = int(rest)
            else:
                self.done = True
        return True

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        # What it acknowledged before it died is still in the pipe.
        while self.read(1):
            pass
        self.process.wait()
        return self.process.stderr.read()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ductus")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--part", default="Drawing")
    options = parser.parse_args()
    seed, rng = seeded(options.seed)
    print(f"document kills: seed {seed}", flush=True)
    folder = tempfile.mkdtemp(prefix="ductus-document-kills-")
    file, source = os.path.join(folder, "notes.ductusdoc"), os.path.join(folder, "ink.jsonl")
    strokes = ink(rng, 4000)
    write_ink(source, strokes)
    code, _, err = run(options.ductus, "doc", "new", file, "--part", options.part)
    if code != 0:
        raise SystemExit(f"document kills: doc new: {err}")
    started, expected, problem = time.monotonic(), [], None
    killed, lost, during = 0, 0, {"start": 0, "writing": 0}
    least = most = 0
    while killed < options.kills and problem is None:
        writer = Writer(options.ductus, file, source, rng.choice([1, 2, 5, 20]))
        alive = writer.read(rng.randrange(0, 30))
        time.sleep(rng.random() * rng.choice([0.002, 0.01, 0.05]))
        if not alive or writer.done:
            problem = f"the tool ended by itself: {writer.process.stderr.read()[-300:]}"
            break
        noise = writer.kill()
        killed += 1
        during["start" if writer.opened is None else "writing"] += 1
        problem = check(options.ductus, file)
        if writer.opened is not None:
            if not least <= writer.opened <= most:
                problem = problem or f"opened with {writer.opened} strokes, expected {least} to {most}"
            expected = expected[:writer.opened]
            expected += strokes[:writer.acknowledged + 1]
            least = writer.opened + writer.acknowledged
            # The stroke after the last acknowledged one may be stored.
            most = least + 1
        if problem:
            problem = f"after kill {killed}: {problem}; messages: {noise[-300:]}"
        if killed % 50 == 0:
            print(f"document kills: {killed} kills, {least} strokes acknowledged", flush=True)
    if problem is None:
        last = os.path.join(folder, "last.jsonl")
        write_ink(last, strokes[:1])
        code, _, err = run(options.ductus, "doc", "add", file, last, "--unread", "--scale", "1")
        problem = f"the last doc add ends with {code}: {err}" if code != 0 else check(options.ductus, file)
    if problem is None and options.part == "Drawing":
        found = exported(options.ductus, file)
        wanted = [points(stroke) for stroke in expected[:len(found) - 1] + strokes[:1]]
        if not least <= len(found) - 1 <= most:
            problem = f"{len(found) - 1} strokes are left, expected {least} to {most}"
        elif found != wanted:
            problem = "strokes have other points or another order"
    litter = [name for name in os.listdir(folder) if name not in ("notes.ductusdoc", "ink.jsonl", "last.jsonl")]
    if problem is None and litter:
        problem = f"files are left: {litter}"
    if problem:
        print(f"document kills: FAILED: {problem}; seed {seed}; the folder is {folder}", file=sys.stderr)
        return 1
    print(f"document kills: passed, {killed} kills ({during['start']} while opening), {least} strokes "
          f"acknowledged, none lost, in {time.monotonic() - started:.0f} s, seed {seed}")
    shutil.rmtree(folder, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
