"""What the harnesses of documents share: ink, the tool, and the comparison of strokes."""
import json
import os
import random
import re
import subprocess


def ink(rng, count):
    """Strokes with times, in millimetres: letters in lines of a page."""
    strokes = []
    for index in range(count):
        x, y = 15 + index % 40 * 4, 20 + index // 40 % 25 * 10
        points = rng.randrange(3, 14)
        strokes.append({
            "x": [round(x + 3 * step / points + rng.random() / 5, 3) for step in range(points)],
            "y": [round(y + 4 * rng.random(), 3) for _ in range(points)],
            "t": [index * 300 + 8 * step for step in range(points)]})
    return strokes


def write_ink(path, strokes):
    with open(path, "w", encoding="utf-8") as file:
        file.write(json.dumps({"label": "", "strokes": strokes}) + "\n")


def run(tool, *arguments, **options):
    """Runs the tool to its end: (exit code, standard output, standard error)."""
    done = subprocess.run([tool, *arguments], capture_output=True, text=True, timeout=300, **options)
    return done.returncode, done.stdout, done.stderr


def check(tool, file):
    """The problem that `doc check` finds, or None."""
    code, out, err = run(tool, "doc", "check", file)
    return None if code == 0 else f"doc check ends with {code}: {(out + err).strip()[-300:]}"


def exported(tool, file):
    """The strokes of the first part as lists of (x, y)."""
    code, out, err = run(tool, "doc", "export", file, "--format", "inkml", "--output", "-")
    if code != 0:
        raise SystemExit(f"doc export ends with {code}: {err.strip()[-300:]}")
    return [[tuple(float(number) for number in point.split()[:2]) for point in trace.split(",")]
            for trace in re.findall(r"<trace>(.*?)</trace>", out, re.DOTALL)]


def points(stroke):
    return list(zip(stroke["x"], stroke["y"]))


def environment():
    return {**os.environ, "OPENBLAS_NUM_THREADS": "1"}


def seeded(seed):
    seed = seed if seed is not None else random.SystemRandom().randrange(1 << 31)
    return seed, random.Random(seed)
