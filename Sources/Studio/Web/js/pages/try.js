// Write and see it read: candidates, characters with their strokes, one or two models.
import { connection, get, post, request } from "/js/api.js";
import { count, field, fill, h, perFrame, select, svg, t } from "/js/dom.js";
import { fontNote } from "/js/fonts.js";
import { InkSurface, tidy } from "/js/ink.js";
import { byName, languageName, modelName } from "/js/languages.js";
import { isTyping } from "/js/shell.js";

/** Candidates that are shown. */
const shown = 6;
/** The file for saved ink, unless another is named. */
const defaultFile = "written";
/** Milliseconds between readings while a stroke is being written. */
const pace = 250;
/** The choice of no model: the studio reads in the best of its languages. */
const automatic = "automatic";

export async function mount(main, context) {
  const list = await get("/v1/models");
  if (list.models.length === 0) throw new Error(t("try.noModels"));
  const page = new TryPage(main, context, list);
  return () => page.remove();
}

class TryPage {
  #controller = null;
  #turn = 0;
  #lastReading = 0;

  constructor(main, context, list) {
    this.context = context;
    this.settings = { preContext: "", alphabet: "", area: false };
    const names = list.models.toSorted(byName).map((each) => {
      const name = modelName(each);
      return [each.identifier, name === each.identifier && each.name !== name ? `${name}: ${each.name}` : name];
    });
    const wanted = context.query.get("model");
    const first = list.models.some((each) => each.identifier === wanted) ? wanted : automatic;
    this.readers = [new Reader(first, [[automatic, t("try.automatic")], ...names], null, () => this.read())];
    this.readers.push(new Reader("", [["", t("try.none")], ...names], t("try.second"), () => this.read()));

    this.holder = h("div.surface", {});
    this.surface = new InkSurface(this.holder, { label: t("try.canvas") });
    this.area = new AreaHandles(this.holder, () => this.read());
    this.surface.addEventListener("change", () => this.#changed());
    this.surface.addEventListener("stroke", (event) => this.read(event.detail.time));
    this.surface.addEventListener("progress", () => {
      if (performance.now() - this.#lastReading > pace) this.read();
    });

    const button = (key, action, more = {}) => h("button", { onclick: action, ...more }, t(`try.${key}`));
    this.undoButton = button("undo", () => this.surface.undo());
    this.redoButton = button("redo", () => this.surface.redo());
    this.clearButton = button("clear", () => this.surface.clear());
    this.saveButton = button("save", () => this.save(), { class: "primary" });
    this.label = h("input", { type: "text", dir: "auto", maxLength: 1000, placeholder: t("try.labelHint") });
    this.file = h("input", { type: "text", maxLength: 100, value: localStorage.getItem("try-file") ?? defaultFile });
    this.strokeCount = h("span.dim", {});
    this.latency = h("span.dim", { title: t("try.latencyTitle"), "data-latency": "" });

    const preContext = h("input", { type: "text", maxLength: 200, oninput: () => this.#set("preContext", preContext.value) });
    const alphabet = h("input", { type: "text", maxLength: 2000, oninput: () => this.#set("alphabet", alphabet.value) });
    const area = h("input", { type: "checkbox", id: "try-area", onchange: () => { this.area.isOn = area.checked; this.read(); } });

    main.append(
      h("div.row", {}, h("h1", { class: "grow" }, t("try.title")), this.strokeCount, this.latency),
      h("div.columns", {},
        h("div.stack", {}, h("p.hint", {}, t("try.hint")), this.holder,
          h("div.row", {}, this.undoButton, this.redoButton, this.clearButton, h("span.grow"),
            h("label.label", {}, t("try.label"), this.label), this.saveButton)),
        h("div.stack", {},
          h("section.panel.stack", { "aria-label": t("try.candidates") }, this.readers.map((each) => each.element)),
          h("details.panel", {}, h("summary", {}, t("try.options")), h("div.stack.options", {},
            field(t("try.preContext"), preContext, t("try.preContextHint")),
            field(t("try.alphabet"), alphabet, t("try.alphabetHint")),
            field(t("try.file"), this.file, t("try.fileHint")),
            h("div.check", {}, area, h("label", { for: "try-area" }, t("try.areaOn"))), h("p.hint", {}, t("try.areaHint")))))));
    for (const each of this.readers) each.onMark = (parts) => this.surface.mark(parts);
    this.onKey = (event) => this.#key(event);
    document.addEventListener("keydown", this.onKey);
    // What could not be read without a connection is read now.
    this.onBack = () => this.read();
    connection.addEventListener("back", this.onBack);
    this.#changed();
    this.#showAll();
  }

  remove() {
    document.removeEventListener("keydown", this.onKey);
    connection.removeEventListener("back", this.onBack);
    this.#controller?.abort();
    this.surface.remove();
  }

  #set(key, value) {
    this.settings[key] = value;
    this.read();
  }

  #key(event) {
    if (document.querySelector("dialog[open]")) return;
    const key = event.key.toLowerCase();
    if ((event.ctrlKey || event.metaKey) && key === "s") {
      event.preventDefault();
      this.save();
      return;
    }
    if (isTyping(event)) return;
    if ((event.ctrlKey || event.metaKey) && key === "z") {
      event.preventDefault();
      if (event.shiftKey) this.surface.redo();
      else this.surface.undo();
    } else if ((event.ctrlKey || event.metaKey) && key === "y") {
      event.preventDefault();
      this.surface.redo();
    } else if (event.key === "Escape") {
      this.surface.clear();
    }
  }

  #changed() {
    const strokes = this.surface.strokes.length;
    this.undoButton.disabled = this.clearButton.disabled = this.saveButton.disabled = strokes === 0;
    this.redoButton.disabled = !this.surface.canRedo;
    this.strokeCount.textContent = strokes > 0 ? count("try.strokes", strokes) : "";
    // A new stroke is read by its own event, which knows its time.
    if (strokes !== this.readCount) this.read();
  }

  /** Reads the ink with each chosen model. `since` is when the stroke ended. */
  async read(since = null) {
    const strokes = this.surface.strokes.slice();
    this.readCount = strokes.length;
    const live = this.surface.liveStroke;
    if (live && live.x.length > 4) strokes.push(tidy(live));
    this.#lastReading = performance.now();
    const mine = ++this.#turn;
    this.#controller?.abort();
    if (strokes.length === 0) {
      for (const each of this.readers) each.show(null);
      this.latency.textContent = "";
      return;
    }
    const controller = new AbortController();
    this.#controller = controller;
    const body = { strokes, candidates: shown, spans: true };
    if (this.settings.preContext) body.preContext = this.settings.preContext;
    if (this.area.isOn) body.area = this.area.value;
    await Promise.all(this.readers.filter((each) => each.model).map(async (reader) => {
      const mineToo = reader.model === automatic ? { ...body } : { ...body, model: reader.model };
      if (this.settings.alphabet && reader.takesAlphabet) mineToo.alphabet = this.settings.alphabet;
      try {
        const answer = await request("POST", "/v1/recognize", mineToo, { signal: controller.signal });
        if (mine === this.#turn) reader.show(answer);
      } catch (error) {
        if (error.name === "AbortError") return;
        // A glyph model takes no alphabet: it is asked again without one.
        if (error.code === "unusableModel" && mineToo.alphabet) {
          reader.takesAlphabet = false;
          this.read(since);
          return;
        }
        if (mine === this.#turn) reader.showError(error);
      }
    }));
    if (mine === this.#turn && since !== null) {
      requestAnimationFrame(() => setTimeout(() => {
        const milliseconds = performance.now() - since;
        this.latency.textContent = t("try.latency", { milliseconds: milliseconds.toFixed(0) });
        this.latency.dataset.latency = milliseconds.toFixed(1);
      }));
    }
  }

  #showAll() {
    for (const each of this.readers) each.show(null);
  }

  /** Saves the ink with the label, or with what was read if there is none. */
  async save() {
    const strokes = this.surface.strokes.slice();
    if (strokes.length === 0 || this.isSaving) return;
    const label = this.label.value || this.readers[0].text;
    if (!label) {
      this.label.focus();
      this.context.say(t("try.labelMissing"), "error");
      return;
    }
    const body = { file: this.file.value.trim() || defaultFile, label, strokes };
    if (this.area.isOn) body.area = this.area.value;
    this.isSaving = true;
    try {
      const answer = await post("/v1/studio/inks", body);
      localStorage.setItem("try-file", body.file);
      // What was written in the meantime stays.
      if (this.surface.strokes.length === strokes.length) this.surface.clear();
      this.context.say(t("try.saved", { label, file: answer.file }));
    } catch (error) {
      // The ink and the label stay, so that nothing is lost.
      this.context.sayError(error);
    } finally {
      this.isSaving = false;
    }
  }
}

/** A model with its candidates. */
class Reader {
  takesAlphabet = true;
  onMark = () => {};

  constructor(model, names, title, onChange) {
    this.model = model;
    this.choice = select(names, model, (value) => {
      this.model = value;
      this.takesAlphabet = true;
      this.show(null);
      onChange();
    });
    this.language = h("p.hint", { hidden: true });
    this.list = h("ol.candidates", { "aria-live": "polite" });
    this.characters = h("div.characters", { role: "group", "aria-label": t("try.characters") });
    this.parts = h("div.parts", { role: "group", "aria-label": t("try.parts"), hidden: true });
    this.problem = h("p.note.bad", { hidden: true, role: "alert" });
    this.element = h("div.stack.reader", {}, field(title ?? t("try.model"), this.choice), this.language, this.problem, this.list, this.characters, this.parts);
    this.text = "";
  }

  show(answer) {
    this.problem.hidden = true;
    this.list.hidden = !this.model;
    this.language.hidden = this.model !== automatic || !answer?.language;
    this.language.textContent = answer?.language ? t("try.readIn", { language: languageName(answer.language) }) : "";
    this.#showParts(answer);
    const candidates = answer?.candidates ?? [];
    this.text = candidates[0]?.text ?? "";
    if (candidates.length === 0) {
      fill(this.list, this.model ? h("li.dim", {}, t("try.empty")) : null);
      fill(this.characters);
      return;
    }
    fill(this.list, candidates.map((each) => h("li", {},
      h("span.text", { dir: "auto" }, each.text), h("span.dim.number", {}, `${(100 * each.probability).toFixed(each.probability < 0.1 ? 1 : 0)} %`),
      h("span.meter", { "aria-hidden": "true" }, svg("svg", { viewBox: "0 0 100 4", preserveAspectRatio: "none" }, svg("rect", { width: (100 * each.probability).toFixed(2), height: 4 }))))));
    const note = fontNote(this.text);
    if (note) this.list.append(h("li", {}, note));
    this.#showCharacters(answer, candidates[0]);
  }

  /** A button for each character; pointing at it or focusing it marks its strokes. */
  #showCharacters(answer, best) {
    const parts = best.characters ?? [];
    const letters = parts.length > 0 ? [...new Intl.Segmenter().segment(best.text)].map((each) => each.segment) : [];
    if (letters.length !== parts.length) {
      fill(this.characters);
      return;
    }
    fill(this.characters, letters.map((letter, index) => {
      if (parts[index].length === 0) return h("span", { "aria-hidden": "true" }, "\u00a0");
      return h("button", {
        type: "button", ...this.#marking(parts[index]), title: t("try.charactersHint"), "aria-label": letter.trim() === "" ? t("try.space") : letter,
      }, letter);
    }));
  }

  /** A button for each block, edge and mark of a page that is more than one text. */
  #showParts(answer) {
    const { blocks = [], edges = [], marks = [] } = answer ?? {};
    this.parts.hidden = blocks.length + edges.length + marks.length < 2;
    if (this.parts.hidden) return fill(this.parts);
    const text = (block) => block.lines?.map((line) => answer.lines[line].text).join(" ") ?? "";
    const name = (index) => (index === null ? "–" : text(blocks[index]) || t(`try.kinds.${blocks[index].kind}`));
    const part = (kind, strokes, detail = "") => h("button", { type: "button", ...this.#marking(strokes.map((stroke) => ({ stroke }))) },
      h("span.dim", {}, t(`try.kinds.${kind}`)), detail ? [" ", h("bdi", { dir: "auto" }, detail)] : "");
    const arrow = { none: "—", end: "→", both: "↔" };
    fill(this.parts, h("p.hint", {}, t("try.partsHint")),
      blocks.map((each) => part(each.kind, each.strokes, text(each))),
      edges.map((each) => part("edge", each.strokes, `${name(each.from)} ${arrow[each.arrow]} ${name(each.to)}`)),
      marks.map((each) => part(each.kind, each.strokes, each.words.map((word) => word.text).join(" "))));
  }

  /** What makes a button mark ink while it is pointed at or focused. */
  #marking(parts) {
    const mark = () => this.onMark(parts.map((each) => ({ ...each, colour: "bad" })));
    const unmark = () => this.onMark([]);
    return { onpointerenter: mark, onpointerleave: unmark, onfocus: mark, onblur: unmark };
  }

  showError(error) {
    this.show(null);
    fill(this.list);
    this.problem.hidden = false;
    this.problem.textContent = error.message;
  }
}

/** The writing area as two lines that can be dragged, also by the arrow keys. */
class AreaHandles {
  #edges = { top: 0.25, bottom: 0.75 };

  constructor(holder, onChange) {
    this.holder = holder;
    this.onChange = perFrame(onChange);
    this.svg = svg("svg", { class: "area", width: "100%", height: "100%" });
    this.parts = {};
    for (const edge of ["top", "bottom"]) {
      const part = {
        line: svg("line", { x1: 0, x2: "100%" }), hit: svg("rect", { x: 0, width: "100%", height: 18 }), knob: svg("circle", { cx: "50%", r: 6 }),
      };
      part.group = svg("g", {
        class: "edge", tabindex: 0, role: "slider", "aria-orientation": "vertical", "aria-label": t(edge === "top" ? "try.areaTop" : "try.areaBottom"), "aria-valuemin": 0, "aria-valuemax": 100,
      }, part.line, part.hit, part.knob);
      part.group.addEventListener("pointerdown", (event) => this.#drag(event, edge));
      part.group.addEventListener("keydown", (event) => {
        const step = { ArrowUp: -0.01, ArrowDown: 0.01 }[event.key];
        if (!step) return;
        event.preventDefault();
        this.#move(edge, this.#edges[edge] + step);
      });
      this.parts[edge] = part;
      this.svg.append(part.group);
    }
    this.isOn = false;
    new ResizeObserver(() => this.#place()).observe(holder);
  }

  get isOn() {
    return this.svg.isConnected;
  }

  set isOn(isOn) {
    if (isOn) {
      this.holder.append(this.svg);
      this.#place();
    } else {
      this.svg.remove();
    }
  }

  /** The area in the units of the ink. */
  get value() {
    const { clientWidth: width, clientHeight: height } = this.holder;
    return { x: 0, y: this.#edges.top * height, width, height: (this.#edges.bottom - this.#edges.top) * height };
  }

  #drag(event, edge) {
    event.preventDefault();
    event.stopPropagation();
    const group = this.parts[edge].group;
    group.setPointerCapture(event.pointerId);
    const move = (each) => {
      const box = this.holder.getBoundingClientRect();
      this.#move(edge, (each.clientY - box.top) / box.height);
    };
    group.addEventListener("pointermove", move);
    group.addEventListener("pointerup", () => group.removeEventListener("pointermove", move), { once: true });
  }

  #move(edge, value) {
    const other = this.#edges[edge === "top" ? "bottom" : "top"];
    this.#edges[edge] = edge === "top" ? Math.min(Math.max(0, value), other - 0.05) : Math.max(Math.min(1, value), other + 0.05);
    this.#place();
    this.onChange();
  }

  #place() {
    const height = this.holder.clientHeight;
    for (const edge of ["top", "bottom"]) {
      const y = this.#edges[edge] * height;
      const { line, hit, knob, group } = this.parts[edge];
      line.setAttribute("y1", y);
      line.setAttribute("y2", y);
      hit.setAttribute("y", y - 9);
      knob.setAttribute("cy", y);
      group.setAttribute("aria-valuenow", Math.round(100 * this.#edges[edge]));
    }
  }
}
