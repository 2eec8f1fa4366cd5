"""Bodies that the studio accepts, as a start for random changes, and random values."""
import copy
import json
import random

STROKE = {"x": [10, 20.5, 30], "y": [10, 40, 10], "t": [0, 8, 16], "force": [0.2, 0.5, 0.4]}
SOURCE = {"kind": "names", "text": "circle\nline", "repetitions": 2, "shuffle": True, "seed": 1}
DATA = ["ink:symbols.jsonl"]

#: Bodies by the end of the path of their route.
VALID = {
    "/v1/recognize": [{"id": 1, "strokes": [STROKE], "candidates": 3, "spans": True, "preContext": "a",
                       "area": {"x": 0, "y": 0, "width": 100, "height": 50}, "model": "latin-lines"}],
    "/v1/studio/inks": [{"file": "written", "label": "a", "strokes": [STROKE],
                         "area": {"x": 0, "y": 0, "width": 100, "height": 50}}],
    "/v1/collect": [{"name": "x", "writer": "w1", "source": SOURCE,
                     "options": {"guides": True, "area": True, "line": 0.6}}],
    "/v1/collect-preview": [{"source": SOURCE}, {"source": {
        "kind": "builtIn", "list": "words", "choice": "balanced", "count": 10, "longest": 20, "seed": 2}}],
    "/samples/:prompt": [{"id": "a-1", "strokes": [STROKE], "surface": {"width": 600, "height": 200},
                          "area": {"x": 0, "y": 20, "width": 600, "height": 80}, "replaces": "a-0"}],
    "/options": [{"options": {"guides": False, "area": True, "line": 0.5}, "writer": "w2"}],
    "/v1/pages": [{"name": "x"}],
    "/rename": [{"name": "y"}],
    "/commands": [{"id": "a-1", "type": "strokes", "strokes": [dict(STROKE, time=1700000000000)]},
                  {"id": "a-2", "type": "erase", "path": STROKE}, {"id": "a-3", "type": "undo"},
                  {"id": "a-4", "type": "choose", "text": "a", "items": [1, 2]},
                  {"id": "a-5", "type": "clear"}, {"id": "a-6", "type": "redo"},
                  {"id": "a-7", "type": "language", "language": "de"},
                  {"id": "a-8", "type": "strokes", "strokes": [STROKE], "pen": "p-1"},
                  {"id": "a-9", "type": "highlight", "path": STROKE},
                  {"id": "b-1", "type": "select", "unit": "lasso", "path": STROKE},
                  {"id": "b-2", "type": "select", "unit": "word", "x": 10, "y": 10},
                  {"id": "b-3", "type": "select", "unit": "all"},
                  {"id": "b-4", "type": "edit", "edit": "move", "dx": 3, "dy": 4, "items": [1, 2]},
                  {"id": "b-5", "type": "edit", "edit": "scale", "x": 2, "y": 2, "about": "topLeft"},
                  {"id": "b-6", "type": "edit", "edit": "color", "color": "#C00000"},
                  {"id": "b-7", "type": "edit", "edit": "type", "content": "drawing"},
                  {"id": "b-8", "type": "edit", "edit": "copy"}, {"id": "b-9", "type": "paste", "x": 5, "y": 5},
                  {"id": "c-1", "type": "edit", "edit": "cut"}],
    "/v1/data/open": [{"data": DATA[0]}, {"data": DATA}],
    "/read": [{"model": "latin-lines"}, {"models": ["shapes"]}],
    "/examine": [{"folds": 3}, {"model": "shapes"}],
    "/decisions": [{"decisions": [{"ink": 0, "action": "relabel", "label": "line"}], "revision": 0}],
    "/v1/studio/train/plan": [{"data": DATA, "kind": "glyphs"}],
    "/v1/evaluations/confusion": [{"model": "shapes", "data": DATA}],
    "/v1/studio/keys": [{"name": "x", "publicKey": "AAAA"}],
}

