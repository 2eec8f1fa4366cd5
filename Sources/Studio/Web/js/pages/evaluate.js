// Evaluate: measure models, compare them, and look at the inks behind their confusions.
import { ApiError, del, get, part, post } from "/js/api.js";
import { count, field, fill, h, select, t } from "/js/dom.js";
import { byName, modelName } from "/js/languages.js";
import { JobList, ask, bytes, followTheme, inkPicture, loadStyle, percent, poll, problemPlace, when } from "/js/jobs.js";

export async function mount(main, context) {
  await loadStyle();
  const unfollow = followTheme(main);
  const reports = new Reports(context);
  const table = new Table((entry) => reports.show(entry));
  const confusion = new Confusion(context);
  let news = () => {};
  const jobs = new JobList({
    kinds: ["evaluate", "compare"], emptyText: t("evaluate.noJobs"),
    onEnd: (job) => {
      if (job.state === "finished") reports.wanted = job.output?.split("/").slice(1).join("/");
      reports.isStale = true;
      news();
    },
  }, context);
  const form = new Form(context, () => news(), (model, data) => confusion.compute(model, data));
  main.append(
    h("div", {}, h("h1", {}, t("evaluate.name")), h("p.hint", {}, t("evaluate.hint"))),
    h("div.work", {}, h("div.stack", {}, form.element, h("section.panel", {}, h("h2", {}, t("evaluate.jobs")), jobs.element)),
      h("div.stack", {}, table.element, confusion.element, reports.element)));
  const stop = poll(async () => {
    await jobs.update();
    if (reports.isStale) {
      const entries = await reports.load();
      table.show(entries);
    }
    await confusion.update();
  });
  news = () => stop.now();
  await form.load(context.query.get("model"), context.query.get("data"));
  return () => {
    stop();
    unfollow();
  };
}

// MARK: - The form

