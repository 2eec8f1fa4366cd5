#!/usr/bin/env python3
"""Compares `ductus models features` with the inputs in the examples of `ductus models export`.

    features.py DUCTUS FOLDER

Also sends lines that are no requests: each gets an error, and the lines after it their answers.
"""
import array
import json
import pathlib
import struct
import subprocess
import sys

BAD = [("x", "malformedJSON"), ('{"id":7}', "missingField"), ('{"id":7,"strokes":[]}', "invalidValue"),
       ('{"id":7,"strokes":[{"x":[1e300],"y":[1]}]}', "invalidValue")]
ductus, folder = sys.argv[1], pathlib.Path(sys.argv[2])


def run(*arguments, text=None):
    result = subprocess.run(
        [ductus, *arguments], input=text, capture_output=True, text=True, cwd=folder)
    assert result.returncode == 0, f"{arguments}: {result.stderr}"
    return result.stdout


def flat(values):
    return [one for each in values for one in flat(each)] if isinstance(values, list) else [values]


def compare(model, data):
    """The number of inks whose features are the same, bit for bit."""
    run("data", "convert", "--data", data, "--output", "few.jsonl")
    run("models", "export", model, "--format", "onnx", "--output", "few.onnx", "--examples",
        "ink:few.jsonl?split=all")
    content = (folder / "few.examples.safetensors").read_bytes()
    (size,) = struct.unpack("<Q", content[:8])
    header = json.loads(content[8:8 + size])
    lines = (folder / "few.jsonl").read_text().splitlines()
    requests = [BAD[i // 2 % len(BAD)][0] if i % 2 else lines[i // 2] for i in range(2 * len(lines))]
    answers = run("models", "features", model, text="\n".join(requests)).splitlines()
    assert len(answers) == len(requests), f"{len(requests)} lines, {len(answers)} answers"
    for number in range(len(lines)):
        found = json.loads(answers[2 * number])["inputs"]
        for name, values in found.items():
            begin, end = header[f"{number}.{name}"]["data_offsets"]
            expected = content[8 + size + begin:8 + size + end]
            assert array.array("f", flat(values)).tobytes() == expected, f"{model}: ink {number}, {name}"
        bad = json.loads(answers[2 * number + 1])
        code = BAD[number % len(BAD)][1]
        assert bad["error"]["code"] == code, f"expected {code}, found {bad}"
    return len(lines)


shapes = compare("shapes", "starter:shapes?limit=40")
texts = compare("latin-lines", "starter:words?limit=20")
print(f"features: {shapes} shapes and {texts} lines have the inputs of the exported examples")
