#!/usr/bin/env python3
"""Writes a note of Rnote in chunks that are compressed by Zstandard.

    Tests/Notes/rnote_chunks.py Tests/Cases/notes/zstandard.rnote

Needs the program zstd. The note has a fixed page with a line of three strokes, a typed word, and a second page
with one stroke. The header says the sizes of the chunks before and after they were compressed; the frames look
back on 128 MB, as those of the program.
"""
import json
import struct
import subprocess
import sys


def brush(points):
    first, rest = points[0], points[1:]
    return {"brushstroke": {
        "path": {"start": {"pos": first, "pressure": 0.5},
                 "segments": [{"lineto": {"end": {"pos": point, "pressure": 0.75}}} for point in rest]},
        "style": {"smooth": {"stroke_width": 2.0, "stroke_color": {"r": 0.0, "g": 0.0, "b": 0.4, "a": 1.0}}}}}


def pack(value):
    text = json.dumps(value, separators=(",", ":")).encode()
    packed = subprocess.run(["zstd", "-q", "-9", "--long=27", "--no-check", "-c"], input=text, check=True,
                            stdout=subprocess.PIPE).stdout
    return {"c_size": len(packed), "uc_size": len(text)}, packed


def main(path):
    core = {"document": {"config": {"format": {"width": 400.0, "height": 500.0}, "layout": "fixed_size"}}}
    word = {"textstroke": {"text": "typed", "text_style": {"font_size": 32.0},
                           "transform": {"affine": [1, 0, 0, 0, 1, 0, 40, 300, 1]}}}
    chunks = [
        [[brush([[40, 40], [40, 80], [44, 82]]), {"t": 1}], [word, {"t": 5}],
         [brush([[60, 60], [70, 80], [80, 60]]), {"t": 2}]],
        [[brush([[90, 60], [90, 80]]), {"t": 3}], [brush([[30, 540], [60, 560]]), {"t": 4}]],
    ]
    info, body = pack(core)
    packed = [pack(chunk) for chunk in chunks]
    header = json.dumps({"compression_method": {"zstd": 9}, "core_info": info,
                         "chunk_info_vec": [one for one, _ in packed]}).encode()
    prelude = "RNOTE-\u03a6\u039b".encode() + struct.pack("<HQQQHHI", 1, 0, 14, 0, 0, 0, len(header))
    with open(path, "wb") as file:
        file.write(prelude + header + body + b"".join(data for _, data in packed))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
