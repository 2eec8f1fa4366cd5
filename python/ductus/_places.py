"""The places where libductus may be."""

from __future__ import annotations

import ctypes.util
import os
import site
import sys
from collections.abc import Iterator
from pathlib import Path

#: The environment variable with the path of the library. No other place is tried if it is set.
VARIABLE = "DUCTUS_LIBRARY"

#: The file name of the library on Linux, which is what the wheel and ``scripts/install`` put there.
FILE_NAME = "libductus.so"


def find_library() -> str:
    """Returns the path of the library, or its name if only the system's loader can find it.

    The order is: DUCTUS_LIBRARY; the library in the wheel; ``lib`` of this environment, of the
    Python that it is made from, and of ``~/.local``, where ``scripts/install`` puts it; the folders
    of the system.
    """
    named = os.environ.get(VARIABLE)
    if named:
        return named
    for place in _places():
        if place.is_file():
            return str(place)
    return ctypes.util.find_library("ductus") or FILE_NAME


def _places() -> Iterator[Path]:
    yield Path(__file__).resolve().parent / "lib" / FILE_NAME
    prefixes = [sys.prefix, sys.base_prefix, os.path.expanduser("~/.local")]
    # None where the user's packages are disabled, as in a virtual environment.
    if site.USER_BASE:
        prefixes.append(site.USER_BASE)
    for prefix in dict.fromkeys(prefixes):
        yield Path(prefix) / "lib" / FILE_NAME
