// A surface to write on, and drawing of ink. Lengths are CSS pixels; pointer.js tells what a stroke is.
import { PalmRejection } from "/js/palm.js";
import { isEraser, LiveStroke, listenToPointers, Palette } from "/js/pointer.js";

const optional = ["force", "azimuth", "altitude"];

/** Returns a copy of a stroke whose optional columns have the length of the others. */
export function tidy(stroke) {
  const result = { x: stroke.x.slice(), y: stroke.y.slice() };
  if (stroke.t?.length === stroke.x.length) result.t = stroke.t.slice();
  for (const key of optional) {
    if (stroke[key]?.length === stroke.x.length) result[key] = stroke[key].slice();
  }
  return result;
}

/** Returns the box around strokes: { left, top, right, bottom }, or null without points. */
export function box(strokes) {
  let left = Infinity, top = Infinity, right = -Infinity, bottom = -Infinity;
  for (const stroke of strokes) {
    for (let i = 0; i < stroke.x.length; i++) {
      if (stroke.x[i] < left) left = stroke.x[i];
      if (stroke.x[i] > right) right = stroke.x[i];
      if (stroke.y[i] < top) top = stroke.y[i];
      if (stroke.y[i] > bottom) bottom = stroke.y[i];
    }
  }
  return left <= right ? { left, top, right, bottom } : null;
}

/** Draws one stroke in the present style of the context; a dot for a single point. */
export function drawStroke(context, stroke, from = 0, to = stroke.x.length, width = 2.6) {
  if (to - from < 1) return;
  const { x, y, force } = stroke;
  if (to - from === 1) {
    context.beginPath();
    context.arc(x[from], y[from], width / 2, 0, 2 * Math.PI);
    context.fill();
    return;
  }
  if (!force || force.length < to) {
    context.lineWidth = width;
    context.beginPath();
    context.moveTo(x[from], y[from]);
    for (let i = from + 1; i < to - 1; i++) {
      context.quadraticCurveTo(x[i], y[i], (x[i] + x[i + 1]) / 2, (y[i] + y[i + 1]) / 2);
    }
    context.lineTo(x[to - 1], y[to - 1]);
    context.stroke();
    return;
  }
  // The width follows the force.
  for (let i = from + 1; i < to; i++) {
    context.lineWidth = width * (0.45 + 1.1 * (force[i] + force[i - 1]) / 2);
    context.beginPath();
    context.moveTo(x[i - 1], y[i - 1]);
    context.lineTo(x[i], y[i]);
    context.stroke();
  }
}

/**
 * A canvas to write on. It fills its parent and follows its size.
 *
 * Events: "strokestart"; "progress" when the live stroke grew; "stroke" with detail.stroke and
 * detail.time when a stroke is complete; "change" after the strokes changed in any way, also after
 * "stroke". Pointer Events with coalesced samples; predicted samples are drawn and
 * never kept.
 */
export class InkSurface extends EventTarget {
  /** The complete strokes. Change them with the methods. */
  strokes = [];
  /** Colours of strokes by index, such as new Map([[0, "accent"]]); names of CSS variables. */
  #marks = new Map();
  #undone = [];
  #live = null;
  #palms = new PalmRejection();
  #origin = null;
  #drawn = 0;
  #isDue = false;
  #base;
  #top;
  #baseContext;
  #topContext;
  #observer;
  #palette;

