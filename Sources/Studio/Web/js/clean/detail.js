// One ink in full: a large drawing, what is known of it, its neighbours, and the decision.
import { get, part } from "/js/api.js";
import { fill, h, t } from "/js/dom.js";
import { decode, drawPacked, visible } from "/js/clean/inks.js";
import { describe } from "/js/clean/wall.js";

const neighbours = 2;

/**
 * The panel beside the wall.
 *
 * Events: "decide" with detail { ink, decision, label }; "undo" with detail { ink }; "move" with
 * detail { by }; "close".
 */
export class Detail extends EventTarget {
  element = h("aside.panel.detail", { "aria-label": t("data.detail") });
  ink = null;
  #wall;
  #store = null;
  #position = 0;
  #total = 0;
  #large = null;
  #request = null;
  #canvas = h("canvas.drawing", { role: "img" });
  #content = h("div.stack");
  #form = null;
  #hint = h("p.dim", {}, t("data.detailHint"));
  #observer = new ResizeObserver(() => this.#draw());
  #listeners = new AbortController();
  labels = [];

  constructor(wall) {
    super();
    this.#wall = wall;
    fill(this.element, this.#hint, this.#content);
    this.#observer.observe(this.#canvas);
    document.addEventListener("themechange", () => this.#draw(), { signal: this.#listeners.signal });
  }

  remove() {
    this.#request?.abort();
    this.#observer.disconnect();
    this.#listeners.abort();
    this.element.remove();
  }

  /** True while a new label is typed. */
  get isTyping() {
    return this.#form !== null;
  }

  /** Shows the ink at a position of a store. */
  async show(store, position) {
    this.#store = store;
    this.#position = position;
    this.#total = store.total;
    const ink = store.at(position);
    this.#hint.hidden = ink !== undefined;
    this.#content.hidden = ink === undefined;
    if (ink === undefined) {
      this.ink = null;
      return;
    }
    const isOther = this.ink?.id !== ink.id;
    if (isOther) {
      this.#form = null;
      this.#large = null;
    }
    this.ink = ink;
    if (this.#form === null) this.#fill();
    this.#draw();
    if (isOther) await this.#load(ink);
  }

  async #load(ink) {
    this.#request?.abort();
    const controller = (this.#request = new AbortController());
    try {
      const path = `/v1/data/${part(this.#wall)}/inks`;
      const large = await get(`${path}/${ink.id}`, { signal: controller.signal });
      if (this.ink?.id !== ink.id) return;
      this.#large = large;
      if (large.earlier !== undefined) {
        large.twin = await get(`${path}/${large.earlier}`, { signal: controller.signal });
        if (this.ink?.id !== ink.id) return;
      }
      if (this.#form === null) this.#fill();
      this.#draw();
    } catch (error) {
      // The drawing of the cell is shown instead.
      if (error.name !== "AbortError" && error.status !== 0 && error.status !== 404) console.warn(error.message);
    }
  }

  // MARK: - Content

  #fill() {
    const { ink } = this;
    const focused = this.element.contains(document.activeElement) ? document.activeElement.dataset.action : null;
    const text = visible(ink.label, 400);
    this.#canvas.setAttribute("aria-label", describe(ink));
    fill(this.#content,
      h("div.row.detail-head", {},
        h("p.dim.grow", {}, t("data.position", { position: (this.#position + 1).toLocaleString("en"), total: this.#total.toLocaleString("en") })),
        h("button.quiet.close", { onclick: () => this.dispatchEvent(new Event("close")), "aria-label": t("shell.close") }, "✕")),
      this.#canvas,
      h("p.big-label", {}, text ? h("bdi", { dir: "auto" }, text) : h("span.dim", {}, t("data.unlabelled")),
        ink.decision ? h(`span.tag.${{ drop: "bad", relabel: "warn", accept: "good" }[ink.decision]}`, {}, t(`data.decided.${ink.decision}`)) : null),
      this.#facts(), this.#buttons(), this.#strip());
    if (focused) this.#content.querySelector(`[data-action="${focused}"]`)?.focus();
  }

  #facts() {
    const { ink } = this;
    const large = this.#large;
    const rows = [];
    const add = (name, ...content) => rows.push(h("dt", {}, t(`data.${name}`)), h("dd", {}, ...content));
    const label = (value) => h("bdi", { dir: "auto" }, visible(value, 400));
    if (ink.was !== undefined) add("was", ink.was === "" ? t("data.unlabelled") : label(ink.was));
    if (ink.reason) {
      const percent = ink.score === undefined ? "" : `${Math.round(100 * ink.score)} %`;
      add("doctor", ink.reason === "label" ? [label(ink.suggested), " ", h("span.dim", {}, percent)] : t(`data.reasons.${ink.reason}`));
    }
    if (large?.twin) add("earlier", t("data.earlierInk", { position: (large.earlier + 1).toLocaleString("en") }), ": ", label(large.twin.label));
    if (ink.read !== undefined) {
      const percent = ink.confidence === undefined ? "" : `${(100 * ink.confidence).toFixed(ink.confidence > 0.995 || ink.confidence < 0.1 ? 1 : 0)} %`;
      add("read", ink.read === "" ? t("data.nothing") : label(ink.read), " ", h("span.dim", {}, percent),
        ink.isError ? [" ", h("span.tag.bad", {}, t("data.wrong"))] : null);
    }
    if (ink.writer) add("writer", label(ink.writer));
    if (large?.source) {
      add("source", h("bdi", { dir: "auto" }, visible(large.source, 300)), large.line ? `, ${t("data.line", { line: large.line })}` : "");
    }
    return h("dl.facts", {}, rows);
  }

  #buttons() {
    if (this.#form) return this.#form;
    const { ink } = this;
    const button = (action, style, onclick, disabled = false) => h(`button${style}`, {
      onclick, disabled, "data-action": action, "aria-keyshortcuts": t(`data.keys.${action}`), "aria-pressed": null,
    }, t(`data.${action}`), " ", h("kbd", {}, t(`data.keys.${action}`)));
    return h("div.decide", { role: "group", "aria-label": t("data.decision") },
      button("accept", "", () => this.decide("accept")),
      button("relabel", ink.suggested && !ink.decision ? ".primary" : "", () => this.relabel()),
      button("drop", ".danger", () => this.decide("drop")),
      button("undo", "", () => this.dispatchEvent(new CustomEvent("undo", { detail: { ink: this.ink } }))),
      button("previous", ".quiet", () => this.#move(-1), this.#position === 0),
      button("next", ".quiet", () => this.#move(1), this.#position >= this.#total - 1));
  }

  #strip() {
    const cells = [];
    for (let by = -neighbours; by <= neighbours; by++) {
      const ink = this.#store.at(this.#position + by);
      if (!ink || by === 0) continue;
      const canvas = h("canvas", { width: 112, height: 96, "aria-hidden": "true" });
      if (ink.drawing) {
        const context = canvas.getContext("2d");
        context.setTransform(2, 0, 0, 2, 0, 0);
        context.strokeStyle = this.#colour("ink");
        context.lineWidth = ink.drawing.width > 3 * ink.drawing.height ? 0.8 : 1.5;
        drawPacked(context, ink.drawing, 56, 48, 4);
      }
      cells.push(h("button.neighbour", { onclick: () => this.#move(by), "aria-label": describe(ink), "data-state": ink.decision ?? "" },
        canvas, h("bdi", { dir: "auto" }, visible(ink.label, 12) || "–")));
    }
    return h("div.neighbours", { role: "group", "aria-label": t("data.neighbours") }, cells);
  }

  #move(by) {
    this.dispatchEvent(new CustomEvent("move", { detail: { by } }));
  }

  // MARK: - Deciding

  decide(decision, label) {
    if (!this.ink) return;
    this.#form = null;
    this.dispatchEvent(new CustomEvent("decide", { detail: { ink: this.ink, decision, label } }));
  }

  /** Asks for a new label. Tab takes the suggestion into the field, Enter saves. */
  relabel() {
    if (!this.ink) return;
    const { ink } = this;
    const suggestion = ink.suggested ?? (ink.isError && ink.read ? ink.read : "");
    const input = h("input", {
      type: "text", autocomplete: "off", spellcheck: false, dir: "auto", maxLength: 2000, "aria-label": t("data.newLabel"),
      placeholder: suggestion ? visible(suggestion, 80) : t("data.newLabel"), "list": null,
    });
    input.setAttribute("autocapitalize", "off");
    const problem = h("p.note.bad", { role: "alert", hidden: true });
    const cancel = () => {
      this.#form = null;
      this.#fill();
      this.#draw();
      this.dispatchEvent(new Event("focus"));
    };
    const save = () => {
      const label = (input.value || suggestion).trim();
      if (label === "") {
        problem.hidden = false;
        problem.textContent = t("data.labelMissing");
        return;
      }
      this.#form = null;
      if (label === ink.label && !ink.decision) this.decide("accept");
      else this.decide("relabel", label);
      this.dispatchEvent(new Event("focus"));
    };
    input.addEventListener("keydown", (event) => {
      if (event.key === "Tab" && !event.shiftKey && input.value === "" && suggestion) {
        event.preventDefault();
        input.value = suggestion;
      } else if (event.key === "Enter" && !event.isComposing) {
        event.preventDefault();
        event.stopPropagation();
        save();
      } else if (event.key === "Escape") {
        event.preventDefault();
        event.stopPropagation();
        cancel();
      }
    });
    const choices = suggestion ? [suggestion] : [];
    if (ink.read && !choices.includes(ink.read)) choices.push(ink.read);
    this.#form = h("div.stack.relabel", {}, h("label.dim", {}, t("data.newLabel"), input), problem,
      choices.length > 0 ? h("div.row", {}, choices.map((each) => h("button", { onclick: () => { input.value = each; save(); } },
        h("bdi", { dir: "auto" }, visible(each, 60))))) : null,
      suggestion ? h("p.hint", {}, t("data.suggestionHint")) : null,
      h("div.row", {}, h("button.primary", { onclick: save }, t("data.save")), h("button", { onclick: cancel }, t("shell.cancel"))));
    this.#fill();
    this.#draw();
    input.focus();
  }

  // MARK: - Drawing

  #colour(name) {
    return getComputedStyle(this.element).getPropertyValue(`--${name}`).trim() || "black";
  }

  #draw() {
    const drawing = this.#large?.drawing ?? this.ink?.drawing;
    const { clientWidth: width, clientHeight: height } = this.#canvas;
    if (!drawing || width === 0) return;
    const scale = window.devicePixelRatio || 1;
    this.#canvas.width = Math.round(width * scale);
    this.#canvas.height = Math.round(height * scale);
    const context = this.#canvas.getContext("2d");
    context.setTransform(scale, 0, 0, scale, 0, 0);
    const margin = 26;
    const high = Math.max(drawing.height, 1), wide = Math.max(drawing.width, 1);
    const factor = Math.min((width - 2 * margin) / wide, (height - 2 * margin) / high);
    if (drawing.area) {
      context.strokeStyle = this.#colour("guide");
      context.lineWidth = 1.5;
      const top = (height - drawing.height * factor) / 2;
      for (const edge of drawing.area) {
        const y = top + edge * factor;
        context.beginPath();
        context.moveTo(0, y);
        context.lineTo(width, y);
        context.stroke();
      }
    }
    context.strokeStyle = this.#colour("ink");
    // A line of text is small in the panel.
    const isLong = drawing.width > 3 * drawing.height;
    context.lineWidth = isLong ? 1.4 : 2.6;
    const place = drawPacked(context, drawing, width, height, margin);
    if (isLong) return;
    // Dots show where strokes begin.
    const numbers = decode(drawing);
    context.fillStyle = this.#colour("accent");
    for (let i = 0, strokes = 0; i < numbers.length && strokes < 40; i += 1 + 2 * numbers[i], strokes++) {
      context.beginPath();
      context.arc(place.left + numbers[i + 1] * place.scale, place.top + numbers[i + 2] * place.scale, 3.2, 0, 2 * Math.PI);
      context.fill();
    }
  }
}
