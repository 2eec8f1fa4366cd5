#!/usr/bin/env python3
"""Measures the memory of 'ductus notes index' for a large file of each format.

    memory.py DUCTUS [--megabytes N] [--limit MB] [--format NAME]...

Writes a file of 200 MB of each format: of strokes alone, and, where the format holds pictures or other
content, of a few strokes with such content. Prints the peak of the resident memory and the error in the
list, if the file was refused. Fails if a peak is above the limit, or if a run takes longer than 10 minutes.
"""
import argparse
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import time
import zipfile

PICTURE = b"A" * (1 << 20)


def repeat(file, head, part, tail, size, join=b""):
    """Writes a part until the file has a size."""
    file.write(head)
    block = join.join([part] * max(1, (1 << 20) // len(part)))
    first = True
    while file.tell() < size:
        file.write((b"" if first else join) + block)
        first = False
    file.write(tail)


def points(count, form):
    return [form % (10 + index % 400, 20 + index * 7 % 600) for index in range(count)]


def xopp(file, size, ink):
    stroke = b'<stroke tool="pen" width="1">' + b" ".join(points(50, b"%d.25 %d.5")) + b"</stroke>\n"
    page, end = b'<page width="500" height="700"><layer>', b"</layer></page>"
    if ink:
        repeat(file, b"<xournal>", page + stroke * 200 + end, b"</xournal>", size)
    else:
        repeat(file, b"<xournal>" + page + stroke + b'<image left="1" top="1" right="9" bottom="9">', PICTURE,
               b"</image>" + end + b"</xournal>", size)


def rnote(file, size, ink):
    stroke = (b'{"value":{"brushstroke":{"path":{"start":{"pos":[1,2],"pressure":0.5},"segments":['
              + b",".join(b'{"lineto":{"end":{"pos":[%s],"pressure":0.5}}}' % point
                          for point in points(50, b"%d,%d"))
              + b']},"style":{"smooth":{"stroke_width":2,"stroke_color":{"r":0,"g":0,"b":0,"a":1}}}}},"version":1}')
    head = b'{"version":"0.9.0","data":{"engine_snapshot":{"document":{"layout":"infinite"},"stroke_components":['
    if ink:
        repeat(file, head, stroke, b"]}}}", size, b",")
    else:
        repeat(file, head + stroke + b',{"value":{"bitmapimage":{"data":"', PICTURE, b'"}}}]}}}', size)


def rm(file, size, _):
    line = struct.pack("<IIIfII", 17, 0, 0, 2.0, 0, 50)
    line += b"".join(struct.pack("<ffffff", 10 + index, 20, 0, 0, 2, 0.5) for index in range(50))
    file.write(b"reMarkable .lines file, version=5".ljust(43))
    repeat(file, struct.pack("<II", 1, size // len(line)), line, b"", size)


def uim(file, size, _):
    file.write(b"RIFF" + struct.pack("<I", size) + b"UINK")
    chunk = b"HEAD" + struct.pack("<I", 4) + bytes([3, 1, 0, 0])
    repeat(file, chunk + b"DATA" + struct.pack("<I", size - 40), b"\x12\x10" + b"\x08" * 16, b"", size)


def svg(file, size, ink):
    head = b'<svg xmlns="http://www.w3.org/2000/svg">'
    path = b'<path fill="none" stroke="#000" d="M' + b" L".join(points(50, b"%d,%d")) + b'"/>'
    if ink:
        repeat(file, head, path, b"</svg>", size)
    else:
        repeat(file, head + path + b'<image href="data:image/png;base64,', PICTURE, b'"/></svg>', size)


def inkml(file, size, _):
    trace = b"<trace>" + b",".join(points(50, b"%d %d")) + b"</trace>\n"
    repeat(file, b'<ink xmlns="http://www.w3.org/2003/InkML">', trace, b"</ink>", size)


def jiix(file, size, _):
    stroke = b'{"type":"stroke","X":[%s],"Y":[%s]}' % (b",".join(points(50, b"%d.%d")), b",".join(points(50, b"%d.%d")))
    repeat(file, b'{"type":"Node","version":"3","items":[', stroke, b"]}", size, b",")


def pdf(file, size, ink):
    note = b"<</Type/Annot/Subtype/Ink/Rect[0 0 9 9]/InkList[[%s]]>>" % b" ".join(points(50, b"%d %d"))
    head = b"%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
    page = b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 500 700]/Annots["
    tail = b"trailer<</Root 1 0 R>>\n"
    if ink:
        repeat(file, head + page, note, b"]>>endobj\n" + tail, size)
    else:
        repeat(file, head + page + note + b"]>>endobj\n4 0 obj<</Length %d>>stream\n" % size, PICTURE,
               b"\nendstream endobj\n" + tail, size)


def bfly(file, size, ink):
    point = b",".join(b'{"x":%s,"y":1,"pressure":0.5}' % point for point in points(50, b"%d.%d"))
    element = b'{"type":"pen","points":[%s],"property":{"type":"pen","strokeWidth":5,"color":4278190080}}' % point
    head = b'{"type":"document","fileVersion":9,"pages":[{"name":"a","layers":[{"content":['
    if ink:
        repeat(file, head, element, b"]}]}]}", size, b",")
    else:
        repeat(file, head + element + b',{"type":"image","source":"data:;base64,', PICTURE, b'"}]}]}]}', size)


def isf(file, size, _):
    repeat(file, b"\x00\xff\xff\xff\x7f", b"\x0a\x20" + b"\x10" * 32, b"", size)


def excalidraw(file, size, ink):
    element = b'{"type":"freedraw","x":1,"y":2,"points":[%s],"pressures":[]}' % b",".join(points(50, b"[%d,%d]"))
    head = b'{"type":"excalidraw","version":2,"elements":['
    if ink:
        repeat(file, head, element, b"]}", size, b",")
    else:
        repeat(file, head + element + b'],"files":{"a":{"dataURL":"', PICTURE, b'"}}}', size)


def tldr(file, size, ink):
    shape = (b'{"typeName":"shape","id":"s","type":"draw","parentId":"page:p","props":{"segments":[{"points":[%s]}]}}'
             % b",".join(points(50, b'{"x":%d,"y":%d}')))
    head = b'{"tldrawFileFormatVersion":1,"schema":{},"records":[{"typeName":"page","id":"page:p"},'
    if ink:
        repeat(file, head, shape, b"]}", size, b",")
    else:
        repeat(file, head + shape + b',{"typeName":"asset","id":"a","props":{"src":"', PICTURE, b'"}}]}', size)


def csv(file, size, _):
    rows = b"\n".join(b"%s,%d" % (point, index // 50) for index, point in enumerate(points(5000, b"%d,%d")))
    repeat(file, b"x,y,stroke\n", rows + b"\n", b"", size)


FORMATS = {"xopp": xopp, "rnote": rnote, "rm": rm, "uim": uim, "svg": svg, "inkml": inkml, "jiix": jiix, "pdf": pdf,
           "bfly": bfly, "isf": isf, "excalidraw": excalidraw, "tldr": tldr, "csv": csv}
PICTURES = {"xopp", "rnote", "svg", "pdf", "bfly", "excalidraw", "tldr"}


def measure(tool, name, ink, size):
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(os.path.realpath(temporary))
        (folder / "notes").mkdir()
        path = folder / "notes" / ("large." + name)
        with open(path, "wb") as file:
            FORMATS[name](file, size, ink)
        index = str(folder / "index.sqlite")
        # Tables are no notes: they are converted.
        command = ([tool, "data", "convert", "--data", str(path), "--output", str(folder / "out.jsonl")]
                   if name == "csv" else
                   [tool, "notes", "index", str(folder / "notes"), "--index", index, "--workers", "1"])
        start = time.monotonic()
        with open(folder / "errors", "w+b") as errors:
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=errors)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            errors.seek(0)
            said = errors.read().decode(errors="replace").strip().splitlines()
        seconds = time.monotonic() - start
        reason = said[-1] if said and process.returncode != 0 else ""
        if name != "csv" and process.returncode == 0:
            listed = json.loads(subprocess.run([tool, "notes", "list", "--index", index, "--json", "-"], check=True,
                                               stdout=subprocess.PIPE).stdout)
            reason = "; ".join(problem["reason"] for problem in listed[0]["problems"])
        peak = usage.ru_maxrss * 1024 / 1e6 if sys.platform == "linux" else usage.ru_maxrss / 1e6
        return peak, seconds, process.returncode, reason.replace(str(folder) + "/notes/", "")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ductus")
    parser.add_argument("--megabytes", type=int, default=200)
    parser.add_argument("--limit", type=int, default=300)
    parser.add_argument("--format", action="append", choices=sorted(FORMATS))
    options = parser.parse_args()
    tool = os.path.abspath(options.ductus)
    failed = []
    for name in options.format or FORMATS:
        for ink in [True] + ([False] if name in PICTURES else []):
            kind = "strokes" if ink else "other content"
            peak, seconds, code, reason = measure(tool, name, ink, options.megabytes * 1000 * 1000)
            print("%-10s %-13s %4.0f MB %5.1f s  %s" % (name, kind, peak, seconds, reason[:150] or "read"), flush=True)
            if peak > options.limit or code < 0 or seconds > 600:
                failed.append("%s of %s" % (name, kind))
    if failed:
        sys.exit("memory: above %d MB, or ended by a signal: %s" % (options.limit, ", ".join(failed)))


if __name__ == "__main__":
    main()
