// Typing with pressure: the keys, the text in every scheme, and its files. The studio computes all.
import { post } from "/js/api.js";
import { field, fill, h, select, t } from "/js/dom.js";

const schemes = ["weight", "size", "alpha", "hue", "shadow"];
const smoothings = ["Character", "Word", "Sentence", "Line", "Paragraph", "Message"];
const estimators = ["force", "duration", "impact", "manual"];
const formats = ["json", "html", "svg", "ansi"];
/** Milliseconds between two measurements of a key that is held. */
const pace = 60;

function loadStyle() {
  if (document.querySelector("link[href='/css/intensity.css']")) return Promise.resolve();
  return new Promise((done) => {
    document.head.append(h("link", { rel: "stylesheet", href: "/css/intensity.css", onload: done, onerror: done }));
  });
}

export async function mount(main, context) {
  await loadStyle();
  const page = new IntensityPage(main, context);
  await page.send([]);
  return () => page.remove();
}

class IntensityPage {
  #log = null;
  #queue = Promise.resolve();
  #history = [];
  #z = null;

  constructor(main, context) {
    this.context = context;
    this.state = { text: "", selection: [0, 0], intensity: 50, page: 0, isShifted: false };
    this.settings = { estimator: "duration", mapping: "linear", smoothing: "Character", animates: false };
    const choice = (key, values, change) => field(t(`intensity.${key}`),
      select(values.map((each) => [each, t(`intensity.${key}s.${each}`)]), this.settings[key], (value) => {
        this.settings[key] = value;
        change?.(value);
        this.send([]);
      }));
    const animates = h("input", { type: "checkbox", id: "intensity-animates", onchange: () => { this.settings.animates = animates.checked; this.send([]); } });
    this.readout = h("output.readout", { "aria-live": "off" }, "50");
    this.slider = h("input", { type: "range", min: 0, max: 100, value: 50, "aria-label": t("intensity.slider"),
      oninput: () => this.send([{ kind: "slider", value: Number(this.slider.value) }]) });
    this.keys = h("div.keys-board", { role: "group", "aria-label": t("intensity.keyboard") });
    this.variants = h("div.row.variants", { hidden: true });
    this.views = new Map(schemes.map((name) => [name, h("div.intensity-text", { "data-scheme": name, tabIndex: 0, role: "textbox", "aria-readonly": "true", "aria-label": t(`intensity.schemes.${name}`) })]));
    this.average = h("span.dim", {});
    this.undoButton = h("button", { onclick: () => this.undo() }, t("intensity.undo"));
    this.clearButton = h("button", { onclick: () => this.clear() }, t("intensity.clear"));
    this.scheme = select(schemes.map((each) => [each, t(`intensity.schemes.${each}`)]), "hue");
    this.scheme.setAttribute("aria-label", t("intensity.exportScheme"));
    main.append(
      h("div.row", {}, h("h1", { class: "grow" }, t("intensity.title")), this.average),
      h("div.columns", {},
        h("div.stack", {},
          h("p.hint", {}, t("intensity.hint")),
          h("section.panel.stack", { "aria-label": t("intensity.texts") },
            schemes.map((name) => h("div.intensity-row", {}, h("span.dim", {}, t(`intensity.schemes.${name}`)), this.views.get(name)))),
          h("div.row", {}, this.readout, h("div.grow", {}, this.slider), this.undoButton, this.clearButton),
          this.variants, this.keys),
        h("div.stack", {},
          h("section.panel.stack", { "aria-label": t("intensity.settings") },
            choice("estimator", estimators, (value) => value === "impact" && this.#listen()), choice("mapping", ["linear", "logarithmic"]), choice("smoothing", smoothings),
            h("div.check", {}, animates, h("label", { for: "intensity-animates" }, t("intensity.animates")))),
          h("section.panel.stack", { "aria-label": t("intensity.files") },
            field(t("intensity.exportScheme"), this.scheme),
            h("div.row", {}, formats.map((format) => h("button", { onclick: () => this.save(format), "data-format": format }, t(`intensity.formats.${format}`))))))));
    this.onKeyDown = (event) => this.#keyDown(event);
    this.onKeyUp = (event) => this.#keyUp(event);
    document.addEventListener("keydown", this.onKeyDown);
    document.addEventListener("keyup", this.onKeyUp);
    this.onMotion = (event) => { this.#z = (event.acceleration?.z ?? 0) / 9.81; };
  }

  remove() {
    clearInterval(this.timer);
    document.removeEventListener("keydown", this.onKeyDown);
    document.removeEventListener("keyup", this.onKeyUp);
    removeEventListener("devicemotion", this.onMotion);
  }

  #listen() {
    addEventListener("devicemotion", this.onMotion);
  }

  /** Sends events one after the other and draws the answer. A preview leaves the text as it is. */
  send(events, isPreview = false) {
    this.#queue = this.#queue.then(async () => {
      if (isPreview && this.#log === null) return;
      try {
        const answer = await post("/v1/studio/intensity", { ...this.#body(), events });
        if (isPreview) return this.#preview(answer);
        if (answer.text !== this.state.text && this.state.text !== "") this.#history.push(this.state);
        this.state = answer;
        this.#draw();
      } catch (error) {
        this.context.sayError(error);
      }
    });
    return this.#queue;
  }

  #body() {
    const { text, selection, intensity, page, isShifted } = this.state;
    return { text, selection, intensity, page, isShifted, settings: this.settings };
  }

  undo() {
    const state = this.#history.pop();
    if (!state) return;
    this.state = state;
    this.send([]);
  }

  clear() {
    this.#history.push(this.state);
    this.state = { ...this.state, text: "", selection: [0, 0] };
    this.send([]);
  }

  async save(format) {
    try {
      const body = { ...this.#body(), format };
      body.settings = { ...this.settings, scheme: this.scheme.value };
      const file = await post("/v1/studio/intensity/export", body);
      const url = URL.createObjectURL(new Blob([file.content], { type: file.type }));
      h("a", { href: url, download: file.name }).click();
      setTimeout(() => URL.revokeObjectURL(url), 10_000);
      this.context.say(t("intensity.saved", { file: file.name }));
    } catch (error) {
      this.context.sayError(error);
    }
  }

  // MARK: - Touches

  #sample(event) {
    const sample = { time: event.timeStamp / 1000 };
    if (event.pointerType === "pen" || (event.pointerType === "touch" && event.pressure > 0 && event.pressure !== 0.5)) {
      sample.force = event.pressure;
      sample.maximumForce = 1;
    }
    if (this.settings.estimator === "impact" && this.#z !== null) sample.z = this.#z;
    return sample;
  }

  #down(event, row, key, element) {
    event.preventDefault();
    element.setPointerCapture?.(event.pointerId);
    const manual = this.settings.estimator === "manual";
    this.#log = [{ kind: "down", row, key, ...this.#sample(event) }];
    this.last = this.#log[0];
    this.began = performance.now();
    this.element = element;
    element.classList.add("pressed");
    clearInterval(this.timer);
    if (!manual) this.timer = setInterval(() => this.#hold(), pace);
  }

  #hold() {
    if (!this.#log) return clearInterval(this.timer);
    const time = this.#log[0].time + (performance.now() - this.began) / 1000;
    this.#log.push({ ...this.last, kind: "press", time });
    this.send(this.#log.slice(), true);
  }

  #move(event) {
    if (!this.#log) return;
    this.last = { ...this.last, ...this.#sample(event) };
    this.#log.push({ ...this.last, kind: "press" });
  }

  #up(event, isCancelled = false) {
    if (!this.#log) return;
    clearInterval(this.timer);
    const log = this.#log;
    this.#log = null;
    this.element?.classList.remove("pressed");
    if (isCancelled) return this.#preview({ current: null, variants: [] });
    if (this.settings.estimator === "manual") return this.#typeByHand(log[0]);
    log.push({ kind: "up", time: event.timeStamp / 1000, ...(log[0].force === undefined ? {} : { force: 0, maximumForce: 1 }) });
    this.send(log);
  }

  /** With the slider, a key has the intensity of the slider. */
  #typeByHand(down) {
    const key = this.state.rows[down.row][down.key];
    if (key.action === "type") return this.send([{ kind: "text", text: key.label }]);
    return this.send([down, { ...down, kind: "up" }]);
  }

  #keyDown(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (document.querySelector("dialog[open]") || event.target.closest?.("input, select, textarea, button, a")) return;
    if (event.key === "Backspace") {
      event.preventDefault();
      this.send([{ kind: "delete" }]);
    } else if (event.key.length === 1 && event.key !== "?") {
      event.preventDefault();
      this.held ??= new Map();
      this.held.set(event.code, event.timeStamp);
    }
  }

  /** Another keyboard: the time that a key is down, through the same duration as a touch. */
  #keyUp(event) {
    const start = this.held?.get(event.code);
    if (start === undefined) return;
    this.held.delete(event.code);
    const events = [{ kind: "text", text: event.key }];
    if (this.settings.estimator !== "manual") events.unshift({ kind: "slider", value: Math.min(100, 200 * (event.timeStamp - start) / 1000) });
    this.send(events);
  }

  // MARK: - Drawing

  #preview(answer) {
    this.readout.textContent = answer.current ?? this.state.intensity;
    this.element?.style.setProperty("--press", `${answer.current ?? 0}%`);
    this.#showVariants(answer.variants);
  }

