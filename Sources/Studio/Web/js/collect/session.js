// One session: the prompt, the surface to write on, and what was written.
import { ApiError, connection, del, get, part, persistently, put } from "/js/api.js";
import { count, field, fill, h, t } from "/js/dom.js";
import { fontNote } from "/js/fonts.js";
import { InkSurface } from "/js/ink.js";
import { isTyping } from "/js/shell.js";
import { areaOf, drawGuides } from "/js/collect/guides.js";
import * as outbox from "/js/collect/outbox.js";
import { picture, Strip } from "/js/collect/strip.js";

/** Ink nearer to the edge than this many pixels counts as clipped. */
const edge = 1;
/** The prompts that Backspace can go back to. */
const mostHistory = 200;

export async function mountSession(main, context, name) {
  const session = new Session(main, context, name);
  await session.start();
  return () => session.remove();
}

class Session {
  /** The state of the studio: counts and options. */
  state = null;
  /** The prompt on the page; null at the end. */
  current = null;
  /** Prompts that were on the page before, the latest last. */
  history = [];
  /** "write"; "review" after a sample with warnings; "busy" while a request is under way; "done". */
  mode = "busy";
  /** The size of the surface and the area when the first stroke began. */
  frame = null;
  isRemoved = false;
  /** Ink of prompts that were left without saving: { strokes, frame } by prompt. */
  unfinished = new Map();

  constructor(main, context, name) {
    this.context = context;
    this.name = name;
    this.path = `/v1/collect/${part(name)}`;
    this.strip = new Strip((prompt) => this.open(prompt));
    this.build(main);
    this.onKey = (event) => this.key(event);
    this.onFocus = () => { if (document.visibilityState === "visible") this.refresh(); };
    document.addEventListener("keydown", this.onKey);
    document.addEventListener("visibilitychange", this.onFocus);
    connection.addEventListener("back", this.onFocus);
    this.stopListening = outbox.onChange((changed) => { if (changed === name) this.refresh(); });
  }

  remove() {
    this.isRemoved = true;
    document.removeEventListener("keydown", this.onKey);
    document.removeEventListener("visibilitychange", this.onFocus);
    connection.removeEventListener("back", this.onFocus);
    this.stopListening();
    this.strip.remove();
    this.surface.remove();
  }

  // MARK: - Elements

  build(main) {
    const button = (text, onclick, kind = "button") => h(kind, { type: "button", onclick }, text);
    this.progressText = h("span.grow");
    this.progress = h("progress", { value: 0, max: 1, "aria-label": t("collect.name") });
    this.status = h("p.collect-status", { role: "status" });
    this.asides = h("div.stack", { role: "region", "aria-live": "polite" });
    this.intro = h("span.dim");
    this.promptText = h("p.collect-text", { dir: "auto" });
    this.fonts = h("div");
    this.old = h("div.collect-old");
    this.prompt = h("div.collect-prompt", { "aria-live": "polite", "aria-atomic": "true" }, this.intro, this.promptText, this.fonts);
    this.notes = h("div.stack", { role: "alert" });
    this.field = h("div.surface.collect-surface");
    this.undoButton = button(t("collect.undo"), () => this.surface.undo());
    this.redoButton = button(t("collect.redo"), () => this.surface.redo());
    this.clearButton = button(t("collect.clear"), () => this.surface.clear());
    this.backButton = button(t("collect.back"), () => this.back());
    this.skipButton = button(t("collect.skip"), () => this.skip());
    this.cancelButton = button(t("collect.cancel"), () => this.cancel());
    this.removeButton = button(t("collect.remove"), () => this.removeSample(), "button.danger");
    this.saveButton = button(t("collect.save"), () => this.save(), "button.primary");
    this.writing = h("div.stack", {},
      h("div.collect-task", {}, this.prompt, this.old), this.field,
      h("div.row.collect-controls", {}, this.undoButton, this.redoButton, this.clearButton, h("span.grow"),
        this.backButton, this.skipButton, this.removeButton, this.cancelButton, this.saveButton),
      this.notes, this.settings(), h("p.hint", {}, t("collect.keys")));
    this.end = h("section.panel.problem", { hidden: true });
    main.append(
      h("header.collect-head", {},
        h("div.row", {}, h("h1.grow", {}, this.name), h("a", { href: "/collect" }, t("collect.sessionList"))),
        h("div.row.dim", {}, this.progressText), this.progress, this.status),
      this.asides, this.writing, this.end, this.strip.element);
    this.options = { guides: true, area: true, line: 0.6 };
    this.surface = new InkSurface(this.field, {
      label: t("collect.canvas"),
      background: (drawing, width, height, colour) => drawGuides(drawing, width, height, colour, this.options),
    });
    this.surface.addEventListener("strokestart", () => this.began());
    this.surface.addEventListener("stroke", (event) => this.checkEdge(event.detail.stroke));
    this.surface.addEventListener("change", () => this.inkChanged());
    this.enable();
  }

