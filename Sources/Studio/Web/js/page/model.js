// What the page knows of the document: strokes, blocks, lines and words. Lengths are millimetres.
import { t } from "/js/dom.js";

/** Millimetres between parts of one line of writing. */
const greatestGap = 10;

/** Returns the box of a stroke: { left, top, right, bottom }. */
export function boxOf(stroke) {
  let left = Infinity, top = Infinity, right = -Infinity, bottom = -Infinity;
  for (let i = 0; i < stroke.x.length; i++) {
    left = Math.min(left, stroke.x[i]);
    right = Math.max(right, stroke.x[i]);
    top = Math.min(top, stroke.y[i]);
    bottom = Math.max(bottom, stroke.y[i]);
  }
  return { left, top, right, bottom };
}

/** Returns whether two boxes are in the same line of writing, close to each other. */
function isBeside(box, other) {
  const high = Math.min(box[3], other[3]) - Math.max(box[1], other[1]);
  return high > 0.4 * Math.min(box[3] - box[1], other[3] - other[1])
    && box[0] - other[2] < greatestGap && other[0] - box[2] < greatestGap;
}

/** Returns true if a block has a name of its own: a shape, a formula, or a mark such as an underline. */
function isNamed(block) {
  return Boolean(block && (block.shape || block.mark || block.type === "Math"));
}

/** Returns the name of a shape, a formula or a mark. */
export function nameOf({ shape, mark, formula, type }) {
  if (formula) return textOf(formula);
  const name = shape?.label ?? mark;
  return name ? name.replaceAll("-", " ") : t(`page.${type.toLowerCase()}`);
}

/** Returns a formula as plain text, with its result. */
export function textOf({ text, result, isTrue }) {
  if (result) return `${text.replace(/ *=$/, "")} = ${result}`;
  return typeof isTrue === "boolean" ? `${text} ${isTrue ? "✓" : "✗"}` : text;
}

/** The document as the studio told it. Lines that did not change keep their identity. */
export class PageModel {
  /** The strokes by item: { id, x, y, force, color, box }. */
  strokes = new Map();
  /** The blocks by id: { id, type, box, lines, shape, mark, formula, items }. */
  blocks = new Map();
  /** The decorations: { kind, path, line, shape }. */
  decorations = [];
  /** The selected ink: { items, isPartial, box, types }; null for none. */
  selection = null;
  undo = 0;
  redo = 0;
  unread = 0;
  notices = [];
  /** The tag of the language that was chosen; null for the best one. */
  language = null;
  /** The radius of the eraser in millimetres. */
  eraserRadius = 0;
  /** True once a whole state is here. */
  isComplete = false;
  #words = new Map();
  #lines = null;
  #shapes = null;
  #parts = null;
  #rows = null;

