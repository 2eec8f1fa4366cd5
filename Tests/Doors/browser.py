#!/usr/bin/env python3
"""Writes real ink on the demo page in headless Chromium, and tests the JavaScript module there.

    browser.py URL FILE.jsonl [EXAMPLE]

URL is that of a running `ductus serve`; the first ink of the file must be read as its label.
EXAMPLE is the address of Examples/browser. Uses chromedriver (the WebDriver protocol), nothing else.
"""
import json
import re
import subprocess
import sys
import time
import urllib.error
import urllib.request


class Browser:
    """A session of headless Chromium."""

    def __init__(self):
        self.driver = subprocess.Popen(
            ["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            text=True)
        for line in self.driver.stdout:
            port = re.search(r"started successfully on port (\d+)", line)
            if port:
                break
        self.base = f"http://127.0.0.1:{port.group(1)}/session"
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1000,800",
                     "--disable-dev-shm-usage"]
        options = {"goog:chromeOptions": {"args": arguments}}
        session = self.call("", {"capabilities": {"alwaysMatch": options}})
        self.base += "/" + session["sessionId"]

    def call(self, path, body=None, method="POST"):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            self.base + path, data=data, method=method,
            headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=120) as response:
                return json.load(response)["value"]
        except urllib.error.HTTPError as error:
            sys.exit(f"browser: error: {path}: {error.read().decode()[:500]}")

    def open(self, url):
        self.call("/url", {"url": url})

    def run(self, script, *arguments):
        """Runs JavaScript; a promise is waited for."""
        body = f"const done = arguments[arguments.length - 1]; (async (...args) => {{ {script} }})" \
            "(...arguments).then(done, (error) => done({ failed: String(error) }));"
        result = self.call("/execute/async", {"script": body, "args": list(arguments)})
        if isinstance(result, dict) and "failed" in result:
            sys.exit(f"browser: error: {result['failed']}")
        return result

    def wait(self, script, what):
        for _ in range(300):
            value = self.run(script)
            if value:
                return value
            time.sleep(0.1)
        sys.exit(f"browser: error: expected {what}, found nothing of it after 30 s")

    def close(self):
        self.call("", method="DELETE")
        self.driver.terminate()
        self.driver.wait()


def check(condition, what):
    if not condition:
        sys.exit(f"browser: error: expected {what}")


def write(browser, strokes):
    """Draws strokes on the canvas with the pointer, as a person does."""
    box = browser.run("const b = document.getElementById('canvas').getBoundingClientRect();"
                      "return { x: b.x, y: b.y };")
    left = min(min(stroke["x"]) for stroke in strokes) - 20
    top = min(min(stroke["y"]) for stroke in strokes) - 20
    actions = []
    for stroke in strokes:
        for index, (x, y) in enumerate(zip(stroke["x"], stroke["y"])):
            place = {"x": round(box["x"] + x - left), "y": round(box["y"] + y - top)}
            actions.append({"type": "pointerMove", "duration": 0, "origin": "viewport", **place})
            if index == 0:
                actions.append({"type": "pointerDown", "button": 0})
        actions.append({"type": "pointerUp", "button": 0})
    pointer = {"type": "pointer", "id": "pen", "parameters": {"pointerType": "mouse"},
               "actions": actions}
    browser.call("/actions", {"actions": [pointer]})


MODULE = """
const { createHandwritingRecognizer, queryHandwritingRecognizer, HandwritingStroke } =
  await import("/ductus-handwriting.js");
const [strokes] = args;
const found = {};
found.query = await queryHandwritingRecognizer({ languages: ["en"] });
found.none = await queryHandwritingRecognizer({ languages: ["tlh"] });
try {
  await createHandwritingRecognizer({ languages: ["tlh"] });
} catch (error) {
  found.refused = error.name;
}
const recognizer = await createHandwritingRecognizer({ languages: ["en"] });
const drawing = recognizer.startDrawing({ alternatives: 2, textContext: "In " });
found.empty = await drawing.getPrediction();
const made = strokes.map((columns) => {
  const stroke = new HandwritingStroke();
  columns.x.forEach((x, i) => stroke.addPoint({ x, y: columns.y[i], t: columns.t?.[i] }));
  drawing.addStroke(stroke);
  return stroke;
});
found.predictions = await drawing.getPrediction();
found.points = made.map((stroke) => stroke.getPoints().length);
drawing.removeStroke(made[0]);
found.strokes = drawing.getStrokes().length;
try {
  made[0].addPoint({ x: NaN, y: 1 });
} catch (error) {
  found.nan = error.name;
}
recognizer.finish();
try {
  recognizer.startDrawing({});
} catch (error) {
  found.finished = error.name;
}
// Where the browser has its own, it can be preferred.
navigator.createHandwritingRecognizer = async () => "own";
found.own = await createHandwritingRecognizer({ languages: ["en"] }, { preferBrowser: true });
found.notOwn = (await createHandwritingRecognizer({ languages: ["en"] })).constructor.name;
return found;
"""


def main():
    url, path = sys.argv[1], sys.argv[2]
    with open(path, encoding="utf-8") as file:
        record = json.loads(file.readline())
    browser = Browser()
    try:
        browser.open(url)
        browser.wait("return document.body.dataset.ready === 'yes';", "the page to be ready")
        write(browser, record["strokes"])
        text = browser.wait("return document.getElementById('best').textContent;", "a text")
        for _ in range(100):
            if text.strip() == record["label"]:
                break
            time.sleep(0.1)
            text = browser.run("return document.getElementById('best').textContent;")
        check(text.strip() == record["label"], f"{record['label']} on the page, found {text!r}")
        browser.run("document.getElementById('clear').click();")
        browser.wait("return document.getElementById('best').textContent === '';", "no text")

        found = browser.run(MODULE, record["strokes"])
        best = found["predictions"][0]
        check(best["text"].strip() == record["label"], f"{record['label']}, found {best['text']!r}")
        check(found["query"]["textAlternatives"] and found["query"]["hints"]["textContext"],
              "alternatives and context in the query")
        check(found["none"] is None and found["refused"] == "NotSupportedError",
              "no recogniser for Klingon")
        check(found["empty"] == [], "no prediction for nothing")
        check(1 <= len(found["predictions"]) <= 3, "the best prediction and two alternatives")
        segments = best["segmentationResult"]
        check("".join(each["grapheme"] for each in segments) == best["text"], "all graphemes")
        check(all(best["text"][each["beginIndex"]:each["endIndex"]] == each["grapheme"]
                  for each in segments), "indices in the text")
        check(all(part["endPointIndex"] <= found["points"][part["strokeIndex"]]
                  for each in segments for part in each["drawingSegments"]), "points of the strokes")
        check(found["strokes"] == len(record["strokes"]) - 1, "one stroke less")
        check(found["nan"] == "TypeError" and found["finished"] == "InvalidStateError", "refusals")
        check(found["own"] == "own" and found["notOwn"] == "HandwritingRecognizer",
              "the browser's own recogniser only where it is preferred")

        if len(sys.argv) > 3:
            browser.open(sys.argv[3])
            text = browser.wait("const t = document.getElementById('text').textContent;"
                                "return t === '…' ? '' : t;", "a text on the example's page")
            check(text.strip() == record["label"], f"{record['label']} in the example, found {text!r}")
    finally:
        browser.close()
    print("browser: the page, the module and the example read real ink")


main()
