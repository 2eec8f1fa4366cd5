"""Runs against the library that DUCTUS_LIBRARY names: see scripts/test."""

from __future__ import annotations

import json
import math
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


def test_options_change_what_is_read(recognizer: ductus.Recognizer) -> None:
    assert recognizer.recognize([RING], alphabet=r"\p{Nd}")[0].text == "0"
    assert recognizer.recognize([RING], words=["o", "x"])[0].text == "o"
    assert len(recognizer.recognize([RING], candidates=1)) == 1
    area = ductus.Area(0, 0, 500, 300)
    assert recognizer.recognize([RING], area=area, pre_context="Hell")[0].text


def test_bad_options_are_refused(recognizer: ductus.Recognizer) -> None:
    cases: list[dict[str, Any]] = [
        {"candidates": 0},
        {"layout": "book"},
        {"words": []},
        {"words": "ox"},
        {"pre_context": 3},
        {"alphabet": ""},
        {"area": ductus.Area(0, 0, -1, 1)},
        {"pre_context": "a\0b"},
        {"word_bonus": math.inf},
    ]
    for options in cases:
        with pytest.raises(ValueError):
            recognizer.recognize([RING], **options)


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


def test_inks_become_a_file_with_a_page_each(recognizer: ductus.Recognizer) -> None:
    pdf = recognizer.export([[RING], [RING]], "pdf", title="Größe")
    assert pdf.startswith(b"%PDF") and pdf.count(b"/MediaBox") == 2
    svg = recognizer.export([[RING]], "svg", scale=0.5)
    assert b'width="50mm"' in svg
    assert recognizer.export([[RING]], "text").decode()[0] in "oO0"
    with pytest.raises(ductus.InvalidArgument, match="format"):
        recognizer.export([[RING]], "doc")
    with pytest.raises(ductus.InvalidArgument, match="one page"):
        recognizer.export([[RING], [RING]], "svg")
    with pytest.raises(ductus.InvalidArgument, match="inks"):
        recognizer.export([], "pdf")
    with pytest.raises(ductus.InvalidArgument, match="scale"):
        recognizer.export([[RING]], "pdf", scale=-1)
