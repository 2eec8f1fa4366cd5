// The list of sessions, and the form of a new one.
import { get, part, post } from "/js/api.js";
import { count, field, fill, h, select, svg, t } from "/js/dom.js";
import { languageName } from "/js/languages.js";
import { flush, pending } from "/js/collect/outbox.js";

const memory = "collect:form";
const characterLists = ["lower-case", "upper-case", "digits", "symbols", "shapes", "gestures"];

const initial = {
  name: "", writer: "", kind: "builtIn", list: "words", text: "", unit: "lines", names: "", path: "", tag: "",
  part: "", choice: { builtIn: "all", text: "all", file: "balanced", language: "balanced" }, count: 100, longest: 40,
  repetitions: 1, shuffle: true, seed: 1, guides: true, area: true,
};

/** The form as it was left, also after a reload. */
function remembered() {
  try {
    const values = JSON.parse(sessionStorage.getItem(memory)) ?? {};
    return { ...initial, ...values, choice: { ...initial.choice, ...values.choice } };
  } catch {
    return { ...initial, choice: { ...initial.choice } };
  }
}

export async function mountSetup(main, context) {
  const lists = h("section.panel", { "aria-labelledby": "collect-sessions" });
  const form = h("form.panel.stack", { "aria-labelledby": "collect-new", noValidate: true });
  const preview = h("section.panel.collect-preview", { "aria-labelledby": "collect-preview", "aria-live": "polite" });
  const unsent = h("div", { role: "status" });
  main.append(
    h("header", {}, h("h1", {}, t("collect.title")), h("p.dim", {}, t("collect.intro"))),
    unsent, lists, h("div.columns.collect-new", {}, form, h("div.stack", {}, preview, devices())));
  const overview = await get("/v1/collect");
  showSessions(lists, overview.sessions);
  const removal = showForm(form, preview, overview, context);
  sendPending(unsent, async () => showSessions(lists, (await get("/v1/collect")).sessions), context);
  return removal;
}

/** Sends what another visit could not save. */
async function sendPending(place, reload, context) {
  const names = new Set(pending().map((each) => each.name));
  for (const name of names) {
    fill(place, h("p.note", {}, count("collect.stateSending", pending(name).length)));
    try {
      const saved = await flush(name);
      if (saved > 0) context.say(count("collect.stateResent", saved));
    } catch (error) {
      context.sayError(error);
    }
  }
  fill(place);
  if (names.size > 0 && place.isConnected) await reload().catch(context.sayError);
}

function devices() {
  const isLocal = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
  return h("section.panel", {}, h("h2", {}, t("collect.devices")),
    h(isLocal ? "p.dim" : "p.note.warn", {}, t(isLocal ? "collect.devicesLocal" : "collect.devicesOpen")));
}

function showSessions(place, sessions) {
  const items = sessions.map((each) => {
    if (each.problem) {
      return h("li.collect-session", {}, h("strong", {}, each.name), h("p.note.bad", {}, each.problem));
    }
    const isDone = each.written + each.skipped >= each.prompts;
    const progress = t(each.skipped ? "collect.progressSkipped" : "collect.progress", each);
    return h("li.collect-session", {},
      h("div.row", {}, h("strong.grow", {}, each.name),
        each.writer ? h("span.dim", {}, t("collect.byWriter", each)) : null,
        isDone ? h("span.tag.good", {}, t("collect.finished")) : null),
      h("progress", { max: each.prompts, value: each.written, "aria-label": progress }),
      h("div.row", {}, h("span.dim.grow", {}, progress),
        h(isDone ? "a.collect-link" : "a.collect-link.primary", {
          href: `/collect?session=${part(each.name)}`,
          "aria-label": t(isDone ? "collect.openName" : "collect.resumeName", each),
        }, t(isDone ? "collect.open" : "collect.resume"))));
  });
  fill(place, h("h2", { id: "collect-sessions" }, t("collect.sessions")),
    items.length > 0 ? h("ul.collect-sessions", {}, items) : h("p.dim", {}, t("collect.noSessions")));
}

