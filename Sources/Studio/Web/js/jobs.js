// Jobs of the studio, and what the pages Train, Evaluate and Models share.
import { del, get, part, post } from "/js/api.js";
import { fill, h, t } from "/js/dom.js";
import { drawFitted } from "/js/ink.js";

/** Loads the style of these pages once. */
export function loadStyle() {
  if (document.querySelector('link[href="/css/train.css"]')) return Promise.resolve();
  return new Promise((done) => {
    const link = h("link", { rel: "stylesheet", href: "/css/train.css", onload: done, onerror: done });
    document.head.append(link);
  });
}

/** Repeats an action while the page is visible. Returns a function that ends it. */
export function poll(action, milliseconds = 1000) {
  let isOver = false;
  let timer = null;
  let isBusy = false;
  const run = async () => {
    clearTimeout(timer);
    if (isOver || isBusy || document.hidden) return;
    isBusy = true;
    try {
      await action();
    } catch {
      // The shell reports a lost connection; the next turn tries again.
    }
    isBusy = false;
    if (!isOver) timer = setTimeout(run, milliseconds);
  };
  document.addEventListener("visibilitychange", run);
  run();
  return Object.assign(() => {
    isOver = true;
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", run);
  }, { now: run });
}

/** A place for the message of an error, where it occurred. */
export function problemPlace() {
  const place = h("div", { role: "alert", hidden: true });
  return Object.assign(place, {
    show(error, ...actions) {
      place.hidden = false;
      fill(place, h("div.note.bad", {}, h("p", {}, error?.message ?? String(error)), actions.length > 0 ? h("div.row", {}, actions) : null));
    },
    clear() {
      place.hidden = true;
      fill(place);
    },
  });
}

/** Asks before something that cannot be undone. Returns true if the user agrees. */
export function ask(title, text, action) {
  return new Promise((done) => {
    const dialog = h("dialog", { "aria-label": title, onclose: () => { dialog.remove(); done(dialog.returnValue === "yes"); } },
      h("h2", {}, title), h("p", {}, text),
      h("form", { method: "dialog" }, h("div.row.end", {},
        h("button", { value: "no" }, t("shell.cancel")), h("button.danger", { value: "yes" }, action))));
    document.body.append(dialog);
    dialog.showModal();
  });
}

const tags = { running: "", stopping: "warn", finished: "good", stopped: "warn", failed: "bad", killed: "bad" };

/** The state of a job or a run as a coloured word. */
export const stateTag = (state) => h(`span.tag${tags[state] ? `.${tags[state]}` : ""}`, {}, t(`train.state.${state}`));

/** A share as a percentage. */
export const percent = (value, digits = 2) => value === null || value === undefined ? "–" : `${(100 * value).toFixed(digits)} %`;

/** Bytes in a readable unit. */
export const bytes = (value) => value === null || value === undefined ? "–" : value < 1e6 ? `${Math.max(1, Math.round(value / 1e3))} kB` : `${(value / 1e6).toFixed(1)} MB`;

/** Seconds in words. */
export function duration(seconds) {
  if (!(seconds >= 0)) return "–";
  if (seconds < 1.5) return t("train.second");
  if (seconds < 90) return t("train.seconds", { count: Math.round(seconds) });
  if (seconds < 5400) return t("train.minutes", { count: Math.round(seconds / 60) });
  return t("train.hours", { count: (seconds / 3600).toFixed(1) });
}

/** A time of today as a clock, another with its day. */
export function when(text) {
  const time = new Date(text);
  const isToday = time.toDateString() === new Date().toDateString();
  return time.toLocaleString("en-GB", isToday ? { hour: "2-digit", minute: "2-digit" } : { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });
}

/** The strokes of an ink as a picture that follows the theme. */
export function inkPicture(strokes, name, width = 96, height = 72) {
  const canvas = h("canvas.ink-picture", { role: "img", "aria-label": name });
  const draw = () => {
    if (!canvas.isConnected) return;
    const scale = window.devicePixelRatio || 1;
    canvas.width = width * scale;
    canvas.height = height * scale;
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
    const context = canvas.getContext("2d");
    context.scale(scale, scale);
    context.strokeStyle = context.fillStyle = getComputedStyle(canvas).getPropertyValue("--ink").trim() || "black";
    drawFitted(context, strokes, width, height, 7, 1.8);
  };
  requestAnimationFrame(draw);
  canvas.redraw = draw;
  return canvas;
}

