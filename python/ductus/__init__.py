"""Handwriting recognition on this machine: strokes to text.

    >>> from ductus import Recognizer
    >>> recognizer = Recognizer("latin-lines")
    >>> recognizer.recognize([[(0, 0), (10, 40), (20, 0)]])[0].text
    'v'

The wheel contains the library and the models. Without it, the module looks for libductus.so in
``lib`` of this environment and of ``~/.local``, where ``scripts/install`` puts it, and in the
folders of the system. The environment variable ``DUCTUS_LIBRARY`` names another one.
"""

from ._errors import (
    DuctusError,
    ErrorCode,
    InvalidArgument,
    LibraryNotFound,
    TooLarge,
    UnknownModel,
    UnreadableFile,
    UnusableModel,
)
from ._ink import Area, InkSample, read_ink
from ._library import version
from ._recognizer import (
    Candidate,
    Line,
    ModelInfo,
    Reading,
    Recognizer,
    Span,
    Word,
    installed_models,
    verify_model,
)
from ._strokes import Stroke, Strokes

__all__ = [
    "Area",
    "Candidate",
    "DuctusError",
    "ErrorCode",
    "InkSample",
    "InvalidArgument",
    "LibraryNotFound",
    "Line",
    "ModelInfo",
    "Reading",
    "Recognizer",
    "Span",
    "Stroke",
    "Strokes",
    "TooLarge",
    "UnknownModel",
    "UnreadableFile",
    "UnusableModel",
    "Word",
    "installed_models",
    "read_ink",
    "verify_model",
    "version",
]
