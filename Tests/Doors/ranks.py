#!/usr/bin/env python3
"""Trains with several ranks under mpirun, and compares the weights bit for bit with one process.

Tests also the reports of evaluate and data doctor, a stop, a resume with another number of ranks, a killed rank, a hung rank, and ranks that
differ in data and settings. Prints what is skipped and exits with 0 if there is no mpirun.

    ranks.py DUCTUS                 the tests
    ranks.py DUCTUS --kills N       N trainings in each of which a random rank is killed and resumed
    ranks.py DUCTUS --seed SEED     the seed of the random kills
"""
import argparse
import hashlib
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

GLYPHS = ["train", "glyphs", "--data", "starter:characters?count=1500&labels=[0-9]", "--preset", "small",
          "--epochs", "3", "--batch-size", "64"]
LINES = ["train", "lines", "--data", "starter:words?count=240&length=3-9", "--preset", "small",
         "--epochs", "2"]
# Long enough to be killed in the middle.
LONG = GLYPHS[:6] + ["--epochs", "30", "--batch-size", "64"]
# The figures of an evaluation that are times or memory.
MEASURED = ["latencyMs", "samplesPerSecond", "stagesMs", "peakResidentBytes", "program"]
COMMON = ["--no-log", "--workers", "1", "--seed", "7"]
SECONDS = 300  # The longest time of one command.


def fail(text):
    print("ranks: error: %s" % text, file=sys.stderr)
    sys.exit(1)


def say(text):
    print("ranks: %s" % text, flush=True)


