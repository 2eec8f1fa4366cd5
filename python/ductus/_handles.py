"""Handles of the library, which are freed when they are closed."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Optional

from ._errors import InvalidArgument


class Handle:
    """A handle of the library, which several threads may use.

    Closing frees it when the last call that uses it has returned: the library must not free a
    handle in use.
    """

    def __init__(self, pointer: int, free: Callable[[int], object], name: str) -> None:
        self._pointer: Optional[int] = pointer
        self._free = free
        self._name = name
        self._lock = threading.Lock()
        self._uses = 0
        self._is_closed = False

    @property
    def is_closed(self) -> bool:
        """True after ``close``."""
        return self._is_closed

    @contextmanager
    def use(self) -> Iterator[int]:
        """The handle, which is not freed while the block runs. Raises InvalidArgument if closed."""
        with self._lock:
            if self._is_closed or self._pointer is None:
                raise InvalidArgument(f"the {self._name} is closed; open another one")
            self._uses += 1
            pointer = self._pointer
        try:
            yield pointer
        finally:
            with self._lock:
                self._uses -= 1
                unused = self._taken_if_unused()
            if unused is not None:
                self._free(unused)

    def close(self) -> None:
        """Frees the handle, at the latest when the calls that use it have returned."""
        with self._lock:
            self._is_closed = True
            unused = self._taken_if_unused()
        if unused is not None:
            self._free(unused)

    def _taken_if_unused(self) -> Optional[int]:
        if not self._is_closed or self._uses > 0:
            return None
        pointer, self._pointer = self._pointer, None
        return pointer
