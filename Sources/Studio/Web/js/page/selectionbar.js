// The commands for the selection of a page: a bar beside its frame, menus, and keys.
import { part, request } from "/js/api.js";
import { count, h, t } from "/js/dom.js";
import { icon } from "/js/page/icons.js";
import { closeMenu, openMenu } from "/js/page/menu.js";

/** Colours that stand out from light and dark paper. */
const colors = [["none", null], ["red", "#D2382C"], ["orange", "#C26A0A"], ["green", "#1F8A4C"], ["blue", "#2F6FE0"], ["violet", "#9A4FD6"]];
/** The factor of the menu entries for larger and smaller. */
const step = 1.25;
/** Pixels between the frame and the bar: a handle is there. */
const gap = 14;
const edge = 8;
/** Millimetres that an arrow key moves, and with Shift. */
const [near, far] = [1, 10];
/** The most words that are read out. */
const mostWords = 8;

/** The bar with its commands. It tells "news" with detail = the text to read out. */
export class SelectionBar extends EventTarget {
  element;
  #view;
  #model;
  #connection;
  #name;
  #exports;
  #say;
  #buttons = {};
  /** The id of the edit that is not confirmed yet. */
  #edit = null;
  /** The ids of commands whose end is told or shown. */
  #copies = new Set();
  #pointer = null;
  #said = false;

