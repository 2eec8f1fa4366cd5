// Page: notes on the editor engine, with the text beside the ink.
import { get, part } from "/js/api.js";
import { count, fill, h, perFrame, select, t } from "/js/dom.js";
import { languageName, readableLanguages } from "/js/languages.js";
import { PageConnection } from "/js/page/connection.js";
import { PageExports } from "/js/page/exports.js";
import { icon } from "/js/page/icons.js";
import { anyPage, newPage, showLibrary } from "/js/page/library.js";
import { closeMenu, isMenuOpen, openMenu } from "/js/page/menu.js";
import { meter } from "/js/page/meter.js";
import { nameOf, PageModel } from "/js/page/model.js";
import { SelectionBar } from "/js/page/selectionbar.js";
import { TextPane } from "/js/page/pane.js";
import { PageView, pixelsPerMillimetre } from "/js/page/view.js";

const lastKey = "studio-page-last";
const gesturesKey = "studio-page-gestures";
const tools = ["pen", "highlighter", "eraser", "lasso", "hand"];
/** Milliseconds after which a command that is not confirmed counts as not saved. */
const patience = 1200;
const mostCandidates = 6;

function addStyle() {
  if (document.querySelector("link[href='/css/page.css']")) return Promise.resolve();
  return new Promise((done) => {
    const link = h("link", { rel: "stylesheet", href: "/css/page.css", onload: done, onerror: done });
    document.head.append(link);
  });
}

function remembered(key = lastKey) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function remember(name, key = lastKey) {
  try {
    localStorage.setItem(key, name);
  } catch {
    // The next visit begins with the newest page.
  }
}

export async function mount(main, context) {
  await addStyle();
  const name = context.query.get("name") || await anyPage(remembered());
  if (!context.query.get("name")) history.replaceState(null, "", `/page?name=${part(name)}`);
  remember(name);
  const page = new Page(main, name, context);
  return () => page.remove();
}

/** The parts of an open page. */
class Page {
  #name;
  #context;
  #main;
  #model = new PageModel();
  #view;
  #pane;
  #connection;
  #selection;
  #exports;
  #controls = {};
  /** Sends the stroke that is being written. */
  #pen = null;
  /** Strokes whose text is not on the screen yet: { id, time, items }. */
  #waiting = new Map();
  #word = null;
  /** True if strokes may be gestures. */
  #withGestures = remembered(gesturesKey) !== "off";
  #isPlaced = false;
  #timer;
  /** Milliseconds from the end of each stroke to its candidates on the screen. */
  latencies = [];

  constructor(main, name, context) {
    this.#main = main;
    this.#name = name;
    this.#context = context;
    this.#connection = new PageConnection(name);
    this.#exports = new PageExports(name, context);
    this.#build();
    this.#listen();
    this.#timer = setInterval(() => this.#showState(), 500);
    this.#connection.open();
  }

