"""Runs against the library that DUCTUS_LIBRARY names: see scripts/test."""

from __future__ import annotations

import json
import math
import threading
from pathlib import Path
from typing import Any

import pytest

import ductus

RING = [
    (50 + 30 * math.sin(step * math.pi / 20), 50 - 30 * math.cos(step * math.pi / 20), 10.0 * step)
    for step in range(41)
]


@pytest.fixture(scope="module")
def recognizer() -> ductus.Recognizer:
    return ductus.Recognizer("latin-lines")


def test_a_ring_is_a_letter_with_its_ink(recognizer: ductus.Recognizer) -> None:
    reading = recognizer.recognize([RING], candidates=3)
    assert reading[0].text in ("o", "O", "0")
    assert 0 < reading[0].probability <= 1
    assert len(reading) == 3
    assert reading[0].characters == [[ductus.Span(0, 0, 41)]]
    assert reading[0].words[0].text == reading[0].text
    assert reading.lines == [ductus.Line(reading[0].text, [0])]


def test_all_forms_of_strokes_are_the_same_ink(recognizer: ductus.Recognizer) -> None:
    numpy = pytest.importorskip("numpy")
    columns = {
        "x": [point[0] for point in RING],
        "y": [point[1] for point in RING],
        "t": [point[2] for point in RING],
    }
    expected = recognizer.recognize([RING])
    assert recognizer.recognize([columns]) == expected
    assert recognizer.recognize([numpy.array(RING)]) == expected
    assert recognizer.recognize(numpy.array([RING])) == expected
    assert recognizer.recognize([list(map(list, RING))]) == expected


def test_options_change_what_is_read(recognizer: ductus.Recognizer) -> None:
    assert recognizer.recognize([RING], alphabet=r"\p{Nd}")[0].text == "0"
    assert recognizer.recognize([RING], words=["o", "x"])[0].text == "o"
    assert len(recognizer.recognize([RING], candidates=1)) == 1
    area = ductus.Area(0, 0, 500, 300)
    assert recognizer.recognize([RING], area=area, pre_context="Hell")[0].text


@pytest.mark.parametrize(
    "strokes, place",
    [
        ([[(1,)]], "strokes[0][0]"),
        ([[(1, 2), (1, math.inf)]], "point 1"),
        ([[(None, 2)]], "point 0"),
        ([{"x": [1]}], "strokes[0]"),
        ([{"x": [1], "y": [1, 2]}], "strokes[0].y"),
        ([[("a", 2)]], "strokes[0][0]"),
        ([3], "strokes[0]"),
        (["text"], "strokes[0]"),
    ],
)
def test_bad_ink_is_refused_with_its_place(
    recognizer: ductus.Recognizer, strokes: ductus.Strokes, place: str
) -> None:
    with pytest.raises(ductus.InvalidArgument) as caught:
        recognizer.recognize(strokes)
    assert place in str(caught.value)


def test_bad_options_are_refused(recognizer: ductus.Recognizer) -> None:
    cases: list[dict[str, Any]] = [
        {"candidates": 0},
        {"layout": "book"},
        {"words": []},
        {"alphabet": ""},
        {"area": ductus.Area(0, 0, -1, 1)},
        {"pre_context": "a\0b"},
        {"word_bonus": math.inf},
    ]
    for options in cases:
        with pytest.raises(ValueError):
            recognizer.recognize([RING], **options)


def test_unknown_models_and_files_are_errors(tmp_path: Path) -> None:
    with pytest.raises(ductus.UnknownModel):
        ductus.Recognizer("none")
    with pytest.raises(ductus.DuctusError):
        ductus.Recognizer(str(tmp_path / "none.ductus"))
    with pytest.raises(ductus.UnreadableFile):
        ductus.read_ink(tmp_path / "none.jsonl")
    with pytest.raises(ductus.UnreadableFile):
        ductus.read_ink(tmp_path)


def test_files_of_ink_are_read(recognizer: ductus.Recognizer, tmp_path: Path) -> None:
    file = tmp_path / "ring.jsonl"
    x, y, t = ([point[axis] for point in RING] for axis in range(3))
    file.write_text(json.dumps({"label": "o", "strokes": [{"x": x, "y": y, "t": t}]}) + "\n")
    (sample,) = ductus.read_ink(file)
    assert sample.label == "o"
    assert sample.strokes == [{"x": x, "y": y, "t": t}]
    assert recognizer.recognize(sample.strokes) == recognizer.recognize([RING])


def test_models_are_listed_and_verified() -> None:
    names = [model.identifier for model in ductus.installed_models()]
    assert "latin-lines" in names and "shapes" in names
    assert ductus.verify_model("latin-lines")
    assert ductus.version()


def test_an_empty_ink_has_no_candidates(recognizer: ductus.Recognizer) -> None:
    assert recognizer.recognize([]) == []
    assert recognizer.recognize([[]]) == []


def test_json_requests_are_answered(recognizer: ductus.Recognizer) -> None:
    assert recognizer.answer({"id": 1})["error"]["code"] == "missingField"
    answer = recognizer.answer({"id": "a", "strokes": []})
    assert answer["id"] == "a" and answer["candidates"] == []


def test_threads_share_a_recognizer(recognizer: ductus.Recognizer) -> None:
    expected = recognizer.recognize([RING])
    results: list[bool] = []

    def read() -> None:
        for _ in range(20):
            results.append(recognizer.recognize([RING]) == expected)

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 80 and all(results)
