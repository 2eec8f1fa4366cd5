#!/usr/bin/env python3
"""Lets every n-th change of a file fail while the tool writes a document and saves it: once with an
input/output error, and from there on as on a full disk. Then with a real limit on the size of files.

Each time the tool must end with an error or do its work, the file must be whole, and every stroke that
was acknowledged must be found again. Linux only.

    faults.py DUCTUS [--every N] [--seed SEED]
"""
import argparse
import errno
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from documents import check, environment, exported, ink, points, run, seeded, write_ink


def acknowledged(out):
    lines = [line.split() for line in out.splitlines()]
    return max([int(line[1]) for line in lines if line[:1] == ["stroke"]] or [0])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ductus")
    parser.add_argument("--every", type=int, default=1, help="try every N-th change only")
    parser.add_argument("--seed", type=int)
    options = parser.parse_args()
    seed, rng = seeded(options.seed)
    print(f"document faults: seed {seed}", flush=True)
    folder = tempfile.mkdtemp(prefix="ductus-document-faults-")
    shim = os.path.join(folder, "faults.so")
    here = os.path.dirname(os.path.abspath(__file__))
    compiler = shutil.which("cc") or shutil.which("clang") or shutil.which("gcc")
    if compiler is None:
        raise SystemExit("document faults: no C compiler here")
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", shim, os.path.join(here, "faults.c"), "-ldl"], check=True)
    first, later = ink(rng, 30), ink(rng, 8)
    old, new = os.path.join(folder, "old.jsonl"), os.path.join(folder, "new.jsonl")
    write_ink(old, first)
    write_ink(new, later)
    good = os.path.join(folder, "good.ductusdoc")
    for arguments in (["new", good, "--part", "Drawing"], ["add", good, old, "--unread", "--scale", "1"]):
        code, _, err = run(options.ductus, "doc", *arguments)
        if code != 0:
            raise SystemExit(f"document faults: doc {arguments[0]}: {err}")
    before = [points(stroke) for stroke in first]
    wanted = [points(stroke) for stroke in later]

    def trial(name, extra, **more):
        """Runs one trial: (number of changes, ended with an error, problem)."""
        place = os.path.join(folder, "trial")
        shutil.rmtree(place, ignore_errors=True)
        os.mkdir(place)
        file, count = os.path.join(place, "notes.ductusdoc"), os.path.join(folder, "count")
        shutil.copy(good, file)
        if os.path.exists(count):
            os.unlink(count)
        code, out, err = run(
            options.ductus, "doc", "add", file, new, "--unread", "--scale", "1", "--save-every", "3",
            env={**environment(), "DUCTUS_FAULT_COUNT": count, **extra}, **more)
        changes = int(open(count).read() or 0) if os.path.exists(count) else 0
        if code not in (0, 1, 2):
            return changes, True, f"{name}: the tool ended with {code}: {err[-300:]}"
        if code != 0 and "error:" not in err:
            return changes, True, f"{name}: no message"
        problem = check(options.ductus, file)
        if problem:
            return changes, code != 0, f"{name}: {problem}"
        saved = exported(options.ductus, file)
        if saved != (before + wanted)[:len(saved)] or len(saved) < len(before):
            return changes, code != 0, f"{name}: the saved file has other strokes"
        # What was acknowledged is in the file or in its unsaved work.
        empty = os.path.join(folder, "one.jsonl")
        write_ink(empty, first[:1])
        again, _, err = run(options.ductus, "doc", "add", file, empty, "--unread", "--scale", "1")
        if again != 0:
            return changes, code != 0, f"{name}: the next doc add ends with {again}: {err[-300:]}"
        found = exported(options.ductus, file)[:-1]
        if found != (before + wanted)[:len(found)] or len(found) < len(before) + acknowledged(out):
            return changes, code != 0, f"{name}: acknowledged strokes are lost"
        if code == 0 and len(found) != len(before) + len(wanted):
            return changes, False, f"{name}: the tool said that it was done"
        litter = [each for each in os.listdir(place) if each != "notes.ductusdoc"]
        return changes, code != 0, f"{name}: files are left: {litter}" if litter else None

    started, total, _ = time.monotonic(), 0, 0
    changes, _, problem = trial("no fault", {"LD_PRELOAD": shim})
    print(f"document faults: {changes} changes of files in a run", flush=True)
    errors = {"once": 0, "full disk": 0, "limit": 0}
    for number in range(1, changes + 1, options.every):
        for kind, extra in (("once", {"DUCTUS_FAULT_CODE": str(errno.EIO)}),
                            ("full disk", {"DUCTUS_FAULT_CODE": str(errno.ENOSPC), "DUCTUS_FAULT_LASTS": "1"})):
            if problem:
                break
            _, failed, problem = trial(
                f"{kind} at change {number}", {"LD_PRELOAD": shim, "DUCTUS_FAULT_AT": str(number), **extra})
            errors[kind] += failed
            total += 1
    size = os.path.getsize(good)

    def limit(most):
        def apply():
            # The signal is inherited as ignored: writes then fail with EFBIG.
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
        return apply

    for most in [1000, size // 2, size - 1, size, size + 4096, size + 20_000, 10 * size]:
        if problem:
            break
        _, failed, problem = trial(f"files of at most {most} bytes", {}, preexec_fn=limit(most), restore_signals=False)
        errors["limit"] += failed
        total += 1
    if problem:
        print(f"document faults: FAILED: {problem}; seed {seed}; the folder is {folder}", file=sys.stderr)
        return 1
    print(f"document faults: passed, {total} faults, errors: {errors}, in {time.monotonic() - started:.0f} s, seed {seed}")
    shutil.rmtree(folder, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