function showForm(form, preview, overview, context) {
  const values = remembered();
  const languages = Map.groupBy
    ? Map.groupBy(overview.languages, (each) => each.tag)
    : overview.languages.reduce((map, each) => map.set(each.tag, [...map.get(each.tag) ?? [], each]), new Map());
  if (!overview.files.some((each) => each.path === values.path)) values.path = overview.files[0]?.path ?? "";
  if (!languages.has(values.tag)) values.tag = [...languages.keys()].find((tag) => navigator.language.startsWith(tag)) ?? [...languages.keys()][0] ?? "";

  const source = h("div.stack");
  const problem = h("p.note.bad", { role: "alert", hidden: true });
  const nameHint = h("span");
  let timer = null;
  let request = null;

  function changed() {
    try {
      sessionStorage.setItem(memory, JSON.stringify(values));
    } catch {
      // The form is only not remembered.
    }
    nameHint.textContent = t("collect.sessionNameHint", { name: values.name.trim() || t("collect.sessionNameEmpty") });
    clearTimeout(timer);
    timer = setTimeout(showPreview, 300);
  }

  const input = (key, properties = {}) => {
    const isNumber = properties.type === "number";
    const element = h("input", {
      value: values[key], autocomplete: "off", ...properties,
      oninput: () => {
        values[key] = isNumber ? (element.value === "" ? null : Number(element.value)) : element.value;
        changed();
      },
    });
    return element;
  };
  const check = (key, label) => {
    const element = h("input", { type: "checkbox", checked: values[key], onchange: () => { values[key] = element.checked; changed(); } });
    return h("label.check", {}, element, label);
  };
  const choose = (key, options, then) => select(options, values[key], (value) => {
    values[key] = value;
    then?.();
    changed();
  });
  const area = (key, properties) => {
    const element = h("textarea", { rows: 7, spellcheck: false, ...properties, oninput: () => { values[key] = element.value; changed(); } });
    element.value = values[key];
    return element;
  };

  // MARK: Sources

  const unit = () => field(t("collect.unit"), choose("unit", [
    ["lines", t("collect.unitLines")], ["words", t("collect.unitWords")], ["characters", t("collect.unitCharacters")],
  ]));

  function showSource(focus) {
    const parts = [];
    switch (values.kind) {
      case "builtIn":
        parts.push(field(t("collect.list"), choose("list", overview.lists.map((each) => [each, t(`collect.lists.${each}`)]), showSource)));
        break;
      case "text":
        parts.push(field(t("collect.text"), area("text", { dir: "auto" }), t("collect.textHint")), unit());
        break;
      case "names":
        parts.push(field(t("collect.names"), area("names"), t("collect.namesHint")));
        break;
      case "file":
        if (overview.files.length === 0) parts.push(h("p.note", {}, t("collect.noFiles")));
        else parts.push(field(t("collect.file"), choose("path", overview.files.map((each) => each.path))), unit());
        break;
      case "language": {
        if (languages.size === 0) {
          parts.push(h("p.note", {}, t("collect.noLanguages")));
          break;
        }
        const own = languages.get(values.tag);
        if (!own.some((each) => each.part === values.part)) values.part = own[0].part;
        const licence = own.find((each) => each.part === values.part)?.licence;
        parts.push(
          h("div.grid", {},
            field(t("collect.language"), choose("tag", [...languages.keys()].map((tag) => [tag, languageName(tag)]), showSource)),
            field(t("collect.part"), choose("part", own.map((each) =>
              [each.part, t("collect.partSize", { part: each.part, size: Math.ceil(each.bytes / 1024).toLocaleString("en") })]), showSource))),
          h("p.hint", {}, licence ? t("collect.licence", { licence }) : t("collect.noLicence")), unit());
        break;
      }
    }
    if (hasChoice()) {
      const choice = values.choice[values.kind];
      parts.push(h("div.grid", {},
        field(t("collect.choice"), select([
          ["all", t("collect.choiceAll")], ["first", t("collect.choiceFirst")], ["random", t("collect.choiceRandom")],
          ["balanced", t("collect.choiceBalanced")],
        ], choice, (value) => {
          values.choice[values.kind] = value;
          showSource(t("collect.choice"));
          changed();
        }), t("collect.choiceHint")),
        choice === "all" ? null : field(t("collect.count"), input("count", { type: "number", min: 1, max: 20000 })),
        choice === "all" ? null : field(t("collect.longest"), input("longest", { type: "number", min: 1, max: 500 }), t("collect.longestHint"))));
    }
    const label = document.activeElement && source.contains(document.activeElement)
      ? source.querySelector(`label[for="${document.activeElement.id}"]`)?.textContent : focus;
    fill(source, parts);
    // The control that had the focus was made again.
    if (typeof label === "string") {
      for (const each of source.querySelectorAll("label")) {
        if (each.textContent === label) document.getElementById(each.htmlFor)?.focus();
      }
    }
  }

  function hasChoice() {
    if (values.kind === "names") return false;
    if (values.kind === "builtIn") return !characterLists.includes(values.list);
    if (values.kind === "file") return overview.files.length > 0;
    return values.kind !== "language" || languages.size > 0;
  }

  /** The source in the form that the studio reads; null if nothing is chosen yet. */
  function described() {
    const result = { kind: values.kind, repetitions: values.repetitions ?? 1, shuffle: values.shuffle, seed: values.seed ?? 1 };
    switch (values.kind) {
      case "builtIn": result.list = values.list; break;
      case "text":
        if (!values.text.trim()) return null;
        Object.assign(result, { text: values.text, unit: values.unit });
        break;
      case "names":
        if (!values.names.trim()) return null;
        result.text = values.names;
        break;
      case "file":
        if (!values.path) return null;
        Object.assign(result, { path: values.path, unit: values.unit });
        break;
      case "language":
        if (!values.tag) return null;
        Object.assign(result, { tag: values.tag, part: values.part, unit: values.unit });
        break;
    }
    if (hasChoice() && values.choice[values.kind] !== "all") {
      Object.assign(result, { choice: values.choice[values.kind], count: values.count, longest: values.longest });
    }
    return result;
  }

  // MARK: Preview

  async function showPreview() {
    request?.abort();
    const mine = request = new AbortController();
    const title = h("h2", { id: "collect-preview" }, t("collect.preview"));
    const wanted = described();
    if (!wanted) {
      fill(preview, title, h("p.dim", {}, t("collect.previewEmpty")));
      return;
    }
    try {
      const answer = await post("/v1/collect-preview", { source: wanted }, { signal: mine.signal });
      if (mine !== request) return;
      const more = answer.count - answer.prompts.length;
      fill(preview, title, h("p", {}, h("strong", {}, count("collect.previewCount", answer.count))),
        h("ol.collect-prompts", {}, answer.prompts.map((each) => h("li", { dir: "auto" }, each.show ?? each.label))),
        more > 0 ? h("p.dim", {}, count("collect.previewMore", more)) : null,
        values.kind === "names" ? null : characters(answer.characters));
    } catch (error) {
      if (error.name === "AbortError" || mine !== request) return;
      fill(preview, title, h("p.note.bad", {}, error.message));
    }
  }

  // MARK: Form

  const kinds = ["builtIn", "text", "names", "language", "file"].map((kind) => {
    const radio = h("input", {
      type: "radio", name: "kind", value: kind, checked: values.kind === kind,
      onchange: () => {
        values.kind = kind;
        showSource();
        changed();
      },
    });
    return h("label.collect-kind", {}, radio, t(`collect.kind${kind[0].toUpperCase()}${kind.slice(1)}`));
  });
  const nameField = field(t("collect.sessionName"), input("name", { required: true, maxLength: 100 }));
  nameField.append(h("p.hint", {}, nameHint));
  const makeButton = h("button.primary", { type: "submit" }, t("collect.make"));
  fill(form, h("h2", { id: "collect-new" }, t("collect.create")),
    h("div.grid", {}, nameField, field(t("collect.writer"), input("writer", { maxLength: 100 }), t("collect.writerHint"))),
    h("fieldset.stack", {}, h("legend", {}, t("collect.source")), h("div.collect-kinds", {}, kinds), source),
    h("div.grid", {},
      field(t("collect.repetitions"), input("repetitions", { type: "number", min: 1, max: 1000 })),
      field(t("collect.seed"), input("seed", { type: "number", min: 0, max: 4294967295 }), t("collect.seedHint"))),
    h("div.row.collect-checks", {}, check("shuffle", t("collect.shuffle")), check("guides", t("collect.guides")), check("area", t("collect.area"))),
    h("p.hint", {}, t("collect.areaHint")), problem, h("div.row.end", {}, makeButton));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (makeButton.disabled) return;
    problem.hidden = true;
    const wanted = described();
    if (!wanted) return fail(t("collect.previewEmpty"));
    makeButton.disabled = true;
    try {
      const state = await post("/v1/collect", {
        name: values.name, writer: values.writer, source: wanted,
        options: { guides: values.guides, area: values.area, line: 0.6 },
      });
      values.name = "";
      changed();
      await context.go(`/collect?session=${part(state.name)}`);
    } catch (error) {
      fail(error.message);
      if (error.field === "name") nameField.querySelector("input").focus();
    } finally {
      makeButton.disabled = false;
    }
  });
  function fail(text) {
    problem.hidden = false;
    problem.textContent = text;
  }

  showSource();
  changed();
  return () => {
    clearTimeout(timer);
    request?.abort();
  };
}

/** The number of times that each character occurs, as bars. */
function characters(counts) {
  if (counts.length === 0) return null;
  const most = counts[0].count;
  const least = counts.at(-1).count;
  const shown = counts.slice(0, 120);
  const step = 100 / shown.length;
  const text = t("collect.charactersRange", { characters: count("collect.characters", counts.length), least, most });
  return h("figure.collect-characters", {},
    svg("svg", { viewBox: "0 0 100 30", preserveAspectRatio: "none", role: "img", "aria-label": t("collect.charactersChart") },
      shown.map((each, index) => svg("rect", {
        x: index * step, width: step * 0.8, height: 30 * each.count / most, y: 30 - 30 * each.count / most,
      }, svg("title", {}, `${each.character}: ${each.count}`)))),
    h("figcaption.dim", {}, text),
    h("p.collect-alphabet", {}, shown.map((each) => h("span", { title: String(each.count) }, each.character))));
}