  settings() {
    this.checks = {};
    const check = (key) => {
      const box = this.checks[key] = h("input", { type: "checkbox", onchange: () => this.setOption(key, box.checked) });
      return h("label.check", {}, box, t(`collect.${key}`));
    };
    this.checks.line = h("input", {
      type: "range", min: 0.2, max: 0.95, step: 0.05,
      oninput: () => { this.options.line = Number(this.checks.line.value); this.surface.redraw(); },
      onchange: () => this.setOption("line", Number(this.checks.line.value)),
    });
    this.writer = h("input", { maxLength: 100, autocomplete: "off", onchange: () => this.setWriter(this.writer.value) });
    return h("details.panel", {}, h("summary", {}, t("collect.settings")),
      h("div.grid", {},
        h("div.stack", {}, check("guides"), check("area"), h("p.hint", {}, t("collect.areaHint"))),
        field(t("collect.lineHeight"), this.checks.line), field(t("collect.writer"), this.writer, t("collect.writerHint"))));
  }

  setStatus(text, kind = "") {
    this.status.textContent = text;
    this.status.className = `collect-status ${kind}`;
  }

  note(kind, text, ...actions) {
    fill(this.notes, h(`div.note.${kind}`, {}, text, actions.length > 0 ? h("div.row", {}, actions) : null));
  }

  // MARK: - Start

  async start() {
    // The session first: without it, the error replaces the page.
    this.take(await persistently(() => get(this.path)));
    this.setStatus(t("collect.stateReady"));
    await this.sendPending();
    const [draft, samples] = await Promise.all([
      outbox.draft(this.name), get(`${this.path}/samples?last=${Strip.most}`)]);
    if (this.isRemoved) return;
    this.strip.set(samples.samples);
    this.showAsides();
    const kept = draft ? await this.promptAt(draft.prompt).catch(() => null) : null;
    if (this.isRemoved) return;
    // A sample that is on the disk already is no unfinished ink.
    if (kept && (!kept.sample || kept.sample === draft.frame?.replaces)) {
      this.show(kept);
      this.surface.setStrokes(draft.strokes);
      this.frame = draft.frame ?? null;
      this.note("info", t("collect.draft"));
    } else {
      this.show(this.state.next);
    }
  }

  /** Sends the samples that an earlier visit could not save. */
  async sendPending() {
    const waiting = outbox.pending(this.name).length;
    if (waiting === 0) return;
    this.setStatus(count("collect.stateSending", waiting), "busy");
    try {
      const saved = await outbox.flush(this.name, (error) =>
        this.setStatus(t("collect.stateWaiting", { reason: error.message }), "bad"));
      this.setStatus(saved > 0 ? count("collect.stateResent", saved) : t("collect.stateReady"));
    } catch (error) {
      this.setStatus(t("collect.stateFailed", { reason: error.message }), "bad");
    }
    this.take(await persistently(() => get(this.path)));
  }

  async promptAt(index) {
    return (await get(`${this.path}/prompts?from=${index}&count=1`)).prompts[0];
  }

  /** Takes the state of the studio. */
  take(state) {
    if (this.isRemoved) return;
    this.state = state;
    this.options = { ...state.options };
    this.checks.guides.checked = this.options.guides;
    this.checks.area.checked = this.options.area;
    this.checks.line.value = this.options.line;
    this.writer.value = state.writer;
    this.progress.max = state.prompts;
    this.progress.value = state.written;
    const progress = t(state.skipped ? "collect.progressSkipped" : "collect.progress", state);
    this.progressText.textContent = state.writer ? `${progress} · ${t("collect.byWriter", state)}` : progress;
    this.progress.setAttribute("aria-label", progress);
    this.surface.redraw();
  }

