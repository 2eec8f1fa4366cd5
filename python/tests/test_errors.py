"""Errors carry their code, and each code has a class."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import ductus
from ductus._errors import error_of


def test_each_code_has_a_class() -> None:
    classes = {
        ductus.ErrorCode.INVALID_ARGUMENT: (ductus.InvalidArgument, ValueError),
        ductus.ErrorCode.UNKNOWN_MODEL: (ductus.UnknownModel, LookupError),
        ductus.ErrorCode.UNUSABLE_MODEL: (ductus.UnusableModel, Exception),
        ductus.ErrorCode.TOO_LARGE: (ductus.TooLarge, ValueError),
        ductus.ErrorCode.UNREADABLE_FILE: (ductus.UnreadableFile, OSError),
        ductus.ErrorCode.FAILED: (ductus.DuctusError, Exception),
    }
    for code in ductus.ErrorCode:
        if code is ductus.ErrorCode.NO_LIBRARY:
            continue
        error = error_of(int(code), "message")
        assert type(error) is classes[code][0] and isinstance(error, classes[code][1])
        assert error.code is code and str(error) == "message"


def test_a_code_of_a_later_library_is_kept() -> None:
    error = error_of(99, "message")
    assert type(error) is ductus.DuctusError and error.code == 99


def test_unknown_models_are_errors(tmp_path: Path) -> None:
    with pytest.raises(ductus.UnknownModel) as caught:
        ductus.Recognizer("none")
    assert caught.value.code is ductus.ErrorCode.UNKNOWN_MODEL
    with pytest.raises(ductus.DuctusError):
        ductus.Recognizer(tmp_path / "none.ductus")
    with pytest.raises(ductus.InvalidArgument):
        ductus.Recognizer("a\0b")


def test_a_damaged_model_is_an_error(tmp_path: Path) -> None:
    bundle = tmp_path / "broken.ductus"
    bundle.mkdir()
    (bundle / "manifest.json").write_text("{}")
    with pytest.raises(ductus.UnusableModel) as caught:
        ductus.Recognizer(bundle)
    assert caught.value.code is ductus.ErrorCode.UNUSABLE_MODEL


def test_unreadable_files_are_errors(tmp_path: Path) -> None:
    for path in (tmp_path / "none.jsonl", tmp_path):
        with pytest.raises(OSError) as caught:
            ductus.read_ink(path)
        assert isinstance(caught.value, ductus.UnreadableFile)
        assert caught.value.code is ductus.ErrorCode.UNREADABLE_FILE


def test_too_many_points_are_an_error() -> None:
    numpy = pytest.importorskip("numpy")
    # More points than one ink may have.
    with ductus.Recognizer("latin-lines") as recognizer:
        with pytest.raises(ductus.TooLarge) as caught:
            recognizer.recognize([numpy.zeros((4_000_001, 2))])
    assert caught.value.code is ductus.ErrorCode.TOO_LARGE


def found_with(library: str, home: Path) -> str:
    """What a process that may use this library prints about it."""
    environment = {**os.environ, "DUCTUS_LIBRARY": library, "HOME": str(home)}
    program = (
        "import ductus\n"
        "try: print(ductus.version())\n"
        "except ductus.LibraryNotFound as error: print(int(error.code), error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout


def test_a_missing_library_is_named_with_the_remedy(tmp_path: Path) -> None:
    found = found_with(str(tmp_path / "libductus.so"), tmp_path)
    assert found.startswith("-1 ") and str(tmp_path / "libductus.so") in found
    assert "scripts/install" in found and "scripts/wheel" in found


def test_another_library_is_named(tmp_path: Path) -> None:
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler")
    source, library = tmp_path / "other.c", tmp_path / "libother.so"
    source.write_text("int other(void) { return 1; }\n")
    subprocess.run([compiler, "-shared", "-fPIC", "-o", library, source], check=True)
    assert "expected the function ductus_abi_version, found none" in found_with(
        str(library), tmp_path
    )


def test_a_missing_blas_is_named_with_its_package(tmp_path: Path) -> None:
    from ductus._library import _advice

    reason = "libblas.so.3: cannot open shared object file: No such file or directory"
    assert "apt-get install libopenblas0" in _advice("/x/libductus.so", reason)
