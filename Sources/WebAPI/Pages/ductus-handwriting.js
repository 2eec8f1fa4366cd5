// The draft Handwriting Recognition API of the web platform over the HTTP interface of Ductus
// (https://wicg.github.io/handwriting-recognition/). A module without dependencies:
//
//   import { createHandwritingRecognizer, HandwritingStroke } from "./ductus-handwriting.js";
//   const recognizer = await createHandwritingRecognizer({ languages: ["en"] });
//   const drawing = recognizer.startDrawing({ alternatives: 3 });
//   const stroke = new HandwritingStroke();
//   stroke.addPoint({ x: 10, y: 20, t: 0 });
//   drawing.addStroke(stroke);
//   const [best] = await drawing.getPrediction();
//
// The last argument names the server: { server, token, model, preferBrowser, fetch }.

/** One point of a stroke. A force, if the pen reports one, improves recognition.
 * @typedef {{x: number, y: number, t?: number, force?: number}} HandwritingPoint */

/** @typedef {{server?: string, token?: string, model?: string, preferBrowser?: boolean,
 *   fetch?: typeof fetch}} DuctusOptions */

/** A stroke: the points of the pen from when it touches the surface until it leaves. */
export class HandwritingStroke {
  #points = [];

  /** Adds a point; x and y must be finite. @param {HandwritingPoint} point */
  addPoint(point) {
    const { x, y, t, force } = point ?? {};
    if (!Number.isFinite(x) || !Number.isFinite(y)) {
      throw new TypeError("addPoint: expected finite x and y");
    }
    const kept = { x, y };
    if (Number.isFinite(t)) kept.t = t;
    if (Number.isFinite(force)) kept.force = force;
    this.#points.push(kept);
  }

  /** Returns copies of the points. */
  getPoints() {
    return this.#points.map((point) => ({ ...point }));
  }

  /** Removes all points. */
  clear() {
    this.#points = [];
  }
}

/** Strokes that are read together. Made by HandwritingRecognizer.startDrawing. */
export class HandwritingDrawing {
  #recognizer;
  #hints;
  #strokes = [];

  constructor(recognizer, hints) {
    this.#recognizer = recognizer;
    this.#hints = hints;
  }

  addStroke(stroke) {
    if (!(stroke instanceof HandwritingStroke)) {
      throw new TypeError("addStroke: expected a HandwritingStroke");
    }
    this.#strokes.push(stroke);
  }

  /** Removes a stroke that was added; any other stroke is ignored. */
  removeStroke(stroke) {
    this.#strokes = this.#strokes.filter((each) => each !== stroke);
  }

  clear() {
    this.#strokes = [];
  }

