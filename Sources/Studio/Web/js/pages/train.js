// Train: start, stop, resume and watch trainings, and compare those of the log.
import { get, part, post } from "/js/api.js";
import { LineChart } from "/js/chart.js";
import { count, field, fill, h, select, t } from "/js/dom.js";
import { byName, modelName } from "/js/languages.js";
import { JobOutput, duration, followTheme, inkPicture, loadStyle, percent, poll, problemPlace, stateTag, when } from "/js/jobs.js";

const starters = { "starter:characters?count=4000": "train.starterCharacters", "starter:shapes?count=3000": "train.starterShapes", "starter:gestures?count=2000": "train.starterGestures" };
const isRunning = (job) => job?.state === "running" || job?.state === "stopping";

export async function mount(main, context) {
  await loadStyle();
  const unfollow = followTheme(main);
  const form = new Form(context, (job) => watch.choose(job.id));
  const watch = new Watch(context);
  const compare = new Compare(context);
  main.append(
    h("div", {}, h("h1", {}, t("train.name")), h("p.hint", {}, t("train.hint"))),
    h("div.work", {}, form.element, h("div.stack", {}, watch.element, compare.element)));
  const stop = poll(async () => {
    const { jobs } = await get("/v1/jobs");
    await watch.update(jobs.filter((each) => each.kind === "train"));
    await compare.update(watch.job);
  });
  watch.changed = () => stop.now();
  await form.load(context.query.get("data"));
  return () => {
    stop();
    unfollow();
    watch.remove();
    compare.remove();
  };
}

// MARK: - The form

/** A radio button or checkbox with a name and a hint. */
function choice(type, group, value, name, hint, isChecked, onchange) {
  const input = h("input", { type, name: group, value, checked: isChecked, onchange });
  const detail = h("small", {}, hint ?? "");
  const element = h(`label.choice${hint === null ? ".slim" : ""}`, {}, input, h("span.name", {}, name), hint === null ? null : detail);
  return { input, element, detail, value };
}

class Form {
  #plan = null;
  #planVersion = 0;
  #timer = null;
  #hasChosenKind = false;
  #hasNamed = false;
  #hasChosenPreset = false;
  #presets = {};
  #kinds = {};