  #showVariants(variants) {
    if (variants.length === 0) {
      this.variants.hidden = true;
      return;
    }
    if (!this.variants.hidden) return;
    this.variants.hidden = false;
    fill(this.variants, variants.map((text) => h("button", { onclick: () => {
      this.variants.hidden = true;
      this.send([{ kind: "delete" }, { kind: "text", text }]);
    } }, text)));
  }

  #draw() {
    const { state } = this;
    this.readout.textContent = state.intensity;
    this.slider.value = state.intensity;
    this.average.textContent = state.plain ? t("intensity.average", { average: state.average, count: state.plain.length }) : "";
    this.undoButton.disabled = this.#history.length === 0;
    this.clearButton.disabled = state.plain === "";
    for (const rendering of state.renderings) this.#drawText(this.views.get(rendering.scheme), rendering);
    this.#drawKeys();
  }

  /** Draws the keys if others are shown: a key that is held must stay. */
  #drawKeys() {
    const { page, isShifted, rows } = this.state;
    const shown = `${page} ${isShifted}`;
    if (shown === this.shownKeys) return;
    this.shownKeys = shown;
    fill(this.keys, rows.map((row, line) => h("div.keys-row", {}, row.map((key, place) => {
      const element = h(`button.key.${key.action}`, {
        "aria-label": key.label === " " ? t("intensity.space") : key.label,
        onpointerdown: (event) => this.#down(event, line, place, element),
        onpointermove: (event) => this.#move(event),
        onpointerup: (event) => this.#up(event),
        onpointercancel: (event) => this.#up(event, true),
        // Enter and space of a keyboard press the key for a moment.
        onclick: (event) => { if (event.detail === 0) this.#tap(line, place); },
      }, key.label === " " ? "␣" : key.label);
      element.style.flexGrow = String(key.width);
      if (key.action === "shift") element.setAttribute("aria-pressed", String(isShifted));
      return element;
    }))));
  }

  #tap(row, key) {
    const time = performance.now() / 1000;
    this.send([{ kind: "down", row, key, time }, { kind: "up", row, key, time: time + 0.25 }]);
  }

  #drawText(view, rendering) {
    const layer = (runs, ends) => {
      const element = h("div.layer", { dir: "auto" }, runs.map((run) => {
        const span = h("span", {}, run.text);
        span.style.fontWeight = String(run.weight);
        span.style.fontSize = `${run.size}px`;
        if (run.italic) span.style.fontStyle = "italic";
        const [red, green, blue] = run.color;
        if (red + green + blue > 0) span.style.color = `rgb(${red} ${green} ${blue})`;
        span.style.opacity = String(run.alpha);
        if (run.shadow) span.style.textShadow = `0 0 ${run.shadowRadius}px rgb(${run.shadow.join(" ")})`;
        return span;
      }));
      if (ends) element.animate([{ opacity: ends[0] }, { opacity: ends[1] }], { duration: rendering.seconds * 1000, iterations: Infinity, direction: "alternate", easing: "ease-in-out" });
      return element;
    };
    const top = layer(rendering.runs, rendering.top);
    if (!rendering.bottom) return fill(view, top);
    const bottom = layer(rendering.bottom, rendering.under);
    bottom.classList.add("under");
    bottom.setAttribute("aria-hidden", "true");
    return fill(view, bottom, top);
  }
}
