"""Recognisers that are closed, and recognisers that several threads use."""

from __future__ import annotations

import ctypes
import json
import math
import threading
import time

import pytest

import ductus
from ductus import _library

RING = [
    (50 + 30 * math.sin(step * math.pi / 20), 50 - 30 * math.cos(step * math.pi / 20), 10.0 * step)
    for step in range(41)
]


@pytest.fixture(scope="module")
def recognizer() -> ductus.Recognizer:
    return ductus.Recognizer("latin-lines")


def test_a_recognizer_is_closed_at_the_end_of_its_block() -> None:
    with ductus.Recognizer("latin-lines") as recognizer:
        assert recognizer.recognize([RING])
        assert recognizer.model == "latin-lines"
    with pytest.raises(ductus.InvalidArgument, match="the recognizer is closed"):
        recognizer.recognize([RING])
    with pytest.raises(ductus.InvalidArgument, match="the recognizer is closed"):
        recognizer.answer({"strokes": []})
    assert recognizer.model == "latin-lines"
    recognizer.close()


def test_an_error_in_the_block_is_kept() -> None:
    with pytest.raises(KeyError):
        with ductus.Recognizer("latin-lines") as recognizer:
            raise KeyError("x")
    with pytest.raises(ductus.InvalidArgument):
        recognizer.recognize([RING])


def test_closing_frees_the_handle_once_and_after_its_last_use() -> None:
    from ductus._handles import Handle

    freed: list[int] = []
    handle = Handle(7, freed.append, "thing")
    with handle.use() as outer, handle.use() as inner:
        assert outer == inner == 7
        handle.close()
        handle.close()
        assert freed == []
        with pytest.raises(ductus.InvalidArgument, match="the thing is closed"):
            with handle.use():
                pass
    assert freed == [7]
    handle.close()
    assert freed == [7]


def test_closing_while_threads_read_lets_them_finish() -> None:
    expected = ductus.Recognizer("latin-lines").recognize([RING])
    recognizer = ductus.Recognizer("latin-lines")
    outcomes: list[str] = []

    def read() -> None:
        while True:
            try:
                same = recognizer.recognize([RING]) == expected
                outcomes.append("same" if same else "different")
            except ductus.InvalidArgument:
                outcomes.append("closed")
                return

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    while outcomes.count("same") < 8 and all(thread.is_alive() for thread in threads):
        time.sleep(0.001)
    recognizer.close()
    for thread in threads:
        thread.join()
    assert outcomes.count("closed") == 4 and "different" not in outcomes


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


def test_other_threads_run_while_the_library_reads(recognizer: ductus.Recognizer) -> None:
    # A long line, so that one call of the library takes longer than a change of threads.
    strokes = [
        {"x": [x + 80 * index for x, _, _ in RING], "y": [y for _, y, _ in RING]}
        for index in range(60)
    ]
    request = json.dumps({"strokes": strokes, "layout": "line"}).encode()
    library = _library.library()
    times: list[float] = []

    def read() -> None:
        with recognizer._handle.use() as pointer:
            times.append(time.perf_counter())
            answer = library.ductus_recognize_json(pointer, request)
            times.append(time.perf_counter())
        library.ductus_string_free(ctypes.c_void_p(answer))

    thread = threading.Thread(target=read)
    ticks: list[float] = []
    thread.start()
    while thread.is_alive():
        ticks.append(time.perf_counter())
        time.sleep(0.0002)
    thread.join()
    begin, end = times
    # With the lock of the interpreter held, this thread would stand still from begin to end.
    during = [tick for tick in ticks if begin < tick < end]
    assert len(during) >= 3, f"{len(during)} ticks in {1000 * (end - begin):.1f} ms"
