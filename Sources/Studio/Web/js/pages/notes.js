// Notes: search as you type in folders of handwritten notes, their pages as a wall, the ink around hits.
import { get, pause, post } from "/js/api.js";
import { count, field, fill, h, select, t } from "/js/dom.js";

/** Pages that are asked for at once. */
const many = 60;
/** Milliseconds between the last key and the search. */
const delay = 150;

function loadStyle() {
  if (document.querySelector("link[href='/css/notes.css']")) return Promise.resolve();
  return new Promise((done) => {
    document.head.append(h("link", { rel: "stylesheet", href: "/css/notes.css", onload: done, onerror: done }));
  });
}

export async function mount(main, context) {
  await loadStyle();
  const page = new NotesPage(main, context);
  await page.start();
  return () => page.remove();
}

const name = (path) => path.slice(path.lastIndexOf("/") + 1);
const day = (date) => new Date(date).toLocaleDateString("en", { year: "numeric", month: "short", day: "numeric" });

class NotesPage {
  #search = null;
  #asked = null;
  #isHere = true;

  constructor(main, context) {
    this.context = context;
    this.words = h("input", { type: "search", value: context.query.get("query") ?? "", placeholder: t("notes.placeholder"), autocomplete: "off", spellcheck: false, oninput: () => this.#soon() });
    this.program = select([["", t("notes.all")]], "", () => this.show());
    const date = () => h("input", { type: "date", onchange: () => this.show() });
    [this.after, this.until] = [date(), date()];
    this.status = h("p.dim", { role: "status" });
    this.folders = h("div.notes-folders");
    this.wall = h("div.notes-wall", { "aria-label": t("notes.pages") });
    this.more = h("button", { hidden: true, onclick: () => this.#add() }, t("notes.more"));
    this.again = h("button", { onclick: () => this.#update() }, t("notes.update"));
    main.append(
      h("div.row", {}, h("h1", { class: "grow" }, t("notes.title")), this.again),
      h("div.notes-bar", { role: "search" }, h("div.grow", {}, field(t("notes.words"), this.words, t("notes.wordsHint"))),
        field(t("notes.program"), this.program), field(t("notes.after"), this.after), field(t("notes.until"), this.until)),
      this.folders, this.status, this.wall, h("div.row", {}, this.more));
  }

  async start() {
    const overview = await get("/v1/studio/notes");
    this.#overview(overview);
    if (overview.folders.length === 0) return;
    await this.show();
    this.#watch();
  }

  remove() {
    this.#isHere = false;
    clearTimeout(this.timer);
    this.#search?.abort();
    document.querySelector("dialog.notes-page")?.remove();
  }

  // MARK: - Folders

  #overview({ folders, programs, work }) {
    this.again.disabled = work.isRunning || folders.length === 0;
    const chosen = this.program.value;
    fill(this.program, [["", t("notes.all")], ...programs.map((each) => [each.format, `${each.format} (${each.pages})`])]
      .map(([value, text]) => h("option", { value, selected: value === chosen }, text)));
    if (folders.length === 0) {
      fill(this.folders, h("section.panel", {}, h("p", {}, t("notes.none")), h("code", {}, "ductus studio --notes Documents/Notes")));
      return;
    }
    const progress = work.isRunning ? h("div.row", {}, h("progress", { max: Math.max(1, work.allFiles), value: work.files, "aria-label": t("notes.reading") }),
      h("span.dim", {}, t(work.secondsLeft == null ? "notes.readingFiles" : "notes.readingLeft", { files: work.files, all: work.allFiles, seconds: Math.ceil(work.secondsLeft ?? 0) }))) : null;
    const problems = folders.flatMap((folder) => folder.problems.map((each) => h("li", {}, h("bdi", {}, each.file), `: ${each.reason}`)));
    const isOpen = this.folders.querySelector("details")?.open;
    fill(this.folders, progress, work.problem ? h("p.problem", {}, work.problem) : null,
      h("p.dim", {}, folders.map((each) => `${each.path}: ${count("notes.count", each.pages)}`).join(" · ")),
      problems.length > 0 ? h("details", { open: isOpen }, h("summary", {}, count("notes.problems", problems.length)), h("ul", {}, problems)) : null);
  }

  async #update() {
    try {
      this.#overview(await post("/v1/studio/notes/update"));
    } catch (error) {
      this.context.sayError(error);
    }
  }

  /** Follows the work; new pages appear while they are read, unless the reader has gone on. */
  async #watch() {
    let pages = -1;
    let wait = 1000;
    while (this.#isHere) {
      await pause(wait);
      if (!this.#isHere) return;
      try {
        const overview = await get("/v1/studio/notes");
        this.#overview(overview);
        const all = overview.folders.reduce((sum, each) => sum + each.pages, 0);
        if (pages >= 0 && all !== pages && this.wall.children.length < many) await this.show();
        if (pages < 0 && this.wall.children.length === 0 && all > 0) await this.show();
        pages = all;
        wait = overview.work.isRunning ? 1000 : 5000;
      } catch {
        wait = 5000;
      }
    }
  }

  // MARK: - Search

  #soon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.show(), delay);
  }

  /** The query: the last word may go on while it is typed; filters are conditions. */
  #query() {
    const text = this.words.value;
    const conditions = [];
    if (this.program.value) conditions.push(`program:${this.program.value}`);
    if (this.after.value) conditions.push(`after:${this.after.value}`);
    if (this.until.value) {
      const next = new Date(`${this.until.value}T00:00:00Z`);
      next.setUTCDate(next.getUTCDate() + 1);
      conditions.push(`before:${next.toISOString().slice(0, 10)}`);
    }
    const words = text.trim().split(/\s+/).filter((each) => each && !/^\w+:./.test(each));
    const isOpen = /[\p{L}\p{N}]{2}$/u.test(text) && !/[":][^\s]*$/.test(text) && (text.match(/"/g) ?? []).length % 2 === 0;
    return { hasWords: words.length > 0, text: [text + (isOpen ? "*" : ""), ...conditions].join(" ").trim() };
  }

  async show() {
    clearTimeout(this.timer);
    this.#search?.abort();
    const search = (this.#search = new AbortController());
    const query = (this.#asked = this.#query());
    const path = this.words.value ? `/notes?query=${encodeURIComponent(this.words.value)}` : "/notes";
    history.replaceState(null, "", path);
    try {
      const pages = await this.#ask(query, 0, search.signal);
      fill(this.wall, pages.map((each) => this.#card(each)));
      this.more.hidden = pages.length < many;
      this.status.textContent = pages.length > 0 || !query.hasWords ? (query.hasWords ? count("notes.found", pages.length) : "") : t("notes.nothing");
    } catch (error) {
      if (error.name === "AbortError") return;
      if (error.status !== 422) return this.context.sayError(error);
      this.status.textContent = error.message;
    }
  }

  #ask(query, from, signal) {
    const text = encodeURIComponent(query.text);
    return query.hasWords
      ? get(`/v1/studio/notes/search?query=${text}&limit=${from + many}`, { signal }).then((hits) => hits.slice(from))
      : get(`/v1/studio/notes/pages?query=${text}&from=${from}&limit=${many}`, { signal });
  }

  async #add() {
    try {
      const pages = await this.#ask(this.#asked, this.wall.children.length, this.#search.signal);
      this.wall.append(...pages.map((each) => this.#card(each)));
      this.more.hidden = pages.length < many || this.wall.children.length >= 180;
    } catch (error) {
      this.context.sayError(error);
    }
  }

  // MARK: - Pages

  #picture(page, isAround) {
    const marks = (page.places ?? []).map((each) => each.box.join(",")).join(";");
    const around = isAround ? "&around=1" : "";
    const source = `/v1/studio/notes/picture?path=${encodeURIComponent(page.path)}&page=${page.page}&marks=${marks}${around}`;
    const alt = `${name(page.path)}, ${t("notes.page", { page: page.page })}`;
    const image = h("img", { alt, loading: "lazy", src: source, onerror: () => image.replaceWith(h("p.dim", {}, t("notes.gone"))) });
    return image;
  }

  #card(page) {
    const found = new Set((page.places ?? []).flatMap((each) => each.text.split(" ")));
    const line = page.line?.split(" ").flatMap((word) => [found.has(word) ? h("mark", {}, word) : word, " "]);
    return h(`button.notes-card${page.places ? ".hit" : ""}`, { onclick: () => this.#open(page), title: page.path }, this.#picture(page, page.places !== undefined),
      line ? h("span.line", { dir: "auto" }, line) : null,
      h("span.caption", {}, h("bdi", {}, name(page.path)), h("span.dim", {}, `${t("notes.page", { page: page.page })} · ${day(page.changed)}`)));
  }

  async #open(page) {
    const text = h("pre.notes-text", { dir: "auto" }, "…");
    const copy = h("button", { disabled: true, onclick: async () => {
      try {
        await navigator.clipboard.writeText(text.textContent);
        this.context.say(t("notes.copied"));
      } catch {
        getSelection().selectAllChildren(text);
      }
    } }, t("notes.copy"));
    const dialog = h("dialog.notes-page", { "aria-label": name(page.path), onclose: () => dialog.remove() },
      h("h2", {}, name(page.path)), h("p.dim", {}, `${page.path}, ${t("notes.page", { page: page.page })}`),
      h("div.notes-both", {}, this.#picture(page, false), text),
      h("form.row", { method: "dialog" }, copy, h("button", {}, t("shell.close"))));
    copy.type = "button";
    document.body.append(dialog);
    dialog.showModal();
    try {
      const answer = await get(`/v1/studio/notes/text?path=${encodeURIComponent(page.path)}&page=${page.page}`);
      text.textContent = answer.text;
      copy.disabled = false;
    } catch (error) {
      text.textContent = error.message;
    }
  }
}