MEMBERS = ["strokes", "x", "y", "t", "force", "label", "labels", "name", "data", "model", "models", "index",
           "text", "session", "prompts", "repetitions", "writer", "licence", "attribution", "area", "width",
           "height", "kind", "preset", "epochs", "seed", "output", "validation", "id", "decisions", "action",
           "revision", "candidates", "preContext", "alphabet", "layout", "language", "from", "to", "count",
           "last", "after", "offset", "query", "filter", "sort", "samples", "words", "file", "path", "source",
           "type", "items", "lists", "limit", "order", "suspects", "format", "list", "choice", "longest", "tag",
           "part", "unit", "existing", "inks", "command", "pack", "key", "catalog", "folds", "nth", "page",
           "pen", "isCancelled"]
TEXTS = ["", "a", "x", "../x", "x" * 2000, "\0", "é", "👍", "\u202e", "starter:digits", "ink:symbols.jsonl",
         "starter:", ":", "?", "ink:", "starter:shapes?limit=-1", "starter:digits?limit=99999999999999999999",
         "starter:digits?fold=0/0", "starter:digits?labels=(", "starter:digits?seed=x", "en", "line", "glyph",
         "fast", "NaN", "%00", "link", "accept", "drop", "relabel", "\n", "\r\n\r\n", "<script>", "a" * 101,
         "glyphs", "lines", "keep", "true", "0", "-1", "shapes", "latin-lines", "jiix", "svg", "text"]
NUMBERS = [0, 1, -1, 2, 0.5, 1e308, -1e308, 1e-320, 2 ** 31, 2 ** 53, 2 ** 63 - 1, 2 ** 63, -2 ** 63, 2 ** 64,
           1e18, 100, 3, 20, 1e9, -0.0]


class Fuzzer:
    """Makes random bodies and changes valid ones, by a seed."""

    def __init__(self, seed):
        self.chance = random.Random(seed)

    def value(self, depth=0):
        kind = self.chance.random()
        if kind < 0.3:
            return self.chance.choice(TEXTS)
        if kind < 0.55:
            return self.chance.choice(NUMBERS)
        if kind < 0.62:
            return self.chance.choice([None, True, False])
        if depth > 3:
            return []
        if kind < 0.8:
            return [self.value(depth + 1) for _ in range(self.chance.choice([0, 1, 2, 3, 40]))]
        return {self.chance.choice(MEMBERS): self.value(depth + 1)
                for _ in range(self.chance.randint(0, 6))}

    def body(self, path):
        """Returns the bytes of a body for a route."""
        known = next((bodies for end, bodies in VALID.items() if path.endswith(end)), None)
        if known and self.chance.random() < 0.7:
            value = self.changed(copy.deepcopy(self.chance.choice(known)))
        else:
            value = {name: self.value()
                     for name in self.chance.sample(MEMBERS, self.chance.randint(0, len(MEMBERS)))}
        data = json.dumps(value).encode()
        return self.broken(data) if self.chance.random() < 0.15 else data

    def changed(self, value):
        """Returns a value with up to three of its parts replaced, removed or repeated."""
        for _ in range(self.chance.choice([0, 1, 1, 1, 2, 3])):
            place, key = value, None
            while True:
                keys = list(place) if isinstance(place, dict) else range(len(place))
                if not keys:
                    break
                key = self.chance.choice(list(keys))
                if not isinstance(place[key], (dict, list)) or not place[key] or self.chance.random() < 0.35:
                    break
                place = place[key]
            if key is None:
                continue
            kind = self.chance.random()
            if kind < 0.7 or isinstance(place, list) and kind < 0.8:
                place[key] = self.value(2)
            elif isinstance(place, dict):
                del place[key]
            else:
                place.extend(place * self.chance.choice([1, 5, 500]))
        return value

    def broken(self, data):
        """Returns bytes with some of them changed."""
        data = bytearray(data[:20_000])
        for _ in range(self.chance.randint(1, 5)):
            if not data:
                break
            place = self.chance.randrange(len(data))
            change = self.chance.randrange(3)
            if change == 0:
                data[place] = self.chance.randrange(256)
            elif change == 1:
                del data[place:place + self.chance.randint(1, 9)]
            else:
                data[place:place] = bytes(self.chance.choices(range(256), k=self.chance.randint(1, 9)))
        return bytes(data)
