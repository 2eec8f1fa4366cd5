"""Errors, each with its code."""

from __future__ import annotations

from enum import IntEnum
from typing import ClassVar, Optional


class ErrorCode(IntEnum):
    """The kind of an error: the codes of ductus.h, and one for a library that cannot be loaded."""

    NO_LIBRARY = -1
    INVALID_ARGUMENT = 1
    UNKNOWN_MODEL = 2
    UNUSABLE_MODEL = 3
    TOO_LARGE = 4
    UNREADABLE_FILE = 5
    FAILED = 6


class DuctusError(Exception):
    """An error of the library, or of a call. The message says what happened and what to do.

    Each kind is a class of its own: catch DuctusError for all of them.
    """

    #: The code that errors of this class have unless they name another.
    default_code: ClassVar[int] = ErrorCode.FAILED

    #: The kind of the error: an ErrorCode, or a number that a later library has introduced.
    code: int

    def __init__(self, message: str, code: Optional[int] = None) -> None:
        super().__init__(message)
        self.code = self.default_code if code is None else code


class InvalidArgument(DuctusError, ValueError):
    """An argument has an invalid value, such as a stroke of an unknown shape."""

    default_code = ErrorCode.INVALID_ARGUMENT


class UnknownModel(DuctusError, LookupError):
    """No model has this name."""

    default_code = ErrorCode.UNKNOWN_MODEL


class UnusableModel(DuctusError):
    """The model is damaged, or cannot do what was asked for."""

    default_code = ErrorCode.UNUSABLE_MODEL


class TooLarge(DuctusError, ValueError):
    """There are more points, strokes or words than allowed."""

    default_code = ErrorCode.TOO_LARGE


class UnreadableFile(DuctusError, OSError):
    """A file is missing, or has no ink."""

    default_code = ErrorCode.UNREADABLE_FILE


class LibraryNotFound(DuctusError, ImportError):
    """libductus is not installed, cannot be loaded, or is of another version."""

    default_code = ErrorCode.NO_LIBRARY


_CLASSES: dict[int, type[DuctusError]] = {
    each.default_code: each
    for each in (InvalidArgument, UnknownModel, UnusableModel, TooLarge, UnreadableFile)
}


def error_of(code: int, message: str) -> DuctusError:
    """Returns an error of the library as an exception."""
    known = ErrorCode(code) if code in ErrorCode._value2member_map_ else code
    return _CLASSES.get(code, DuctusError)(message, known)
