"""Handwriting recognition on this machine: strokes to text.

    >>> from ductus import Recognizer
    >>> recognizer = Recognizer("latin-lines")
    >>> recognizer.recognize([[(0, 0), (10, 40), (20, 0)]])[0].text
    'v'

The module calls libductus, which ``scripts/install --prefix P`` installs. The environment variable
``DUCTUS_LIBRARY`` may contain its path; otherwise the system's library folders are searched.
"""

from ._ink import Area, InkSample, Stroke, Strokes, read_ink
from ._library import DuctusError, InvalidArgument, UnknownModel, UnreadableFile, version
from ._recognizer import (
    Candidate,
    Line,
    ModelInfo,
    Recognizer,
    Span,
    Word,
    installed_models,
    verify_model,
)

__all__ = [
    "Area",
    "Candidate",
    "DuctusError",
    "InkSample",
    "InvalidArgument",
    "Line",
    "ModelInfo",
    "Recognizer",
    "Span",
    "Stroke",
    "Strokes",
    "UnknownModel",
    "UnreadableFile",
    "Word",
    "installed_models",
    "read_ink",
    "verify_model",
    "version",
]
