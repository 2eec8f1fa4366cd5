// A surface to write on, and drawing of ink.
//
// A stroke is an object of columns: x, y (CSS pixels), t (ms), and where the device has them force
// (0 to 1), azimuth and altitude (radians).

const optional = ["force", "azimuth", "altitude"];

/** Returns a stroke without points. */
export function emptyStroke() {
  return { x: [], y: [], t: [] };
}

function add(stroke, event, box, origin) {
  const x = event.clientX - box.left;
  const y = event.clientY - box.top;
  const last = stroke.x.length - 1;
  const time = Math.round((event.timeStamp - origin) * 10) / 10;
  if (last >= 0 && stroke.x[last] === x && stroke.y[last] === y) return;
  stroke.x.push(Math.round(x * 100) / 100);
  stroke.y.push(Math.round(y * 100) / 100);
  stroke.t.push(last >= 0 ? Math.max(time, stroke.t[last]) : time);
  if (event.pointerType === "pen") {
    (stroke.force ??= []).push(Math.round(event.pressure * 1000) / 1000);
    if (event.altitudeAngle !== undefined) {
      (stroke.azimuth ??= []).push(Math.round(event.azimuthAngle * 1000) / 1000);
      (stroke.altitude ??= []).push(Math.round(event.altitudeAngle * 1000) / 1000);
    }
  }
}

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

/** Decides which pointers write: a palm beside a pen does not. */
class PalmRejection {
  #penTime = -Infinity;
  #penIsDown = false;

  /** Milliseconds after a pen was seen in which touches are palms. */
  static penMemory = 2500;
  /** The width of a contact in CSS pixels above which it is a palm. */
  static widestTip = 60;

  accepts(event) {
    if (event.pointerType === "pen") {
      this.#penTime = event.timeStamp;
      this.#penIsDown = true;
      return true;
    }
    if (event.pointerType === "touch") {
      if (this.#penIsDown || event.timeStamp - this.#penTime < PalmRejection.penMemory) return false;
      return Math.max(event.width, event.height) <= PalmRejection.widestTip;
    }
    return event.button === 0;
  }

  ended(event) {
    if (event.pointerType !== "pen") return;
    this.#penIsDown = false;
    this.#penTime = event.timeStamp;
  }

  hovered(event) {
    if (event.pointerType === "pen") this.#penTime = event.timeStamp;
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
  #predicted = null;
  #pointer = null;
  #palms = new PalmRejection();
  #origin = null;
  #drawn = 0;
  #isDue = false;
  #base;
  #top;
  #baseContext;
  #topContext;
  #observer;
  #colours = new Map();

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
    this.scheme = matchMedia("(prefers-color-scheme: dark)");
    this.scheme.addEventListener("change", this.#recolour);
    document.addEventListener("themechange", this.#recolour);
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
    return this.#pointer !== null;
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
    this.scheme.removeEventListener("change", this.#recolour);
    document.removeEventListener("themechange", this.#recolour);
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
    const top = this.#top;
    top.style.touchAction = "none";
    top.addEventListener("pointerdown", (event) => this.#down(event));
    top.addEventListener("pointermove", (event) => this.#move(event));
    top.addEventListener("pointerup", (event) => this.#up(event, true));
    top.addEventListener("pointercancel", (event) => this.#up(event, false));
    top.addEventListener("contextmenu", (event) => event.preventDefault());
  }

  #down(event) {
    if (this.#pointer !== null && event.pointerType === "pen" && this.#live.type === "touch") {
      // The touch before the pen was the palm.
      this.#live = this.#pointer = null;
    }
    if (this.#pointer !== null || !this.#palms.accepts(event)) return;
    event.preventDefault();
    this.#top.setPointerCapture(event.pointerId);
    this.#pointer = event.pointerId;
    this.#origin ??= event.timeStamp;
    this.#live = { stroke: emptyStroke(), box: this.#top.getBoundingClientRect(), type: event.pointerType };
    add(this.#live.stroke, event, this.#live.box, this.#origin);
    this.dispatchEvent(new Event("strokestart"));
    this.#schedule();
  }

  #move(event) {
    if (event.pointerId !== this.#pointer) {
      this.#palms.hovered(event);
      return;
    }
    const samples = event.getCoalescedEvents?.() ?? [];
    for (const each of samples.length > 0 ? samples : [event]) {
      add(this.#live.stroke, each, this.#live.box, this.#origin);
    }
    const predicted = event.getPredictedEvents?.() ?? [];
    this.#predicted = predicted.slice(0, 3).map((each) => [
      each.clientX - this.#live.box.left, each.clientY - this.#live.box.top,
    ]);
    this.dispatchEvent(new Event("progress"));
    this.#schedule();
  }

  #up(event, isComplete) {
    this.#palms.ended(event);
    if (event.pointerId !== this.#pointer) return;
    const { stroke, box } = this.#live;
    if (isComplete) add(stroke, event, box, this.#origin);
    this.#live = this.#predicted = this.#pointer = null;
    this.#schedule();
    if (!isComplete) return;
    const tidied = tidy(stroke);
    this.strokes.push(tidied);
    this.#undone = [];
    this.dispatchEvent(new CustomEvent("stroke", { detail: { stroke: tidied, time: performance.now() } }));
    this.#changed();
  }

  #changed() {
    this.dispatchEvent(new Event("change"));
  }

  // MARK: - Drawing

  #colour(name) {
    if (!this.#colours.has(name)) {
      this.#colours.set(name, getComputedStyle(this.parent).getPropertyValue(`--${name}`).trim() || "black");
    }
    return this.#colours.get(name);
  }

  #recolour = () => {
    this.#colours.clear();
    this.redraw();
  };

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
      this.options.background?.(base, width, height, (name) => this.#colour(name));
      this.#drawn = 0;
    }
    const ink = this.#colour("ink");
    while (this.#drawn < this.strokes.length) {
      const stroke = this.strokes[this.#drawn];
      base.strokeStyle = base.fillStyle = ink;
      drawStroke(base, stroke);
      for (const mark of this.#marks.get(this.#drawn) ?? []) {
        base.strokeStyle = base.fillStyle = this.#colour(mark.colour ?? "accent");
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
      if (this.#predicted?.length > 0) {
        top.lineWidth = 2.2;
        top.beginPath();
        top.moveTo(live.x.at(-1), live.y.at(-1));
        for (const [x, y] of this.#predicted) top.lineTo(x, y);
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
