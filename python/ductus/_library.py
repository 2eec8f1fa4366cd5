"""The C interface of libductus, declared once for ctypes. See ductus.h."""

from __future__ import annotations

import ctypes
from ctypes import POINTER, Structure, c_char_p, c_double, c_int32, c_int64, c_uint64, c_void_p
from typing import Any, NoReturn, Optional, Sequence

from ._errors import InvalidArgument, LibraryNotFound, error_of
from ._places import find_library

#: The version of the binary interface that this module uses.
ABI_VERSION = 1


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


class ExportOptions(Structure):
    """ductus_export_options"""

    _fields_ = [
        ("size", c_uint64),
        ("title", c_char_p),
        ("scale", c_double),
        ("dpi", c_double),
        ("draws_ink", c_int32),
        ("without_struck_words", c_int32),
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
    ("ductus_export_options_default", ExportOptions, []),
    (
        "ductus_export",
        c_void_p,
        [c_void_p, POINTER(c_void_p), c_int64, c_char_p, POINTER(ExportOptions), _ERROR],
    ),
    ("ductus_file_bytes", c_void_p, [c_void_p]),
    ("ductus_file_size", c_int64, [c_void_p]),
    ("ductus_file_free", None, [c_void_p]),
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
    """Returns the library, which is loaded at the first call.

    It is a CDLL and not a PyDLL: other threads run while a function of it works.
    """
    global _loaded
    if _loaded is None:
        _loaded = _load(find_library())
    return _loaded


def _load(path: str) -> ctypes.CDLL:
    try:
        loaded = ctypes.CDLL(path)
    except OSError as error:
        raise LibraryNotFound(_advice(path, str(error))) from None
    for name, result, arguments in _FUNCTIONS:
        try:
            function = getattr(loaded, name)
        except AttributeError:
            raise LibraryNotFound(
                f"{path}: expected the function {name}, found none; install the module and the "
                "library of the same version",
            ) from None
        function.restype = result
        function.argtypes = list(arguments)
    found = loaded.ductus_abi_version()
    if found != ABI_VERSION:
        raise LibraryNotFound(
            f"{path}: expected interface version {ABI_VERSION}, found {found}; install the module "
            "and the library of the same version",
        )
    return loaded


def _advice(path: str, reason: str) -> str:
    """Says what is missing and how to get it."""
    for name in ("blas", "lapack"):
        if f"lib{name}.so" in reason and "cannot open" in reason:
            return (
                f"{path}: expected the library {name} on this system, found none ({reason}); "
                "install it, on Debian and Ubuntu with 'apt-get install libopenblas0', or install "
                "the wheel that scripts/wheel makes, which contains it"
            )
    return (
        f"{path}: expected libductus, found none ({reason}); install the wheel that scripts/wheel "
        "makes, or run 'scripts/install --prefix ~/.local', or set DUCTUS_LIBRARY to the path of "
        "libductus.so"
    )


def version() -> str:
    """Returns the version of the library."""
    return text(library().ductus_version())


def text(value: Optional[bytes]) -> str:
    """Returns a string of the library."""
    return "" if value is None else value.decode("utf-8")


def raise_error(error: c_void_p) -> NoReturn:
    """Raises an error of the library and frees it."""
    loaded = library()
    code = loaded.ductus_error_code(error)
    message = text(loaded.ductus_error_message(error))
    loaded.ductus_error_free(error)
    raise error_of(code, message)


def encoded(value: str, name: str) -> bytes:
    """Returns a string for the library. It must not contain a zero character."""
    if not isinstance(value, str):
        raise InvalidArgument(f"{name}: expected text, found {type(value).__name__}")
    if "\0" in value:
        raise InvalidArgument(f"{name}: expected text without zero characters")
    try:
        return value.encode("utf-8")
    except UnicodeEncodeError:
        raise InvalidArgument(f"{name}: expected text, found half of a surrogate pair") from None
