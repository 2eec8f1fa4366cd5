// The text beside the ink: each line at the height of its ink, or a list on narrow screens.
import { fill, h, perFrame, t } from "/js/dom.js";
import { directedParts } from "/js/page/directions.js";
import { fontNote } from "/js/fonts.js";
import { meter } from "/js/page/meter.js";
import { textOf } from "/js/page/model.js";
import { pixelsPerMillimetre } from "/js/page/view.js";

/** Below this scale the lines are closer than their text is high. */
const leastBeside = 0.45 * pixelsPerMillimetre;
const gap = 2;
/** The height of a line in pixels before it is known. */
const usualHeight = 27;
/** The most lines that are made in one frame; the others follow in the next frames. */
const mostNew = 2;

/**
 * Events: "word" with detail = { word, element, isMenu }: a word is pointed at or focused, or its
 * menu is wanted; "shape" with detail = { block, element, isMenu }; "leave".
 */
export class TextPane extends EventTarget {
  #model;
  #view;
  #lines;
  #empty;
  #entries = new Map();
  #isNarrow;
  #current = null;
  #isBeside = null;
  /** Elements of lines that were seen before. */
  #spare = new WeakMap();
  #later;
  /** Tells the heights without a layout of its own. */
  #heights = new ResizeObserver(meter.measured((changes) => {
    for (const { target, borderBoxSize } of changes) if (target.entry) target.entry.height = borderBoxSize[0].blockSize;
    this.#place();
  }));

  constructor(model, view) {
    super();
    this.#model = model;
    this.#view = view;
    // Asking the query in each frame would make the browser lay out.
    const narrow = matchMedia("(max-width: 860px)");
    this.#isNarrow = narrow.matches;
    narrow.addEventListener("change", () => {
      this.#isNarrow = narrow.matches;
      this.#later();
    });
    this.#empty = h("p.dim", {}, t("page.noText"));
    this.#lines = h("div.lines", { role: "list", "aria-label": t("page.text") });
    this.#later = perFrame(meter.measured(() => this.update()));
    this.element = h("section.page-text", { "aria-label": t("page.text") }, this.#empty, this.#lines);
    this.#lines.addEventListener("keydown", (event) => this.#keys(event));
    for (const [name, isMenu] of [["mouseover", false], ["focusin", false], ["click", true]]) {
      this.#lines.addEventListener(name, (event) => this.#tell(event.target.closest(".word"), isMenu));
    }
    this.#lines.addEventListener("mouseleave", () => this.dispatchEvent(new Event("leave")));
  }

  /** Marks a word as the one that is shown elsewhere; null for none. */
  setCurrent(word) {
    if (this.#current?.id === word?.id) return;
    this.#current = word;
    for (const { element, line } of this.#entries.values()) {
      if (line.words) for (const each of element.querySelectorAll("button")) each.classList.toggle("current", each.word?.id === word?.id);
    }
  }

  /** Shows the lines of the model at the places of the view. */
  update() {
    const isBeside = !this.#isNarrow && this.#view.camera.scale >= leastBeside;
    if (isBeside !== this.#isBeside) {
      this.#isBeside = isBeside;
      this.element.classList.toggle("beside", isBeside);
      for (const entry of this.#entries.values()) {
        entry.element.style.transform = "";
        entry.top = undefined;
      }
    }
    const all = this.#model.rows;
    this.#empty.hidden = all.length > 0;
    if (!isBeside) return this.#fill(all);
    const { camera, size } = this.#view;
    const [right, bottom] = [camera.x + size.width / camera.scale, camera.y + size.height / camera.scale];
    this.#fill(all.filter(({ box }) => box[3] >= camera.y && box[1] <= bottom && box[2] >= camera.x && box[0] <= right));
    this.#place();
  }

  /** Moves each line to the height of its ink, or below the line before it. */
  #place() {
    if (!this.#isBeside) return;
    const { camera } = this.#view;
    let last = -Infinity;
    for (const entry of this.#entries.values()) {
      const height = entry.height ?? usualHeight;
      const middle = ((entry.line.box[1] + entry.line.box[3]) / 2 - camera.y) * camera.scale;
      const top = Math.round(Math.max(middle - height / 2, last + gap));
      last = top + height;
      if (entry.top === top) continue;
      entry.top = top;
      entry.element.style.transform = `translateY(${top}px)`;
    }
  }

  /** Makes the elements of lines, in order; unchanged lines keep theirs. */
  #fill(lines) {
    const entries = new Map();
    const focused = this.#focusedWord();
    let place = this.#lines.firstChild;
    let made = 0;
    for (const line of lines) {
      const key = line.items[0];
      if (key === undefined || entries.has(key)) continue;
      let entry = this.#entries.get(key) ?? this.#spare.get(line);
      if (entry && !this.#entries.has(key)) entry.top = undefined;
      if (!entry) {
        if (made >= mostNew) {
          this.#later();
          continue;
        }
        made += 1;
        entry = { element: h("div.line", { role: "listitem" }), line: null };
        entry.element.entry = entry;
      }
      if (entry.line !== line) this.#show(entry, line);
      entries.set(key, entry);
      if (entry.element === place) {
        place = place.nextSibling;
      } else {
        if (!entry.element.isConnected) this.#heights.observe(entry.element);
        this.#lines.insertBefore(entry.element, place);
      }
    }
    for (const [key, entry] of this.#entries) {
      if (entries.get(key) === entry) continue;
      this.#heights.unobserve(entry.element);
      entry.element.remove();
      this.#spare.set(entry.line, entry);
    }
    this.#entries = entries;
    if (focused && !this.#lines.contains(document.activeElement)) this.focus(focused);
    this.#setStop();
  }

  #show(entry, line) {
    const { element } = entry;
    entry.line = line;
    element.classList.toggle("heading", Boolean(line.heading));
    element.dir = line.isLeftward ? "rtl" : "ltr";
    if (line.shape || line.formula) {
      fill(element, line.formula ? this.#formulaButton(line) : this.#shapeButton(line));
      return;
    }
    if (line.words.length === 0) {
      fill(element, h("span.dim", {}, "…"));
      return;
    }
    // Words that did not change keep their buttons, and so the focus.
    const known = new Map([...element.querySelectorAll("button")].filter((each) => each.word).map((each) => [each.word.id, each]));
    const note = fontNote(line.words.map((word) => word.text).join(" "));
    const buttons = line.words.map((word) => {
      const button = known.get(word.id) ?? this.#button();
      button.word = word;
      if (button.textContent !== word.text) button.textContent = word.text;
      button.classList.toggle("chosen", word.isChosen);
      button.classList.toggle("current", word.id === this.#current?.id);
      return button;
    });
    const parts = [...directedParts(buttons, Boolean(line.isLeftward)), ...(note ? [note] : [])];
    const focused = element.contains(document.activeElement) ? document.activeElement : null;
    parts.forEach((each, index) => {
      if (element.children[index] !== each) element.insertBefore(each, element.children[index] ?? null);
    });
    while (element.children.length > parts.length) element.lastChild.remove();
    if (focused && document.activeElement !== focused && element.contains(focused)) focused.focus({ preventScroll: true });
  }

  #button() {
    return h("button.word", { type: "button", tabIndex: -1, "aria-haspopup": "menu" });
  }

  #shapeButton(block) {
    const button = this.#button();
    button.classList.add("shape");
    button.textContent = block.shape.label.replaceAll("-", " ");
    button.block = block;
    return button;
  }

  /** A formula as the browser sets it, with its result. */
  #formulaButton(block) {
    const button = this.#button();
    const { mathml, text, result } = block.formula;
    const math = new DOMParser().parseFromString(mathml, "application/xml").documentElement;
    const name = textOf(block.formula);
    button.setAttribute("aria-label", name);
    button.append(math.localName === "math" ? document.importNode(math, true) : text);
    if (result) button.append(h("strong", {}, `${text.endsWith("=") ? "" : " ="} ${result}`));
    else if (name !== text) button.append(name.slice(text.length));
    button.block = block;
    return button;
  }

  #tell(button, isMenu) {
    if (!button) return;
    const { word, block } = button;
    const detail = { word, block, element: button, isMenu };
    this.dispatchEvent(new CustomEvent(block ? "shape" : "word", { detail }));
  }

  #focusedWord() {
    const active = document.activeElement;
    return this.#lines.contains(active) ? active.word ?? null : null;
  }

  /** Focuses a word that is shown. */
  focus(word) {
    const button = this.button(word);
    button?.focus({ preventScroll: true });
  }

  /** Returns the button of a word, or null. */
  button(word) {
    for (const { element } of this.#entries.values()) {
      for (const each of element.querySelectorAll("button")) if (each.word?.id === word.id) return each;
    }
    return null;
  }

  /** One word can be reached by Tab; arrows lead to the others. */
  #setStop() {
    const present = this.#lines.querySelectorAll('button[tabindex="0"]');
    if (present.length === 1) return;
    for (const each of present) each.tabIndex = -1;
    const first = this.#lines.querySelector("button.word");
    if (first) first.tabIndex = 0;
  }

  #keys(event) {
    const active = document.activeElement;
    if (!active?.classList.contains("word")) return;
    const buttons = [...this.#lines.querySelectorAll("button.word")];
    const index = buttons.indexOf(active);
    const line = active.closest(".line");
    const ahead = getComputedStyle(active.parentElement).direction === "rtl" ? -1 : 1;
    const to = {
      ArrowRight: buttons[index + ahead], ArrowLeft: buttons[index - ahead],
      ArrowDown: line.nextElementSibling?.querySelector("button.word"),
      ArrowUp: line.previousElementSibling?.querySelector("button.word"),
      Home: buttons[0], End: buttons.at(-1),
    };
    if (!(event.key in to)) return;
    event.preventDefault();
    const next = to[event.key];
    if (!next) return;
    for (const each of buttons) each.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
    if (this.#isBeside) return;
    next.scrollIntoView({ block: "nearest" });
  }
}
