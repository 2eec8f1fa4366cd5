// Label and clean: data as a wall of ink, suspect labels as a queue, decisions in a file.
import { del, get, part, pause, persistently, post } from "/js/api.js";
import { count, field, fill, h, select, t } from "/js/dom.js";
import { byName, isLanguage, modelName } from "/js/languages.js";
import { Detail } from "/js/clean/detail.js";
import { InkStore, visible } from "/js/clean/inks.js";
import { Wall } from "/js/clean/wall.js";
import { isTyping } from "/js/shell.js";

const sorts = ["data", "label", "writer", "confidence", "error"];

export async function mount(main, context) {
  const page = new DataPage(main, context);
  if (!document.querySelector('link[href="/css/data.css"]')) {
    await new Promise((done) => document.head.append(
      h("link", { rel: "stylesheet", href: "/css/data.css", onload: done, onerror: done })));
  }
  await page.start();
  return () => page.remove();
}

/** The filters of the address: data, mode and what is shown. */
const filterNames = ["label", "writer", "reading", "below", "decision", "sort"];

class DataPage {
  #root = h("div.data-page", {}, h("h1", {}, t("data.name")));
  #context;
  #isRemoved = false;
  #status = null;
  #store = null;
  #wall = new Wall(t("data.wall"));
  #detail = null;
  #mode = "all";
  #filter = { label: "", writer: "", reading: "", below: "", decision: "", sort: "data" };
  #undoable = [];
  #pending = 0;
  #sending = Promise.resolve();
  #labels = [];
  #writers = [];
  #models = [];
  #choices = { model: null, judge: "" };
  #size = "medium";
  #polling = false;
  #bar = h("div.bar-data");
  #filters = h("div");
  #work = h("div.doctor");
  #body = h("div.columns", { "data-closed": "" });
  #side = h("div.wall-side");
  #decisions = h("section.panel.decisions", { hidden: true, "aria-label": t("data.decisions") });
  #news = h("p.visually-hidden", { "aria-live": "polite" });
  #problem = h("div.note.bad", { role: "alert", hidden: true });
  #facts = h("p.dim.facts-line");
  #keys = (event) => this.#key(event);
  #leave = (event) => {
    if (this.#pending > 0) event.preventDefault();
  };

  constructor(main, context) {
    main.append(this.#root);
    this.#context = context;
    const { query } = context;
    for (const name of filterNames) this.#filter[name] = query.get(name) ?? this.#filter[name];
    if (query.get("mode") === "suspects") this.#mode = "suspects";
    this.#size = ["small", "medium", "large"].includes(localStorage.getItem("wall-size")) ? localStorage.getItem("wall-size") : "medium";
  }

  /** True once another page is shown, which may be before this one was ready. */
  get #isGone() {
    return this.#isRemoved || !this.#root.isConnected;
  }