  /** Asks for the state again: another page may have written. */
  async refresh() {
    if (this.mode === "busy" || this.isRemoved) return;
    try {
      const state = await get(this.path);
      if (this.isRemoved || this.mode === "busy") return;
      this.take(state);
      this.strip.set((await get(`${this.path}/samples?last=${Strip.most}`)).samples);
      if (this.mode === "done" && state.next) this.show(state.next);
      if (this.mode !== "write" || this.current.sample || this.surface.strokes.length > 0 || this.surface.isWriting) return;
      const index = this.current.index;
      const present = await this.promptAt(index);
      if (this.mode === "write" && this.current?.index === index && this.surface.strokes.length === 0 && (present.sample || present.isSkipped !== this.current.isSkipped)) {
        this.show(state.next);
        if (present.sample) this.note("info", t("collect.elsewhere"));
      }
    } catch (error) {
      if (error.status !== 0) this.context.sayError(error);
    }
  }

  // MARK: - Prompts

  /** Shows a prompt with an empty surface, or the end. */
  show(prompt) {
    if (this.isRemoved) return;
    this.current = prompt ?? null;
    this.frame = null;
    this.mode = prompt ? "write" : "done";
    fill(this.notes);
    this.surface.clear();
    const left = this.unfinished.get(prompt?.index);
    if (left) {
      this.unfinished.delete(prompt.index);
      this.frame = { ...left.frame, replaces: prompt.sample ?? null };
      this.surface.setStrokes(left.strokes);
    }
    this.writing.hidden = !prompt;
    this.end.hidden = Boolean(prompt);
    if (!prompt) {
      this.showEnd();
      this.enable();
      return;
    }
    const text = prompt.show ?? prompt.label;
    this.intro.textContent = [
      t("collect.number", { number: prompt.index + 1, prompts: this.state.prompts }),
      t(prompt.sample ? "collect.promptAgain" : prompt.isSkipped ? "collect.promptSkipped" : "collect.prompt"),
      prompt.show ? `(${prompt.label})` : "",
    ].join(" · ").replace(/ · $/, "");
    this.promptText.textContent = text;
    fill(this.fonts, fontNote(text));
    const length = [...text].length;
    this.promptText.dataset.length = length <= 3 ? "sign" : length <= 24 ? "short" : length <= 70 ? "line" : "long";
    fill(this.old);
    if (prompt.sample) this.showOld(prompt);
    this.saveButton.textContent = t(prompt.sample ? "collect.saveAgain" : "collect.save");
    this.enable();
    if (!isTyping({ target: document.activeElement })) this.surface.element.focus({ preventScroll: true });
  }

  async showOld(prompt) {
    try {
      const sample = this.strip.sample(prompt.index) ?? await get(`${this.path}/samples/${prompt.index}`);
      if (this.current !== prompt) return;
      fill(this.old, h("figure", { "aria-label": t("collect.present", { label: prompt.label }) }, picture(sample.strokes, 120, 56)));
    } catch {
      // Only the picture is missing.
    }
  }

  showEnd() {
    const { state } = this;
    const train = `/train?data=${encodeURIComponent(`ink:${state.file}`)}`;
    const skipped = state.skipped > 0
      ? [h("p", {}, count("collect.doneSkipped", state.skipped)),
        h("button", { type: "button", onclick: () => this.openSkipped() }, t("collect.writeSkipped"))] : [];
    fill(this.end, h("h2", {}, t("collect.doneTitle")),
      h("p", {}, count("collect.doneWritten", state.written).replace("{file}", () => state.file)), skipped,
      h("div.row.collect-end", {},
        state.written > 0 ? h("a.collect-link.primary", { href: train }, t("collect.train")) : null,
        h("a.collect-link", { href: "/collect" }, t("collect.anotherSession"))));
    this.end.querySelector("a, button")?.focus({ preventScroll: true });
  }

