"""The C interface of libductus, declared once for ctypes. See ductus.h."""

from __future__ import annotations

import ctypes
import ctypes.util
import os
from ctypes import POINTER, Structure, c_char_p, c_double, c_int32, c_int64, c_uint64, c_void_p
from typing import Any, Optional, Sequence

#: The version of the binary interface that this module uses.
ABI_VERSION = 1


class DuctusError(Exception):
    """An error of the library. The message says what happened and what to do."""


class InvalidArgument(DuctusError, ValueError):
    """An argument has an invalid value."""


class UnknownModel(DuctusError, LookupError):
    """No model has this name."""


class UnreadableFile(DuctusError, OSError):
    """A file is missing, or has no ink."""


_KINDS: dict[int, type[DuctusError]] = {1: InvalidArgument, 2: UnknownModel, 5: UnreadableFile}


class Point(Structure):
    """ductus_point"""

    _fields_ = [("x", c_double), ("y", c_double), ("t", c_double), ("force", c_double)]


class SpanStructure(Structure):
    """ductus_span"""

    _fields_ = [("stroke", c_int64), ("start", c_int64), ("end", c_int64)]


class WordStructure(Structure):
    """ductus_word"""

    _fields_ = [("start", c_int64), ("end", c_int64), ("confidence", c_double)]


class Options(Structure):
    """ductus_options"""

    _fields_ = [
        ("size", c_uint64),
        ("pre_context", c_char_p),
        ("alphabet", c_char_p),
        ("words", POINTER(c_char_p)),
        ("word_count", c_int64),
        ("word_bonus", c_double),
        ("area", c_double * 4),
        ("layout", c_int32),
        ("candidates", c_int32),
    ]


_ERROR = POINTER(c_void_p)

#: The name, result and arguments of each function of ductus.h that this module calls.
_FUNCTIONS: list[tuple[str, Any, Sequence[Any]]] = [
    ("ductus_abi_version", c_int32, []),
    ("ductus_version", c_char_p, []),
    ("ductus_error_code", c_int32, [c_void_p]),
    ("ductus_error_message", c_char_p, [c_void_p]),
    ("ductus_error_free", None, [c_void_p]),
    ("ductus_string_free", None, [c_void_p]),
    ("ductus_ink_new", c_void_p, []),
    ("ductus_ink_free", None, [c_void_p]),
    ("ductus_ink_add_stroke", c_int32, [c_void_p, POINTER(Point), c_int64, _ERROR]),
    ("ductus_ink_stroke_count", c_int64, [c_void_p]),
    ("ductus_ink_point_count", c_int64, [c_void_p, c_int64]),
    ("ductus_ink_points", c_int64, [c_void_p, c_int64, POINTER(Point), c_int64, _ERROR]),
    ("ductus_inks_read", c_void_p, [c_char_p, _ERROR]),
    ("ductus_inks_free", None, [c_void_p]),
    ("ductus_inks_count", c_int64, [c_void_p]),
    ("ductus_inks_label", c_char_p, [c_void_p, c_int64]),
    ("ductus_inks_ink", c_void_p, [c_void_p, c_int64]),
    ("ductus_recognizer_open", c_void_p, [c_char_p, _ERROR]),
    ("ductus_recognizer_model", c_char_p, [c_void_p]),
    ("ductus_recognizer_free", None, [c_void_p]),
    ("ductus_options_default", Options, []),
    ("ductus_recognize", c_void_p, [c_void_p, c_void_p, POINTER(Options), _ERROR]),
    ("ductus_recognize_json", c_void_p, [c_void_p, c_char_p]),
    ("ductus_result_free", None, [c_void_p]),
    ("ductus_result_count", c_int64, [c_void_p]),
    ("ductus_result_text", c_char_p, [c_void_p, c_int64]),
    ("ductus_result_score", c_double, [c_void_p, c_int64]),
    ("ductus_result_character_count", c_int64, [c_void_p, c_int64]),
    (
        "ductus_result_character_spans",
        c_int64,
        [c_void_p, c_int64, c_int64, POINTER(SpanStructure), c_int64],
    ),
    ("ductus_result_word_count", c_int64, [c_void_p, c_int64]),
    ("ductus_result_word", c_int32, [c_void_p, c_int64, c_int64, POINTER(WordStructure)]),
    ("ductus_result_word_text", c_char_p, [c_void_p, c_int64, c_int64]),
    ("ductus_result_line_count", c_int64, [c_void_p]),
    ("ductus_result_line_text", c_char_p, [c_void_p, c_int64]),
    ("ductus_result_line_strokes", c_int64, [c_void_p, c_int64, POINTER(c_int64), c_int64]),
    ("ductus_models_list", c_void_p, [_ERROR]),
    ("ductus_models_free", None, [c_void_p]),
    ("ductus_models_count", c_int64, [c_void_p]),
    ("ductus_models_identifier", c_char_p, [c_void_p, c_int64]),
    ("ductus_models_name", c_char_p, [c_void_p, c_int64]),
    ("ductus_models_kind", c_char_p, [c_void_p, c_int64]),
    ("ductus_models_languages", c_char_p, [c_void_p, c_int64]),
    ("ductus_model_verify", c_int32, [c_char_p, POINTER(c_void_p), _ERROR]),
]

_loaded: Optional[ctypes.CDLL] = None


def library() -> ctypes.CDLL:
    """Returns the library, which is loaded at the first call."""
    global _loaded
    if _loaded is None:
        _loaded = _load()
    return _loaded


def _load() -> ctypes.CDLL:
    named = os.environ.get("DUCTUS_LIBRARY")
    path = named or ctypes.util.find_library("ductus") or "libductus.so"
    try:
        loaded = ctypes.CDLL(path)
    except OSError as error:
        raise DuctusError(
            f"{path}: expected libductus, found none ({error}); install it with 'scripts/install "
            "--prefix P' and set DUCTUS_LIBRARY to P/lib/libductus.so"
        ) from None
    for name, result, arguments in _FUNCTIONS:
        function = getattr(loaded, name)
        function.restype = result
        function.argtypes = list(arguments)
    found = loaded.ductus_abi_version()
    if found != ABI_VERSION:
        raise DuctusError(
            f"{path}: expected interface version {ABI_VERSION}, found {found}; install the module "
            "and the library of the same version"
        )
    return loaded


def version() -> str:
    """Returns the version of the library."""
    return text(library().ductus_version())


def text(value: Optional[bytes]) -> str:
    """Returns a string of the library."""
    return "" if value is None else value.decode("utf-8")


def raise_error(error: c_void_p) -> None:
    """Raises an error of the library and frees it."""
    loaded = library()
    code = loaded.ductus_error_code(error)
    message = text(loaded.ductus_error_message(error))
    loaded.ductus_error_free(error)
    raise _KINDS.get(code, DuctusError)(message)


def encoded(value: str, name: str) -> bytes:
    """Returns a string for the library. It must not contain a zero character."""
    if "\0" in value:
        raise InvalidArgument(f"{name}: expected text without zero characters")
    try:
        return value.encode("utf-8")
    except UnicodeEncodeError:
        raise InvalidArgument(f"{name}: expected text, found half of a surrogate pair") from None
