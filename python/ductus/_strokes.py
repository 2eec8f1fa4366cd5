"""Strokes in the forms that Python programs use, as points of the library."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Optional, Protocol, Union, cast

from . import _library as c
from ._errors import InvalidArgument


class Array(Protocol):
    """An array of numpy, or an object that behaves like one."""

    @property
    def shape(self) -> tuple[int, ...]:
        """The sizes of its dimensions."""

    def tolist(self) -> Any:
        """Its values as nested lists."""


#: The values of one column of a stroke. None or NaN is a missing value.
Column = Union[Sequence[Optional[float]], Array]

#: A stroke, in one of these forms. ``t`` is in milliseconds, y grows downward, and 1 is an average
#: ``force``; both may be left out, and None or NaN is a missing value.
#:
#: - points: ``[(x, y), …]``, ``[(x, y, t), …]`` or ``[(x, y, t, force), …]``, as lists or tuples;
#: - an array of numpy of the shape (n, 2), (n, 3) or (n, 4), with the same columns;
#: - a structured array with the fields ``x`` and ``y``, and ``t`` and ``force``;
#: - a dictionary of columns: ``{"x": […], "y": […], "t": […], "force": […]}``.
Stroke = Union[Mapping[str, Column], Sequence[Sequence[Optional[float]]], Array]

#: Strokes in the order they were written: a list of strokes, or an array of the shape (s, n, 2).
Strokes = Union[Iterable[Stroke], Array]

#: The columns of a stroke, in the order of the C structure.
COLUMNS = ("x", "y", "t", "force")

_FORMS = (
    "a stroke is a list of points (x, y), (x, y, t) or (x, y, t, force), an array of shape (n, 2), "
    "(n, 3) or (n, 4), or a dictionary of the columns x, y, t and force"
)

_Row = tuple[float, float, float, float]


def each_stroke(strokes: Strokes) -> Iterable[Stroke]:
    """Returns the strokes of an ink. Raises InvalidArgument for a single stroke or another value."""
    if isinstance(strokes, Mapping):
        raise InvalidArgument("strokes: expected a list of strokes, found one: pass [stroke]")
    shape = _shape(strokes)
    if shape is not None and len(shape) == 2 and shape[1] in (2, 3, 4):
        raise InvalidArgument(
            f"strokes: expected a list of strokes, found one array of shape {shape}: pass [stroke]"
        )
    if isinstance(strokes, (str, bytes)) or not hasattr(strokes, "__iter__"):
        raise InvalidArgument(
            f"strokes: expected a list of strokes, found {type(strokes).__name__}; {_FORMS}"
        )
    return cast("Iterable[Stroke]", strokes)


def points_of(stroke: Stroke, place: str) -> tuple[Any, int]:
    """Returns a stroke as an array of ``ductus_point``, and the number of its points.

    Raises InvalidArgument that names the place and the known forms.
    """
    if isinstance(stroke, Mapping):
        columns = {name: stroke[name] for name in COLUMNS if stroke.get(name) is not None}
        return _points(_rows_of_columns(columns, place))
    dtype = getattr(stroke, "dtype", None)
    names = getattr(dtype, "names", None)
    if names is not None:
        return _points(_rows_of_fields(stroke, names, place))
    shape = _shape(stroke)
    if shape is not None:
        return _points_of_array(stroke, shape, place)
    return _points(_rows_of_points(stroke, place))


def _points(rows: list[_Row]) -> tuple[Any, int]:
    return (c.Point * len(rows))(*(c.Point(*row) for row in rows)), len(rows)


def _shape(value: object) -> Optional[tuple[int, ...]]:
    """Returns the shape of an array, or nothing for other values."""
    shape = getattr(value, "shape", None)
    if shape is None or not hasattr(value, "tolist"):
        return None
    return tuple(shape)


def _points_of_array(stroke: Any, shape: tuple[int, ...], place: str) -> tuple[Any, int]:
    # The empty list as an array has the shape (0,).
    if shape == (0,):
        return _points([])
    if len(shape) != 2 or shape[1] not in (2, 3, 4):
        turned = len(shape) == 2 and shape[0] in (2, 3, 4)
        advice = "; pass its transpose, stroke.T" if turned else ""
        raise InvalidArgument(
            f"{place}: expected an array of shape (n, 2), (n, 3) or (n, 4), found {shape}{advice}"
        )
    numpy = sys.modules.get("numpy")
    if numpy is None or not isinstance(stroke, numpy.ndarray):
        return _points(_rows_of_points(stroke.tolist(), place))
    if stroke.dtype.kind == "O":
        return _points(_rows_of_points(stroke.tolist(), place))
    if stroke.dtype.kind not in "biuf":
        raise InvalidArgument(f"{place}: expected an array of numbers, found {stroke.dtype}")
    rows = numpy.full((shape[0], 4), math.nan, dtype=numpy.float64)
    rows[:, : shape[1]] = stroke
    return (c.Point * shape[0]).from_buffer(rows) if shape[0] else _points([])[0], shape[0]


def _rows_of_fields(stroke: Any, names: Sequence[str], place: str) -> list[_Row]:
    if len(stroke.shape) != 1:
        raise InvalidArgument(
            f"{place}: expected a structured array of shape (n,), found {tuple(stroke.shape)}"
        )
    return _rows_of_columns({name: stroke[name] for name in COLUMNS if name in names}, place)


def _rows_of_columns(columns: Mapping[str, Any], place: str) -> list[_Row]:
    for required in ("x", "y"):
        if required not in columns:
            raise InvalidArgument(f"{place}: expected the column {required}, found none; {_FORMS}")
    values = {name: _column(column, f"{place}.{name}") for name, column in columns.items()}
    count = len(values["x"])
    for name, column in values.items():
        if len(column) != count:
            raise InvalidArgument(
                f"{place}.{name}: expected {count} values, as in x, found {len(column)}"
            )
    missing = [math.nan] * count
    return list(zip(*(values.get(name, missing) for name in COLUMNS)))


def _column(values: Any, place: str) -> list[float]:
    shape = _shape(values)
    if shape is not None:
        if len(shape) != 1:
            raise InvalidArgument(f"{place}: expected one value for each point, found {shape}")
        values = values.tolist()
    if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
        raise InvalidArgument(
            f"{place}: expected one value for each point, found {type(values).__name__}"
        )
    return [_number(value, f"{place}[{index}]") for index, value in enumerate(values)]


def _rows_of_points(stroke: Any, place: str) -> list[_Row]:
    if isinstance(stroke, (str, bytes)) or not isinstance(stroke, Iterable):
        raise InvalidArgument(f"{place}: found {type(stroke).__name__}; {_FORMS}")
    rows = []
    for index, point in enumerate(stroke):
        name = f"{place}[{index}]"
        if isinstance(point, (str, bytes)) or not isinstance(point, Iterable):
            if index == 0 and isinstance(point, (int, float)):
                raise InvalidArgument(
                    f"{name}: expected a point of 2 to 4 numbers, found a number; if {place} is a "
                    "point, put its stroke into a list: [stroke]"
                )
            raise InvalidArgument(
                f"{name}: expected a point of 2 to 4 numbers, found {type(point).__name__}"
            )
        numbers = [_number(value, name) for value in point]
        if not 2 <= len(numbers) <= 4:
            raise InvalidArgument(
                f"{name}: expected a point of 2 to 4 numbers, found {len(numbers)}; {_FORMS}"
            )
        numbers += [math.nan] * (4 - len(numbers))
        rows.append((numbers[0], numbers[1], numbers[2], numbers[3]))
    return rows


def _number(value: Any, place: str) -> float:
    if value is None:
        return math.nan
    try:
        # A text is not a number, even if it looks like one.
        if not isinstance(value, (str, bytes)):
            return float(value)
    except (TypeError, ValueError, OverflowError):
        pass
    raise InvalidArgument(f"{place}: expected a number, found {type(value).__name__}")