  /**
   * Applies a message with changes.
   *
   * Returns { added, gone, recolored, blocks, shapes, selection }: strokes, and whether blocks, shapes or the selection changed. After the first message of
   * a connection, strokes that were known before and did not come again are in `gone` at its end.
   */
  apply(message) {
    const gone = [];
    if (message.isFirst) {
      this.#old = new Map(this.strokes);
      this.#oldBlocks = new Set(this.blocks.keys());
      this.isComplete = false;
    }
    const added = [];
    let hasShapes = false;
    for (const stroke of message.ink) {
      const known = this.strokes.get(stroke.id);
      this.#old?.delete(stroke.id);
      if (known && known.x.length === stroke.x.length && known.x[0] === stroke.x[0] && known.y[0] === stroke.y[0] && known.color === stroke.color) continue;
      if (known) gone.push(known);
      stroke.box = boxOf(stroke);
      this.strokes.set(stroke.id, stroke);
      added.push(stroke);
    }
    for (const id of message.gone) this.#drop(id, gone);
    for (const id of message.goneBlocks) {
      if (isNamed(this.blocks.get(id))) hasShapes = true;
      this.blocks.delete(id);
    }
    for (const block of message.blocks) {
      const old = this.blocks.get(block.id);
      if (isNamed(block) || isNamed(old)) hasShapes = true;
      block.lines = block.lines.map((line) => (typeof line === "number" ? old.lines[line] : line));
      this.#oldBlocks?.delete(block.id);
      this.blocks.set(block.id, block);
    }
    if (message.isComplete) {
      for (const id of this.#old?.keys() ?? []) this.#drop(id, gone);
      for (const id of this.#oldBlocks ?? []) this.blocks.delete(id);
      this.#old = this.#oldBlocks = null;
      this.isComplete = true;
    }
    if (message.decorations) {
      this.decorations = message.decorations.map((each) => ({ ...each, shape: new Path2D(each.path) }));
      hasShapes = true;
    }
    const recolored = [];
    for (const { id, color } of message.colors ?? []) {
      const stroke = this.strokes.get(id);
      if (!stroke || stroke.color === color) continue;
      stroke.color = color;
      recolored.push(stroke);
    }
    if (message.selection) this.selection = message.selection.items.length > 0 ? message.selection : null;
    const { undo, redo, unread, notices, language = null, eraserRadius } = message;
    Object.assign(this, { undo, redo, unread, notices, language, eraserRadius });
    const hasBlocks = message.blocks.length > 0 || message.goneBlocks.length > 0 || (message.isComplete && message.isFirst);
    if (hasBlocks) {
      this.#words = null;
      this.#lines = this.#shapes = this.#parts = this.#rows = null;
    }
    return {
      added, gone, recolored, blocks: hasBlocks, shapes: hasShapes || (message.isComplete && message.isFirst),
      selection: Boolean(message.selection),
    };
  }

  #old = null;
  #oldBlocks = null;

  #drop(id, gone) {
    const stroke = this.strokes.get(id);
    if (!stroke) return;
    this.strokes.delete(id);
    gone.push(stroke);
  }

  /** The lines of all texts from top to bottom: { box, words, items, heading, level, isLeftward }. */
  get lines() {
    if (this.#lines === null) {
      this.#lines = [...this.blocks.values()].flatMap((block) => block.lines)
        .sort((a, b) => a.box[1] + a.box[3] - b.box[1] - b.box[3] || a.box[0] - b.box[0]);
    }
    return this.#lines;
  }

  /** The shapes: blocks with a shape. */
  get shapes() {
    this.#shapes ??= [...this.blocks.values()].filter((block) => block.shape);
    return this.#shapes;
  }

  /** The formulas and marks: blocks that are neither text nor shape, with a name. */
  get parts() {
    this.#parts ??= [...this.blocks.values()].filter((block) => !block.shape && isNamed(block));
    return this.#parts;
  }

  /**
   * The lines, formulas and shapes from top to bottom, without plain lines beside text: they may be parts of
   * letters, see `besideLine`.
   */
  get rows() {
    this.#rows ??= [...this.lines, ...this.parts.filter((block) => block.formula), ...this.shapes.filter((block) => !this.#isBesideText(block))]
      .sort((a, b) => a.box[1] + a.box[3] - b.box[1] - b.box[3] || a.box[0] - b.box[0]);
    return this.#rows;
  }

  #isBesideText(block) {
    return block.shape.label === "line" && this.lines.some((line) => isBeside(line.box, block.box));
  }

  /** Returns the plain lines beside a line of text, which may be parts of its letters. */
  besideLine(line) {
    return this.shapes.filter((block) => block.shape.label === "line" && isBeside(line.box, block.box));
  }

  /** Returns the shape, formula or mark of an item, or null. */
  shape(item) {
    return [...this.shapes, ...this.parts].find((block) => block.items.includes(item)) ?? null;
  }

  /** Returns the items of a shape and of the text and lines beside it, which are one text with it. */
  textAround(block) {
    const parts = [...this.lines.filter((line) => isBeside(line.box, block.box)),
      ...this.shapes.filter((other) => other === block || (other.shape.label === "line" && isBeside(other.box, block.box)))];
    return [...new Set(parts.flatMap((part) => part.items))].sort((a, b) => a - b);
  }

  /** Returns the word of an item: { word, line }; null before it is read. */
  word(item) {
    if (this.#words === null) {
      this.#words = new Map();
      for (const line of this.lines) {
        for (const word of line.words) for (const id of word.items) this.#words.set(id, { word, line });
      }
    }
    return this.#words.get(item) ?? null;
  }

  /** Returns the block of an item, or null. */
  blockOf(item) {
    for (const block of this.blocks.values()) {
      if (block.items.includes(item) || block.lines?.some((line) => line.items.includes(item))) return block;
    }
    return null;
  }

  /** Returns true if an item is read as text, a shape or a drawing. */
  isRead(item) {
    if (this.word(item)) return true;
    for (const block of this.blocks.values()) if (block.items.includes(item)) return true;
    return false;
  }

  /** The box of all strokes, or null. */
  get box() {
    let result = null;
    for (const { box } of this.strokes.values()) {
      if (result === null) result = { ...box };
      result.left = Math.min(result.left, box.left);
      result.top = Math.min(result.top, box.top);
      result.right = Math.max(result.right, box.right);
      result.bottom = Math.max(result.bottom, box.bottom);
    }
    return result;
  }
}
