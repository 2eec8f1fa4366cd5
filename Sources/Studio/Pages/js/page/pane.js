// The text beside the ink: each line at the height of its ink, or a list on narrow screens.
import { fill, h, t } from "/js/dom.js";
import { pixelsPerMillimetre } from "/js/page/view.js";

/** Below this scale the lines are closer than their text is high. */
const leastBeside = 0.45 * pixelsPerMillimetre;
const gap = 2;

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
  #narrow = matchMedia("(max-width: 860px)");
  #current = null;
  #isBeside = null;

  constructor(model, view) {
    super();
    this.#model = model;
    this.#view = view;
    this.#empty = h("p.dim", {}, t("page.noText"));
    this.#lines = h("div.lines", { role: "list", "aria-label": t("page.text") });
    this.element = h("section.page-text", { "aria-label": t("page.text") }, this.#empty, this.#lines);
    this.#lines.addEventListener("keydown", (event) => this.#keys(event));
    this.#lines.addEventListener("mouseleave", () => this.dispatchEvent(new Event("leave")));
  }

  /** Marks a word as the one that is shown elsewhere; null for none. */
  setCurrent(word) {
    if (this.#current?.id === word?.id) return;
    this.#current = word;
    for (const { element, line } of this.#entries.values()) {
      line.words?.forEach((each, index) => element.children[index]?.classList.toggle("current", each.id === word?.id));
    }
  }

  /** Shows the lines of the model at the places of the view. */
  update() {
    const isBeside = !this.#narrow.matches && this.#view.camera.scale >= leastBeside;
    if (isBeside !== this.#isBeside) {
      this.#isBeside = isBeside;
      this.element.classList.toggle("beside", isBeside);
      for (const { element } of this.#entries.values()) element.style.transform = "";
    }
    const all = this.#model.rows;
    this.#empty.hidden = all.length > 0;
    if (!isBeside) return this.#fill(all);
    const { camera, size } = this.#view;
    const bottom = camera.y + size.height / camera.scale;
    this.#fill(all.filter((line) => line.box[3] >= camera.y && line.box[1] <= bottom));
    let last = -Infinity;
    for (const entry of this.#entries.values()) {
      entry.height ??= entry.element.offsetHeight;
      const middle = ((entry.line.box[1] + entry.line.box[3]) / 2 - camera.y) * camera.scale;
      const top = Math.round(Math.max(middle - entry.height / 2, last + gap));
      last = top + entry.height;
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
    for (const line of lines) {
      const key = line.items[0];
      if (key === undefined || entries.has(key)) continue;
      let entry = this.#entries.get(key);
      if (!entry) {
        entry = { element: h("div.line", { role: "listitem" }), line: null };
      }
      if (entry.line !== line) this.#show(entry, line);
      entries.set(key, entry);
      if (entry.element === place) place = place.nextSibling;
      else this.#lines.insertBefore(entry.element, place);
    }
    for (const [key, entry] of this.#entries) if (entries.get(key) !== entry) entry.element.remove();
    this.#entries = entries;
    if (focused && !this.#lines.contains(document.activeElement)) this.focus(focused);
    this.#setStop();
  }

  #show(entry, line) {
    const { element } = entry;
    entry.line = line;
    entry.height = entry.top = undefined;
    if (line.shape) {
      fill(element, this.#shapeButton(line));
      return;
    }
    if (line.words.length === 0) {
      fill(element, h("span.dim", {}, "…"));
      return;
    }
    // Words that did not change keep their buttons, and so the focus.
    const known = new Map([...element.children].filter((each) => each.word).map((each) => [each.word.id, each]));
    const buttons = line.words.map((word) => {
      const button = known.get(word.id) ?? this.#button();
      button.word = word;
      if (button.textContent !== word.text) button.textContent = word.text;
      button.classList.toggle("chosen", word.isChosen);
      button.classList.toggle("current", word.id === this.#current?.id);
      return button;
    });
    buttons.forEach((button, index) => {
      if (element.children[index] !== button) element.insertBefore(button, element.children[index] ?? null);
    });
    while (element.children.length > buttons.length) element.lastChild.remove();
  }

  #button() {
    const tell = (isMenu) => () => {
      this.dispatchEvent(new CustomEvent("word", { detail: { word: button.word, element: button, isMenu } }));
    };
    const button = h("button.word", {
      type: "button", tabIndex: -1, "aria-haspopup": "menu",
      onmouseenter: tell(false), onfocus: tell(false), onclick: tell(true),
    });
    return button;
  }

  #shapeButton(block) {
    const tell = (isMenu) => () => {
      this.dispatchEvent(new CustomEvent("shape", { detail: { block, element: button, isMenu } }));
    };
    const button = h("button.word.shape", {
      type: "button", tabIndex: -1, "aria-haspopup": "menu",
      onmouseenter: tell(false), onfocus: tell(false), onclick: tell(true),
    }, block.shape.label.replaceAll("-", " "));
    return button;
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
      for (const child of element.children) if (child.word?.id === word.id) return child;
    }
    return null;
  }

  /** One word can be reached by Tab; arrows lead to the others. */
  #setStop() {
    const buttons = this.#lines.querySelectorAll("button.word");
    if (buttons.length === 0) return;
    const present = [...buttons].filter((each) => each.tabIndex === 0);
    if (present.length === 1) return;
    for (const each of present) each.tabIndex = -1;
    buttons[0].tabIndex = 0;
  }

  #keys(event) {
    const active = document.activeElement;
    if (!active?.classList.contains("word")) return;
    const buttons = [...this.#lines.querySelectorAll("button.word")];
    const index = buttons.indexOf(active);
    const line = active.parentElement;
    const to = {
      ArrowRight: buttons[index + 1], ArrowLeft: buttons[index - 1],
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
