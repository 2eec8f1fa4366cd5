"""Ink, in the forms that Python programs use."""

from __future__ import annotations

import ctypes
import math
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Union

from . import _library as c

#: A stroke: a dictionary with the columns ``x`` and ``y``, and ``t`` and ``force`` if they are
#: known; a list of points ``(x, y)``, ``(x, y, t)`` or ``(x, y, t, force)``; or an array of shape
#: (n, 2 to 4). ``t`` is in milliseconds, y grows downward, and None or NaN is a missing value.
Stroke = Union[Mapping[str, Sequence[Any]], Sequence[Sequence[Any]], Any]

#: Strokes in the order they were written.
Strokes = Iterable[Stroke]


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


class Handle:
    """An ink of the library. It is freed with this object."""

    def __init__(self, strokes: Strokes) -> None:
        self._free = c.library().ductus_ink_free
        self.pointer = c.library().ductus_ink_new()
        for index, stroke in enumerate(strokes):
            self._add(stroke, f"strokes[{index}]")

    def _add(self, stroke: Stroke, name: str) -> None:
        rows = _rows(stroke, name)
        points = (c.Point * len(rows))(*(c.Point(*row) for row in rows))
        error = ctypes.c_void_p()
        if c.library().ductus_ink_add_stroke(
            self.pointer, points, len(rows), ctypes.byref(error)
        ):
            c.raise_error(error)

    def __del__(self) -> None:
        pointer = getattr(self, "pointer", None)
        if pointer:
            self._free(pointer)


_COLUMNS = ("x", "y", "t", "force")


def _rows(stroke: Stroke, name: str) -> list[tuple[float, float, float, float]]:
    if isinstance(stroke, Mapping):
        return _rows_of_columns(stroke, name)
    if hasattr(stroke, "tolist"):  # A numpy array, or an object that behaves like one.
        stroke = stroke.tolist()
    if isinstance(stroke, (str, bytes)) or not isinstance(stroke, Iterable):
        raise c.InvalidArgument(f"{name}: expected a dictionary, a list of points or an array")
    rows = []
    for index, point in enumerate(stroke):
        place = f"{name}[{index}]"
        try:
            values = list(point)
        except TypeError:
            raise c.InvalidArgument(f"{place}: expected a point of 2 to 4 numbers") from None
        if not 2 <= len(values) <= 4:
            raise c.InvalidArgument(
                f"{place}: expected a point of 2 to 4 numbers, found {len(values)}"
            )
        numbers = [_number(value, place) for value in values]
        numbers += [math.nan] * (4 - len(numbers))
        rows.append((numbers[0], numbers[1], numbers[2], numbers[3]))
    return rows


def _rows_of_columns(
    stroke: Mapping[str, Sequence[Any]], name: str
) -> list[tuple[float, float, float, float]]:
    for required in ("x", "y"):
        if required not in stroke:
            raise c.InvalidArgument(f"{name}: expected the column {required}, found none")
    columns = []
    count = len(stroke["x"])
    for column in _COLUMNS:
        values = stroke.get(column)
        if values is None:
            columns.append([math.nan] * count)
            continue
        if len(values) != count:
            raise c.InvalidArgument(
                f"{name}.{column}: expected {count} values, as in x, found {len(values)}"
            )
        columns.append([_number(value, f"{name}.{column}") for value in values])
    return [(row[0], row[1], row[2], row[3]) for row in zip(*columns)]


def _number(value: Any, place: str) -> float:
    if value is None:
        return math.nan
    try:
        return float(value)
    except (TypeError, ValueError):
        raise c.InvalidArgument(f"{place}: expected a number, found {type(value).__name__}") from None


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
    columns = {name: [float(getattr(point, name)) for point in points] for name in _COLUMNS}
    # Columns without any value are left out, as in JSON Lines.
    return {
        name: values
        for name, values in columns.items()
        if name in ("x", "y") or not all(math.isnan(value) for value in values)
    }