  /** Goes to the first skipped prompt. */
  async openSkipped() {
    for (let from = 0; from < this.state.prompts; from += 500) {
      const { prompts } = await get(`${this.path}/prompts?from=${from}&count=500`).catch((error) => {
        this.context.sayError(error);
        return { prompts: [] };
      });
      const found = prompts.find((each) => each.isSkipped);
      if (found) return this.show(found);
    }
  }

  /** Goes to a prompt to write it, again if it has a sample. */
  async open(index) {
    if (this.mode === "busy" || this.surface.isWriting) return;
    try {
      const prompt = await this.promptAt(index);
      if (this.mode === "busy" || this.surface.isWriting || !prompt) return;
      if (this.mode === "write" && this.surface.strokes.length > 0 && this.frame && index !== this.current.index) {
        this.unfinished.set(this.current.index, { strokes: this.surface.strokes, frame: this.frame });
      }
      this.remember();
      this.show(prompt);
      this.field.scrollIntoView({ block: "nearest" });
    } catch (error) {
      this.context.sayError(error);
    }
  }

  remember() {
    if (this.current && this.history.at(-1) !== this.current.index) this.history.push(this.current.index);
    this.history.splice(0, this.history.length - mostHistory);
  }

  // MARK: - Ink

  began() {
    if (this.surface.strokes.length > 0 && this.frame) return;
    const { clientWidth: width, clientHeight: height } = this.field;
    this.frame = {
      surface: { width, height }, replaces: this.current?.sample ?? null, id: outbox.identifier(),
      area: this.options.area ? areaOf(width, height, this.options.line) : null,
    };
    if (this.mode === "write") fill(this.notes);
  }

  inkChanged() {
    this.enable();
    if (!this.current || this.mode === "busy") return;
    const isKept = outbox.keepDraft(this.name, this.current.index, this.surface.strokes, this.frame);
    if (!isKept) this.setStatus(t("collect.noDraft"), "bad");
  }

  checkEdge(stroke) {
    const { width, height } = this.frame?.surface ?? { width: Infinity, height: Infinity };
    const isClipped = stroke.x.some((x) => x < edge || x > width - edge) || stroke.y.some((y) => y < edge || y > height - edge);
    if (isClipped) this.note("warn", t("collect.clippedNow"));
  }

  enable() {
    const isWriting = this.mode === "write";
    const hasInk = this.surface.strokes.length > 0;
    const again = isWriting && Boolean(this.current?.sample);
    this.undoButton.disabled = !isWriting || !hasInk;
    this.redoButton.disabled = !isWriting || !this.surface.canRedo;
    this.clearButton.disabled = !isWriting || !hasInk;
    this.saveButton.disabled = !isWriting;
    this.backButton.disabled = this.mode === "busy" || this.history.length === 0;
    this.skipButton.hidden = again;
    this.skipButton.disabled = !isWriting;
    this.cancelButton.hidden = this.removeButton.hidden = !again;
    this.cancelButton.disabled = this.removeButton.disabled = !isWriting;
    this.field.classList.toggle("collect-still", !isWriting);
    this.writing.setAttribute("aria-busy", String(this.mode === "busy"));
  }

  /** The sample in the form that the studio stores. */
  body() {
    let end = null;
    const strokes = this.surface.strokes.map((stroke) => {
      if (!stroke.t) return stroke;
      // Ink from before a reload has a clock of its own: half a second lies between.
      const shift = end === null ? -stroke.t[0] : stroke.t[0] + this.shift >= end ? this.shift : end + 500 - stroke.t[0];
      this.shift = shift;
      end = stroke.t.at(-1) + shift;
      return { ...stroke, t: stroke.t.map((each) => Math.round((each + shift) * 10) / 10) };
    });
    const { id, replaces, area, surface } = this.frame;
    return { id, strokes, area, surface, replaces };
  }

  // MARK: - Saving