class Runs:
    def __init__(self, ductus, folder):
        self.ductus, self.folder = ductus, pathlib.Path(folder)
        self.environment = dict(os.environ, OPENBLAS_NUM_THREADS="1")
        self.made = 0

    def output(self):
        self.made += 1
        return "run%d.ductus" % self.made

    def launcher(self, ranks):
        start = ["mpirun", "--oversubscribe", "--bind-to", "none", "-n", str(ranks)]
        if os.geteuid() == 0:
            start.insert(1, "--allow-run-as-root")
        return start

    def json(self, ranks, arguments):
        """The JSON that a command prints."""
        command = (self.launcher(ranks) if ranks else []) + [self.ductus] + arguments + ["--json", "-"]
        result = subprocess.run(
            command, cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL,
            capture_output=True, text=True, timeout=SECONDS)
        if result.returncode:
            fail("%s ended with %d:\n%s" % (" ".join(command), result.returncode, result.stderr))
        return json.loads(result.stdout)

    def command(self, ranks, arguments, output, extra=()):
        start = self.launcher(ranks) if ranks else []
        return start + [self.ductus] + arguments + COMMON + ["--output", output] + list(extra)

    def start(self, ranks, arguments, output, extra=()):
        return subprocess.Popen(
            self.command(ranks, arguments, output, extra), cwd=self.folder, env=self.environment,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def run(self, ranks, arguments, output, extra=(), code=0):
        process = self.start(ranks, arguments, output, extra)
        text = self.end(process)
        if process.returncode != code:
            fail("%s ended with %d, expected %d:\n%s" % (
                " ".join(process.args), process.returncode, code, text))
        return text

    def end(self, process, seconds=SECONDS):
        try:
            return process.communicate(timeout=seconds)[0]
        except subprocess.TimeoutExpired:
            process.kill()
            fail("%s did not end within %d s:\n%s" % (
                " ".join(process.args), seconds, process.communicate()[0]))

    def weights(self, output):
        files = sorted((self.folder / output).glob("*.safetensors"))
        if not files:
            fail("%s holds no weights" % output)
        return hashlib.sha256(b"".join(each.read_bytes() for each in files)).hexdigest()

    def ranks_of(self, output):
        """The processes that train an output, by rank."""
        found = {}
        for entry in pathlib.Path("/proc").iterdir():
            if not entry.name.isdigit():
                continue
            try:
                words = (entry / "cmdline").read_bytes().split(b"\0")
                if output.encode() not in words or b"mpirun" in words[0]:
                    continue
                for variable in (entry / "environ").read_bytes().split(b"\0"):
                    if variable.startswith(b"OMPI_COMM_WORLD_RANK="):
                        found[int(variable.split(b"=")[1])] = int(entry.name)
            except OSError:
                continue
        return found

    def trains(self, output, ranks, process, resumed=0):
        """Waits until a run has trained for a moment and has a checkpoint; false if it ended first."""
        checkpoint = self.folder / (output + ".training") / "checkpoint.safetensors"
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            if process.poll() is not None:
                return False
            if checkpoint.exists() and checkpoint.stat().st_mtime_ns > resumed:
                if len(self.ranks_of(output)) == ranks:
                    return True
            time.sleep(0.05)
        fail("%s: no checkpoint within %d s" % (output, SECONDS))

    def stamp(self, output):
        checkpoint = self.folder / (output + ".training") / "checkpoint.safetensors"
        return checkpoint.stat().st_mtime_ns if checkpoint.exists() else 0


def same_bits(runs):
    for name, arguments in [("glyphs", GLYPHS), ("lines", LINES)]:
        alone = runs.output()
        runs.run(None, arguments, alone)
        for ranks in [1, 2, 3]:
            output = runs.output()
            text = runs.run(ranks, arguments, output)
            if text.count("epoch   1") != 1:
                fail("not rank 0 alone prints:\n%s" % text)
            if runs.weights(output) != runs.weights(alone):
                fail("%s: %d ranks give other weights than one process" % (name, ranks))
        say("%s: 1, 2 and 3 ranks give the weights of one process" % name)


def evaluated(runs, ranks, arguments):
    """The report of an evaluation, without times and memory."""
    data = "starter:words?count=600&limit=40&length=3-9" if "lines" in arguments[1] else GLYPHS[3]
    report = runs.json(ranks, ["evaluate", "--data", data + "&split=test"] + arguments)
    return {key: value for key, value in report.items() if key not in MEASURED}


def same_reports(runs):
    model = runs.output()
    runs.run(None, GLYPHS, model)
    for arguments in [["--model", model, "--robustness"], ["--model", "latin-lines"],
                      ["--model", "latin-lines", "--greedy"]]:
        alone = evaluated(runs, None, arguments)
        for ranks in [2, 3]:
            if evaluated(runs, ranks, arguments) != alone:
                fail("evaluate %s: %d ranks give another report" % (" ".join(arguments), ranks))
    say("evaluate: 2 and 3 ranks give the report of one process")
    data = ["data", "doctor", "--data", "starter:characters?count=400&labels=[0-9]"]
    for arguments in [data, data + ["--model", model]]:
        alone = runs.json(None, arguments)
        for ranks in [2, 3]:
            if runs.json(ranks, arguments) != alone:
                fail("%s: %d ranks give other findings" % (" ".join(arguments), ranks))
    say("data doctor: 2 and 3 ranks give the findings of one process")
    tuned(runs)
    packed(runs)
    if runs.json(2, ["bench", "--scaling", "--quick"])["networks"][0]["measured"]["ranks"] != 2:
        fail("bench --scaling does not measure the ranks")
    say("bench --scaling: measures the ranks")


def tuned(runs):
    """tune decoder gives the same weights for any number of ranks."""
    model = runs.output()
    runs.run(None, LINES, model)
    (runs.folder / "text.txt").write_text("the house of the garden was old\n" * 200)
    start = [runs.ductus, "train", "language", "text.txt", "--order", "3", "--output", "text.ngram"]
    subprocess.run(start, cwd=runs.folder, check=True, capture_output=True)
    manifests = []
    for ranks in [None, 2, 3]:
        shutil.copytree(runs.folder / model, runs.folder / "tuned.ductus")
        command = (runs.launcher(ranks) if ranks else []) + [
            runs.ductus, "tune", "decoder", "--model", "tuned.ductus", "--language-model", "text.ngram",
            "--data", "starter:words?count=600&length=3-9&split=val", "--limit", "30", "--beam", "4"]
        result = subprocess.run(
            command, cwd=runs.folder, env=runs.environment, stdin=subprocess.DEVNULL,
            capture_output=True, text=True, timeout=SECONDS)
        if result.returncode:
            fail("%s ended with %d:\n%s" % (" ".join(command), result.returncode, result.stderr))
        manifests.append((runs.folder / "tuned.ductus" / "manifest.json").read_bytes())
        shutil.rmtree(runs.folder / "tuned.ductus")
    if len(set(manifests)) != 1:
        fail("tune decoder: ranks give other weights than one process")
    say("tune decoder: 2 and 3 ranks give the weights of one process")


def packed(runs):
    """language new makes the same pack for any number of ranks."""
    text = "".join(
        "The ship number %d left the harbour before the storm of day %d began to blow.\n" % (i, i % 31)
        for i in range(1, 401))
    (runs.folder / "fy.txt").write_text(text)
    packs = []
    for ranks in [None, 2, 3]:
        # The manifest names the output and the command.
        runs.json(ranks, ["language", "new", "fy", "--text", "fy.txt", "--tuning-lines", "6",
                          "--test-lines", "6", "--output", "fy.ductus"])
        packs.append({each.name: each.read_bytes()
                      for each in (runs.folder / "fy.ductus").iterdir()})
        shutil.rmtree(runs.folder / "fy.ductus")
    if packs[1] != packs[0] or packs[2] != packs[0]:
        fail("language new: ranks make another pack than one process")
    say("language new: 2 and 3 ranks make the pack of one process")


def stopping(runs, expected):
    output = runs.output()
    process = runs.start(2, LONG, output)
    if not runs.trains(output, 2, process):
        fail("the run to stop ended by itself:\n%s" % runs.end(process))
    # mpirun passes this signal on.
    process.send_signal(signal.SIGUSR1)
    text = runs.end(process)
    if process.returncode != 1 or "go on with" not in text:
        fail("a stopped run ended with %d:\n%s" % (process.returncode, text))
    runs.run(3, LONG, output, ["--resume"])
    if runs.weights(output) != expected:
        fail("2 ranks, stopped, and 3 to the end give other weights")
    say("2 ranks were stopped, 3 ranks went on to the same weights")


def killed(runs, expected, chance, resumed_by=1):
    ranks = chance.choice([2, 3])
    victim = chance.randrange(ranks)
    output = runs.output()
    process = runs.start(ranks, LONG, output)
    if not runs.trains(output, ranks, process):
        fail("the run to kill ended by itself:\n%s" % runs.end(process))
    time.sleep(chance.random())
    victims = runs.ranks_of(output)
    if victim not in victims:
        return None
    os.kill(victims[victim], signal.SIGKILL)
    text = runs.end(process, 60)
    if process.returncode == 0:
        fail("a run with a killed rank ended well:\n%s" % text)
    if "rank %d" % victim not in text:
        fail("no error names rank %d:\n%s" % (victim, text))
    if runs.ranks_of(output):
        fail("processes are left: %s" % runs.ranks_of(output))
    runs.run(resumed_by, LONG, output, ["--resume"])
    if runs.weights(output) != expected:
        fail("rank %d of %d was killed, and %s ranks give other weights" % (victim, ranks, resumed_by))
    shutil.rmtree(runs.folder / output)
    return "rank %d of %d was killed, %s went on to the same weights" % (
        victim, ranks, "%d ranks" % resumed_by if resumed_by else "one process")


def hung(runs):
    output = runs.output()
    process = runs.start(2, LONG, output, ["--rank-timeout", "5"])
    if not runs.trains(output, 2, process):
        fail("the run to hang ended by itself:\n%s" % runs.end(process))
    os.kill(runs.ranks_of(output)[1], signal.SIGSTOP)
    text = runs.end(process, 60)
    if process.returncode == 0 or "rank 1 on" not in text or "sent nothing" not in text:
        fail("a run with a hung rank ended with %d:\n%s" % (process.returncode, text))
    if runs.ranks_of(output):
        fail("processes are left: %s" % runs.ranks_of(output))
    say("a rank that hangs ends the run with an error that names it")


def differing(runs):
    """Ranks with other options: mpirun starts two programs."""
    output = runs.output()
    first = runs.command(1, GLYPHS, output)
    second = runs.command(None, GLYPHS, output, ["--epochs", "4", "--rank-timeout", "60"])
    process = subprocess.Popen(
        first + [":", "-n", "1"] + second, cwd=runs.folder, env=runs.environment,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    text = runs.end(process)
    if process.returncode != 2 or "the ranks differ" not in text or "epochs" not in text:
        fail("ranks with other options ended with %d:\n%s" % (process.returncode, text))
    say("ranks with other options are refused with a table")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("ductus")
    parser.add_argument("--kills", type=int)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    options = parser.parse_args()
    if shutil.which("mpirun") is None:
        say("skipped: no mpirun; 'scripts/setup --mpi' installs it")
        return
    chance = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as folder:
        runs = Runs(os.path.abspath(options.ductus), folder)
        if options.kills is None:
            same_bits(runs)
            same_reports(runs)
            differing(runs)
        alone = runs.output()
        runs.run(None, LONG, alone)
        expected = runs.weights(alone)
        if options.kills is None:
            stopping(runs, expected)
            hung(runs)
        done = 0
        while done < (options.kills or 1):
            text = killed(runs, expected, chance, chance.choice([None, 1, 2, 3]))
            if text:
                done += 1
                say("%d: %s" % (done, text))
    say("passed, seed %d" % options.seed)


if __name__ == "__main__":
    main()
