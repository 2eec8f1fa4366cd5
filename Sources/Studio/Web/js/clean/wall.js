// A wall of ink: a list of any length of which only the visible cells exist.
import { h, perFrame, t } from "/js/dom.js";
import { drawPacked, visible } from "/js/clean/inks.js";

const sizes = {
  small: [64, 62], medium: [92, 84], large: [150, 132],
};
/** The cells of texts are wider. */
const textSizes = { small: [180, 62], medium: [280, 84], large: [440, 132] };
const caption = 24;

/**
 * The grid. The element takes the keyboard: arrows move, Enter opens.
 *
 * Events: "current" with detail { position } when another ink is current; "open" on Enter or click.
 */
export class Wall extends EventTarget {
  /** Milliseconds of a frame that drawing may take. */
  static budget = 5;

  element;
  current = 0;
  #store;
  #sizer = h("div.wall-sizer");
  #empty = h("p.wall-empty", { hidden: true });
  #cells = new Map();
  #free = [];
  #due = new Set();
  #isDrawing = false;
  #columns = 1;
  #size = "medium";
  #isOfTexts = false;
  #colours = null;
  #observer;
  #listeners = new AbortController();
  #update = perFrame(() => this.#layOut());

  constructor(label) {
    super();
    this.element = h("div.wall", {
      tabIndex: 0, role: "listbox", "aria-label": label, onscroll: () => this.#update(),
      onkeydown: (event) => this.#key(event), onclick: (event) => this.#click(event),
      onfocus: () => this.#mark(),
    }, this.#sizer, this.#empty);
    this.#observer = new ResizeObserver(() => this.#update());
    this.#observer.observe(this.element);
    const recolour = () => {
      this.#colours = null;
      for (const cell of this.#cells.values()) this.#queue(cell);
    };
    document.addEventListener("themechange", recolour, { signal: this.#listeners.signal });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", recolour, { signal: this.#listeners.signal });
  }

  remove() {
    this.#observer.disconnect();
    this.#listeners.abort();
    this.element.remove();
  }

  /** Shows the inks of a store. */
  show(store) {
    this.#store = store;
    store.addEventListener("total", () => this.#changed(store));
    store.addEventListener("loaded", (event) => {
      if (store !== this.#store) return;
      for (const [position, cell] of this.#cells) {
        if (position >= event.detail.from && position < event.detail.to) this.#fillCell(cell, position);
      }
    });
    this.current = 0;
    this.element.scrollTop = 0;
    this.#clear();
    this.#update();
  }

  /** Says what to show in an empty list. */
  setEmpty(text) {
    this.#empty.textContent = text;
  }

  setSize(size, isOfTexts) {
    this.#size = size;
    this.#isOfTexts = isOfTexts;
    this.#clear();
    this.#update();
    this.reveal();
  }

  /** Makes another ink the current one and scrolls to it. */
  setCurrent(position) {
    const last = Math.max(0, (this.#store?.total ?? 1) - 1);
    this.current = Math.max(0, Math.min(last, position));
    this.reveal();
    this.#mark();
    this.dispatchEvent(new CustomEvent("current", { detail: { position: this.current } }));
  }

  /** Scrolls so that the current ink can be seen. */
  reveal() {
    const [, height] = this.#cell();
    const top = Math.floor(this.current / this.#columns) * height;
    const { scrollTop, clientHeight } = this.element;
    if (top < scrollTop) this.element.scrollTop = top;
    else if (top + height > scrollTop + clientHeight) this.element.scrollTop = top + height - clientHeight;
  }

  #cell() {
    const [width, height] = (this.#isOfTexts ? textSizes : sizes)[this.#size];
    return [width, height + caption];
  }

  #changed(store) {
    if (store !== this.#store) return;
    this.#empty.hidden = store.total > 0;
    if (this.current >= store.total) this.setCurrent(store.total - 1);
    this.#update();
  }

  #clear() {
    for (const cell of this.#cells.values()) cell.element.remove();
    this.#cells.clear();
    this.#free = [];
    this.#due.clear();
  }

  // MARK: - Cells

  #layOut() {
    if (!this.#store) return;
    const [width, height] = this.#cell();
    const total = this.#store.total;
    this.#columns = Math.max(1, Math.floor((this.element.clientWidth - 8) / width));
    const share = Math.floor((this.element.clientWidth - 8) / this.#columns);
    this.#sizer.style.height = `${Math.ceil(total / this.#columns) * height}px`;
    const { scrollTop, clientHeight } = this.element;
    const first = Math.max(0, Math.floor(scrollTop / height)) * this.#columns;
    const last = Math.min(total, (Math.floor((scrollTop + clientHeight) / height) + 1) * this.#columns);
    this.#store.want(first, Math.max(last, first + 1));
    for (const [position, cell] of this.#cells) {
      if (position >= first && position < last) continue;
      this.#cells.delete(position);
      this.#due.delete(cell);
      this.#free.push(cell);
    }
    for (let position = first; position < last; position++) {
      let cell = this.#cells.get(position);
      if (!cell) {
        cell = this.#free.pop() ?? this.#make();
        this.#cells.set(position, cell);
        this.#fillCell(cell, position);
      }
      const x = 4 + (position % this.#columns) * share;
      const y = Math.floor(position / this.#columns) * height;
      const place = `translate(${x}px, ${y}px)`;
      if (cell.place === place && cell.share === share) continue;
      cell.place = cell.element.style.transform = place;
      if (cell.share !== share) cell.element.style.width = `${share}px`;
      cell.share = share;
    }
    // Cells that are left over stay for the next rows, out of sight.
    for (const cell of this.#free) {
      if (cell.place === "") continue;
      cell.place = "";
      cell.element.style.transform = "translate(-9999px, 0)";
    }
    this.#mark();
  }

  #make() {
    const [width, height] = this.#cell();
    const scale = Math.min(2, window.devicePixelRatio || 1);
    const canvas = h("canvas", { width: width * scale, height: (height - caption) * scale, "aria-hidden": "true" });
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height - caption}px`;
    const label = h("bdi", { dir: "auto" });
    const note = h("span.note-mark");
    const element = h("div.cell", { role: "option" }, canvas, h("div.caption", {}, label, note));
    element.style.height = `${height}px`;
    this.#sizer.append(element);
    const context = canvas.getContext("2d");
    context.setTransform(scale, 0, 0, scale, 0, 0);
    return { element, canvas, context, label, note, place: "", share: 0, drawn: null, ink: null, width, height: height - caption };
  }

  #fillCell(cell, position) {
    const ink = this.#store.at(position);
    cell.position = position;
    cell.ink = ink ?? null;
    const element = cell.element;
    element.id = `ink-${position}`;
    element.setAttribute("aria-posinset", position + 1);
    element.setAttribute("aria-setsize", this.#store.total);
    const text = ink ? visible(ink.label, 40) || t("data.unlabelled") : "";
    if (cell.label.textContent !== text) cell.label.textContent = text;
    const state = ink ? ink.decision ?? (ink.isError ? "error" : "") : "waiting";
    if (element.dataset.state !== state) element.dataset.state = state;
    element.dataset.labelled = ink && ink.label === "" ? "no" : "yes";
    const note = !ink ? "" : ink.suggested && !ink.decision ? `→ ${visible(ink.suggested, 16)}`
      : ink.isError ? `≠ ${visible(ink.read, 16)}` : ink.was !== undefined ? `← ${visible(ink.was, 16)}` : "";
    if (cell.note.textContent !== note) cell.note.textContent = note;
    element.setAttribute("aria-label", ink ? describe(ink) : t("shell.loading"));
    if (ink?.drawing && cell.drawn === ink.drawing) cell.canvas.style.visibility = "visible";
    else this.#queue(cell);
  }

  #mark() {
    const cell = this.#cells.get(this.current);
    for (const each of this.#cells.values()) {
      const isCurrent = each === cell;
      if (each.isCurrent === isCurrent) continue;
      each.isCurrent = isCurrent;
      each.element.setAttribute("aria-selected", isCurrent);
    }
    if (cell) this.element.setAttribute("aria-activedescendant", cell.element.id);
    else this.element.removeAttribute("aria-activedescendant");
  }

  // MARK: - Drawing

  #queue(cell) {
    if (cell.drawn !== null) cell.canvas.style.visibility = "hidden";
    cell.drawn = null;
    if (!cell.ink?.drawing) return;
    this.#due.add(cell);
    if (this.#isDrawing) return;
    this.#isDrawing = true;
    requestAnimationFrame(() => this.#draw());
  }

  #draw() {
    const end = performance.now() + Wall.budget;
    this.#colours ??= getComputedStyle(this.element).getPropertyValue("--ink").trim() || "black";
    for (const cell of this.#due) {
      this.#due.delete(cell);
      const { context, ink, width, height } = cell;
      if (!ink?.drawing) continue;
      context.clearRect(0, 0, width, height);
      context.strokeStyle = this.#colours;
      context.lineWidth = this.#size === "large" ? 2.4 : 1.8;
      drawPacked(context, ink.drawing, width, height);
      cell.drawn = ink.drawing;
      cell.canvas.style.visibility = "visible";
      if (performance.now() > end) break;
    }
    this.#isDrawing = this.#due.size > 0;
    if (this.#isDrawing) requestAnimationFrame(() => this.#draw());
  }

  // MARK: - Input

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const page = this.#columns * Math.max(1, Math.floor(this.element.clientHeight / this.#cell()[1]));
    const steps = {
      ArrowLeft: -1, ArrowRight: 1, ArrowUp: -this.#columns, ArrowDown: this.#columns,
      PageUp: -page, PageDown: page, Home: -Infinity, End: Infinity,
    };
    if (event.key in steps) {
      event.preventDefault();
      const goal = this.current + steps[event.key];
      if (event.key === "ArrowUp" && goal < 0) return;
      this.setCurrent(goal);
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.dispatchEvent(new CustomEvent("open", { detail: { position: this.current } }));
    }
  }

  #click(event) {
    const element = event.target.closest(".cell");
    for (const [position, cell] of this.#cells) {
      if (cell.element !== element) continue;
      this.setCurrent(position);
      this.dispatchEvent(new CustomEvent("open", { detail: { position } }));
      return;
    }
  }
}

/** Describes an ink in one sentence, for screen readers. */
export function describe(ink) {
  const parts = [t("data.cellLabel", { label: visible(ink.label, 60) || t("data.unlabelled") })];
  if (ink.writer) parts.push(t("data.cellWriter", { writer: visible(ink.writer, 40) }));
  if (ink.isError) parts.push(t("data.cellRead", { read: visible(ink.read, 60) }));
  if (ink.suggested) parts.push(t("data.cellSuggested", { label: visible(ink.suggested, 60) }));
  if (ink.decision) parts.push(t(`data.decided.${ink.decision}`));
  return parts.join(", ");
}