  /**
   * @param parent The element to fill; it needs a position and a size.
   * @param options label: the name for screen readers; background(context, width, height): draws
   *   guide lines below the ink; readOnly.
   */
  constructor(parent, options = {}) {
    super();
    this.parent = parent;
    this.options = options;
    this.#base = document.createElement("canvas");
    this.#top = document.createElement("canvas");
    this.#base.className = this.#top.className = "ink";
    this.#base.setAttribute("aria-hidden", "true");
    this.#top.setAttribute("role", "img");
    this.#top.setAttribute("aria-label", options.label ?? "");
    this.#top.tabIndex = 0;
    this.#baseContext = this.#base.getContext("2d");
    this.#topContext = this.#top.getContext("2d", { desynchronized: true });
    parent.append(this.#base, this.#top);
    if (!options.readOnly) this.#listen();
    this.#observer = new ResizeObserver(() => this.#resize());
    this.#observer.observe(parent);
    this.#palette = new Palette(parent, () => this.redraw());
    this.#resize();
  }

  /** The element that takes pointer events. */
  get element() {
    return this.#top;
  }

  /** The stroke that is being written, or null. */
  get liveStroke() {
    return this.#live?.stroke ?? null;
  }

  /** True while a pointer writes. */
  get isWriting() {
    return this.#live !== null;
  }

  get canUndo() {
    return this.strokes.length > 0;
  }

  get canRedo() {
    return this.#undone.length > 0;
  }

  /** Removes the surface. */
  remove() {
    this.#observer.disconnect();
    this.#palette.remove();
    this.#base.remove();
    this.#top.remove();
  }

  /** Replaces all strokes. */
  setStrokes(strokes) {
    this.strokes = strokes.slice();
    this.#undone = [];
    this.#marks = new Map();
    this.redraw();
    this.#changed();
  }

  clear() {
    if (this.strokes.length === 0) return;
    this.setStrokes([]);
    this.#origin = null;
  }

  undo() {
    if (this.strokes.length === 0) return;
    this.#undone.push(this.strokes.pop());
    this.#marks = new Map();
    this.redraw();
    this.#changed();
  }

  redo() {
    if (this.#undone.length === 0) return;
    this.strokes.push(this.#undone.pop());
    this.redraw();
    this.#changed();
  }

  /**
   * Marks parts of the ink: an array of { stroke, start, end, colour }, where colour is the name of
   * a CSS variable without dashes. An empty array removes the marks.
   */
  mark(parts) {
    this.#marks = new Map();
    for (const each of parts) {
      if (!this.#marks.has(each.stroke)) this.#marks.set(each.stroke, []);
      this.#marks.get(each.stroke).push(each);
    }
    this.redraw();
  }

  /** Draws everything again, over several frames if there is much. */
  redraw() {
    this.#drawn = 0;
    this.#schedule();
  }

  // MARK: - Input

  #listen() {
    listenToPointers(this.#top, {
      down: (event) => this.#down(event),
      move: (event) => this.#move(event),
      up: (event) => this.#up(event, true),
      cancel: (event) => this.#up(event, false),
      leave: (event) => { if (event.pointerId !== this.#live?.id) this.#palms.left(event); },
    });
  }

  #down(event) {
    // The touch before the pen was the palm.
    if (event.pointerType === "pen" && this.#live?.type === "touch") this.#live = null;
    if (!this.#palms.accepts(event) || this.#live || isEraser(event)) return;
    // Who writes with a pen does not write with a finger, nor with the other buttons of a mouse.
    if (event.pointerType === "touch" ? this.#palms.hasPen : event.pointerType === "mouse" && event.button !== 0) return;
    event.preventDefault();
    this.#top.setPointerCapture(event.pointerId);
    this.#origin ??= event.timeStamp;
    this.#live = new LiveStroke(this.#top, event, { origin: this.#origin });
    this.dispatchEvent(new Event("strokestart"));
    this.#schedule();
  }

  #move(event) {
    if (event.pointerId !== this.#live?.id) return this.#palms.hovers(event);
    this.#live.move(event);
    this.dispatchEvent(new Event("progress"));
    this.#schedule();
  }

  #up(event, isComplete) {
    this.#palms.left(event);
    if (event.pointerId !== this.#live?.id) return;
    const stroke = this.#live.end(event);
    this.#live = null;
    this.#schedule();
    if (!isComplete) return;
    this.strokes.push(stroke);
    this.#undone = [];
    this.dispatchEvent(new CustomEvent("stroke", { detail: { stroke, time: performance.now() } }));
    this.#changed();
  }

  #changed() {
    this.dispatchEvent(new Event("change"));
  }

  // MARK: - Drawing

  #resize() {
    const { clientWidth: width, clientHeight: height } = this.parent;
    const scale = window.devicePixelRatio || 1;
    for (const canvas of [this.#base, this.#top]) {
      canvas.width = Math.max(1, Math.round(width * scale));
      canvas.height = Math.max(1, Math.round(height * scale));
      const context = canvas.getContext("2d");
      context.setTransform(scale, 0, 0, scale, 0, 0);
      context.lineCap = context.lineJoin = "round";
    }
    this.redraw();
    this.dispatchEvent(new Event("resize"));
  }

  #schedule() {
    if (this.#isDue) return;
    this.#isDue = true;
    requestAnimationFrame(() => {
      this.#isDue = false;
      this.#draw();
    });
  }

  /** Milliseconds of a frame that drawing may take. */
  static budget = 5;

  #draw() {
    const end = performance.now() + InkSurface.budget;
    const base = this.#baseContext;
    const { clientWidth: width, clientHeight: height } = this.parent;
    if (this.#drawn === 0 || this.#drawn > this.strokes.length) {
      base.clearRect(0, 0, width, height);
      this.options.background?.(base, width, height, (name) => this.#palette.get(name));
      this.#drawn = 0;
    }
    const ink = this.#palette.get("ink");
    while (this.#drawn < this.strokes.length) {
      const stroke = this.strokes[this.#drawn];
      base.strokeStyle = base.fillStyle = ink;
      drawStroke(base, stroke);
      for (const mark of this.#marks.get(this.#drawn) ?? []) {
        base.strokeStyle = base.fillStyle = this.#palette.get(mark.colour ?? "accent");
        drawStroke(base, stroke, mark.start ?? 0, Math.min(mark.end ?? stroke.x.length, stroke.x.length), 3.6);
      }
      this.#drawn += 1;
      if (this.#drawn % 16 === 0 && performance.now() > end) break;
    }
    const top = this.#topContext;
    top.clearRect(0, 0, width, height);
    if (this.#live) {
      top.strokeStyle = top.fillStyle = ink;
      const live = this.#live.stroke;
      drawStroke(top, live);
      if (this.#live.predicted.length > 0) {
        top.lineWidth = 2.2;
        top.beginPath();
        top.moveTo(live.x.at(-1), live.y.at(-1));
        for (const { x, y } of this.#live.predicted) top.lineTo(x, y);
        top.stroke();
      }
    }
    if (this.#drawn < this.strokes.length) this.#schedule();
  }
}

/** Draws strokes into a box of a context, as large as fits. */
export function drawFitted(context, strokes, width, height, margin = 6, lineWidth = 2) {
  const bounds = box(strokes);
  if (!bounds) return;
  // A dot has no size: it is drawn in the middle.
  const smallest = Math.max(bounds.right - bounds.left, bounds.bottom - bounds.top) > 0 ? 1e-6 : 1;
  const wide = Math.max(bounds.right - bounds.left, smallest);
  const high = Math.max(bounds.bottom - bounds.top, smallest);
  const scale = Math.min((width - 2 * margin) / wide, (height - 2 * margin) / high);
  const left = (width - wide * scale) / 2;
  const top = (height - high * scale) / 2;
  context.lineCap = context.lineJoin = "round";
  for (const stroke of strokes) {
    const fitted = {
      x: stroke.x.map((x) => left + (x - bounds.left) * scale),
      y: stroke.y.map((y) => top + (y - bounds.top) * scale),
    };
    drawStroke(context, fitted, 0, fitted.x.length, lineWidth);
  }
}
