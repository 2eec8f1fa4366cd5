"""All forms of strokes are the same ink, and wrong ones are named."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

import ductus

#: A ring with times, and its forces.
RING = [
    (50 + 30 * math.sin(step * math.pi / 20), 50 - 30 * math.cos(step * math.pi / 20), 10.0 * step)
    for step in range(41)
]
COLUMNS = {
    "x": [point[0] for point in RING],
    "y": [point[1] for point in RING],
    "t": [point[2] for point in RING],
}


class OtherArray:
    """An array of another library than NumPy."""

    def __init__(self, values: list[Any], shape: tuple[int, ...]) -> None:
        self.values = values
        self.shape = shape

    def tolist(self) -> list[Any]:
        return self.values


def structured(numpy: Any) -> Any:
    fields = [("pen", "i4"), ("y", "f4"), ("x", "f8"), ("t", "i8")]
    return numpy.array([(1, y, x, t) for x, y, t in RING], dtype=fields)


#: Forms of the ring that need no package.
PLAIN: dict[str, ductus.Strokes] = {
    "tuples": [RING],
    "lists": [[list(point) for point in RING]],
    "tuple of tuples": (tuple(RING),),
    "columns": [COLUMNS],
    "columns as tuples": [{name: tuple(values) for name, values in COLUMNS.items()}],
    "array of another library": [OtherArray([list(point) for point in RING], (41, 3))],
    "column of another library": [{**COLUMNS, "x": OtherArray(COLUMNS["x"], (41,))}],
    "missing force": [[(*point, None) for point in RING]],
    "unknown force": [[(*point, math.nan) for point in RING]],
    "column without values": [{**COLUMNS, "force": [None] * 41}],
}

#: Forms of the ring as arrays of NumPy.
ARRAYS: dict[str, Callable[[Any], Any]] = {
    "(n, 3)": lambda numpy: [numpy.array(RING)],
    "(n, 4)": lambda numpy: [numpy.array([(*point, math.nan) for point in RING])],
    "(s, n, 3)": lambda numpy: numpy.array([RING]),
    "in the order of Fortran": lambda numpy: [numpy.asfortranarray(numpy.array(RING))],
    "a view with gaps": lambda numpy: [numpy.repeat(numpy.array(RING), 2, axis=0)[::2]],
    "objects": lambda numpy: [numpy.array(RING, dtype=object)],
    "structured": lambda numpy: [
        numpy.array(RING, dtype="f8").view(
            [("x", "f8"), ("y", "f8"), ("t", "f8")]
        ).reshape(41)
    ],
    "columns": lambda numpy: [{name: numpy.array(each) for name, each in COLUMNS.items()}],
}


@pytest.fixture(scope="module")
def recognizer() -> ductus.Recognizer:
    return ductus.Recognizer("latin-lines")


@pytest.mark.parametrize("form", PLAIN)
def test_plain_forms_are_the_same_ink(recognizer: ductus.Recognizer, form: str) -> None:
    assert recognizer.recognize(PLAIN[form]) == recognizer.recognize([RING])


@pytest.mark.parametrize("form", ARRAYS)
def test_arrays_are_the_same_ink(recognizer: ductus.Recognizer, form: str) -> None:
    numpy = pytest.importorskip("numpy")
    assert recognizer.recognize(ARRAYS[form](numpy)) == recognizer.recognize([RING])


def test_other_types_of_numbers_are_read(recognizer: ductus.Recognizer) -> None:
    numpy = pytest.importorskip("numpy")
    rounded = [(round(x), round(y), round(t)) for x, y, t in RING]
    expected = recognizer.recognize([rounded])
    for dtype in ("i4", "u2", "f4"):
        assert recognizer.recognize([numpy.array(rounded, dtype=dtype)]) == expected
    singles = numpy.array(RING, dtype="f4")
    assert recognizer.recognize([structured(numpy)])
    assert recognizer.recognize([singles]) == recognizer.recognize([singles.tolist()])


def test_times_are_optional(recognizer: ductus.Recognizer) -> None:
    numpy = pytest.importorskip("numpy")
    places = [point[:2] for point in RING]
    expected = recognizer.recognize([places])
    assert recognizer.recognize([numpy.array(places)]) == expected
    assert recognizer.recognize([{"x": COLUMNS["x"], "y": COLUMNS["y"]}]) == expected
    assert recognizer.recognize([[(x, y, None) for x, y in places]]) == expected


def test_strokes_without_points_are_no_error(recognizer: ductus.Recognizer) -> None:
    empty: list[ductus.Strokes] = [[], [[]], [{"x": [], "y": []}], [OtherArray([], (0, 2))]]
    for strokes in empty:
        assert recognizer.recognize(strokes) == []
    numpy = pytest.importorskip("numpy")
    for shape in ((0,), (0, 2), (0, 4)):
        assert recognizer.recognize([numpy.zeros(shape)]) == []


BAD: list[tuple[Any, str]] = [
    ([RING, [(1,)]], "strokes[1][0]: expected a point of 2 to 4 numbers, found 1"),
    ([[(1, 2), (1, math.inf)]], "point 1"),
    ([[(None, 2)]], "point 0"),
    ([{"x": [1]}], "strokes[0]: expected the column y, found none"),
    ([{"x": [1], "y": [1, 2]}], "strokes[0].y: expected 1 values, as in x, found 2"),
    ([{"x": [1], "y": ["2"]}], "strokes[0].y[0]: expected a number, found str"),
    ([{"x": 1, "y": 2}], "strokes[0].x: expected one value for each point, found int"),
    ([[("a", 2)]], "strokes[0][0]: expected a number, found str"),
    ([[(1, 2), 3]], "strokes[0][1]: expected a point of 2 to 4 numbers, found int"),
    ([3], "strokes[0]: found int"),
    (["text"], "strokes[0]: found str"),
    (RING, "strokes[0][0]: expected a point of 2 to 4 numbers, found a number; if strokes[0] is"),
    (COLUMNS, "strokes: expected a list of strokes, found one: pass [stroke]"),
    ("text", "strokes: expected a list of strokes, found str"),
    (None, "strokes: expected a list of strokes, found NoneType"),
    (OtherArray([[1, 2]], (1, 2)), "found one array of shape (1, 2): pass [stroke]"),
    ([OtherArray([1, 2], (2,))], "strokes[0]: expected an array of shape (n, 2), (n, 3) or (n, 4)"),
    ([{**COLUMNS, "x": OtherArray([[1]], (1, 1))}], "strokes[0].x: expected one value"),
]


@pytest.mark.parametrize("strokes, message", BAD)
def test_bad_ink_is_refused_with_its_place(
    recognizer: ductus.Recognizer, strokes: Any, message: str
) -> None:
    with pytest.raises(ductus.InvalidArgument) as caught:
        recognizer.recognize(strokes)
    assert message in str(caught.value)
    assert caught.value.code == ductus.ErrorCode.INVALID_ARGUMENT


def test_bad_arrays_are_refused_with_the_known_shapes(recognizer: ductus.Recognizer) -> None:
    numpy = pytest.importorskip("numpy")
    cases = [
        (numpy.zeros((2, 40)), "found (2, 40); pass its transpose, stroke.T"),
        (numpy.zeros((40, 5)), "(n, 2), (n, 3) or (n, 4), found (40, 5)"),
        (numpy.zeros(40), "found (40,)"),
        (numpy.zeros((1, 40, 2)), "found (1, 40, 2)"),
        (numpy.zeros((40, 2), dtype="c8"), "expected an array of numbers, found complex64"),
        (numpy.full((40, 2), "a"), "expected an array of numbers, found <U1"),
        (numpy.zeros(3, dtype=[("x", "f8")]), "expected the column y, found none"),
        (numpy.zeros((3, 1), dtype=[("x", "f8"), ("y", "f8")]), "structured array of shape (n,)"),
    ]
    for stroke, message in cases:
        with pytest.raises(ductus.InvalidArgument) as caught:
            recognizer.recognize([RING, stroke])
        assert str(caught.value).startswith("strokes[1]: ")
        assert message in str(caught.value)
    with pytest.raises(ductus.InvalidArgument, match="pass .stroke."):
        recognizer.recognize(numpy.zeros((40, 2)))
