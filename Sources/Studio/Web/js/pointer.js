// What the surfaces for writing share: pointers that become strokes, and colours.
//
// A stroke is an object of columns: x, y, t (milliseconds), and where the device has them force (0 to
// 1), azimuth and altitude (radians).

/**
 * Calls actions by the names of pointer events: down, move, up, cancel, leave.
 *
 * Samples come from moves and what they coalesce. The event "pointerrawupdate" has them a little earlier, but on a busy
 * page Chromium's holds samples of the next strokes, too.
 */
export function listenToPointers(element, actions, wrap = (action) => action) {
  element.style.touchAction = "none";
  const names = { leave: "pointerleave", down: "pointerdown", move: "pointermove", up: "pointerup", cancel: "pointercancel" };
  for (const [key, action] of Object.entries(actions)) element.addEventListener(names[key], wrap(action), { passive: false });
  element.addEventListener("contextmenu", (event) => event.preventDefault());
}

/** Returns true if a pen is turned round, or its eraser button is pressed. */
export function isEraser(event) {
  return event.pointerType === "pen" && ((event.buttons & 32) !== 0 || event.button === 5);
}

function rounded(value, decimals) {
  const factor = 10 ** decimals;
  return Math.round(value * factor) / factor;
}

/** The stroke of a pointer that is down: all real samples, and guesses of the next ones. */
export class LiveStroke {
  stroke = { x: [], y: [], t: [] };
  /** Guesses of the next places, which never become ink: [{ x, y }]. */
  predicted = [];
  #box;
  #origin;
  #options;

  /**
   * @param element The element that is written on.
   * @param event The event of the pointer that comes down.
   * @param options place(x, y): the place of a pixel as { x, y }; origin: the time of t = 0;
   *   decimals: of places and of times.
   */
  constructor(element, event, options = {}) {
    this.id = event.pointerId;
    this.type = event.pointerType;
    this.#options = { place: (x, y) => ({ x, y }), decimals: [2, 1], ...options };
    this.#origin = options.origin ?? event.timeStamp;
    this.#box = element.getBoundingClientRect();
    this.#add(event);
  }

  /** Takes a move with its coalesced and predicted samples. */
  move(event) {
    const samples = event.getCoalescedEvents?.() ?? [];
    for (const each of samples.length > 0 ? samples : [event]) this.#add(each);
    this.predicted = (event.getPredictedEvents?.() ?? []).slice(0, 3).map((each) => this.#place(each));
  }

  /** Takes the last event, and returns the stroke. */
  end(event) {
    this.#add(event, true);
    const { stroke } = this;
    for (const key of ["force", "azimuth", "altitude"]) {
      if (stroke[key] && stroke[key].length !== stroke.x.length) delete stroke[key];
    }
    return stroke;
  }

  #place(event) {
    return this.#options.place(event.clientX - this.#box.left, event.clientY - this.#box.top);
  }

  #add(event, isLast = false) {
    const { stroke } = this;
    const [places, times] = this.#options.decimals;
    const place = this.#place(event);
    const [x, y] = [rounded(place.x, places), rounded(place.y, places)];
    const last = stroke.x.length - 1;
    if (last >= 0 && stroke.x[last] === x && stroke.y[last] === y) return;
    stroke.x.push(x);
    stroke.y.push(y);
    stroke.t.push(Math.max(0, rounded(event.timeStamp - this.#origin, times), last >= 0 ? stroke.t[last] : 0));
    if (event.pointerType !== "pen") return;
    // A pen that has left reports no force: the one before counts.
    const force = isLast && event.pressure === 0 && last >= 0 ? stroke.force?.[last] ?? 0 : Math.min(1, event.pressure);
    (stroke.force ??= []).push(rounded(force, 3));
    if (event.altitudeAngle === undefined) return;
    (stroke.azimuth ??= []).push(rounded(event.azimuthAngle, 3));
    (stroke.altitude ??= []).push(rounded(event.altitudeAngle, 3));
  }
}

/** The colours of an element by the names of CSS variables. `onchange` is called when the theme changes. */
export class Palette {
  #element;
  #colours = new Map();
  #scheme = matchMedia("(prefers-color-scheme: dark)");

  constructor(element, onchange) {
    this.#element = element;
    this.changed = () => {
      this.#colours.clear();
      onchange();
    };
    this.#scheme.addEventListener("change", this.changed);
    document.addEventListener("themechange", this.changed);
  }

  get(name) {
    if (!this.#colours.has(name)) {
      this.#colours.set(name, getComputedStyle(this.#element).getPropertyValue(`--${name}`).trim() || "black");
    }
    return this.#colours.get(name);
  }

  remove() {
    this.#scheme.removeEventListener("change", this.changed);
    document.removeEventListener("themechange", this.changed);
  }
}