  async save() {
    if (this.mode === "review") return this.goOn();
    if (this.mode !== "write" || this.surface.isWriting) return;
    if (this.surface.strokes.length === 0) {
      this.note("warn", t("collect.warnEmpty"));
      return;
    }
    if (!this.frame) this.began();
    const prompt = this.current;
    const sample = { name: this.name, prompt: prompt.index, label: prompt.label, body: this.body() };
    this.mode = "busy";
    this.enable();
    this.setStatus(t("collect.stateSaving"), "busy");
    const isKept = outbox.keepPending(sample);
    const waiting = isKept ? "collect.stateWaiting" : "collect.stateWaitingFull";
    try {
      const answer = await outbox.send(sample, (error) => {
        if (!this.isRemoved) this.setStatus(t(waiting, { reason: error.message }), "bad");
      });
      outbox.sent(sample);
      this.stored(prompt, sample, answer);
    } catch (error) {
      if (this.isRemoved) {
        // The next visit decides: the sample stays among those that are not on the disk.
        return;
      }
      outbox.sent(sample);
      this.mode = "write";
      if (error instanceof ApiError && error.code === "conflict") {
        outbox.putAside(sample);
        outbox.keepDraft(this.name, prompt.index, [], null);
        this.showAsides();
        await this.goToNext(prompt.index);
        return;
      }
      // The ink stays on the surface and as unfinished ink in the browser.
      outbox.keepDraft(this.name, prompt.index, this.surface.strokes, this.frame);
      this.setStatus(t("collect.stateFailed", { reason: error.message }), "bad");
      this.note("bad", error.message);
      if (error.status === 401) this.context.sayError(error);
      this.enable();
    }
  }

  stored(prompt, sample, answer) {
    outbox.announce(this.name);
    outbox.keepDraft(this.name, prompt.index, [], null);
    if (this.isRemoved) return;
    this.take(answer.state);
    this.setStatus(t("collect.stateSaved"), "good");
    this.strip.add({ prompt: prompt.index, id: sample.body.id, label: prompt.label, strokes: sample.body.strokes, warnings: answer.warnings });
    this.current = { ...prompt, sample: sample.body.id, isSkipped: false };
    this.remember();
    if (answer.warnings.length === 0) {
      this.show(answer.state.next);
      return;
    }
    this.mode = "review";
    this.enable();
    const keep = h("button.primary", { type: "button", onclick: () => this.goOn() }, t("collect.keep"), " ", h("kbd", {}, "Enter"));
    this.note("warn", [h("strong", {}, t("collect.warned")), h("ul", {}, answer.warnings.map((each) => h("li", {}, t(`collect.warnings.${each}`))))],
      keep, h("button", { type: "button", onclick: () => this.writeAgain() }, t("collect.again"), " ", h("kbd", {}, "Backspace")));
    this.notes.scrollIntoView({ block: "nearest" });
    keep.focus({ preventScroll: true });
  }

  goOn() {
    if (this.mode === "review") this.show(this.state.next);
  }

  /** Writes the present prompt again after a warning. */
  writeAgain() {
    if (this.mode !== "review") return;
    if (this.history.at(-1) === this.current.index) this.history.pop();
    this.show(this.current);
  }

  async goToNext(after) {
    try {
      this.take(await persistently(() => get(`${this.path}?after=${after}`)));
      this.show(this.state.next);
    } catch (error) {
      this.context.sayError(error);
      this.enable();
    }
  }

  /** Runs a request that changes the session; after a conflict, takes the present state. */
  async change(action, then) {
    if (this.mode === "busy" || this.surface.isWriting) return;
    const before = this.mode;
    const index = this.current?.index ?? -1;
    this.mode = "busy";
    this.enable();
    try {
      const state = await persistently(action, {
        onWait: (error) => this.setStatus(t("collect.stateFailed", { reason: error.message }), "bad"),
      });
      if (this.isRemoved) return;
      this.mode = before;
      this.setStatus(t("collect.stateReady"));
      outbox.announce(this.name);
      this.take(state);
      then(state);
    } catch (error) {
      if (this.isRemoved) return;
      this.mode = before;
      if (error.code === "conflict") await this.goToNext(index);
      else this.context.sayError(error);
    }
    this.enable();
  }

  skip() {
    if (this.mode !== "write" || this.current.sample) return;
    const prompt = this.current;
    return this.change(() => put(`${this.path}/skipped/${prompt.index}`, {}), (state) => {
      outbox.keepDraft(this.name, prompt.index, [], null);
      this.remember();
      this.show(state.next);
      this.note("info", t("collect.skippedNow", { label: prompt.show ?? prompt.label }),
        h("button", { type: "button", onclick: () => this.back() }, t("collect.unskip"), " ", h("kbd", {}, "Backspace")));
    });
  }