class Form {
  constructor(context, started, showConfusion) {
    this.context = context;
    this.started = started;
    this.models = h("div.choices.tall");
    this.data = h("div.choices.tall");
    this.other = h("input", { autocomplete: "off", spellcheck: false, oninput: () => this.#changed() });
    this.robustness = h("input", { type: "checkbox", id: "robustness" });
    this.problem = problemPlace();
    this.start = h("button.primary", { type: "submit" }, t("evaluate.start"));
    this.compare = h("button", { type: "button", title: t("evaluate.compareHint"), onclick: () => this.#start(true) }, t("evaluate.compare"));
    this.confusion = h("button", { type: "button", onclick: async () => {
      this.problem.clear();
      try {
        await showConfusion(this.#models[0], this.#chosenData);
      } catch (error) {
        this.problem.show(error);
      }
    } }, t("evaluate.confusion"));
    this.element = h("form.panel.stack", { "aria-label": t("evaluate.form"), onsubmit: (event) => { event.preventDefault(); this.#start(false); } },
      h("h2", {}, t("evaluate.form")),
      h("fieldset", {}, h("legend", {}, t("evaluate.models")), h("p.hint", {}, t("evaluate.modelsHint")), this.models),
      h("fieldset", {}, h("legend", {}, t("evaluate.data")), this.data, field(t("evaluate.dataOther"), this.other, t("evaluate.dataOtherHint"))),
      h("div", {}, h("label.check", { for: "robustness" }, this.robustness, t("evaluate.robustness")), h("p.hint", {}, t("evaluate.robustnessHint"))),
      this.problem, h("div.row", {}, this.start, this.compare, this.confusion));
  }

  async load(wantedModel, wantedData) {
    const [{ data, defaultModel }, { models }] = await Promise.all([get("/v1/studio"), get("/v1/studio/models")]);
    this.all = models.filter((each) => !each.isHidden).toSorted(byName);
    this.files = data;
    const newest = this.all.filter((each) => each.place === "project").toSorted((a, b) => (b.training?.date ?? "").localeCompare(a.training?.date ?? ""))[0];
    const first = this.all.find((each) => each.identifier === wantedModel) ?? newest ?? this.all.find((each) => each.identifier === defaultModel) ?? this.all[0];
    fill(this.models, this.all.length === 0 ? h("p.hint", {}, t("evaluate.noModels")) : this.all.map((model) =>
      h("label.choice.slim", {},
        h("input", { type: "checkbox", value: model.identifier, checked: model === first, onchange: () => this.#showData() }),
        h("span.name", {}, modelName(model), " ", h("span.dim", {}, t(`evaluate.${model.kind}`))))));
    if (wantedData) this.other.value = wantedData;
    this.#showData();
  }

  /** Data that the chosen models have not seen comes first. */
  #showData() {
    const before = this.data.querySelector("input:checked")?.value;
    const tests = this.all.filter((each) => this.#models.includes(each.identifier) && each.testData?.length > 0);
    const items = [
      ...tests.map((each) => [each.testData.join("\n"), t("evaluate.testPart", { model: each.identifier }), each.testData.join(", ")]),
      ...this.files.map((each) => [each, each, null])];
    const values = items.map((each) => each[0]);
    const chosen = values.includes(before) && this.hasChosen ? before : this.other.value ? null : values[0];
    fill(this.data, items.map(([value, name, hint]) => h(`label.choice${hint ? "" : ".slim"}`, {},
      h("input", { type: "radio", name: "data", value, checked: value === chosen, onchange: () => { this.hasChosen = true; this.other.value = ""; this.#changed(); } }),
      h("span.name", {}, name), hint ? h("small.name", {}, hint) : null)));
    this.#changed();
  }

  #changed() {
    this.problem.clear();
    if (this.other.value) this.data.querySelectorAll("input:checked").forEach((each) => { each.checked = false; });
    const models = this.#models;
    const kinds = new Set(models.map((name) => this.all.find((each) => each.identifier === name)?.kind));
    const hasData = this.#chosenData.length > 0;
    this.start.disabled = models.length === 0 || models.length > 3 || !hasData;
    this.compare.disabled = models.length !== 2 || kinds.size !== 1 || !hasData;
    this.confusion.disabled = models.length !== 1 || !hasData;
  }

  get #models() {
    return [...this.models.querySelectorAll("input:checked")].map((each) => each.value);
  }

  get #chosenData() {
    const other = this.other.value.trim();
    if (other) return [other];
    return this.data.querySelector("input:checked")?.value.split("\n") ?? [];
  }

  async #start(compares) {
    this.problem.clear();
    try {
      const answer = await post("/v1/evaluations", { models: this.#models, data: this.#chosenData, robustness: !compares && this.robustness.checked, compares });
      if (answer.problem) this.problem.show(new Error(answer.problem));
      this.started();
    } catch (error) {
      this.problem.show(error);
    }
  }
}

// MARK: - Side by side

const milliseconds = (value) => value === null || value === undefined ? "–" : value < 1 ? `${(1000 * value).toFixed(0)} µs` : `${value.toFixed(1)} ms`;

class Table {
  constructor(showReport) {
    this.showReport = showReport;
    this.place = h("div.stack");
    this.element = h("section.panel.stack", {}, h("h2", {}, t("evaluate.table")), h("p.hint", {}, t("evaluate.tableHint")), this.place);
  }

  show(entries) {
    const groups = new Map();
    for (const entry of entries) {
      if (!entry.figures) continue;
      const group = groups.get(entry.figures.dataHash) ?? [];
      // The latest measurement of a model counts.
      if (!group.some((each) => each.figures.model === entry.figures.model)) group.push(entry);
      groups.set(entry.figures.dataHash, group);
    }
    fill(this.place, groups.size === 0 ? h("p.hint", {}, t("evaluate.tableNone")) : [...groups.values()].slice(0, 8).map((group) => this.#group(group)));
  }

  #group(group) {
    const figures = group.map((each) => each.figures);
    const isLine = figures.some((each) => each.cer !== undefined);
    const columns = [
      isLine ? ["errors", (each) => each.cer, percent, -1] : ["accuracy", (each) => each.top1, percent, 1],
      isLine ? ["words", (each) => each.wer, percent, -1] : ["top3", (each) => each.top3, percent, 1],
      ["interval", (each) => each.interval, (value) => value ? `${percent(value.lower)} to ${percent(value.upper)}` : t("evaluate.noInterval"), 0],
      ["calibration", (each) => each.ece, percent, -1],
      ["median", (each) => each.medianMilliseconds, milliseconds, -1], ["slow", (each) => each.slowMilliseconds, milliseconds, -1],
      ["size", (each) => (each.modelBytes ?? 0) + (each.languageBytes ?? 0), bytes, -1]];
    const best = columns.map(([, read, , direction]) => {
      const values = figures.map(read).filter((each) => typeof each === "number");
      return direction === 0 || values.length < 2 ? null : direction > 0 ? Math.max(...values) : Math.min(...values);
    });
    const disturbed = group.filter((each) => each.figures.robustness);
    const warnings = [...new Set(figures.map((each) => each.knownInk ? `${each.model}: ${each.knownInk}.` : null).filter(Boolean))];
    return h("div.stack", {},
      h("h3", {}, t("evaluate.tableData", { samples: figures[0].samples.toLocaleString("en"), data: figures[0].data.join(", ") })),
      warnings.map((each) => h("div.note.warn", {}, each)),
      h("div.scroll", {}, h("table", {},
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("evaluate.columns.model")), columns.map(([name]) => h("th.number", { scope: "col" }, t(`evaluate.columns.${name}`))), h("th", { scope: "col" }, t("evaluate.columns.report")))),
        h("tbody", {}, group.map((entry) => h("tr", {}, h("th.name", { scope: "row" }, entry.figures.model),
          columns.map(([, read, format], place) => {
            const value = read(entry.figures);
            const isBest = best[place] !== null && value === best[place];
            return h(`td.number${isBest ? ".best" : ""}`, {}, format(value), isBest ? h("span.visually-hidden", {}, ` (${t("evaluate.best")})`) : null);
          }),
          h("td", {}, entry.page ? h("button.quiet", { "aria-label": t("evaluate.showReport", { name: entry.name }), onclick: () => this.showReport(entry) }, t("evaluate.show")) : "–")))))),
      disturbed.length > 0 ? this.#disturbed(disturbed) : null);
  }

  #disturbed(group) {
    const names = [...new Set(group.flatMap((each) => Object.keys(each.figures.robustness)))].sort();
    return h("details", {}, h("summary", {}, t("evaluate.disturbed")), h("div.scroll", {}, h("table", {},
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("evaluate.kindOfDisturbance")), group.map((each) => h("th.number", { scope: "col" }, each.figures.model)))),
      h("tbody", {}, names.map((name) => h("tr", {}, h("th", { scope: "row" }, name), group.map((each) => h("td.number", {}, percent(each.figures.robustness[name])))))))));
  }
}

// MARK: - Reports

class Reports {
  isStale = true;
  wanted = null;

  constructor(context) {
    this.context = context;
    this.list = h("div.jobs", { role: "list" });
    this.place = h("div");
    this.element = h("section.panel.stack", {}, h("h2", {}, t("evaluate.reports")), this.list, this.place);
  }

  async load() {
    const { evaluations } = await get("/v1/evaluations");
    this.isStale = false;
    fill(this.list, evaluations.length === 0 ? h("p.hint", {}, t("evaluate.reportsNone")) : evaluations.slice(0, 40).map((entry) =>
      h("div.job", { role: "listitem" }, h("div.row", {}, h("span.grow.name", {}, entry.name),
        entry.isComparison ? h("span.tag", {}, t("evaluate.comparison")) : null, h("span.dim", {}, when(entry.written)),
        entry.page ? h("button.quiet", { "aria-label": t("evaluate.showReport", { name: entry.name }), onclick: () => this.show(entry) }, t("evaluate.show")) : null,
        h("button.quiet.danger", { "aria-label": `${t("evaluate.remove")}: ${entry.name}`, onclick: () => this.#remove(entry) }, t("evaluate.remove"))))));
    if (this.wanted) {
      const entry = evaluations.find((each) => each.name === this.wanted);
      if (entry?.page) this.show(entry, false);
      this.wanted = null;
    }
    return evaluations;
  }

  show(entry, scrolls = true) {
    this.shown = entry.name;
    fill(this.place, h("div.row", {}, h("h3.grow", {}, entry.name), h("a", { href: entry.page, target: "_blank", rel: "noopener" }, t("evaluate.openReport"))),
      h("iframe.report-frame", { src: entry.page, title: t("evaluate.frame", { name: entry.name }), sandbox: "" }));
    if (scrolls) this.place.scrollIntoView({ block: "start" });
  }

  async #remove(entry) {
    if (!await ask(t("evaluate.removeTitle"), t("evaluate.removeText", { name: entry.name }), t("evaluate.remove"))) return;
    try {
      await del(`/v1/evaluations/${part(entry.name)}`);
      if (this.shown === entry.name) fill(this.place);
      this.isStale = true;
    } catch (error) {
      this.context.sayError(error);
    }
  }
}

// MARK: - Confusion matrix

class Confusion {
  #state = null;
  #cell = null;
  #request = null;

  constructor(context) {
    this.context = context;
    this.status = h("p", { "aria-live": "polite" });
    this.size = select([["15", "15"], ["30", "30"], ["60", "60"]], "30", () => { this.#state = { ...this.#state, matrix: null, isRunning: true }; this.update().catch(context.sayError); });
    this.grid = h("div.scroll.matrix-area");
    this.errors = h("div");
    this.inks = h("div", { "aria-live": "polite" });
    this.problem = problemPlace();
    this.controls = h("div.row", { hidden: true }, h("div.grow"), field(t("evaluate.matrixSize"), this.size));
    this.element = h("section.panel.stack", { hidden: true }, h("h2", {}, t("evaluate.matrix")), h("p.hint", {}, t("evaluate.matrixHint")),
      this.problem, this.status, this.controls, this.grid, this.inks, this.errors);
  }

  async compute(model, data) {
    this.#request = [model, data];
    this.#cell = null;
    const state = await post("/v1/evaluations/confusion", { model, data });
    this.element.hidden = false;
    this.problem.clear();
    fill(this.grid);
    fill(this.errors);
    fill(this.inks);
    this.controls.hidden = true;
    this.#state = { ...state, matrix: null, isRunning: true };
    this.element.scrollIntoView({ block: "start" });
    await this.update();
  }

  async update() {
    if (!this.#state?.isRunning) return;
    const { id } = this.#state;
    let state;
    try {
      state = await get(`/v1/evaluations/confusion/${part(id)}?size=${this.size.value}`);
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) this.#gone(error);
      return;
    }
    if (this.#state.id !== id) return;
    this.#state = state;
    if (state.problem) {
      this.status.textContent = "";
      this.problem.show(new Error(state.problem));
    } else if (state.isRunning) {
      this.status.textContent = state.records === 0 ? t("evaluate.matrixEvaluates")
        : t("evaluate.matrixWait", { records: state.records.toLocaleString("en") });
    } else {
      this.#show(state);
    }
  }

  /** The studio was started again, or other matrices took the place. */
  #gone(error) {
    this.#state = null;
    const [model, data] = this.#request;
    this.problem.show(error, h("button", { onclick: () => this.compute(model, data).catch(this.context.sayError) }, t("evaluate.matrixGone")));
  }

  #name(text, isAnswer) {
    return text === "" ? t(isAnswer ? "evaluate.none" : "evaluate.added") : text === " " ? "␣" : text;
  }

  #show({ matrix, model, data }) {
    const number = (value) => value.toLocaleString("en");
    this.controls.hidden = matrix.labelCount <= 15;
    fill(this.status, h("strong", {}, t("evaluate.matrixSummary", { wrong: number(matrix.wrong), records: number(matrix.records), data: data.join(", "), model })),
      matrix.labels.length < matrix.labelCount ? ` ${t("evaluate.matrixPart", { shown: matrix.labels.length, all: matrix.labelCount })}` : "",
      matrix.isPartial ? ` ${t("evaluate.matrixPartial", { records: number(matrix.records) })}` : "",
      matrix.isOfLines ? ` ${t("evaluate.matrixLines")}` : "", matrix.wrong === 0 ? ` ${t("evaluate.perfect")}` : "");
    const cells = new Map(matrix.cells.map((each) => [`${each.label}\n${each.answer}`, each.count]));
    const rows = matrix.labels.map((each) => each.label);
    const hasAdded = matrix.cells.some((each) => each.label === "");
    const hasNone = matrix.cells.some((each) => each.answer === "");
    const columns = hasNone ? [...rows, ""] : rows;
    const lines = hasAdded ? [...rows, ""] : rows;
    const worst = Math.max(1, ...matrix.cells.filter((each) => each.label !== each.answer).map((each) => each.count));
    const recall = new Map(matrix.labels.map((each) => [each.label, each]));
    fill(this.grid, h("table.matrix", {},
      h("thead", {}, h("tr", {}, h("td"), columns.map((each) => h("th", { scope: "col" }, this.#name(each, true))))),
      h("tbody", {}, lines.map((label) => h("tr", {},
        h("th", { scope: "row", title: recall.has(label) ? t("evaluate.recall", { label, recall: percent(recall.get(label).recall, 0), count: recall.get(label).count }) : "" }, this.#name(label, false)),
        columns.map((answer) => {
          const value = cells.get(`${label}\n${answer}`);
          return value === undefined ? h("td") : h("td", {}, this.#button(label, answer, value, worst));
        }))))));
    this.grid.addEventListener("keydown", (event) => this.#move(event));
    fill(this.errors, matrix.errors.length === 0 ? null : h("details", { open: matrix.labels.length < matrix.labelCount }, h("summary", {}, t("evaluate.mostFrequent")),
      h("div.row", {}, matrix.errors.slice(0, 60).map((each) => h("button", { onclick: (event) => this.#open(each.label, each.answer, event.currentTarget) },
        t("evaluate.confused", { label: this.#name(each.label, false), answer: this.#name(each.answer, true), count: number(each.count) }))))));
  }

  #button(label, answer, value, worst) {
    const isRight = label === answer;
    const level = Math.min(4, Math.max(1, Math.ceil(4 * Math.sqrt(value / worst))));
    return h(`button.${isRight ? "right-cell" : `wrong-${level}`}`, {
      "aria-label": count("evaluate.cell", value).replace("{label}", this.#name(label, false)).replace("{answer}", this.#name(answer, true)),
      "aria-pressed": "false", onclick: (event) => this.#open(label, answer, event.currentTarget),
    }, value.toLocaleString("en"));
  }

  /** Arrow keys go to the next cell with inks. */
  #move(event) {
    const cell = event.target.closest?.("td");
    const steps = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
    if (!cell || !steps) return;
    const body = cell.closest("tbody");
    let [row, column] = [cell.parentElement.rowIndex - 1, cell.cellIndex];
    while (true) {
      [row, column] = [row + steps[0], column + steps[1]];
      const next = body.rows[row]?.cells[column];
      if (!next || column < 1) return;
      const button = next.querySelector("button");
      if (button) {
        event.preventDefault();
        button.focus();
        return;
      }
    }
  }

  async #open(label, answer, button) {
    this.element.querySelectorAll('[aria-pressed="true"]').forEach((each) => each.setAttribute("aria-pressed", "false"));
    button.setAttribute("aria-pressed", "true");
    this.#cell = { label, answer };
    const list = h("ul.inks");
    const more = h("button", { hidden: true, onclick: () => load() }, t("evaluate.more"));
    const summary = h("p.hint");
    fill(this.inks, h("h3", {}, t("evaluate.inks", { label: this.#name(label, false), answer: this.#name(answer, true) })), summary, list, more);
    const { id } = this.#state;
    const cell = this.#cell;
    const load = async () => {
      try {
        const found = await get(`/v1/evaluations/confusion/${part(id)}/inks?label=${part(label)}&answer=${part(answer)}&from=${list.children.length}`);
        if (cell !== this.#cell) return;
        summary.textContent = count("evaluate.inksCount", found.count);
        list.append(...found.inks.map((each) => this.#ink(each)));
        more.hidden = list.children.length >= found.count || found.inks.length === 0;
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) this.#gone(error);
        else this.context.sayError(error);
      }
    };
    await load();
  }

  #ink(ink) {
    const isWide = ink.label.length > 3 && this.#state.matrix.isOfLines;
    return h("li", {}, inkPicture(ink.strokes, `${t("evaluate.label")} ${ink.label}`, isWide ? 220 : 96, 72),
      h("div.read", {}, h("span.right", { dir: "auto" }, ink.label), h("span.dim", {}, t("evaluate.answer")),
        h(`span.${ink.answer === ink.label ? "right" : "wrong"}`, { dir: "auto" }, ink.answer ?? t("evaluate.none"))),
      h("div.dim", {}, [t("evaluate.sure", { confidence: percent(ink.confidence, 0) }), ink.writer ? t("evaluate.writer", { writer: ink.writer }) : null].filter(Boolean).join(" · ")));
  }
}
