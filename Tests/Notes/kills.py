#!/usr/bin/env python3
"""Kills 'ductus notes index' with SIGKILL while notes are added, changed, moved and removed.

After each kill the index opens and can be searched. From time to time, and at the end, the index is
brought up to date, and each page of the notes is found once by a word of its own: none is lost, none is
there twice, and none that is gone is found.

    kills.py DUCTUS [--kills N] [--seed SEED] [--files N]
"""
import argparse
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time


class Notes:
    """Notes of typed pages, each with a word of its own."""

    def __init__(self, folder, count, chance):
        self.folder, self.chance, self.next = folder, chance, 0
        self.files = {}
        for number in range(count):
            self.write("%03d.xopp" % number, [self.word() for _ in range(chance.randint(1, 30))])

    def word(self):
        self.next += 1
        return "page%sx" % "".join(chr(97 + int(digit)) for digit in str(self.next))

    def write(self, name, words):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        pages = "".join(
            '<page width="595" height="842"><layer><text x="9" y="9" size="12">%s and common words</text>'
            "</layer></page>" % word for word in words)
        draft = self.folder / ".draft"
        draft.write_text("<xournal>%s</xournal>" % pages)
        draft.rename(path)
        self.files[name] = words

    def change(self):
        name = self.chance.choice(sorted(self.files))
        words = list(self.files[name])
        action = self.chance.randrange(5)
        if action == 0:
            words.insert(self.chance.randint(0, len(words)), self.word())
            self.write(name, words)
        elif action == 1 and len(words) > 1:
            words.pop(self.chance.randrange(len(words)))
            self.write(name, words)
        elif action == 2:
            self.chance.shuffle(words)
            self.write(name, words)
        elif action == 3:
            other = "moved/%s" % pathlib.Path(name).name
            (self.folder / "moved").mkdir(exist_ok=True)
            (self.folder / name).rename(self.folder / other)
            self.files[other] = self.files.pop(name)
        elif len(self.files) > 5:
            (self.folder / name).unlink()
            del self.files[name]
            self.write("new%d.xopp" % self.next, [self.word() for _ in range(self.chance.randint(1, 30))])


def run(tool, *arguments, text=None):
    return subprocess.run([tool, "notes", *arguments], input=text, capture_output=True, text=True)


def check(tool, notes, index):
    result = run(tool, "index", str(notes.folder), "--index", index)
    if result.returncode != 0:
        sys.exit("kills: the index cannot be brought up to date: " + result.stderr[-300:])
    expected = {word: (str(notes.folder / name), page)
                for name, words in notes.files.items() for page, word in enumerate(words, 1)}
    words = sorted(expected) + ["common"]
    result = run(tool, "search", "--limit", "100000", "--index", index,
                 text="".join(word + "\n" for word in words))
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    if len(answers) != len(words):
        sys.exit("kills: %d answers for %d queries" % (len(answers), len(words)))
    for answer in answers[:-1]:
        found = [(hit["path"], hit["page"]) for hit in answer["hits"]]
        if found != [expected[answer["query"]]]:
            sys.exit("kills: a page is lost or doubled: %s" % found)
    if len(answers[-1]["hits"]) != len(expected):
        sys.exit("kills: %d pages found, %d are there" % (len(answers[-1]["hits"]), len(expected)))
    return len(expected)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ductus")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    parser.add_argument("--files", type=int, default=60)
    options = parser.parse_args()
    tool = os.path.abspath(options.ductus)
    chance = random.Random(options.seed)
    print("seed %d" % options.seed)
    with tempfile.TemporaryDirectory() as temporary:
        base = pathlib.Path(os.path.realpath(temporary))
        notes = Notes(base / "notes", options.files, chance)
        index = str(base / "index.sqlite")
        # How long one run takes, so that kills come at any time of it.
        start = time.monotonic()
        check(tool, notes, index)
        whole = time.monotonic() - start
        died = pages = 0
        for kill in range(options.kills):
            for _ in range(chance.randint(1, 12)):
                notes.change()
            process = subprocess.Popen([tool, "notes", "index", str(notes.folder), "--index", index],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(chance.uniform(0, whole))
            process.kill()
            died += process.wait() != 0
            listed = run(tool, "list", "--index", index, "--json", "-")
            if listed.returncode != 0:
                sys.exit("kills: the index does not open after kill %d: %s" % (kill, listed.stderr[-300:]))
            if kill % 20 == 19:
                pages = check(tool, notes, index)
        pages = check(tool, notes, index)
        print("%d kills, %d before the end of the run; %d pages, none lost or doubled"
              % (options.kills, died, pages))


if __name__ == "__main__":
    main()
