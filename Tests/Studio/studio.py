"""What the tests of the studio share: a running studio, requests to it, ink, and the findings.

Only the standard library, so that the attacks run where no package can be installed.
"""
import ctypes
import http.client
import json
import math
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


class Failed(Exception):
    """A check that did not hold: the scenario ends."""


def check(condition, expected):
    """Ends the scenario if a condition does not hold."""
    if not condition:
        raise Failed(f"expected {expected}")


def wait_for(condition, expected, seconds=30, every=0.1):
    """Waits until a condition holds, and returns its value."""
    end = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise Failed(f"expected {expected} within {seconds} s")
        time.sleep(every)


def end_with_parent():
    """Ends this process with the test that started it, however that ends (Linux only)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)


class Studio:
    """A running `ductus studio` on a project folder."""

    def __init__(self, tool, folder, port=0, arguments=(), limit=None):
        self.tool, self.folder, self.port = tool, Path(folder), port
        self.arguments = list(arguments)
        self.limit = limit
        self.process = None
        self.start()

    def start(self):
        """Starts the studio, at the second start on the same port."""
        command = [self.tool, "studio", str(self.folder), "--port", str(self.port),
                   *self.arguments]
        if self.limit:
            command = ["bash", "-c", f'ulimit -n {self.limit} && exec "$@"', "bash", *command]
        self.log = open(self.folder.parent / f"{self.folder.name}.log", "a")
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=self.log, text=True,
            env={**os.environ, "OPENBLAS_NUM_THREADS": "1",
                 # The log of trainings and the installed models of the user stay as they are.
                 "DUCTUS_RUNS": str(self.folder.parent / "runs.sqlite"),
                 "DUCTUS_MODELS": str(self.folder.parent / "store")}, preexec_fn=end_with_parent)
        line = self.process.stdout.readline()
        found = re.search(r"http://[^/]*:(\d+)/\?token=(\S+)", line)
        if not found:
            raise Failed(f"expected the address of the studio, found {line!r}; see {self.log.name}")
        self.port, self.token = int(found[1]), found[2]
        # What else it prints must not fill the pipe.
        threading.Thread(target=lambda: self.process.stdout.read(), daemon=True).start()

    @property
    def host(self):
        return f"127.0.0.1:{self.port}"

    @property
    def base(self):
        return f"http://{self.host}"

    @property
    def address(self):
        """The address with the token."""
        return f"{self.base}/?token={self.token}"

    @property
    def is_alive(self):
        return self.process.poll() is None

    @property
    def resident_bytes(self):
        fields = Path(f"/proc/{self.process.pid}/statm").read_text().split()
        return int(fields[1]) * os.sysconf("SC_PAGE_SIZE")

    def kill(self):
        """Ends the studio as a power cut does, without its trainings."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self):
        """Asks the studio to end."""
        if self.is_alive:
            self.process.terminate()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.kill()
        self.log.close()

    def request(self, method, path, body=None, headers=None, token=True, timeout=60):
        """Sends a request as a program with the token does; returns status, headers and body."""
        headers = dict(headers or {})
        if token:
            headers.setdefault("Authorization", f"Bearer {self.token}")
        if isinstance(body, (dict, list)):
            body = json.dumps(body).encode()
        if body is not None:
            headers.setdefault("Content-Type", "application/json")
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        try:
            connection.request(method, path, body, headers)
            response = connection.getresponse()
            return response.status, response.headers, response.read()
        finally:
            connection.close()

    def get(self, path):
        """Returns the JSON of a path."""
        status, _, body = self.request("GET", path)
        check(status == 200, f"status 200 of {path}, found {status}: {body[:200]!r}")
        return json.loads(body)

    def raw(self, data, timeout=10, most=1 << 20):
        """Sends bytes and returns what comes back until the connection is closed or quiet."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=timeout) as connection:
            connection.sendall(data)
            result = b""
            connection.settimeout(timeout)
            try:
                while len(result) < most:
                    part = connection.recv(65536)
                    if not part:
                        break
                    result += part
                    if is_complete(result):
                        break
            except (TimeoutError, ConnectionError):
                pass
            return result


def free_port():
    """Returns a port that is free now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def is_complete(answer):
    """True if bytes hold one whole answer with a content length."""
    head, separator, rest = answer.partition(b"\r\n\r\n")
    length = re.search(rb"(?i)\r\ncontent-length: (\d+)", head)
    return bool(separator) and length is not None and len(rest) >= int(length[1])


def status_of(answer):
    """Returns the status in the bytes of an answer; 0 if there is none."""
    found = re.match(rb"HTTP/1\.1 (\d{3})", answer)
    return int(found[1]) if found else 0