  removeSample() {
    const prompt = this.current;
    if (this.mode !== "write" || !prompt?.sample) return;
    return this.change(() => del(`${this.path}/samples/${prompt.index}?id=${part(prompt.sample)}`), () => {
      outbox.keepDraft(this.name, prompt.index, [], null);
      this.strip.drop(prompt.index);
      this.show({ ...prompt, sample: undefined });
      this.note("info", t("collect.removed"));
    });
  }

  /** Leaves the present sample as it is. */
  cancel() {
    if (this.mode !== "write" || !this.current.sample) return;
    this.surface.clear();
    return this.goToNext(this.current.index);
  }

  /** Goes back to the prompt before. */
  async back() {
    if (this.mode === "review") return this.writeAgain();
    if (this.mode === "busy" || this.surface.isWriting) return;
    while (this.history.length > 0) {
      const index = this.history.pop();
      if (index === this.current?.index) continue;
      const left = this.current;
      await this.open(index);
      // What was left is written later.
      if (left && this.history.at(-1) === left.index) this.history.pop();
      return;
    }
  }

  // MARK: - Samples of prompts that another page wrote

  showAsides() {
    fill(this.asides, outbox.aside(this.name).map((sample) => h("div.note.warn", {},
      h("div.row", {}, picture(sample.body.strokes, 110, 48), h("p.grow", {}, t("collect.aside", { label: sample.label })),
        h("button.primary", { type: "button", onclick: () => this.useAside(sample) }, t("collect.asideUse")),
        h("button", { type: "button", onclick: () => { outbox.dropAside(sample); this.showAsides(); } }, t("collect.asideDrop"))))));
  }

  async useAside(sample) {
    try {
      const present = await this.promptAt(sample.prompt);
      const body = { ...sample.body, id: outbox.identifier(), replaces: present.sample ?? null };
      const answer = await put(`${this.path}/samples/${sample.prompt}`, body);
      outbox.dropAside(sample);
      outbox.announce(this.name);
      this.take(answer.state);
      this.strip.add({ ...sample, strokes: body.strokes, id: body.id, warnings: answer.warnings });
      this.context.say(t("collect.asideUsed"));
      this.showAsides();
    } catch (error) {
      this.context.sayError(error);
    }
  }

  // MARK: - Options

  async setOption(key, value) {
    this.options[key] = value;
    this.surface.redraw();
    await this.sendOptions({ options: { ...this.options } });
  }

  setWriter(writer) {
    return this.sendOptions({ writer });
  }

  async sendOptions(change) {
    try {
      const state = await persistently(() => put(`${this.path}/options`, change));
      // The prompt stays; only the options and the writer changed.
      this.take({ ...state, next: this.state.next });
      outbox.announce(this.name);
    } catch (error) {
      this.context.sayError(error);
    }
  }

  // MARK: - Keyboard

  key(event) {
    if (event.defaultPrevented || isTyping(event) && event.target.type !== "checkbox" || document.querySelector("dialog[open]")) return;
    const isCommand = (event.ctrlKey || event.metaKey) && !event.altKey;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (isCommand && key === "z") {
      event.preventDefault();
      if (this.mode !== "write") return;
      if (event.shiftKey) this.surface.redo();
      else this.surface.undo();
    } else if (isCommand && key === "y") {
      event.preventDefault();
      if (this.mode === "write") this.surface.redo();
    } else if (isCommand && key === "s") {
      event.preventDefault();
      this.save();
    } else if (event.ctrlKey || event.metaKey || event.altKey) {
      return;
    } else if (key === "Enter") {
      // Enter on a button or a link is a click.
      if (event.repeat || event.target.closest?.("button, a, summary")) return;
      event.preventDefault();
      this.save();
    } else if (key === "Backspace") {
      event.preventDefault();
      if (!event.repeat) this.back();
    } else if (key === "s" && !event.repeat) {
      event.preventDefault();
      this.skip();
    } else if (key === "Escape" && this.mode === "write") {
      event.preventDefault();
      if (this.surface.strokes.length > 0) this.surface.clear();
      else this.cancel();
    }
  }
}