  getStrokes() {
    return [...this.#strokes];
  }

  /** Reads the present strokes. Returns predictions, best first, or none without strokes. */
  async getPrediction() {
    if (this.#strokes.every((stroke) => stroke.getPoints().length === 0)) return [];
    return this.#recognizer._predict(this.#strokes, this.#hints);
  }
}

/** Reads drawings with one model. Made by createHandwritingRecognizer. */
export class HandwritingRecognizer {
  #connection;
  #choice;
  #isFinished = false;

  constructor(connection, choice) {
    this.#connection = connection;
    this.#choice = choice;
  }

  startDrawing(hints = {}) {
    if (this.#isFinished) throw invalidState();
    return new HandwritingDrawing(this, { ...hints });
  }

  /** Ends the recogniser; its drawings can no longer be read. */
  finish() {
    this.#isFinished = true;
  }

  async _predict(strokes, hints) {
    if (this.#isFinished) throw invalidState();
    const request = { ...this.#choice, strokes: strokes.map(columns), spans: true };
    const alternatives = hints.alternatives ?? 3;
    request.candidates = Math.min(100, 1 + Math.max(0, Math.trunc(alternatives)));
    if (hints.textContext) request.preContext = lastCharacters(hints.textContext, 10000);
    if (hints.recognitionType === "per-character") {
      request.layout = "glyph";
    }
    const answer = await this.#connection.post(request);
    return answer.candidates.map(prediction);
  }
}

/** Makes a recogniser for languages.
 * @param {{languages?: string[]}} constraint  the languages, the most important first
 * @param {DuctusOptions} options
 * @throws NotSupportedError if no model reads the first language */
export async function createHandwritingRecognizer(constraint = {}, options = {}) {
  const own = options.preferBrowser ? globalThis.navigator?.createHandwritingRecognizer : undefined;
  if (own) {
    try {
      return await own.call(globalThis.navigator, constraint);
    } catch {
      // The browser has this interface but not the language; the server may have it.
    }
  }
  const connection = new Connection(options);
  if (options.model) return new HandwritingRecognizer(connection, { model: options.model });
  const language = constraint.languages?.[0];
  if (language === undefined) return new HandwritingRecognizer(connection, {});
  if (!reads(await connection.models(), language)) {
    throw new DOMException(`no model reads the language ${language}`, "NotSupportedError");
  }
  return new HandwritingRecognizer(connection, { language });
}

/** Returns the features of a recogniser for languages; null if no model reads the first one.
 * @param {{languages?: string[]}} constraint
 * @param {DuctusOptions} options */
export async function queryHandwritingRecognizer(constraint = {}, options = {}) {
  const own = options.preferBrowser ? globalThis.navigator?.queryHandwritingRecognizer : undefined;
  if (own) {
    const found = await own.call(globalThis.navigator, constraint);
    if (found) return found;
  }
  const models = await new Connection(options).models();
  const language = constraint.languages?.[0];
  if (language !== undefined && !reads(models, language)) return null;
  return {
    textAlternatives: true,
    textSegmentation: true,
    hints: {
      recognitionType: ["text", "per-character"],
      inputType: ["mouse", "touch", "stylus"],
      textContext: true,
      alternatives: true,
    },
  };
}

/** The server that the functions above use. */
class Connection {
  #server;
  #token;
  #fetch;

  constructor({ server, token, fetch: own }) {
    // The default is the server that this module came from.
    this.#server = new URL(server ?? import.meta.url);
    this.#token = token;
    this.#fetch = own ?? globalThis.fetch.bind(globalThis);
  }

  async models() {
    return (await this.#ask("/v1/models", {})).models;
  }

  post(request) {
    return this.#ask("/v1/recognize", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(request),
    });
  }

  async #ask(path, request) {
    const headers = { ...request.headers };
    if (this.#token) headers.Authorization = `Bearer ${this.#token}`;
    let response, answer;
    try {
      response = await this.#fetch(new URL(path, this.#server), { ...request, headers });
      answer = await response.json();
    } catch (error) {
      throw new DOMException(`the recognition server does not answer: ${error}`, "NetworkError");
    }
    if (answer.error) {
      const { code, message, field } = answer.error;
      throw new DOMException(`${code}: ${field ? field + ": " : ""}${message}`, "OperationError");
    }
    return answer;
  }
}

/** Returns a stroke in the form of a request: columns. */
function columns(stroke) {
  const points = stroke.getPoints();
  const result = { x: points.map((point) => point.x), y: points.map((point) => point.y) };
  for (const name of ["t", "force"]) {
    if (points.some((point) => point[name] !== undefined)) {
      result[name] = points.map((point) => point[name] ?? null);
    }
  }
  return result;
}

/** Returns a candidate in the form of the draft: graphemes with their points. */
function prediction(candidate) {
  const graphemes = split(candidate.text);
  const characters = candidate.characters ?? [];
  const segmentationResult = [];
  // A glyph model does not locate single characters.
  if (graphemes.length === characters.length) {
    let beginIndex = 0;
    graphemes.forEach((grapheme, index) => {
      const endIndex = beginIndex + grapheme.length;
      segmentationResult.push({
        grapheme,
        beginIndex,
        endIndex,
        drawingSegments: characters[index].map((part) => ({
          strokeIndex: part.stroke,
          beginPointIndex: part.start,
          endPointIndex: part.end,
        })),
      });
      beginIndex = endIndex;
    });
  }
  return { text: candidate.text, segmentationResult };
}

function split(text) {
  return [...new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(text)].map(
    (each) => each.segment
  );
}

/** Returns true if a model reads a language: both have the same primary subtag. */
function reads(models, language) {
  const primary = (tag) => tag.toLowerCase().split(/[-_]/)[0];
  return models.some((model) => model.languages.some((tag) => primary(tag) === primary(language)));
}

function lastCharacters(text, count) {
  return [...text].slice(-count).join("");
}

function invalidState() {
  return new DOMException("the recognizer is finished", "InvalidStateError");
}