  async start() {
    const [data, models] = await Promise.all([get("/v1/data"), get("/v1/models").catch(() => ({ models: [] }))]);
    if (this.#isGone) return;
    this.#models = models.models;
    this.#side.append(this.#facts, this.#filters, this.#work, this.#wall.element);
    this.#body.append(this.#side);
    fill(this.#root, this.#bar, this.#problem, this.#body, this.#decisions, this.#news);
    this.#wall.addEventListener("current", () => this.#showCurrent());
    this.#wall.addEventListener("open", () => this.#open());
    document.addEventListener("keydown", this.#keys);
    addEventListener("beforeunload", this.#leave);
    const wanted = this.#context.query.get("data");
    this.#drawBar(data.data, wanted);
    // Reading may take long, and the page is there meanwhile.
    if (wanted ?? data.data[0]) this.#openData(wanted ?? data.data[0]);
    else {
      this.#body.hidden = true;
      fill(this.#facts, "");
      this.#root.insertBefore(h("section.panel.no-data", {}, h("p", {}, t("data.noData")), h("p", {}, h("a", { href: "/collect" }, t("data.toCollect")))), this.#body);
    }
  }

  remove() {
    this.#isRemoved = true;
    this.#store?.close();
    this.#detail?.remove();
    this.#wall.remove();
    document.removeEventListener("keydown", this.#keys);
    removeEventListener("beforeunload", this.#leave);
  }

  // MARK: - Data

  #drawBar(data, wanted) {
    const names = wanted && !data.includes(wanted) ? [wanted, ...data] : data;
    const other = h("input", { type: "text", placeholder: "ink:collect/mine.jsonl?split=train", spellcheck: false, "aria-label": t("data.otherName"), hidden: true });
    other.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && other.value.trim()) this.#openData(other.value.trim());
    });
    const choice = select([...names, ["", t("data.other")]], wanted ?? names[0] ?? "", (value) => {
      other.hidden = value !== "";
      if (value) this.#openData(value);
      else other.focus();
    });
    other.hidden = names.length > 0;
    const modes = h("div.segmented", { role: "group", "aria-label": t("data.mode") }, ["all", "suspects"].map((mode) => h("button", {
      "data-mode": mode, "aria-pressed": String(this.#mode === mode), onclick: () => this.#setMode(mode),
    }, t(`data.modes.${mode}`))));
    const name = field(t("data.data"), choice);
    name.classList.add("data");
    name.append(other);
    const size = field(t("data.size"), select(["small", "medium", "large"].map((each) => [each, t(`data.sizes.${each}`)]), this.#size, (value) => {
      this.#size = value;
      localStorage.setItem("wall-size", value);
      this.#wall.setSize(value, this.#isOfTexts());
    }));
    fill(this.#bar, h("h1", {}, t("data.name")), name, size, modes);
  }

  async #openData(data) {
    this.#store?.close();
    this.#store = null;
    this.#undoable = [];
    this.#hideProblem();
    this.#body.hidden = false;
    this.#root.querySelector(".no-data")?.remove();
    try {
      const status = await post("/v1/data/open", { data });
      if (this.#isGone) return;
      this.#status = status;
      await this.#untilRead();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Waits for the data and shows it. */
  async #untilRead() {
    const wall = this.#status.wall;
    while (!this.#status.isReady && !this.#isGone) {
      if (this.#status.opening.error) throw new Error(this.#status.opening.error);
      fill(this.#facts, t("data.reading", { inks: this.#status.opening.done.toLocaleString("en") }));
      this.#wall.setEmpty("");
      await pause(120);
      if (this.#status.wall !== wall) return;
      const status = await persistently(() => get(`/v1/data/${part(wall)}`));
      if (this.#status.wall !== wall) return;
      this.#status = status;
    }
    if (this.#isGone) return;
    const status = await get(`/v1/data/${part(wall)}?lists=1`);
    if (this.#isGone || this.#status.wall !== wall) return;
    this.#status = status;
    this.#labels = status.labels;
    this.#writers = status.writers;
    this.#detail?.remove();
    this.#detail = new Detail(wall);
    this.#body.append(this.#detail.element);
    this.#detail.addEventListener("decide", (event) => this.#decide(event.detail));
    this.#detail.addEventListener("undo", (event) => this.#undo(event.detail.ink));
    this.#detail.addEventListener("move", (event) => this.#move(event.detail.by));
    this.#detail.addEventListener("focus", () => this.#wall.element.focus());
    this.#detail.addEventListener("close", () => this.#close());
    if (!status.findings && this.#mode === "suspects") this.#mode = "all";
    if (!status.readings) Object.assign(this.#filter, { reading: "", below: "" });
    this.#wall.setSize(this.#size, this.#isOfTexts());
    this.#choices.model = status.readings?.model ?? this.#likelyModel();
    this.#drawFilters();
    this.#drawStatus();
    this.#showList();
    if (status.job?.isRunning) this.#poll();
  }

  /** The model that probably reads this data: of lines for texts, else of characters. */
  #likelyModel() {
    const kind = this.#isOfTexts() ? "line" : "glyph";
    const likely = this.#models.filter((each) => each.kind === kind);
    const own = likely.find((each) => each.languages.some(isLanguage));
    return (own ?? likely[0] ?? this.#models[0])?.identifier ?? null;
  }

  /** True if the labels are texts rather than classes. */
  #isOfTexts() {
    const lengths = this.#labels.slice(0, 200).map((each) => each.name.length).sort((a, b) => a - b);
    return (lengths[lengths.length >> 1] ?? 0) > 3 && this.#status.labelCount > 40;
  }

  // MARK: - The list

  #query() {
    const query = {};
    const { label, writer, reading, below, decision, sort } = this.#filter;
    if (label) query[this.#labels.some((each) => each.name === label) ? "label" : "text"] = label;
    if (writer === "\0") query.nowriter = 1;
    else if (writer) query.writer = writer;
    if (reading) query.error = reading === "wrong" ? 1 : 0;
    if (below) query.below = Number(below) / 100;
    if (decision) query.decision = decision;
    query.sort = sort;
    if (this.#mode === "suspects") Object.assign(query, { suspects: 1, sort: sort === "data" ? "suspect" : sort });
    return query;
  }

  #showList() {
    this.#store?.close();
    const store = (this.#store = new InkStore(this.#status.wall, this.#query()));
    store.addEventListener("total", () => this.#drawFacts());
    store.addEventListener("loaded", (event) => {
      const near = this.#wall.current;
      if (event.detail.from <= near + 2 && event.detail.to >= near - 2) this.#showCurrent();
    });
    store.addEventListener("failed", (event) => this.#fail(event.detail.error));
    store.addEventListener("gone", () => this.#reopen());
    this.#wall.setEmpty(t(this.#mode === "suspects" ? "data.noSuspects" : "data.noneMatch"));
    this.#wall.show(store);
    this.#body.removeAttribute("data-closed");
    this.#detail.show(store, 0);
    this.#remember();
  }

  async #reopen() {
    if (!this.#isGone) await this.#openData(this.#status.data);
  }

  #remember() {
    const query = new URLSearchParams({ data: this.#status.data });
    if (this.#mode !== "all") query.set("mode", this.#mode);
    for (const name of filterNames) {
      const value = this.#filter[name];
      if (value && value !== "data" && value !== "\0") query.set(name, value);
    }
    history.replaceState(null, "", `/data?${query}`);
  }

  #setMode(mode) {
    this.#mode = mode;
    for (const button of this.#bar.querySelectorAll("[data-mode]")) button.setAttribute("aria-pressed", String(button.dataset.mode === mode));
    if (!this.#status?.isReady) return;
    this.#drawFilters();
    this.#drawWork();
    this.#showList();
  }

  #drawFilters() {
    const status = this.#status;
    const change = (name) => (value) => {
      this.#filter[name] = value;
      this.#showList();
    };
    const list = h("datalist", { id: "data-labels" }, this.#labels.slice(0, 300).map((each) => h("option", { value: each.name })));
    const label = h("input", { type: "search", value: this.#filter.label, spellcheck: false, dir: "auto", onchange: (event) => change("label")(event.target.value) });
    label.setAttribute("list", "data-labels");
    const labelField = field(t("data.label"), label);
    labelField.classList.add("label");
    labelField.append(list);
    label.title = t("data.labelFilterHint");
    const writers = [["", t("data.any")], ...(status.withoutWriter > 0 && status.writerCount > 0 ? [["\0", t("data.noWriter")]] : []),
      ...this.#writers.map((each) => [each.name, `${visible(each.name, 40)} (${each.inks.toLocaleString("en")})`])];
    const below = h("input", { type: "number", min: 0, max: 100, step: 5, value: this.#filter.below, placeholder: "%", onchange: (event) => {
      if (event.target.checkValidity()) change("below")(event.target.value);
    } });
    const belowField = field(t("data.below"), below);
    belowField.classList.add("below");
    const options = (path, names) => [["", t("data.any")], ...names.map((each) => [each, t(`data.${path}.${each}`)])];
    const row = h("div.bar-data", {}, labelField,
      status.writerCount > 0 ? field(t("data.writer"), select(writers, this.#filter.writer, change("writer"))) : null,
      field(t("data.decision"), select(options("decisionFilters", ["open", "any", "accept", "relabel", "drop"]), this.#filter.decision, change("decision"))),
      status.readings ? [field(t("data.reading_"), select(options("readings", ["wrong", "right"]), this.#filter.reading, change("reading"))), belowField] : null,
      field(t("data.sort"), select(sorts.filter((each) => status.readings || (each !== "confidence" && each !== "error"))
        .map((each) => [each, t(each === "data" && this.#mode === "suspects" ? "data.sorts.suspect" : `data.sorts.${each}`)]), this.#filter.sort, change("sort"))));
    const isOpen = this.#filters.querySelector("details")?.open ?? matchMedia("(min-width: 861px)").matches;
    fill(this.#filters, h("details.filters", { open: isOpen }, h("summary", {}, t("data.filters")), row));
  }

  #drawFacts() {
    const status = this.#status;
    const parts = [];
    const total = this.#store?.total ?? status.inks;
    parts.push(total === status.inks ? count("data.inks", status.inks) : t("data.shown", { shown: total.toLocaleString("en"), inks: status.inks.toLocaleString("en") }));
    parts.push(count("data.labels", status.labelCount));
    if (status.writerCount > 0) parts.push(count("data.writers", status.writerCount));
    if (status.unlabelled > 0) parts.push(count("data.unlabelledInks", status.unlabelled));
    if (status.readings) parts.push(t("data.readBy", { model: status.readings.model, errors: status.readings.errors.toLocaleString("en") }));
    if (status.isCut) parts.push(t("data.cut"));
    fill(this.#facts, parts.join(" · "));
    if (status.failures > 0) {
      this.#facts.append(" · ", h("span.tag.warn", { title: status.failureExamples.join("\n") }, count("data.failures", status.failures)));
    }
  }

  #drawStatus() {
    this.#drawFacts();
    this.#drawWork();
    this.#drawDecisions();
    const suspects = this.#bar.querySelector('[data-mode="suspects"]');
    const findings = this.#status.findings;
    const number = findings ? findings.inks : null;
    suspects.textContent = t("data.modes.suspects") + (number === null ? "" : ` (${number.toLocaleString("en")})`);
  }

  // MARK: - Models and the data doctor

  #drawWork() {
    const { job, readings, findings } = this.#status;
    if (job?.isRunning) {
      const bar = this.#work.querySelector("progress") ?? h("progress", { "aria-label": t("data.progress") });
      const value = job.fraction ?? (job.total ? job.done / job.total : null);
      if (value === null) bar.removeAttribute("value");
      else bar.value = job.step === "judging" ? 0.1 + 0.9 * value : job.kind === "examine" ? 0.1 * value : value;
      const text = job.isCancelled ? t("data.cancelling") : job.step === "judging" ? t("data.judging", { percent: Math.round(100 * job.fraction) })
        : t(job.kind === "read" ? "data.recognising" : "data.examining", { done: job.done.toLocaleString("en"), total: (job.total ?? 0).toLocaleString("en") });
      fill(this.#work, h("span", {}, text), bar, h("button", { disabled: job.isCancelled, onclick: () => this.#cancel() }, t("shell.cancel")));
      return;
    }
    const models = this.#models.toSorted(byName).map((each) => [each.identifier, modelName(each)]);
    const parts = [];
    if (this.#mode === "all" && models.length > 0) {
      parts.push(h("div.row", {}, select(models, this.#choices.model, (value) => (this.#choices.model = value)),
        h("button", { onclick: () => this.#begin("read", { model: this.#choices.model }) }, t(readings ? "data.readAgain" : "data.readAll"))));
    }
    const judges = [["", t("data.crossValidation")], ...models.map(([each, name]) => [each, t("data.judgeModel", { model: name })])];
    if (this.#mode === "suspects" || !findings) {
      parts.push(h("div.row", {}, select(judges, this.#choices.judge, (value) => (this.#choices.judge = value)),
        h("button", { onclick: () => this.#begin("examine", this.#choices.judge ? { model: this.#choices.judge } : {}) }, t(findings ? "data.examineAgain" : "data.examine"))));
    }
    for (const each of this.#work.querySelectorAll("select")) each.remove();
    for (const row of parts) row.querySelector("select")?.setAttribute("aria-label", t("data.judge"));
    if (this.#mode === "suspects" && findings) parts.push(this.#findings(findings));
    fill(this.#work, parts);
  }

  #findings(findings) {
    const lines = [];
    if (findings.judge) lines.push(t("data.judged", { judged: findings.judged.toLocaleString("en"), percent: (100 * (findings.agreement ?? 0)).toFixed(1) }));
    if (findings.unjudged) lines.push(t("data.unjudged", { reason: findings.unjudged }));
    const items = [...findings.thin.map((each) => [h("bdi", {}, visible(each.label, 40)), `: ${count("data.inks", each.samples)}, ${count("data.writers", each.writers)}`])];
    return h("div.findings", {}, h("span.dim", {}, t("data.found", { labels: findings.labels, duplicates: findings.duplicates, odd: findings.odd }), " ", lines.join(" ")),
      items.length > 0 ? h("details", {}, h("summary.dim", {}, count("data.thin", items.length)), h("ul", {}, items.map((each) => h("li", {}, each)))) : null);
  }

  async #begin(kind, body) {
    this.#hideProblem();
    try {
      this.#status = { ...this.#status, ...(await post(`/v1/data/${part(this.#status.wall)}/${kind}`, body)) };
      this.#poll();
    } catch (error) {
      if (error.status === 404 && error.field === "wall") this.#reopen();
      else this.#fail(error);
    }
  }

  async #cancel() {
    try {
      this.#status = await post(`/v1/data/${part(this.#status.wall)}/cancel`);
      this.#drawWork();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Follows a job until it ends, then shows its result. */
  async #poll() {
    if (this.#polling) return;
    this.#polling = true;
    const { wall } = this.#status;
    const kind = this.#status.job.kind;
    try {
      while (!this.#isGone && this.#status.wall === wall && this.#status.job?.isRunning) {
        this.#drawWork();
        await pause(300);
        if (this.#isGone || this.#status.wall !== wall) return;
        this.#status = await persistently(() => get(`/v1/data/${part(wall)}`));
      }
      if (this.#isGone || this.#status.wall !== wall) return;
      const { job } = this.#status;
      if (job?.error) this.#fail(new Error(job.error));
      else this.#news.textContent = t(job?.isCancelled ? "data.cancelled" : "data.done");
      this.#drawFilters();
      this.#drawStatus();
      if (kind === "examine" && !job?.error && !job?.isCancelled) this.#setMode("suspects");
      else this.#showList();
    } catch (error) {
      if (error.status === 404) this.#reopen();
      else this.#fail(error);
    } finally {
      this.#polling = false;
    }
  }

  // MARK: - One ink

  #showCurrent() {
    if (!this.#store || !this.#detail || this.#detail.isTyping && this.#store.at(this.#wall.current)?.id === this.#detail.ink?.id) return;
    this.#detail.show(this.#store, this.#wall.current);
  }

  #open() {
    this.#body.setAttribute("data-opened", "");
    this.#showCurrent();
  }

  #close() {
    this.#body.removeAttribute("data-opened");
    this.#wall.element.focus();
  }

  #move(by) {
    this.#wall.setCurrent(this.#wall.current + by);
  }

  #key(event) {
    if (!this.#detail || document.querySelector("dialog[open]")) return;
    const isUndo = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z" && !event.shiftKey;
    if (isTyping(event)) return;
    if (isUndo) {
      event.preventDefault();
      this.#undo();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const actions = {
      a: () => this.#detail.decide("accept"), d: () => this.#detail.decide("drop"),
      r: () => { this.#open(); this.#detail.relabel(); }, u: () => this.#undo(this.#detail.ink),
      n: () => this.#move(1), p: () => this.#move(-1), escape: () => this.#close(),
    };
    const action = actions[event.key.toLowerCase()];
    if (!action) return;
    event.preventDefault();
    action();
  }

  // MARK: - Decisions

  #decide({ ink, decision, label }) {
    const value = { ink: ink.ink, nth: ink.nth, decision };
    if (label !== undefined) value.label = label;
    const before = ink.decision ? { ink: ink.ink, nth: ink.nth, decision: ink.decision, label: ink.decision === "relabel" ? ink.label : undefined } : null;
    this.#undoable.push({ id: ink.id, position: this.#wall.current, value: before ?? { ink: ink.ink, nth: ink.nth, decision: "undo" } });
    this.#apply(ink, decision, label);
    this.#send(value, ink);
    this.#news.textContent = `${t(`data.decided.${decision}`)}: ${visible(label ?? ink.label, 60)}`;
    this.#move(1);
  }

  /** Takes back the decision of an ink, or the last one. */
  #undo(ink) {
    const place = ink ? this.#undoable.findLastIndex((each) => each.id === ink.id) : this.#undoable.length - 1;
    let step = this.#undoable[place];
    // U on an ink without a decision takes back the last one, because the list has moved on.
    if (!step && ink && !ink.decision) step = this.#undoable.at(-1);
    if (step) {
      this.#undoable.splice(this.#undoable.indexOf(step), 1);
      this.#wall.setCurrent(step.position);
      const present = this.#store.at(step.position);
      if (present?.id === step.id) this.#apply(present, step.value.decision, step.value.label);
      this.#send(step.value, present);
    } else if (ink?.decision) {
      this.#apply(ink, "undo");
      this.#send({ ink: ink.ink, nth: ink.nth, decision: "undo" }, ink);
    } else {
      this.#news.textContent = t("data.nothingToUndo");
      return;
    }
    this.#news.textContent = t("data.undone");
  }

  /** Shows a decision before it is confirmed. */
  #apply(ink, decision, label) {
    const changed = { ...ink, decision: decision === "undo" ? undefined : decision };
    const original = ink.was ?? ink.label;
    changed.label = decision === "relabel" ? label : original;
    changed.was = decision === "relabel" ? original : undefined;
    this.#store.update([changed]);
  }

  /** Sends decisions one after the other, again until the studio has stored them. */
  #send(value, ink) {
    const wall = this.#status.wall;
    const store = this.#store;
    this.#pending += 1;
    this.#drawDecisions();
    this.#sending = this.#sending.then(async () => {
      try {
        const answer = await persistently(() => value.decision === "undo"
          ? del(`/v1/data/${part(wall)}/decisions/${part(value.ink)}/${value.nth}`)
          : post(`/v1/data/${part(wall)}/decisions`, { decisions: [value] }));
        if (this.#status.wall === wall) this.#status = { ...this.#status, ...answer.status };
        if (this.#pending === 1 && this.#store === store) store.update(answer.inks);
      } catch (error) {
        // The decision was not stored: show the ink as it is.
        if (error.status === 404 && error.field === "wall") {
          await this.#resend(value);
        } else {
          if (ink) store.update([ink]);
          this.#undoable = this.#undoable.filter((each) => each.value.ink !== value.ink || each.value.nth !== value.nth);
          this.#fail(error);
        }
      } finally {
        this.#pending -= 1;
        if (!this.#isGone) this.#drawDecisions();
      }
    });
  }

  /** Stores a decision after the studio was started again: the data has to be opened first. */
  async #resend(value) {
    try {
      const { wall } = await persistently(() => post("/v1/data/open", { data: this.#status.data }));
      let status = await get(`/v1/data/${part(wall)}`);
      while (!status.isReady && !status.opening.error) {
        await pause(200);
        status = await persistently(() => get(`/v1/data/${part(wall)}`));
      }
      await persistently(() => post(`/v1/data/${part(wall)}/decisions`, { decisions: [value] }));
      if (!this.#isGone && this.#status.wall !== wall) await this.#reopen();
    } catch (error) {
      this.#fail(error);
    }
  }

  #drawDecisions() {
    const { decisions, decided, file } = this.#status;
    this.#decisions.hidden = !decided && this.#pending === 0;
    const parts = [];
    if (decisions) {
      for (const name of ["drop", "relabel", "accept"]) if (decisions[name] > 0) parts.push(count(`data.counts.${name}`, decisions[name]));
      if (decisions.unmatched > 0) parts.push(count("data.counts.unmatched", decisions.unmatched));
    }
    const text = parts.length > 0 ? `${parts.join(", ")}.` : this.#pending > 0 ? "" : t("data.noDecisions");
    fill(this.#decisions, h("p", {}, text, " ", h("span.dim", {}, this.#pending > 0 ? t("data.saving", { count: this.#pending }) : t("data.saved", { file }))),
      decided ? [h("code", { title: t("data.useHint") }, `--data '${decided.replaceAll("'", "'\\''")}'`),
        h("button", { onclick: () => this.#copy(`--data '${decided.replaceAll("'", "'\\''")}'`) }, t("data.copy")),
        h("a", { href: `/train?data=${encodeURIComponent(decided)}` }, t("data.train"))] : null);
  }

  async #copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      this.#context.say(t("data.copied"));
    } catch {
      this.#context.say(t("data.notCopied"), "error");
    }
  }

  // MARK: - Problems

  #fail(error) {
    if (this.#isGone || error?.name === "AbortError") return;
    if (error?.status === 401) {
      this.#context.sayError(error);
      return;
    }
    this.#problem.hidden = false;
    fill(this.#problem, h("span", {}, error.field ? `${error.field}: ${error.message}` : error.message), " ",
      h("button", { onclick: () => { this.#hideProblem(); if (!this.#store && this.#status) this.#openData(this.#status.data); } }, t(this.#store || !this.#status ? "shell.close" : "shell.retry")));
    if (!this.#store) fill(this.#facts, "");
  }

  #hideProblem() {
    this.#problem.hidden = true;
  }
}