/** Draws all pictures again when the theme changes. Returns a function that ends it. */
export function followTheme(main) {
  const redraw = () => requestAnimationFrame(() => main.querySelectorAll("canvas.ink-picture").forEach((each) => each.redraw?.()));
  const scheme = matchMedia("(prefers-color-scheme: dark)");
  scheme.addEventListener("change", redraw);
  document.addEventListener("themechange", redraw);
  return () => {
    scheme.removeEventListener("change", redraw);
    document.removeEventListener("themechange", redraw);
  };
}

/** The output of a job, which grows while it is open. */
export class JobOutput {
  #next = null;
  #isBusy = false;

  constructor(id, isOpen = false) {
    this.id = id;
    this.text = h("pre.job-output", { tabIndex: 0, "aria-label": t("train.output") });
    this.element = h("details", { open: isOpen, ontoggle: () => this.update() }, h("summary", {}, t("train.output")), this.text);
  }

  /** Adds what is new. */
  async update() {
    if (!this.element.open || this.#isBusy) return;
    this.#isBusy = true;
    try {
      const found = await get(`/v1/jobs/${part(this.id)}/output${this.#next === null ? "" : `?from=${this.#next}`}`);
      const isAtEnd = this.text.scrollHeight - this.text.scrollTop - this.text.clientHeight < 30;
      if (found.text) this.text.append(found.text);
      this.#next = found.next;
      if (isAtEnd) this.text.scrollTop = this.text.scrollHeight;
    } catch {
      // The next turn tries again.
    }
    this.#isBusy = false;
  }
}

/** Lists jobs of some kinds, with a button to stop or to remove, and their output. */
export class JobList {
  #rows = new Map();

  /** options: kinds, emptyText, onEnd(job) for jobs that end while the page looks. */
  constructor(options, { sayError }) {
    this.options = options;
    this.sayError = sayError;
    this.element = h("div.jobs", { role: "list" });
    this.empty = h("p.hint", {}, options.emptyText);
  }

  /** Asks for the jobs and shows them. */
  async update() {
    const { jobs } = await get("/v1/jobs");
    const shown = jobs.filter((each) => this.options.kinds.includes(each.kind)).slice(0, this.options.most ?? 6);
    for (const job of shown) {
      const row = this.#rows.get(job.id) ?? this.#add(job);
      this.#show(row, job);
    }
    for (const [id, row] of this.#rows) {
      if (!shown.some((each) => each.id === id)) {
        row.element.remove();
        this.#rows.delete(id);
      }
    }
    fill(this.element, shown.length === 0 ? this.empty : shown.map((each) => this.#rows.get(each.id).element));
    return jobs;
  }

  #add(job) {
    const row = { state: null, output: new JobOutput(job.id), head: h("div.row") };
    row.element = h("div.job", { role: "listitem" }, row.head, row.output.element);
    this.#rows.set(job.id, row);
    return row;
  }

  #show(row, job) {
    const isRunning = job.state === "running" || job.state === "stopping";
    if (row.state === job.state) {
      if (isRunning) row.output.update();
      return;
    }
    const wasRunning = row.state === "running" || row.state === "stopping";
    row.state = job.state;
    fill(row.head, stateTag(job.state), h("strong.grow", {}, this.options.title?.(job) ?? job.title), h("span.dim", {}, when(job.started)),
      isRunning
        ? h("button", { onclick: () => post(`/v1/jobs/${part(job.id)}/stop`).then(() => this.update()).catch(this.sayError) }, t("train.stop"))
        : h("button.quiet", { "aria-label": t("train.forgetJob", { title: job.title }), onclick: () => del(`/v1/jobs/${part(job.id)}`).then(() => this.update()).catch(this.sayError) }, t("train.forget")));
    if (job.state === "failed" || this.options.opensOutput) row.output.element.open = true;
    row.output.update();
    if (wasRunning && !isRunning) this.options.onEnd?.(job);
  }
}

/** Loads a list of data with names for people. */
export async function dataOptions() {
  const { data } = await get("/v1/studio");
  return data;
}
