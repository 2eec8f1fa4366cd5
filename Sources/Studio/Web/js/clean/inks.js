// Inks of opened data: drawings in packed form, texts that can be shown safely, and a store that
// fetches the inks of a range of the list.
import { ApiError, get, part, pause } from "/js/api.js";

// MARK: - Texts

const controls = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff]/gu;

/** Returns a label in which invisible characters can be seen and do nothing. */
export function visible(label, most = 200) {
  let text = label.length > most ? `${[...label.slice(0, 2 * most)].slice(0, most).join("")}…` : label;
  // Joiners between letters belong to the text.
  text = text.replace(/(\p{L}\p{M}*|\p{So}\ufe0f?|[\u{1f3fb}-\u{1f3ff}])\u200d(?=\p{L}|\p{So})/gu, "$1\ue000")
    .replace(controls, (each) => (each === "\n" ? "⏎" : `⟨${each.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`))
    .replace(/\ue000/g, "\u200d");
  if (text.trim() === "") return text.replace(/\s/gu, "␣");
  return text.replace(/^\s+|\s+$/gu, (blanks) => "␣".repeat(blanks.length));
}

// MARK: - Drawing

/** Decodes a drawing: the numbers of `strokes` are the points of each stroke, then its x and y. */
export function decode(drawing) {
  if (drawing.numbers) return drawing.numbers;
  const bytes = atob(drawing.strokes);
  const numbers = new Uint16Array(bytes.length >> 1);
  for (let i = 0; i < numbers.length; i++) {
    numbers[i] = bytes.charCodeAt(2 * i) | (bytes.charCodeAt(2 * i + 1) << 8);
  }
  drawing.numbers = numbers;
  drawing.strokes = null;
  return numbers;
}

/**
 * Draws a packed ink into a box, as large as fits. The style of the context is used.
 *
 * @returns the place of the ink: { left, top, scale }.
 */
export function drawPacked(context, drawing, width, height, margin = 7) {
  const numbers = decode(drawing);
  const wide = Math.max(drawing.width, 1), high = Math.max(drawing.height, 1);
  const isDot = Math.max(drawing.width, drawing.height) === 0;
  const scale = Math.min((width - 2 * margin) / wide, (height - 2 * margin) / high);
  const left = isDot ? width / 2 : (width - drawing.width * scale) / 2;
  const top = isDot ? height / 2 : (height - drawing.height * scale) / 2;
  context.lineCap = context.lineJoin = "round";
  context.beginPath();
  for (let i = 0; i < numbers.length;) {
    const count = numbers[i++];
    const x = left + numbers[i] * scale, y = top + numbers[i + 1] * scale;
    context.moveTo(x, y);
    // A line without length is drawn as a dot, because its ends are round.
    if (count === 1) context.lineTo(x, y);
    for (let end = i + 2 * count, j = i + 2; j < end; j += 2) {
      context.lineTo(left + numbers[j] * scale, top + numbers[j + 1] * scale);
    }
    i += 2 * count;
  }
  context.stroke();
  return { left, top, scale };
}

// MARK: - Store

/**
 * The inks of a filtered list, fetched in chunks when they are shown.
 *
 * Events: "loaded" with detail { from, to } when inks arrived; "total" when the length of the list
 * is known; "failed" with detail.error; "gone" when the data is no longer open.
 */
export class InkStore extends EventTarget {
  static chunk = 96;
  /** The chunks that are kept. */
  static most = 80;
  /** Requests under way at once. */
  static parallel = 3;

  total = 0;
  #wall;
  #query = {};
  #revision = null;
  #chunks = new Map();
  #requests = new Map();
  #wanted = [0, 0];
  #generation = 0;
  #isClosed = false;

  constructor(wall, query = {}) {
    super();
    this.#wall = wall;
    this.#query = query;
  }

  close() {
    this.#isClosed = true;
    this.#abort();
  }

  /** Shows another list. */
  setQuery(query) {
    this.#query = query;
    this.refresh();
  }