  /**
   * @param view The surface.
   * @param options model, connection, name: the name of the page, exports, say and sayError: show a message.
   */
  constructor(view, { model, connection, name, exports, say, sayError }) {
    super();
    this.#view = view;
    this.#model = model;
    this.#connection = connection;
    this.#name = name;
    this.#exports = exports;
    this.#say = { say, sayError };
    const button = (key, action, properties = {}) => (this.#buttons[key] = h("button.icon", {
      type: "button", onclick: action, "aria-label": t(`page.${key}`), title: t(`page.${key}Title`), ...properties,
    }, icon(key)));
    const menu = { "aria-haspopup": "menu" };
    this.element = h("div.page-selection", { role: "toolbar", "aria-label": t("page.selection"), hidden: true },
      button("cut", () => this.cut()), button("copy", () => this.copy()), button("copyAsText", () => this.copyText()),
      button("exportInk", () => this.#exportMenu(), menu), button("color", () => this.#colorMenu(), menu), button("change", () => this.#changeMenu(), menu),
      button("deleteInk", () => this.edit({ edit: "delete" })), button("deselect", () => this.deselect()));
    this.#listen();
  }

  get #selection() {
    return this.#model.selection;
  }

  #listen() {
    const view = this.#view;
    view.addEventListener("select", (event) => this.select(event.detail));
    view.addEventListener("pick", ({ detail }) => this.pick(detail));
    view.addEventListener("press", ({ detail }) => {
      if (detail.item === null) this.#placeMenu(detail);
      else this.select({ unit: "block", ...this.#place(detail) });
    });
    view.addEventListener("edit", (event) => this.edit(event.detail));
    view.addEventListener("deselect", () => this.deselect());
    view.addEventListener("moving", () => this.place());
    view.addEventListener("camera", () => this.place());
    const { element } = view;
    element.addEventListener("pointermove", (event) => { this.#pointer = { x: event.offsetX, y: event.offsetY }; });
    element.addEventListener("pointerdown", (event) => { this.#pointer = { x: event.offsetX, y: event.offsetY }; });
    element.addEventListener("contextmenu", (event) => {
      // A long press of a finger or a pen is told as "press".
      if (event.pointerType === "touch" || event.pointerType === "pen" || event.mozInputSource > 1) return;
      const isByKey = event.button !== 2;
      this.#placeMenu(isByKey ? this.#middle() : { x: event.offsetX, y: event.offsetY });
    });
  }

  // MARK: - Commands

  select(selector) {
    closeMenu();
    this.#view.flushNudge();
    this.#connection.send({ type: "select", ...selector });
  }

  /** Selects the word or the shape at a pixel; nothing where there is no ink. */
  pick({ x, y, item }) {
    if (item === null) this.deselect();
    else this.select({ unit: "word", ...this.#place({ x, y }) });
  }

  selectAll() {
    if (this.#model.strokes.size > 0) this.select({ unit: "all" });
  }

  deselect() {
    if (this.#selection || this.#isWaiting) this.select({ unit: "none" });
  }

  /** True while the studio has not answered to a command that may change the selection. */
  get #isWaiting() {
    return this.#connection.pending.some(({ command }) => ["select", "edit", "paste"].includes(command.type));
  }

  /** Sends a change of the selected ink. */
  edit(edit) {
    closeMenu();
    this.#view.flushNudge();
    const selection = this.#selection;
    if (!selection && !this.#isWaiting) return null;
    const command = { type: "edit", ...edit };
    // The strokes are named unless they are about to change.
    if (!this.#isWaiting && !selection.isPartial) command.items = selection.items;
    const id = this.#connection.send(command);
    if (edit.edit === "move" || edit.edit === "scale") this.#edit = id;
    if (edit.edit === "copy") this.#copies.add(id);
    return id;
  }

  async copy() {
    if (!this.#selection) return;
    this.edit({ edit: "copy" });
    await this.#writeText(false);
  }

  async cut() {
    const selected = this.#selection;
    if (!selected) return;
    await this.#writeText(false);
    // While the text was on its way, other ink may have been selected.
    if (this.#selection === selected) this.edit({ edit: "cut" });
  }

  /** Copies the text of the selection to the clipboard of the system. */
  async copyText() {
    if (this.#selection) await this.#writeText(true);
  }

  async #writeText(isAsked) {
    try {
      const answer = await request("GET", `/v1/pages/${part(this.#name)}/export?format=text&of=selection`);
      const text = await answer.text();
      if (text === "") {
        if (isAsked) this.#say.say(t("page.noTextSelected"));
        return;
      }
      await navigator.clipboard.writeText(text);
      if (isAsked) this.#say.say(t("page.copied"));
    } catch (error) {
      // The ink is copied also where the browser does not let pages use its clipboard.
      if (isAsked) this.#say.sayError(error);
    }
  }

  /** Pastes at a pixel: where the pointer was last, or in the middle. */
  paste(at = this.#pointer ?? this.#middle()) {
    closeMenu();
    this.#connection.send({ type: "paste", ...this.#place(at) });
  }

  #place({ x, y }) {
    const place = this.#view.place(x, y);
    return { x: Math.round(place.x * 1000) / 1000, y: Math.round(place.y * 1000) / 1000 };
  }

  #middle() {
    const { width, height } = this.#view.size;
    return { x: width / 2, y: height / 2 };
  }

  // MARK: - Answers

  /** Takes the end of a command: "done", or "refused". */
  ended(id, isDone) {
    if (id === this.#edit) {
      this.#edit = null;
      this.#view.endEdit();
      this.place();
    }
    if (this.#copies.delete(id) && isDone) this.#say.say(t("page.copiedInk"));
  }

  /** Shows another selection of the model. */
  update() {
    const selection = this.#selection;
    const hadFocus = this.element.contains(document.activeElement);
    this.place();
    if (hadFocus && this.element.hidden) this.#view.element.focus({ preventScroll: true });
    if (selection) this.#news(this.#description(selection));
    else if (this.#said) this.#news(t("page.selectedNothing"));
    this.#said = selection !== null;
  }

  #news(text) {
    this.dispatchEvent(new CustomEvent("news", { detail: text }));
  }

  #description({ items }) {
    const words = new Map();
    for (const item of items) {
      const word = this.#model.word(item)?.word;
      if (word) words.set(word.id, word.text);
    }
    if (words.size === 0) return count("page.selected", items.length);
    const texts = [...words.values()];
    const text = texts.slice(0, mostWords).join(" ") + (texts.length > mostWords ? " …" : "");
    return t(`page.selectedWords.${words.size === 1 ? "one" : "many"}`, { count: words.size, text });
  }

  /** Moves the bar above or below the frame. */
  place() {
    const { element } = this;
    const frame = this.#view.isSelecting ? null : this.#view.selectionFrame;
    element.hidden = frame === null;
    if (!frame) return;
    const { offsetWidth: width, offsetHeight: height } = element;
    const size = this.#view.size;
    const limited = (value, most) => Math.max(edge, Math.min(value, most - edge));
    const left = limited((frame.left + frame.right - width) / 2, size.width - width);
    // Where it covers less ink; into the view if there is no room.
    const [top] = [frame.top - gap - height, frame.bottom + gap]
      .filter((each) => each >= edge && each + height <= size.height - edge)
      .map((each) => [each, this.#covers(left, each, left + width, each + height)])
      .sort((a, b) => a[1] - b[1])[0] ?? [edge];
    element.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
  }

  /** Returns how much a rectangle covers: strokes, and the buttons for the zoom, which count most. */
  #covers(left, top, right, bottom) {
    const zoom = this.element.parentElement.querySelector(".page-zoom");
    const hidesZoom = right > zoom.offsetLeft && bottom > zoom.offsetTop;
    return this.#view.inkIn(left, top, right, bottom) + (hidesZoom ? 1e6 : 0);
  }

  // MARK: - Menus

  #openMenu(button, entries) {
    openMenu(button.getAttribute("aria-label"), entries, button.getBoundingClientRect(), { returnTo: button });
  }

  #exportMenu() {
    this.#view.flushNudge();
    const button = this.#buttons.exportInk;
    this.#exports.menu(button.getAttribute("aria-label"), "selection", button.getBoundingClientRect(), button);
  }

  #colorMenu() {
    const present = this.#selection ? new Set(this.#selection.items.map((id) => this.#model.strokes.get(id)?.color ?? null)) : new Set();
    this.#openMenu(this.#buttons.color, colors.map(([name, color]) => ({
      text: t(`page.colors.${name}`), color: color ?? "var(--ink)", isChosen: present.size === 1 && present.has(color),
      action: () => this.edit({ edit: "color", color }),
    })));
  }

  #changeMenu() {
    const types = (this.#selection?.types ?? []).map((content) => ({
      text: t(`page.type_${content}`), action: () => this.edit({ edit: "type", content }),
    }));
    const scale = (factor) => this.edit({ edit: "scale", x: factor, y: factor, about: "topLeft" });
    this.#openMenu(this.#buttons.change, [
      { text: t("page.convert"), action: () => this.edit({ edit: "convert" }) }, "-",
      ...types, ...(types.length > 0 ? ["-"] : []),
      { text: t("page.larger"), action: () => scale(step) },
      { text: t("page.smaller"), action: () => scale(1 / step) },
    ]);
  }

  /** Offers what can be done at a pixel. */
  #placeMenu(at) {
    const { element } = this.#view;
    const { left, top } = element.getBoundingClientRect();
    const [x, y] = [left + at.x, top + at.y];
    openMenu(t("page.place"), [
      { text: t("page.paste"), hint: "Ctrl V", action: () => this.paste(at) },
      { text: t("page.typeHere"), action: () => this.#type(at) },
      { text: t("page.selectAll"), hint: "Ctrl A", action: () => this.selectAll() },
    ], { left: x, right: x, top: y - 6, bottom: y }, { returnTo: element });
  }

  /** Opens a field at a pixel, whose text is set there. */
  #type(at) {
    const field = h("textarea.page-typing", { rows: 1, "aria-label": t("page.typeHere"), spellcheck: true });
    Object.assign(field.style, { left: `${at.x}px`, top: `${at.y}px` });
    let isDone = false;
    const end = (isKept) => {
      if (isDone) return;
      isDone = true;
      const text = field.value.trim();
      field.remove();
      if (isKept && text) this.#connection.send({ type: "text", text, ...this.#place(at) });
      this.#view.element.focus({ preventScroll: true });
    };
    field.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key === "Escape") end(false);
      else if (event.key === "Enter" && !event.shiftKey) {
        event.preventDefault();
        end(true);
      }
    });
    field.addEventListener("input", () => {
      field.rows = field.value.split("\n").length;
    });
    field.addEventListener("blur", () => end(true));
    this.element.parentElement.append(field);
    field.focus();
  }

  // MARK: - Keys

  /** Takes a key; returns false if it is none of the selection. */
  key(event) {
    const key = event.key.toLowerCase();
    const hasText = !(getSelection()?.isCollapsed ?? true);
    if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey) {
      if (key === "a") this.selectAll();
      else if (key === "v") this.paste();
      else if (key === "c" && this.#selection && !hasText) this.copy();
      else if (key === "x" && this.#selection) this.cut();
      else return false;
      return true;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    if (key === "escape" && (this.#selection || this.#view.isSelecting)) {
      this.#view.stopSelecting();
      this.deselect();
    } else if ((key === "delete" || key === "backspace") && this.#selection) {
      this.edit({ edit: "delete" });
    } else if (key.startsWith("arrow") && this.#selection && event.target === this.#view.element) {
      const way = event.shiftKey ? far : near;
      const [dx, dy] = { arrowleft: [-way, 0], arrowright: [way, 0], arrowup: [0, -way], arrowdown: [0, way] }[key];
      this.#view.nudge(dx, dy);
    } else return false;
    return true;
  }
}