  get model() { return this.#model; }
  get view() { return this.#view; }

  remove() {
    closeMenu();
    clearInterval(this.#timer);
    document.removeEventListener("keydown", this.keys);
    removeEventListener("beforeunload", this.leave);
    this.#connection.remove();
    this.#view.remove();
  }

  // MARK: - Parts

  #build() {
    const c = this.#controls;
    const button = (name, action, properties = {}) => h("button.icon", {
      type: "button", onclick: action, "aria-label": t(`page.${name}`), title: t(`page.${name}Title`), ...properties,
    }, icon(name));
    c.name = h("button.page-name", { onclick: () => this.#library(), title: t("page.library"), "aria-haspopup": "dialog" },
      h("span.text", {}, this.#name), h("span", { "aria-hidden": "true" }, "▾"));
    c.state = h("span.tag", { role: "status", "aria-live": "polite" });
    c.latency = h("span.dim.latency", { title: t("page.latencyTitle") });
    c.unread = h("span.dim.unread", {});
    for (const tool of tools) c[tool] = button(tool, () => this.#setTool(tool));
    c.precise = button("precise", () => this.#setPrecise(!this.#view.erasesPrecisely), { "aria-pressed": "false" });
    c.gestures = button("gestures", () => this.#setGestures(!this.#withGestures));
    c.legend = h("details.page-legend", {}, h("summary", {}, t("page.legend")),
      h("ul", {}, ["scratch", "strike", "underline", "surround", "insert", "join"].map((each) => h("li", {}, t(`page.legend_${each}`)))));
    c.undo = button("undo", () => this.#undo());
    c.redo = button("redo", () => this.#connection.send({ type: "redo" }));
    c.clear = button("clear", () => this.#clear());
    c.convert = button("convert", () => this.#connection.send({ type: "convert" }));
    c.export = button("export", () => this.#exportMenu(), { "aria-haspopup": "menu" });
    c.language = select([["", t("page.automatic")]], "", (tag) => this.#connection.send({ type: "language", language: tag || null }));
    Object.assign(c.language, { title: t("page.languageTitle"), ariaLabel: t("page.language"), className: "page-language" });
    this.#listLanguages();
    c.zoom = h("button.zoom", { onclick: () => this.#view.zoomBy(pixelsPerMillimetre / this.#view.camera.scale), title: t("page.zoomTitle") });
    c.candidates = h("div.page-candidates", { role: "group", "aria-label": t("page.candidates") });
    c.news = h("p.visually-hidden", { "aria-live": "polite" });
    c.problem = h("p.note.warn", { role: "alert", hidden: true });
    c.surface = h("div.surface", {});
    this.#view = new PageView(c.surface, this.#model, t("page.canvas"));
    this.#pane = new TextPane(this.#model, this.#view);
    this.#selection = new SelectionBar(this.#view, {
      model: this.#model, connection: this.#connection, name: this.#name, exports: this.#exports, say: this.#context.say, sayError: this.#context.sayError,
    });
    c.surface.append(this.#selection.element);
    c.surface.append(h("div.page-zoom", { role: "group", "aria-label": t("page.zoom") },
      button("less", () => this.#view.zoomBy(1 / 1.25)), c.zoom, button("more", () => this.#view.zoomBy(1.25)),
      button("fit", () => this.#view.fit(this.#model.box))));
    fill(this.#main,
      h("h1.visually-hidden", {}, t("page.name")),
      h("div.page-bar", {},
        h("div.row.page-title", {}, c.name, h("button.new", { onclick: () => this.#new(), title: t("page.new") }, h("span.text", {}, t("page.new"))), c.language),
        h("div.row.page-tools", { role: "toolbar", "aria-label": t("page.tools") }, c.pen, c.highlighter, c.eraser, c.precise, c.lasso, c.hand,
          h("span.gap", {}), c.gestures, h("span.gap", {}), c.undo, c.redo, c.clear, h("span.gap", {}), c.convert, c.export),
        h("div.row.page-status", {}, c.unread, c.latency, c.state)),
      c.problem,
      h("div.page-body", {}, c.surface, this.#pane.element),
      h("div.page-foot", {}, c.candidates, c.legend), c.news);
    this.#setTool("pen");
    this.#setGestures(this.#withGestures);
    this.#showWord(null);
    this.#showState();
    this.#main.page = this;
  }

  #listen() {
    const view = this.#view;
    const connection = this.#connection;
    const place = perFrame(meter.measured(() => this.#showText()));
    view.addEventListener("camera", () => {
      this.#controls.zoom.textContent = `${Math.round(view.camera.scale / pixelsPerMillimetre * 100)} %`;
      place();
    });
    view.addEventListener("strokestart", () => { this.#pen = connection.livePen(); });
    view.addEventListener("progress", () => this.#pen?.follow(view.liveStroke));
    view.addEventListener("strokecancel", () => { this.#pen?.cancel(); this.#pen = null; });
    view.addEventListener("stroke", (event) => this.#wrote(event.detail));
    view.addEventListener("erase", (event) => connection.send({ type: "erase", path: event.detail.path, precise: view.erasesPrecisely }));
    view.addEventListener("highlight", (event) => connection.send({ type: "highlight", path: event.detail.path }));
    view.addEventListener("hover", (event) => this.#pointAt(event.detail.item));
    view.addEventListener("tap", (event) => this.#tapped(event.detail));
    view.addEventListener("pick", (event) => {
      const found = event.detail.item === null ? null : this.#model.word(event.detail.item);
      if (found) this.#showWord(found.word);
    });
    this.#selection.addEventListener("news", (event) => this.#tell(event.detail));
    this.#pane.addEventListener("word", (event) => {
      const { word, element, isMenu } = event.detail;
      this.#showWord(word);
      this.#mark(word);
      if (isMenu) this.#wordMenu(word, element.getBoundingClientRect(), element);
    });
    this.#pane.addEventListener("shape", (event) => {
      const { block, element, isMenu } = event.detail;
      view.mark(block.items);
      if (isMenu) this.#shapeMenu(block, element.getBoundingClientRect(), element);
    });
    this.#pane.addEventListener("leave", () => { if (!isMenuOpen()) this.#mark(null); });
    connection.addEventListener("state", () => this.#showState());
    connection.addEventListener("changes", meter.measured((event) => this.#changed(event.detail)));
    connection.addEventListener("done", meter.measured((event) => this.#saved(event.detail.entry)));
    connection.addEventListener("refused", (event) => this.#refused(event.detail));
    connection.addEventListener("renamed", (event) => this.#context.go(`/page?name=${part(event.detail.name)}`, true));
    connection.addEventListener("deleted", () => this.#gone(t("page.deleted")));
    connection.addEventListener("failed", (event) => this.#failed(event.detail));
    for (const { command } of connection.pending) this.#showLocal(command.id, command);
    this.keys = (event) => this.#keys(event);
    document.addEventListener("keydown", this.keys);
    this.leave = (event) => {
      if (connection.pending.length > 0 && connection.isVolatile) event.preventDefault();
    };
    addEventListener("beforeunload", this.leave);
    view.setCamera(view.camera);
  }

  // MARK: - Writing

  #wrote({ stroke, time }) {
    closeMenu();
    const command = { type: "strokes", strokes: [stroke], gestures: this.#withGestures };
    if (this.#pen) command.pen = this.#pen.id;
    this.#pen = null;
    const id = this.#connection.send(command);
    this.#showLocal(id, command);
    this.#waiting.set(id, { time, items: null, x: stroke.x[0], y: stroke.y[0] });
  }

  #showLocal(id, command) {
    if (command.type === "strokes") this.#view.addLocal(id, command.strokes);
  }

  #changed(message) {
    const changes = this.#model.apply(message);
    this.#view.update(changes);
    for (const stroke of changes.added) this.#recognise(stroke);
    if (changes.blocks) {
      this.#showText();
      this.#refreshWord();
    }
    if (this.#model.isComplete && !this.#isPlaced) this.#placeAtFirst();
    if (changes.selection) this.#selection.update();
    this.#showLanguage();
    this.#showSteps();
    this.#measure();
  }

  /** Finds the own stroke that a new item is, by its beginning. */
  #recognise(stroke) {
    for (const each of this.#waiting.values()) {
      if (each.item !== undefined || Math.abs(each.x - stroke.x[0]) > 0.011 || Math.abs(each.y - stroke.y[0]) > 0.011) continue;
      each.item = stroke.id;
      return;
    }
  }

  /** Measures strokes whose text is in the document now: it is on the screen after the frame. */
  #measure() {
    const ready = [];
    let last = null;
    for (const [id, each] of this.#waiting) {
      if (each.item === undefined) continue;
      const isGone = !this.#model.strokes.has(each.item);
      if (!isGone && !this.#model.isRead(each.item)) continue;
      this.#waiting.delete(id);
      if (isGone) continue;
      ready.push(each.time);
      last = this.#model.word(each.item);
    }
    if (ready.length === 0) return;
    if (last) {
      this.#showWord(last.word);
      this.#announce(last.line);
    }
    requestAnimationFrame(() => setTimeout(() => {
      const now = performance.now();
      for (const time of ready) this.latencies.push(now - time);
      if (this.latencies.length > 1000) this.latencies.splice(0, this.latencies.length - 1000);
      this.#controls.latency.textContent = t("page.latency", { milliseconds: Math.round(now - ready.at(-1)) });
    }));
  }

  #announce(line) {
    clearTimeout(this.newsTimer);
    this.newsTimer = setTimeout(() => this.#tell(line.words.map((word) => word.text).join(" ")), 1200);
  }

  /** Has a text read out. */
  #tell(text) {
    clearTimeout(this.newsTimer);
    this.#controls.news.textContent = text;
  }

  #saved({ id, command }) {
    if (command.type === "strokes") {
      // A gesture leaves no ink.
      const isInk = !command.gestures || this.#waiting.get(id)?.item !== undefined;
      this.#view.removeLocal(id, isInk);
      if (!isInk) this.#waiting.delete(id);
    }
    if (command.type === "erase") this.#view.endErasing();
    if (command.type === "language") this.#showLanguage();
    this.#selection.ended(id, true);
  }

  #refused({ entry, error }) {
    if (entry) {
      if (entry.command.type === "language") this.#showLanguage();
      this.#waiting.delete(entry.id);
      this.#view.removeLocal(entry.id, false);
      if (entry.command.type === "erase") this.#view.endErasing();
      this.#selection.ended(entry.id, false);
    }
    this.#context.sayError(error);
  }

  #failed(error) {
    if (error.code === "notFound") this.#gone(t("page.missing", { name: this.#name }));
    else this.#problem(error.message);
  }

  #problem(text) {
    this.#controls.problem.hidden = !text;
    if (text && this.#controls.problem.textContent !== text) this.#controls.problem.textContent = text;
  }

  #gone(text) {
    this.#connection.remove();
    const others = h("button.primary", { onclick: () => this.#library() }, t("page.library"));
    fill(this.#main, h("section.problem", { role: "alert" }, h("p", {}, text),
      h("div.row.centre", {}, others, h("button", { onclick: () => this.#new() }, t("page.new")))));
    others.focus();
  }

  #undo() {
    if (this.#view.dropNudge()) return this.#selection.place();
    const last = this.#connection.withdraw();
    if (!last) return this.#connection.send({ type: "undo" });
    this.#waiting.delete(last.id);
    this.#view.removeLocal(last.id, false);
    this.#view.endErasing();
    this.#selection.ended(last.id, false);
  }

  #clear() {
    if (this.#model.strokes.size === 0) return;
    this.#connection.send({ type: "clear" });
    this.#context.say(t("page.cleared"));
  }

  /** Offers the languages that can be read here. */
  async #listLanguages() {
    try {
      for (const [tag, name] of readableLanguages((await get("/v1/models")).models)) this.#controls.language.append(h("option", { value: tag }, name));
    } catch (error) {
      this.#context.sayError(error);
    }
    this.#showLanguage();
  }

  /** Shows the language of the page, also one that cannot be read here. */
  #showLanguage() {
    const { language } = this.#controls;
    const tag = this.#model.language ?? "";
    if (this.#connection.pending.some(({ command }) => command.type === "language")) return;
    if (![...language.options].some((each) => each.value === tag)) language.append(h("option", { value: tag }, languageName(tag)));
    if (language.value !== tag) language.value = tag;
  }

  #setTool(tool) {
    this.#view.setTool(tool);
    for (const each of tools) this.#controls[each].setAttribute("aria-pressed", String(each === tool));
    this.#controls.precise.disabled = tool !== "eraser";
  }

  #setPrecise(isPrecise) {
    this.#view.erasesPrecisely = isPrecise;
    this.#controls.precise.setAttribute("aria-pressed", String(isPrecise));
  }

  #setGestures(isOn) {
    this.#withGestures = isOn;
    remember(isOn ? "on" : "off", gesturesKey);
    this.#controls.gestures.setAttribute("aria-pressed", String(isOn));
    this.#controls.legend.hidden = !isOn;
  }

  // MARK: - State

  #placeAtFirst() {
    this.#isPlaced = true;
    const box = this.#model.box;
    if (!box) return;
    const { width } = this.#view.size;
    // All of the width, but never so small that nothing can be read; the upper end first.
    const scale = Math.max(0.4 * pixelsPerMillimetre, Math.min(pixelsPerMillimetre, (width - 32) / Math.max(1, box.right - box.left)));
    const isInView = box.left >= 0 && box.top >= 0 && box.right * pixelsPerMillimetre <= width;
    if (!isInView) this.#view.setCamera({ scale, x: box.left - 16 / scale, y: box.top - 16 / scale });
  }

  #showSteps() {
    const c = this.#controls;
    const waits = this.#connection.pending.length > 0;
    c.undo.disabled = this.#model.undo === 0 && !waits;
    c.redo.disabled = this.#model.redo === 0;
    c.clear.disabled = this.#model.strokes.size === 0;
    c.convert.disabled = ![...this.#model.strokes.values()].some((stroke) => !stroke.text && !stroke.image);
    c.unread.textContent = this.#model.unread > 3 ? count("page.unread", this.#model.unread) : "";
    const notices = this.#model.notices.filter((code) => ["modelNotFound", "resourceNotFound", "bundleNotFound"].includes(code));
    if (notices.length > 0) this.#problem(t("page.noModel"));
  }

  #showState() {
    const { pending, isOpen, isVolatile } = this.#connection;
    const now = Date.now();
    const late = pending.filter(({ id }) => !isOpen || now - parseInt(id.slice(0, 9), 36) > patience);
    this.#view.setUnsaved(late.map(({ id }) => id));
    const c = this.#controls;
    const [kind, text] = !isOpen && !this.#model.isComplete && pending.length === 0
      ? ["", t("page.opening")]
      : !isOpen ? ["warn", pending.length > 0 ? count("page.offline", pending.length) : t("page.offlineEmpty")]
        : late.length > 0 ? ["warn", count("page.saving", pending.length)]
          : !this.#model.isComplete ? ["", t("page.opening")] : ["good", t("page.saved")];
    c.state.className = `tag ${kind}`;
    if (c.state.textContent !== text) c.state.textContent = text;
    if (isOpen) {
      if (this.#model.notices.length === 0) this.#problem("");
    } else if (pending.length > 0 && isVolatile) {
      this.#problem(t("page.volatile"));
    }
    this.#showSteps();
  }

  // MARK: - Words

  #showText() {
    this.#pane.update();
  }

  #pointAt(item) {
    const found = item === null ? null : this.#model.word(item);
    if (found) this.#showWord(found.word);
    this.#mark(found?.word ?? null);
  }

  #mark(word) {
    this.#view.mark(word?.items ?? []);
  }

  #tapped({ item, x, y, isTouch }) {
    const found = item === null ? null : this.#model.word(item);
    if (isTouch || item === null) {
      if (found) this.#showWord(found.word);
      this.#mark(null);
      return this.#selection.pick({ item, x, y });
    }
    const shape = item === null || found ? null : this.#model.shape(item);
    const { left, top } = this.#view.element.getBoundingClientRect();
    const rect = { left: left + x, right: left + x, top: top + y - 12, bottom: top + y + 12 };
    if (found) {
      this.#showWord(found.word);
      this.#mark(found.word);
      this.#wordMenu(found.word, rect, this.#view.element, item);
    } else if (shape) {
      this.#view.mark(shape.items);
      this.#shapeMenu(shape, rect, this.#view.element, item);
    } else {
      this.#mark(null);
    }
  }

  /** The readings of a block or word that is a formula, or those of the symbol of an item. */
  #formulaEntries(block, item, rect, returnTo) {
    const { formula } = block;
    const entry = ({ text, latex }, items, isChosen) => ({
      text, isChosen, action: () => this.#choose({ items }, latex),
    });
    const symbols = (symbol) => symbol.candidates.map((each) => entry(each, symbol.items, each.latex === symbol.symbol));
    const symbol = formula.symbols.find((each) => each.items.includes(item));
    if (symbol) return [...symbols(symbol), "-"];
    const open = (each) => {
      this.#view.mark(each.items);
      openMenu(each.symbol, symbols(each), rect, { returnTo, onclose: () => this.#mark(null) });
    };
    const list = () => openMenu(t("page.otherSymbol"), formula.symbols.map((each) => ({
      text: each.candidates.find((one) => one.latex === each.symbol)?.text ?? each.symbol,
      hint: each.candidates.map((one) => one.text).join(" "), action: () => open(each),
    })), rect, { returnTo });
    return [
      ...formula.candidates.slice(0, mostCandidates).map((each) => entry(each, block.items, block.isFormula !== false && each.latex === formula.latex)), "-",
      ...(formula.symbols.length > 0 ? [{ text: t("page.otherSymbol"), action: list }, "-"] : []),
    ];
  }

  #copyEntries({ formula }) {
    const copy = (format) => this.#exports.copy(formula[format], t("page.copiedFormula"));
    return [
      { text: t("page.copyLatex"), action: () => copy("latex") },
      { text: t("page.copyMathml"), action: () => copy("mathml") },
      "-",
    ];
  }

  /** Lets the user say that a shape is text or a drawing, and choose the reading of a formula. */
  #shapeMenu(block, rect, returnTo, item = null) {
    const send = (content, items) => this.#connection.send({ type: "type", content, items });
    openMenu(nameOf(block), [
      ...(block.formula ? [...this.#formulaEntries(block, item, rect, returnTo), ...this.#copyEntries(block)] : []),
      { text: t("page.asText"), action: () => send("text", this.#model.textAround(block)) },
      { text: t("page.asDrawing"), action: () => send("drawing", block.items) },
      "-",
      { text: t("page.selectWord"), action: () => this.#selection.select({ unit: "items", items: block.items }) },
      { text: t("page.exportBlock"), action: () => this.#exports.menu(t("page.exportBlock"), { block: block.id }, rect, returnTo) },
    ], rect, { returnTo, onclose: () => this.#mark(null) });
  }

  /** Shows the word again if it was read again, and nothing if it is gone. */
  #refreshWord() {
    if (!this.#word) return;
    const found = this.#word.items.map((item) => this.#model.word(item)).find(Boolean);
    this.#showWord(found?.word ?? null);
  }

  /** Shows the candidates of a word below the page. */
  #showWord(word) {
    this.#pane?.setCurrent(word);
    if (word === this.#word && word !== null) return;
    this.#word = word;
    const strip = this.#controls.candidates;
    if (!word) return fill(strip, h("span.dim", {}, t("page.noWord")));
    fill(strip, h("span.dim", {}, t("page.candidates")), word.candidates.slice(0, mostCandidates).map((each) =>
      h("button", {
        type: "button", dir: "auto", "aria-pressed": String(each.text === word.text),
        title: `${Math.round(each.probability * 100)} %`, onclick: () => this.#choose(word, each.text),
      }, each.text)));
  }

  #wordMenu(word, rect, returnTo, item = null) {
    const { formula } = word;
    const isFormula = formula && word.isFormula !== false;
    const texts = formula ? word.candidates.filter(({ text }) => !formula.candidates.some((each) => each.text === text)) : word.candidates;
    const entries = texts.map((each) => ({
      text: each.text, hint: isFormula ? t("page.asText") : formula ? "" : `${Math.round(each.probability * 100)} %`, isChosen: each.text === word.text,
      action: () => this.#choose(word, each.text),
    }));
    if (isFormula) {
      entries.unshift(...this.#formulaEntries(word, item, rect, returnTo), ...this.#copyEntries(word));
      // Without another text, its own text is that of a formula, too.
      if (texts.length === 0) entries.push({ text: t("page.asText"), action: () => this.#connection.send({ type: "type", content: "text", items: word.items }) });
    } else if (formula) {
      entries.push("-", ...this.#formulaEntries(word, null, rect, returnTo).slice(0, -1));
    }
    const line = this.#model.word(word.items[0])?.line;
    const stray = line ? this.#model.besideLine(line).flatMap((block) => block.items) : [];
    if (stray.length > 0) {
      const items = [...line.items, ...stray].sort((a, b) => a - b);
      entries.push("-", { text: t("page.wholeLine"), action: () => this.#connection.send({ type: "type", content: "text", items }) });
    }
    entries.push("-", { text: t("page.selectWord"), action: () => this.#selection.select({ unit: "items", items: word.items }) });
    const block = this.#model.blockOf(word.items[0]);
    if (line) entries.push({ text: t("page.type_math"), action: () => this.#connection.send({ type: "type", content: "math", items: line.items }) });
    if (block) entries.push({ text: t("page.exportBlock"), action: () => this.#exports.menu(t("page.exportBlock"), { block: block.id }, rect, returnTo) });
    openMenu(t("page.candidatesOf", { word: word.text }), entries, rect, { returnTo, onclose: () => this.#mark(null) });
  }

  #choose(word, text) {
    this.#connection.send({ type: "choose", text, items: word.items });
  }

  // MARK: - Export and library

  #exportMenu() {
    const button = this.#controls.export;
    this.#exports.menu(t("page.export"), "page", button.getBoundingClientRect(), button);
  }

  #library() {
    showLibrary(this.#name, (name) => this.#context.go(`/page?name=${part(name)}`), this.#context.sayError);
  }

  async #new() {
    try {
      this.#context.go(`/page?name=${part(await newPage())}`);
    } catch (error) {
      this.#context.sayError(error);
    }
  }

  // MARK: - Keyboard

  #keys(event) {
    if (event.target.closest?.("input, textarea, select, dialog, .page-menu")) return;
    const key = event.key.toLowerCase();
    const isCommand = event.ctrlKey || event.metaKey;
    const { view } = this;
    if (this.#selection.key(event)) {
      // The selection takes it.
    } else if (isCommand && key === "z" && !event.shiftKey) this.#undo();
    else if (isCommand && (key === "y" || (key === "z" && event.shiftKey))) {
      if (!this.#controls.redo.disabled) this.#connection.send({ type: "redo" });
    } else if (isCommand || event.altKey) return;
    else if (key === "p") this.#setTool("pen");
    else if (key === "m") this.#setTool("highlighter");
    else if (key === "e") this.#setTool("eraser");
    else if (key === "g") this.#setGestures(!this.#withGestures);
    else if (key === "l") this.#setTool("lasso");
    else if (key === "h") this.#setTool("hand");
    else if (key === "+" || key === "=") view.zoomBy(1.25);
    else if (key === "-") view.zoomBy(1 / 1.25);
    else if (key === "0") view.zoomBy(pixelsPerMillimetre / view.camera.scale);
    else if (key === "f") view.fit(this.#model.box);
    else if (event.target === view.element && key.startsWith("arrow")) {
      const step = { arrowleft: [60, 0], arrowright: [-60, 0], arrowup: [0, 60], arrowdown: [0, -60] }[key];
      view.panBy(...step);
    } else return;
    event.preventDefault();
  }
}