  /** Fetches the list again, as it is now. */
  refresh() {
    this.#abort();
    this.#generation += 1;
    this.#revision = null;
    this.#chunks.clear();
    this.want(...this.#wanted);
  }

  /** Returns the ink at a position of the list; undefined if it is not here. */
  at(position) {
    const chunk = this.#chunks.get(Math.floor(position / InkStore.chunk));
    return chunk?.[position % InkStore.chunk];
  }

  /** Says which positions are shown. Missing inks are fetched; others are no longer. */
  want(first, last) {
    this.#wanted = [first, last];
    if (this.#isClosed) return;
    const from = Math.floor(first / InkStore.chunk), to = Math.floor(Math.max(first, last - 1) / InkStore.chunk);
    for (const [chunk, controller] of this.#requests) {
      if (chunk < from - 1 || chunk > to + 1) {
        controller.abort();
        this.#requests.delete(chunk);
      }
    }
    // The shown chunks first, then their neighbours.
    for (let chunk = from; chunk <= to; chunk++) this.#fetch(chunk);
    if (this.#revision !== null) for (const chunk of [to + 1, from - 1]) this.#fetch(chunk);
  }

  /** Replaces inks that have changed; they keep their drawings. */
  update(inks) {
    const changed = new Map(inks.map((each) => [each.id, each]));
    for (const [index, chunk] of this.#chunks) {
      for (let i = 0; i < chunk.length; i++) {
        const ink = changed.get(chunk[i].id);
        if (ink) chunk[i] = { ...ink, drawing: chunk[i].drawing };
      }
      this.dispatchEvent(new CustomEvent("loaded", { detail: { from: index * InkStore.chunk, to: (index + 1) * InkStore.chunk } }));
    }
  }

  #abort() {
    for (const controller of this.#requests.values()) controller.abort();
    this.#requests.clear();
  }

  async #fetch(chunk) {
    if (chunk < 0 || this.#chunks.has(chunk) || this.#requests.has(chunk)) return;
    if (this.#requests.size >= InkStore.parallel || (this.#revision === null && this.#requests.size > 0)) return;
    if (this.#revision !== null && chunk * InkStore.chunk >= this.total) return;
    const controller = new AbortController();
    this.#requests.set(chunk, controller);
    const generation = this.#generation;
    const query = new URLSearchParams({ ...this.#query, from: chunk * InkStore.chunk, count: InkStore.chunk });
    if (this.#revision !== null) query.set("at", this.#revision);
    try {
      const answer = await get(`/v1/data/${part(this.#wall)}/inks?${query}`, { signal: controller.signal });
      if (generation !== this.#generation || this.#isClosed) return;
      if (this.#revision !== answer.revision) {
        // The list is another one than before: what was fetched does not belong to it.
        this.#chunks.clear();
        this.#revision = answer.revision;
      }
      const isNew = this.total !== answer.total || this.#chunks.size === 0;
      this.total = answer.total;
      this.#chunks.set(chunk, answer.inks);
      while (this.#chunks.size > InkStore.most) this.#chunks.delete(this.#chunks.keys().next().value);
      if (isNew) this.dispatchEvent(new Event("total"));
      this.dispatchEvent(new CustomEvent("loaded", { detail: { from: answer.from, to: answer.from + answer.inks.length } }));
    } catch (error) {
      if (error.name === "AbortError" || generation !== this.#generation || this.#isClosed) return;
      if (error instanceof ApiError && error.isTemporary) {
        await pause(800);
      } else {
        const isGone = error.status === 404 && error.field === "wall";
        this.dispatchEvent(isGone ? new Event("gone") : new CustomEvent("failed", { detail: { error } }));
        return;
      }
    } finally {
      if (this.#requests.get(chunk) === controller) this.#requests.delete(chunk);
    }
    if (generation === this.#generation && !this.#isClosed) this.want(...this.#wanted);
  }
}