  constructor(context, started) {
    this.context = context;
    this.started = started;
    const replan = () => this.#replanSoon();
    this.list = h("div.choices.tall", {});
    this.other = h("input", { autocomplete: "off", spellcheck: false, oninput: replan });
    this.planPlace = h("div", { "aria-live": "polite" }, h("p.hint", {}, t("train.planNone")));
    for (const kind of ["glyphs", "lines"]) {
      const key = kind === "glyphs" ? "train.kindGlyphs" : "train.kindLines";
      this.#kinds[kind] = choice("radio", "kind", kind, t(key), t(`${key}Hint`), kind === "glyphs", () => {
        this.#hasChosenKind = true;
        this.#showKind();
        replan();
      });
    }
    for (const [preset, key] of [["quick", "train.presetQuick"], ["good", "train.presetGood"], ["best", "train.presetBest"]]) {
      this.#presets[preset] = choice("radio", "preset", preset, t(key), t(`${key}Hint`), preset === "quick", () => { this.#hasChosenPreset = true; });
    }
    this.from = h("select", { onchange: replan });
    this.fromField = field(t("train.from"), this.from, t("train.fromHint"));
    this.model = h("input", { maxLength: 90, required: true, oninput: () => { this.#hasNamed = true; } });
    this.validation = h("input", { autocomplete: "off", spellcheck: false, oninput: replan });
    this.epochs = h("input", { type: "number", min: 1, max: 10000, inputMode: "numeric" });
    this.seed = h("input", { type: "number", min: 0, inputMode: "numeric" });
    this.problem = problemPlace();
    this.button = h("button.primary", { type: "submit" }, t("train.start"));
    this.element = h("form.panel.stack", { onsubmit: (event) => { event.preventDefault(); this.#start(); }, "aria-label": t("train.form") },
      h("h2", {}, t("train.form")),
      h("fieldset", {}, h("legend", {}, t("train.data")), this.list, field(t("train.dataOther"), this.other, t("train.dataOtherHint"))),
      this.planPlace,
      h("fieldset", {}, h("legend", {}, t("train.kind")), h("div.choices", {}, Object.values(this.#kinds).map((each) => each.element))),
      this.fromField,
      h("fieldset", {}, h("legend", {}, t("train.preset")), h("div.choices", {}, Object.values(this.#presets).map((each) => each.element))),
      field(t("train.model"), this.model),
      h("details", {}, h("summary", {}, t("train.more")), h("div.stack", {},
        field(t("train.validation"), this.validation, t("train.validationHint")),
        field(t("train.epochs"), this.epochs, t("train.epochsHint")), field(t("train.seed"), this.seed, t("train.seedHint")))),
      this.problem, this.button);
    this.#showKind();
  }

  async load(wanted) {
    const [{ data }, models] = await Promise.all([get("/v1/studio"), get("/v1/studio/models")]);
    this.taken = new Set([...models.models.filter((each) => each.place === "project").map((each) => each.identifier), ...models.unfinished]);
    const lines = models.models.filter((each) => each.kind === "line" && !each.isHidden);
    fill(this.from, lines.toSorted(byName).map((each) => h("option", { value: each.identifier }, modelName(each))), h("option", { value: "" }, t("train.fromNone")));
    if (lines.some((each) => each.identifier === "latin-lines")) this.from.value = "latin-lines";
    const first = wanted && data.includes(wanted) ? wanted : data.find((each) => each.startsWith("ink:collect/")) ?? data[0];
    if (wanted && !data.includes(wanted)) this.other.value = wanted;
    const item = (value, name, isChecked) => choice("checkbox", "data", value, name, null, isChecked, () => this.#replanSoon()).element;
    fill(this.list,
      data.length === 0 ? h("p.hint", {}, t("train.dataNone"), " ", h("a", { href: "/collect" }, t("train.dataCollect")), " ", t("train.dataTry")) : null,
      data.map((each) => item(each, each, each === first && !this.other.value)),
      data.length === 0 ? Object.entries(starters).map(([value, key]) => item(value, t(key), false)) : null);
    this.#replanSoon();
  }

  get #data() {
    const chosen = [...this.list.querySelectorAll("input:checked")].map((each) => each.value);
    return [...chosen, ...[this.other.value.trim()].filter(Boolean)];
  }

  get #kind() {
    return this.#kinds.lines.input.checked ? "lines" : "glyphs";
  }

  get #start_from() {
    return this.#kind === "lines" ? this.from.value || null : null;
  }

  #showKind() {
    this.fromField.hidden = this.#kind !== "lines";
  }

  #replanSoon() {
    clearTimeout(this.#timer);
    this.problem.clear();
    this.#timer = setTimeout(() => this.#replan(), 250);
  }

  async #replan() {
    const data = this.#data;
    const mine = ++this.#planVersion;
    this.#plan = null;
    if (data.length === 0) {
      fill(this.planPlace, h("p.hint", {}, t("train.planNone")));
      return;
    }
    if (!this.#hasNamed) this.model.value = this.#freeName(data[0]);
    fill(this.planPlace, h("p.hint", {}, t("train.planWait")));
    try {
      const validation = [this.validation.value.trim()].filter(Boolean);
      const plan = await post("/v1/studio/train/plan", { data, validation, kind: this.#hasChosenKind ? this.#kind : null, from: this.#start_from });
      if (mine !== this.#planVersion) return;
      if (!this.#hasChosenKind && plan.suggestedKind !== this.#kind) {
        this.#kinds[plan.suggestedKind].input.checked = true;
        this.#showKind();
        // The model to start from changes the time.
        this.#replanSoon();
      }
      this.#plan = plan;
      this.#showPlan(plan);
    } catch (error) {
      if (mine === this.#planVersion) fill(this.planPlace, h("div.note.bad", { role: "alert" }, error.message));
    }
  }

  #showPlan(plan) {
    const number = (value) => value.toLocaleString("en");
    const writers = plan.writers > 0 ? count("train.planWriters", plan.writers) : t("train.planNoWriters");
    const split = { inks: "train.splitInks", fewWriters: "train.splitFewWriters", writers: "train.splitWriters", named: "train.splitNamed" }[plan.split];
    const isWarning = plan.split === "inks" || plan.split === "fewWriters";
    fill(this.planPlace, h("div.stack", {},
      h("p", {}, h("strong", {}, t("train.planInks", { inks: number(plan.inks), labels: number(plan.labels), writers }))),
      plan.isPartial ? h("p.hint", {}, t("train.planPartial", { inks: number(plan.inks) })) : null,
      plan.unusable > 0 ? h("p.hint", {}, count("train.planUnusable", plan.unusable)) : null,
      this.#kind === "glyphs" && plan.thinLabels > 0 ? h("div.note.warn", {}, count("train.planThin", plan.thinLabels)) : null,
      plan.inks < 4 || plan.labels < 2 ? h("div.note.bad", {}, t("train.planFew")) : null,
      isWarning ? h("div.note.warn", {}, t(split)) : h("p.hint", {}, t(split))));
    const good = plan.choices.find((each) => each.preset === "good");
    // A quick look saves no time if the good setting takes a minute.
    if (!this.#hasChosenPreset && good) this.#presets[good.settings.seconds <= 60 ? "good" : "quick"].input.checked = true;
    for (const { preset, settings } of plan.choices) {
      const { detail } = this.#presets[preset];
      const key = { quick: "train.presetQuickHint", good: "train.presetGoodHint", best: "train.presetBestHint" }[preset];
      detail.textContent = `${t(key)} ${t("train.presetTime", { time: duration(settings.seconds), epochs: number(settings.epochs) })}`;
    }
  }

  /** A name that no model has, after a file. */
  #freeName(data) {
    const file = data.replace(/^[a-z-]+:/, "").split("?")[0].split("/").pop() ?? "";
    const stem = file.replace(/\.[a-z.]+$/, "").replace(/[\\?&%]/g, "").slice(0, 60) || "model";
    for (let number = 1; ; number++) {
      const name = number === 1 ? stem : `${stem}-${number}`;
      if (!this.taken?.has(name)) return name;
    }
  }

  async #start(existing = null) {
    this.problem.clear();
    this.button.disabled = true;
    const whole = (input) => input.value === "" ? null : Number(input.value);
    try {
      const validation = [this.validation.value.trim()].filter(Boolean);
      const preset = Object.values(this.#presets).find((each) => each.input.checked).value;
      const job = await post("/v1/jobs/train", {
        data: this.#data, validation, kind: this.#kind, preset, name: this.model.value, from: this.#start_from,
        inks: this.#plan?.inks ?? null, epochs: whole(this.epochs), seed: whole(this.seed), existing,
      });
      this.taken.add(job.title);
      this.#hasNamed = false;
      this.model.value = this.#freeName(this.#data[0]);
      this.started(job);
    } catch (error) {
      const again = (kind, text) => h("button", { type: "button", onclick: () => this.#start(kind) }, t(text));
      const isTaken = error.code === "conflict" && error.field === "name";
      const isUnfinished = /unfinished/.test(error.message);
      this.problem.show(error, ...(!isTaken ? [] : isUnfinished
        ? [again("resume", "train.goOn"), again("replace", "train.again")] : [again("replace", "train.replace")]));
    }
    this.button.disabled = false;
  }
}

// MARK: - Watching a training

class Watch {
  #id = null;
  #hasChosen = false;
  #jobs = [];
  #shownList = "";
  #shownErrors = "";
  #run = null;

  constructor(context) {
    this.context = context;
    this.list = h("div.jobs", { role: "list" });
    this.head = h("div.row");
    this.news = h("p.visually-hidden", { "aria-live": "polite" });
    this.phase = h("p");
    this.bar = h("progress", { max: 1, value: 0, "aria-label": t("train.progress") });
    this.figures = h("dl.figures");
    this.chart = new LineChart({ label: t("train.lossChart"), x: t("train.step"), height: 220 });
    this.worst = h("div");
    this.outputPlace = h("div");
    this.detail = h("section.panel.stack", { hidden: true, "aria-label": t("train.phase.training") },
      this.head, this.phase, this.bar, this.figures, this.chart.element, this.worst, this.outputPlace, this.news);
    this.element = h("div.stack", {}, h("section.panel", {}, h("h2", {}, t("train.jobs")), this.list), this.detail);
  }

  remove() {
    this.chart.remove();
  }

  get job() {
    return this.#jobs.find((each) => each.id === this.#id) ?? null;
  }

  choose(id) {
    if (id !== this.#id) this.#shownErrors = this.#shownList = "";
    this.#id = id;
    this.#hasChosen = true;
    this.changed();
    this.detail.scrollIntoView({ block: "nearest", behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
  }

  async update(jobs) {
    this.#jobs = jobs;
    if (!this.job || !this.#hasChosen) this.#id = (jobs.find(isRunning) ?? jobs[0])?.id ?? null;
    this.#showList();
    const job = this.job;
    this.detail.hidden = !job;
    if (!job) return;
    const watch = await get(`/v1/jobs/${part(job.id)}/watch`);
    if (job !== this.job) return;
    this.#showHead(job);
    this.#showWatch(job, watch);
    if (this.output?.id !== job.id) {
      this.output = new JobOutput(job.id, job.state === "failed");
      fill(this.outputPlace, this.output.element);
    }
    await this.output.update();
  }

  #showList() {
    const signature = JSON.stringify([this.#jobs.map((each) => [each.id, each.state, each.canResume]), this.#id]);
    if (signature === this.#shownList) return;
    this.#shownList = signature;
    fill(this.list, this.#jobs.length === 0 ? h("p.hint", {}, t("train.noJobs")) : this.#jobs.slice(0, 12).map((job) =>
      h("div.job", { role: "listitem", "aria-current": job.id === this.#id ? "true" : null }, h("div.row", {},
        stateTag(job.state), h("strong.grow.name", {}, job.title), h("span.dim", {}, when(job.started)),
        job.id === this.#id ? null : h("button.quiet", { "aria-label": t("train.showJob", { title: job.title }), onclick: () => this.choose(job.id) }, t("train.show"))))));
  }

  #act(path) {
    return async (event) => {
      event.currentTarget.disabled = true;
      try {
        await post(path);
      } catch (error) {
        this.context.sayError(error);
      }
      this.changed();
    };
  }

  #showHead(job) {
    const signature = JSON.stringify([job.id, job.state, job.canResume]);
    if (this.head.dataset.shown === signature) return;
    const [oldID, oldState] = JSON.parse(this.head.dataset.shown ?? "[null,null]");
    if (oldID === job.id && oldState !== job.state) this.news.textContent = `${job.title}: ${t(`train.state.${job.state}`)}`;
    this.head.dataset.shown = signature;
    const path = `/v1/jobs/${part(job.id)}`;
    fill(this.head, h("h2.grow.name", {}, job.title), stateTag(job.state),
      isRunning(job) ? h(`button${job.state === "stopping" ? ".danger" : ""}`, { onclick: this.#act(`${path}/stop`) }, t(job.state === "stopping" ? "train.stopNow" : "train.stop")) : null,
      job.canResume ? h("button.primary", { onclick: this.#act(`${path}/resume`) }, t("train.resume")) : null,
      job.state === "finished" ? [
        h("button.primary", { onclick: () => this.context.go(`/evaluate?model=${part(job.title)}`) }, t("train.evaluate")),
        h("button", { onclick: () => this.context.go(`/try?model=${part(job.title)}`) }, t("train.tryIt"))] : null);
  }

  #showWatch(job, watch) {
    const isLive = isRunning(job);
    // After a kill, the file tells of a phase that is over.
    const phase = isLive ? watch?.phase ?? "reading" : job.state === "finished" ? "finished" : job.state === "stopped" ? "stopped" : "failed";
    this.phase.textContent = t(`train.phase.${phase}`);
    this.bar.hidden = !isLive;
    if (watch?.steps > 0 && phase === "training") this.bar.value = watch.step / watch.steps;
    else this.bar.removeAttribute("value");
    const number = (value) => value === undefined || value === null ? "–" : value.toLocaleString("en", { maximumFractionDigits: value < 100 ? 1 : 0 });
    const rows = [
      [t("train.epoch"), watch?.epochs > 0 ? t("train.epochOf", { epoch: watch.epoch + 1, epochs: watch.epochs }) : "–"],
      [t("train.loss"), watch?.loss === undefined ? "–" : watch.loss.toFixed(3)],
      [t("train.rate"), number(watch?.samplesPerSecond)],
      isLive && phase === "training" ? [t("train.remaining"), duration(watch?.remainingSeconds)] : null,
    ].filter(Boolean);
    fill(this.figures, rows.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))));
    this.chart.update([{ name: t("train.stepLoss"), colour: 1, points: (watch?.losses ?? []).map((each) => [each.step, each.loss]) }]);
    this.#showWorst(job, watch);
  }

  #showWorst(job, watch) {
    const errors = watch?.worstErrors ?? [];
    const signature = `${job.id} ${watch?.worstErrorsEpoch} ${errors.length}`;
    if (signature === this.#shownErrors) return;
    this.#shownErrors = signature;
    const hasEpoch = watch?.worstErrorsEpoch !== undefined && watch?.worstErrorsEpoch !== null;
    const isWide = errors.some((each) => each.confidence === undefined || each.confidence === null);
    fill(this.worst, h("h3", {}, t("train.worst")),
      h("p.hint", {}, !hasEpoch ? t("train.worstWait") : errors.length === 0 ? t("train.worstNone") : t("train.worstHint", { epoch: watch.worstErrorsEpoch + 1 })),
      h("ul.inks", {}, errors.map((each) => h("li", {},
        inkPicture(each.strokes, `${t("train.label")} ${each.label}`, isWide ? 220 : 96, 72),
        h("div.read", {}, h("span.right", { dir: "auto" }, each.label), h("span.dim", {}, t("train.read")), h("span.wrong", { dir: "auto" }, each.read || t("train.nothing"))),
        h("div.dim", {}, each.confidence === undefined || each.confidence === null ? count("train.worstEdits", each.edits) : t("train.worstSure", { confidence: percent(each.confidence, 0) }))))));
  }
}

// MARK: - Comparing trainings

class Compare {
  #runs = [];
  #chosen = new Map();
  #curves = new Map();
  #shown = "";
  #automatic = null;
  /** The runs that the user switched on or off. */
  #touched = new Set();
  #differences = "";

  constructor(context) {
    this.context = context;
    this.measure = select([["figure", t("train.measureFigure")], ["validationLoss", t("train.measureValidation")], ["trainingLoss", t("train.measureTraining")]], "figure", () => this.#draw());
    this.over = select([["epoch", t("train.overEpochs")], ["seconds", t("train.overSeconds")]], "epoch", () => this.#draw());
    // An empty chart says nothing: it appears with the first training.
    this.controls = h("div.grid", { hidden: true }, field(t("train.measure"), this.measure), field(t("train.over"), this.over));
    this.chartPlace = h("div", { hidden: true });
    this.table = h("div.scroll");
    this.differences = h("div", { "aria-live": "polite" });
    this.problem = h("div");
    this.element = h("section.panel.stack", {}, h("h2", {}, t("train.compare")), h("p.hint", {}, t("train.compareHint")), this.problem,
      this.controls, this.chartPlace, this.table, this.differences);
    this.#newChart();
  }

  remove() {
    this.chart.remove();
  }

  #newChart() {
    this.chart?.remove();
    this.isPercent = this.measure.value === "figure";
    this.chart = new LineChart({
      label: t("train.compareChart"), x: this.over.value === "epoch" ? t("train.epochAxis") : t("train.secondAxis"), wholeX: this.over.value === "epoch",
      ...(this.isPercent ? { formatY: (value) => percent(value, 1), most: 1 } : {}),
    });
    fill(this.chartPlace, this.chart.element);
  }

  async update(job) {
    const found = await get("/v1/runs?last=60");
    fill(this.problem, found.problem ? h("div.note.bad", {}, found.problem) : null);
    this.#runs = found.runs;
    this.controls.hidden = this.chartPlace.hidden = found.runs.length === 0;
    // The training that is watched is shown until the user chooses.
    const own = job ? this.#runs.find((each) => each.output === job.output) : null;
    if (own && this.#automatic !== own.id) {
      if (!this.#touched.has(this.#automatic)) this.#chosen.delete(this.#automatic);
      this.#automatic = own.id;
      this.#choose(own.id, true);
    }
    this.#showTable();
    const stale = [...this.#chosen.keys()].filter((id) => {
      const run = this.#runs.find((each) => each.id === id);
      const known = this.#curves.get(id);
      return run && (!known || known.finishedEpochs !== run.finishedEpochs);
    });
    if (stale.length > 0) {
      const { runs } = await get(`/v1/runs/curves?ids=${stale.join(",")}`);
      for (const run of runs) this.#curves.set(run.id, run);
      this.#draw();
    }
    await this.#showDifferences();
  }

  #choose(id, isChosen) {
    if (!isChosen) {
      this.#chosen.delete(id);
    } else if (this.#chosen.size < 6 && !this.#chosen.has(id)) {
      const used = new Set(this.#chosen.values());
      this.#chosen.set(id, [1, 2, 3, 4, 5, 6].find((each) => !used.has(each)));
    }
    this.#shown = "";
    this.#draw();
  }

  #showTable() {
    const signature = JSON.stringify([this.#runs.map((each) => [each.id, each.state, each.finishedEpochs, each.figure]), [...this.#chosen]]);
    if (signature === this.#shown) return;
    const focused = document.activeElement?.dataset?.run;
    this.#shown = signature;
    if (this.#runs.length === 0) {
      fill(this.table, h("p.hint", {}, t("train.compareNone")));
      return;
    }
    const names = ["show", "name", "state", "figure", "epochs", "time", "started"];
    const isFull = this.#chosen.size >= 6;
    fill(this.table, h("table", {},
      h("thead", {}, h("tr", {}, names.map((each) => h(`th${["figure", "epochs", "time"].includes(each) ? ".number" : ""}`, { scope: "col" }, t(`train.columns.${each}`))))),
      h("tbody", {}, this.#runs.map((run) => {
        const colour = this.#chosen.get(run.id);
        const box = h("input", { type: "checkbox", checked: colour !== undefined, disabled: isFull && colour === undefined, "data-run": run.id, "aria-label": t("train.chooseRun", { name: run.name }), onchange: (event) => { this.#touched.add(run.id); this.#choose(run.id, event.currentTarget.checked); this.#showTable(); this.update(null).catch(this.context.sayError); } });
        return h(`tr${colour ? ".shown" : ""}`, {},
          h("td", {}, h("span.check", {}, box, colour ? h(`span.swatch.fill-${colour}`) : null)), h("td.name", {}, run.name), h("td", {}, stateTag(run.state)),
          h("td.number", {}, run.figure === undefined ? "–" : run.kind === "language" ? run.figure.toFixed(3) : `${run.figureName} ${percent(run.figure)}`),
          h("td.number", {}, `${run.finishedEpochs} / ${run.epochs}`), h("td.number", {}, duration(run.seconds)), h("td", {}, when(run.started)));
      }))));
    if (focused) this.table.querySelector(`[data-run="${CSS.escape(focused)}"]`)?.focus();
  }

  #name(run) {
    const isDouble = [...this.#chosen.keys()].some((id) => id !== run.id && this.#runs.find((each) => each.id === id)?.name === run.name);
    return isDouble ? `${run.name} (${run.id})` : run.name;
  }

  #draw() {
    const measure = this.measure.value;
    const over = this.over.value;
    const key = `${measure} ${over}`;
    if (this.chartKey !== key) {
      this.chartKey = key;
      this.#newChart();
    }
    this.chart.update([...this.#chosen].flatMap(([id, colour]) => {
      const run = this.#curves.get(id);
      return run ? [{ name: this.#name(run), colour, points: (run.curve ?? []).map((each) => [each[over] ?? NaN, each[measure]]) }] : [];
    }));
  }

  async #showDifferences() {
    const ids = [...this.#chosen.keys()];
    const key = ids.join(",");
    if (key === this.#differences) return;
    this.#differences = key;
    if (ids.length < 2) {
      fill(this.differences);
      return;
    }
    const found = await get(`/v1/runs/differences?ids=${key}`);
    if (key !== this.#differences) return;
    const runs = found.ids.map((id) => this.#runs.find((each) => each.id === id)).filter(Boolean);
    const rows = [...found.circumstances, ...found.settings];
    fill(this.differences, h("div.stack", {}, h("h3", {}, t("train.differences")),
      found.sharesKind ? null : h("div.note.warn", {}, t("train.differentKind")),
      found.sharesValidation ? null : h("div.note.warn", {}, t("train.differentValidation")),
      rows.length === 0 ? h("p.hint", {}, t("train.differencesNone")) : h("div.scroll", {}, h("table", {},
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("train.setting")), runs.map((each) => h("th", { scope: "col" }, this.#name(each))))),
        h("tbody", {}, rows.map((row) => h("tr", {}, h("th", { scope: "row" }, row.name), row.values.map((value) => h("td", {}, value ?? "–")))))))));
  }
}
