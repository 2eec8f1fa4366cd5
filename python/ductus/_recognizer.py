"""Recognisers and their candidates."""

from __future__ import annotations

import ctypes
import json
import math
import os
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any, Literal, Optional, Union

from . import _library as c
from ._errors import DuctusError, InvalidArgument
from ._handles import Handle
from ._ink import Area, ink_of
from ._strokes import Strokes

_LAYOUTS = {"auto": 0, "page": 1, "line": 2, "glyph": 3, "formula": 4}


@dataclass(frozen=True)
class Span:
    """The points of a stroke from ``start`` up to, but not including, ``end``; all count from 0."""

    stroke: int
    start: int
    end: int


@dataclass(frozen=True)
class Word:
    """A word: the characters of a candidate from ``start`` up to, but not including, ``end``.

    They are counted as in ``Candidate.characters``; a letter with its accents is one character.
    """

    text: str
    start: int
    end: int
    confidence: float


@dataclass(frozen=True)
class Candidate:
    """One reading of an ink.

    ``score`` is the natural logarithm of the probability that it is right. ``characters`` has the
    ink of each character; it is empty for glyph models, where the whole ink makes the label.
    """

    text: str
    score: float
    characters: list[list[Span]]
    words: list[Word]

    @property
    def probability(self) -> float:
        """The calibrated probability that the reading is right, 0 to 1."""
        return math.exp(self.score)


@dataclass(frozen=True)
class Line:
    """A line of the ink: its best reading and its strokes."""

    text: str
    strokes: list[int]


class Reading(list[Candidate]):
    """The candidates of an ink, best first, and its lines in reading order."""

    def __init__(self, candidates: Iterable[Candidate], lines: list[Line]) -> None:
        super().__init__(candidates)
        self.lines = lines


@dataclass(frozen=True)
class ModelInfo:
    """A model that can be opened by name."""

    identifier: str
    name: str
    kind: str
    languages: list[str]


