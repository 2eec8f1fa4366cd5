"""Ink: strokes for the library, and files of ink."""

from __future__ import annotations

import ctypes
import math
import os
from dataclasses import dataclass
from typing import Union

from . import _library as c
from ._handles import Handle
from ._strokes import COLUMNS, Strokes, each_stroke, points_of


@dataclass(frozen=True)
class Area:
    """The line that the ink was written on, in the units of the ink."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class InkSample:
    """One ink of a file: its strokes as dictionaries of columns, and its label."""

    label: str
    strokes: list[dict[str, list[float]]]


def ink_of(strokes: Strokes) -> Handle:
    """Returns the strokes as an ink of the library. Close it.

    Raises InvalidArgument that names the stroke, and TooLarge if there are too many points.
    """
    library = c.library()
    ink = Handle(library.ductus_ink_new(), library.ductus_ink_free, "ink")
    try:
        with ink.use() as pointer:
            for index, stroke in enumerate(each_stroke(strokes)):
                points, count = points_of(stroke, f"strokes[{index}]")
                error = ctypes.c_void_p()
                if library.ductus_ink_add_stroke(pointer, points, count, ctypes.byref(error)):
                    c.raise_error(error)
    except BaseException:
        ink.close()
        raise
    return ink


def read_ink(path: Union[str, "os.PathLike[str]"]) -> list[InkSample]:
    """Reads a file of ink in any format that ``ductus recognize`` reads.

    Records that cannot be read are left out. Raises UnreadableFile if none can be read.
    """
    library = c.library()
    error = ctypes.c_void_p()
    inks = library.ductus_inks_read(c.encoded(os.fspath(path), "path"), ctypes.byref(error))
    if not inks:
        c.raise_error(error)
    try:
        samples = []
        for index in range(library.ductus_inks_count(inks)):
            label = c.text(library.ductus_inks_label(inks, index))
            ink = library.ductus_inks_ink(inks, index)
            try:
                count = library.ductus_ink_stroke_count(ink)
                samples.append(InkSample(label, [_stroke(ink, each) for each in range(count)]))
            finally:
                library.ductus_ink_free(ink)
        return samples
    finally:
        library.ductus_inks_free(inks)


def _stroke(ink: int, index: int) -> dict[str, list[float]]:
    library = c.library()
    count = library.ductus_ink_point_count(ink, index)
    points = (c.Point * count)()
    error = ctypes.c_void_p()
    if library.ductus_ink_points(ink, index, points, count, ctypes.byref(error)) < 0:
        c.raise_error(error)
    columns = {name: [float(getattr(point, name)) for point in points] for name in COLUMNS}
    # Columns without any value are left out, as in JSON Lines.
    return {
        name: values
        for name, values in columns.items()
        if name in ("x", "y") or not all(math.isnan(value) for value in values)
    }