def routes():
    """Returns all routes that the sources declare, as (method, path) with `:name` parameters."""
    found = set()
    for file in (ROOT / "Sources/Studio").rglob("*.swift"):
        for method, path in re.findall(
                r"StudioRoute\(\s*\.(\w+)\s*,\s*\"(/[^\"]*)\"", file.read_text()):
            found.add((method, path))
    for path in ("/v1/recognize", "/v1/models", "/v1/openapi.json"):
        found.add(("POST" if path == "/v1/recognize" else "GET", path))
    return sorted(found)


def filled(path, *values):
    """Replaces the parameters of a route."""
    values = list(values) or ["x"]
    count = [0]

    def value(_):
        count[0] += 1
        return values[(count[0] - 1) % len(values)]
    return re.sub(r"[:*][A-Za-z]\w*", value, path)


# MARK: - Ink

def read_ink(path):
    """Returns the records of a JSON Lines file of labelled ink."""
    with open(path) as file:
        return [json.loads(line) for line in file if line.strip()]


def paris():
    """Real ink of the word paris, from the examples."""
    return read_ink(ROOT / "Examples/ink/paris.jsonl")[0]


def symbol_ink():
    """Returns ink of twenty symbols of a person's own, as strokes by name."""
    return {each["label"]: points(each) for each in read_ink(Path(__file__).with_name("symbols.jsonl"))}


def points(record):
    """Returns the strokes of a record as lists of (x, y, force)."""
    return [[(x, y, force if force is not None else 0.5) for x, y, force in zip(
        stroke["x"], stroke["y"], stroke.get("force") or [None] * len(stroke["x"]))]
        for stroke in record["strokes"]]


def jittered(strokes, seed):
    """Returns strokes turned, stretched and bent a little, as a person repeats a symbol."""
    chance = random.Random(seed)
    angle, wide, high = chance.gauss(0, 0.08), chance.gauss(1, 0.1), chance.gauss(1, 0.1)
    slant = chance.gauss(0, 0.1)
    xs = [p[0] for s in strokes for p in s]
    ys = [p[1] for s in strokes for p in s]
    size = max(max(xs) - min(xs), max(ys) - min(ys), 1e-3)
    middle = (sum(xs) / len(xs), sum(ys) / len(ys))
    result = []
    for stroke in strokes:
        phase, amount = chance.uniform(0, 6.28), abs(chance.gauss(0, 0.012)) * size
        turned = []
        for index, (x, y, force) in enumerate(stroke):
            x, y = (x - middle[0]) * wide + slant * (y - middle[1]), (y - middle[1]) * high
            x, y = (x * math.cos(angle) - y * math.sin(angle),
                    x * math.sin(angle) + y * math.cos(angle))
            wave = 6.28 * index / max(8, len(stroke)) + phase
            turned.append((x + amount * math.sin(wave), y + amount * math.cos(1.3 * wave), force))
        result.append(turned)
    return result


def datasets():
    """Returns the folder of datasets, or None."""
    folder = Path(os.environ.get("INK_DATASETS", Path.home() / ".cache/ink-datasets"))
    return folder if folder.is_dir() else None


# MARK: - Running

def run(scenarios, only, prepare=None):
    """Runs scenarios by name; returns the number of failed ones."""
    failed = []
    for scenario in scenarios:
        name = scenario.__name__.replace("_", "-")
        if only and not any(each in name for each in only):
            continue
        started = time.monotonic()
        try:
            scenario(*(prepare(name) if prepare else ()))
            print(f"{Path(sys.argv[0]).stem}: {name}: passed in {time.monotonic() - started:.1f} s",
                  flush=True)
        except Exception as error:  # noqa: BLE001 (every failure is reported by its scenario)
            failed.append(name)
            text = str(error) if isinstance(error, Failed) else f"{type(error).__name__}: {error}"
            print(f"{Path(sys.argv[0]).stem}: error: {name}: {text}", file=sys.stderr, flush=True)
            if not isinstance(error, Failed) and os.environ.get("STUDIO_TRACE"):
                import traceback
                traceback.print_exc()
    return failed


class Folder:
    """A folder for a test that goes afterwards."""

    def __enter__(self):
        self.path = Path(tempfile.mkdtemp(prefix="ductus-studio-"))
        return self.path

    def __exit__(self, *_):
        # Trainings go on without the studio, so they are ended by their folder.
        for file in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                if os.fsencode(self.path) in file.read_bytes() and int(file.parent.name) != os.getpid():
                    os.kill(int(file.parent.name), signal.SIGKILL)
            except (OSError, ValueError):
                pass
        shutil.rmtree(self.path, ignore_errors=True)


def quoted(text):
    return urllib.parse.quote(text, safe="")