class Recognizer:
    """Reads ink with one model. Several threads may use a recogniser at once, and run in parallel.

    >>> with Recognizer("latin-lines") as recognizer:
    ...     recognizer.recognize([[(0, 0), (10, 40), (20, 0)]])[0].text
    'v'
    """

    def __init__(self, model: Union[str, "os.PathLike[str]", None] = None) -> None:
        """Opens a model: a bundle by its path, a model by its name, or the model of a language.

        Without a name, text is read in English or the best of the languages whose packs are there.

        Raises UnknownModel if there is none, and UnusableModel if it is damaged.
        """
        library = c.library()
        error = ctypes.c_void_p()
        pointer = library.ductus_recognizer_open(
            None if model is None else c.encoded(os.fspath(model), "model"), ctypes.byref(error)
        )
        if not pointer:
            c.raise_error(error)
        self._handle = Handle(pointer, library.ductus_recognizer_free, "recognizer")
        self._model = c.text(library.ductus_recognizer_model(pointer))

    def close(self) -> None:
        """Frees the memory of the model, unless another recogniser uses it.

        Calls of other threads that read now go on to their end; later calls raise InvalidArgument.
        """
        self._handle.close()

    def __enter__(self) -> "Recognizer":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        # Without a handle, the model could not be opened.
        handle = getattr(self, "_handle", None)
        if handle is not None:
            handle.close()

    @property
    def model(self) -> str:
        """The identifier of the model."""
        return self._model

    def recognize(
        self,
        strokes: Strokes,
        *,
        pre_context: str = "",
        area: Optional[Area] = None,
        alphabet: Optional[str] = None,
        words: Optional[Iterable[str]] = None,
        word_bonus: Optional[float] = None,
        layout: Literal["auto", "page", "line", "glyph", "formula"] = "auto",
        candidates: int = 5,
    ) -> Reading:
        """Reads an ink.

        strokes      the strokes in the order they were written; see Stroke
        pre_context  the text before the ink
        area         the line that it was written on
        alphabet     the only characters that may be read; ``\\p{Nd}`` means all digits
        words        the only words that may be read; with a word_bonus, words that are preferred
        word_bonus   added to the score of each of the words; other words are read, too
        layout       the layout of the ink: one glyph, one line, a page, one formula (read with the
                     model ``formulas``), or found automatically
        candidates   the largest number of candidates

        Raises InvalidArgument for invalid values; the message names the stroke.
        """
        library = c.library()
        options = library.ductus_options_default()
        options.pre_context = c.encoded(pre_context, "pre_context")
        if alphabet is not None:
            options.alphabet = c.encoded(alphabet, "alphabet")
        if words is not None:
            if isinstance(words, str):
                raise InvalidArgument("words: expected a list of words, found text")
            encoded = [c.encoded(word, "words") for word in words]
            options.words = (ctypes.c_char_p * max(1, len(encoded)))(*encoded)
            options.word_count = len(encoded)
        if word_bonus is not None:
            options.word_bonus = word_bonus
        if area is not None:
            options.area = (ctypes.c_double * 4)(area.x, area.y, area.width, area.height)
        if layout not in _LAYOUTS:
            raise InvalidArgument(f"layout: expected one of {', '.join(_LAYOUTS)}")
        options.layout = _LAYOUTS[layout]
        if not 1 <= candidates <= 100:
            raise InvalidArgument(f"candidates: expected 1 to 100, found {candidates}")
        options.candidates = candidates
        with self._handle.use() as recognizer, _result(recognizer, strokes, options) as result:
            return Reading(
                [_candidate(result, each) for each in range(library.ductus_result_count(result))],
                [_line(result, each) for each in range(library.ductus_result_line_count(result))],
            )

    def export(
        self,
        pages: Iterable[Strokes],
        format: str,
        *,
        title: str = "",
        scale: Optional[float] = None,
        dpi: Optional[float] = None,
        draws_ink: bool = False,
        without_struck_words: bool = False,
    ) -> bytes:
        """Reads inks and returns them as a file, each ink as a page.

        pages    a list of inks, each as for ``recognize``
        format   pdf, png, jpeg, svg, text, markdown, html, docx, odt, graphml, mermaid, latex, mathml,
                 inkml, jiix, jsonl, unipen or xopp; png, jpeg, svg and jiix hold one page
        title    the name of the document
        scale    millimetres of a unit of the ink; without it, the writing has a usual height
        dpi      the pixels of an inch of png and jpeg, 150 if not given
        draws_ink             html also draws the ink, markdown its figures
        without_struck_words  leave out words that are struck through

        >>> with Recognizer("latin-lines") as recognizer:
        ...     recognizer.export([[[(0, 0), (10, 40), (20, 0)]]], "text")
        b'v\\n'

        Raises InvalidArgument for another format or no page.
        """
        library = c.library()
        options = library.ductus_export_options_default()
        options.title = c.encoded(title, "title")
        if scale is not None:
            options.scale = scale
        if dpi is not None:
            options.dpi = dpi
        options.draws_ink = int(draws_ink)
        options.without_struck_words = int(without_struck_words)
        name = c.encoded(format, "format")
        error = ctypes.c_void_p()
        with self._handle.use() as recognizer, ExitStack() as stack:
            inks = []
            for page in pages:
                ink = ink_of(page)
                stack.callback(ink.close)
                inks.append(stack.enter_context(ink.use()))
            pointers = (ctypes.c_void_p * max(1, len(inks)))(*inks)
            file = library.ductus_export(
                recognizer, pointers, len(inks), name, ctypes.byref(options), ctypes.byref(error)
            )
        if not file:
            c.raise_error(error)
        try:
            return ctypes.string_at(
                library.ductus_file_bytes(file), library.ductus_file_size(file)
            )
        finally:
            library.ductus_file_free(file)

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Answers a request of ``ductus recognize -``; errors are in the answer."""
        library = c.library()
        text = json.dumps(request).encode("utf-8")
        with self._handle.use() as recognizer:
            pointer = library.ductus_recognize_json(recognizer, text)
        if not pointer:
            raise DuctusError("the library gave no answer to the request")
        try:
            answer: dict[str, Any] = json.loads(ctypes.string_at(pointer))
            return answer
        finally:
            library.ductus_string_free(pointer)


@contextmanager
def _result(recognizer: int, strokes: Strokes, options: c.Options) -> Iterator[int]:
    """The result of a reading, which is freed at the end of the block."""
    library = c.library()
    error = ctypes.c_void_p()
    ink = ink_of(strokes)
    try:
        with ink.use() as pointer:
            result: Optional[int] = library.ductus_recognize(
                recognizer, pointer, ctypes.byref(options), ctypes.byref(error)
            )
    finally:
        ink.close()
    if not result:
        c.raise_error(error)
    try:
        yield result
    finally:
        library.ductus_result_free(result)


def _candidate(result: int, index: int) -> Candidate:
    library = c.library()
    text = c.text(library.ductus_result_text(result, index))
    characters = [
        _spans(result, index, each)
        for each in range(library.ductus_result_character_count(result, index))
    ]
    words = []
    for each in range(library.ductus_result_word_count(result, index)):
        word = c.WordStructure()
        library.ductus_result_word(result, index, each, ctypes.byref(word))
        word_text = c.text(library.ductus_result_word_text(result, index, each))
        words.append(Word(word_text, word.start, word.end, word.confidence))
    return Candidate(text, library.ductus_result_score(result, index), characters, words)


def _spans(result: int, index: int, character: int) -> list[Span]:
    library = c.library()
    count = library.ductus_result_character_spans(result, index, character, None, 0)
    spans = (c.SpanStructure * max(1, count))()
    library.ductus_result_character_spans(result, index, character, spans, count)
    return [Span(each.stroke, each.start, each.end) for each in spans[:count]]


def _line(result: int, index: int) -> Line:
    library = c.library()
    count = library.ductus_result_line_strokes(result, index, None, 0)
    strokes = (ctypes.c_int64 * max(1, count))()
    library.ductus_result_line_strokes(result, index, strokes, count)
    return Line(c.text(library.ductus_result_line_text(result, index)), list(strokes[:count]))


def installed_models() -> list[ModelInfo]:
    """Returns the models that can be opened by name."""
    library = c.library()
    error = ctypes.c_void_p()
    models = library.ductus_models_list(ctypes.byref(error))
    if not models:
        c.raise_error(error)
    try:
        return [
            ModelInfo(
                c.text(library.ductus_models_identifier(models, each)),
                c.text(library.ductus_models_name(models, each)),
                c.text(library.ductus_models_kind(models, each)),
                c.text(library.ductus_models_languages(models, each)).split(),
            )
            for each in range(library.ductus_models_count(models))
        ]
    finally:
        library.ductus_models_free(models)


def verify_model(model: Union[str, "os.PathLike[str]"]) -> Optional[str]:
    """Checks every byte of a model, by its name or path.

    Returns the public key that signed it, in Base64, or None if it is unsigned. Raises
    DuctusError if it is damaged.
    """
    library = c.library()
    error, signer = ctypes.c_void_p(), ctypes.c_void_p()
    name = c.encoded(os.fspath(model), "model")
    if library.ductus_model_verify(name, ctypes.byref(signer), ctypes.byref(error)):
        c.raise_error(error)
    if not signer.value:
        return None
    try:
        return ctypes.string_at(signer.value).decode("utf-8")
    finally:
        library.ductus_string_free(signer)
