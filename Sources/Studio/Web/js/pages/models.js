// Models: what there is, where it comes from, and how to verify, install, sign and publish it.
import { del, get, part, post } from "/js/api.js";
import { count, field, fill, h, t } from "/js/dom.js";
import { byName, isLanguage, languageName, modelName } from "/js/languages.js";
import { JobList, ask, bytes, duration, loadStyle, percent, poll, problemPlace } from "/js/jobs.js";

export async function mount(main, context) {
  await loadStyle();
  const page = new Models(context);
  main.append(h("div", {}, h("h1", {}, t("models.name")), h("p.hint", {}, t("models.hint"))), ...page.elements);
  await page.load();
  const stop = poll(() => page.update(), 1000);
  page.news = () => stop.now();
  return stop;
}

class Models {
  news = () => {};

  constructor(context) {
    this.context = context;
    this.lists = h("div.stack");
    this.jobs = new JobList({ kinds: ["models"], emptyText: t("models.noJobs"), opensOutput: true, most: 5, onEnd: () => this.load().catch(context.sayError) }, context);
    this.catalogue = new Catalogue((action) => this.run(action));
    this.keys = new Keys(context, (action) => this.run(action), () => this.load());
    this.publish = new Publish((action) => this.run(action));
    this.jobsPanel = h("section.panel.stack", { tabIndex: -1 }, h("h2", {}, t("models.jobs")), this.jobs.element);
    this.elements = [this.lists, this.jobsPanel, h("div.two-charts", {}, this.catalogue.element, this.publish.element, this.keys.element)];
  }

  /** Starts a command as a job. */
  async run(action) {
    const job = await post("/v1/studio/models/actions", action);
    this.news();
    this.jobsPanel.scrollIntoView({ block: "nearest" });
    return job;
  }

  async update() {
    await this.jobs.update();
  }

  async load() {
    const found = await get("/v1/studio/models");
    this.found = found;
    this.keys.show(found.keys);
    this.catalogue.show(found.keys);
    this.publish.show(found);
    fill(this.lists, ["project", "installed", "shipped"].map((place) => {
      const models = found.models.filter((each) => each.place === place).toSorted(byName);
      return h("section.stack", {}, h("div", {}, h("h2", {}, t(`models.place.${place}`)), h("p.hint", {}, models.length > 0 ? t(`models.placeHint.${place}`) : t(`models.placeNone.${place}`),
        place === "project" && models.length === 0 ? [" ", h("a", { href: "/train" }, t("models.train"))] : null)),
        models.length > 0 ? h("div.model-cards", {}, models.map((each) => this.#card(each))) : null);
    }));
  }

  #card(model) {
    const problem = problemPlace();
    const act = (action) => async () => {
      problem.clear();
      try {
        await action();
      } catch (error) {
        problem.show(error);
      }
    };
    const [name, title] = [model.identifier, modelName(model)];
    const row = (title, value) => value ? h("tr", {}, h("th", { scope: "row" }, title), h("td", {}, value)) : null;
    const button = (key, action, kind = "") => h(`button${kind}`, { "aria-label": `${t(`models.${key}`)}: ${title}`, onclick: act(action) }, t(`models.${key}`));
    const isOwn = model.place === "project";
    const labels = model.labels.slice(0, 40).join(" ");
    return h("article.panel.model-card", { "aria-label": title },
      h("div.row", {}, h("h3.grow", {}, title), h("span.tag", {}, t(`models.kind.${model.kind}`))),
      model.problem ? h("div.note.bad", {}, model.problem) : null,
      h("dl.figures", {}, this.#figures(model.metrics).map(([title, value]) => h("div", {}, h("dt", {}, title), h("dd", {}, value))),
        h("div", {}, h("dt", {}, t("models.size")), h("dd", {}, bytes(model.bytes))),
        h("div", {}, h("dt", {}, t("models.version")), h("dd", {}, model.version))),
      h("details", {}, h("summary", {}, t("models.sources")), h("div.scroll", {}, h("table", {}, h("tbody", {},
        row(t("models.labels"), `${model.labelCount}: ${labels}${model.labelCount > 40 ? ` … ${t("models.unknownLabels", { count: model.labelCount - 40 })}` : ""}`),
        row(t("models.languages"), model.languages.filter(isLanguage).map(languageName).join(", ")),
        row(t("models.signer"), model.signer ?? t("models.unsigned")),
        row(t("models.training"), model.training ? [t("models.trainingText", { samples: model.training.samples.toLocaleString("en"), epochs: model.training.epochs, time: duration(model.training.seconds) }),
          model.training.writers ? `, ${count("models.trainingWriters", model.training.writers)}` : null] : null),
        row(t("models.metrics"), model.metrics[0] ? t("models.measuredOn", { data: model.metrics[0].data }) : null),
        row(t("models.sources"), model.sources.map((each) => h("p", {}, t("models.sourceText", { name: each.name, licence: each.licence || t("models.noLicence"), attribution: each.attribution })))))))),
      problem,
      model.isHidden ? h("p.hint", {}, t("models.hidden")) : null,
      h("div.row", {}, model.isHidden ? button("delete", () => this.#delete(model), ".danger") : [
        button("tryIt", () => this.context.go(`/try?model=${part(name)}`)),
        button("evaluate", () => this.context.go(`/evaluate?model=${part(name)}`)),
        button("verify", () => this.run({ command: "verify", model: name, trust: this.found.keys.filter((each) => each.fingerprint === model.signer).map((each) => each.name) })),
        isOwn ? button("install", () => this.run({ command: "install", model: name })) : null,
        isOwn ? button("sign", () => this.#sign(name)) : null,
        button("pack", () => this.#pack(model)),
        model.place === "shipped" ? null : button("delete", () => this.#delete(model), ".danger")]));
  }

  #figures(metrics) {
    return metrics.filter((each) => ["top1", "cer", "wer"].includes(each.name)).slice(0, 2).map((each) => [t(`models.metric.${each.name}`), percent(each.value)]);
  }

  async #delete(model) {
    const name = model.identifier;
    const isOwn = model.place === "project";
    if (!await ask(t("models.deleteTitle", { name }), t(isOwn ? "models.deleteProject" : "models.deleteInstalled", { name }), t("models.delete"))) return;
    if (isOwn) {
      await del(`/v1/studio/models/${part(name)}`);
      this.context.say(t("models.deleted", { name }));
      await this.load();
    } else {
      await this.run({ command: "delete", model: name });
    }
  }

  /** Shows a form in a dialog; an error stays in it. */
  #dialog(title, hint, fields, buttonText, action) {
    const problem = problemPlace();
    const dialog = h("dialog", { "aria-label": title, onclose: () => dialog.remove() },
      h("form.stack", { onsubmit: async (event) => {
        event.preventDefault();
        problem.clear();
        try {
          await action();
          dialog.close();
        } catch (error) {
          problem.show(error);
        }
      } }, h("h2", {}, title), hint ? h("p.hint", {}, hint) : null, fields, problem,
        h("div.row.end", {}, h("button", { type: "button", onclick: () => dialog.close() }, t("shell.cancel")),
          buttonText ? h("button.primary", { type: "submit" }, buttonText) : null)));
    document.body.append(dialog);
    dialog.showModal();
  }

  #sign(name) {
    const own = this.found.keys.filter((each) => each.signs);
    const key = h("select", {}, own.map((each) => h("option", { value: each.name }, `${each.name} (${each.fingerprint})`)));
    if (own.length === 0) this.#dialog(t("models.signTitle", { name }), t("models.signNoKey"), [], null, () => {});
    else this.#dialog(t("models.signTitle", { name }), null, [field(t("models.signKey"), key)], t("models.sign"), () => this.run({ command: "sign", model: name, key: key.value }));
  }

  #pack(model) {
    const text = (value) => h("input", { value: value ?? "", autocomplete: "off" });
    const file = text(`${model.identifier}-copy`);
    const identifier = text("");
    const display = text("");
    const languages = text(model.languages.join(" "));
    const version = h("input", { type: "number", min: 1, value: model.version });
    this.#dialog(t("models.packTitle", { name: model.identifier }), t("models.packHint"), [
      field(t("models.packName"), file), field(t("models.packIdentifier"), identifier, t("models.packIdentifierHint")),
      field(t("models.packDisplay"), display), field(t("models.packLanguages"), languages, t("models.packLanguagesHint")),
      field(t("models.packVersion"), version, t("models.packVersionHint"))], t("models.pack"), () => {
      const wanted = languages.value.split(/\s+/).filter(Boolean);
      return this.run({
        command: "pack", model: model.identifier, name: file.value,
        pack: {
          identifier: identifier.value || null, displayName: display.value || null,
          languages: wanted.join(" ") === model.languages.join(" ") ? null : wanted,
          version: version.value === "" || Number(version.value) === model.version ? null : Number(version.value),
        },
      });
    });
  }
}

// MARK: - Catalogue

class Catalogue {
  constructor(run) {
    this.run = run;
    this.address = h("input", { type: "url", placeholder: "https://example.org/models", autocomplete: "off", value: localStorage.getItem("catalogue") ?? "" });
    this.trust = h("div.choices");
    this.model = h("input", { autocomplete: "off", spellcheck: false });
    this.problem = problemPlace();
    const act = (command, more = () => ({})) => async () => {
      this.problem.clear();
      localStorage.setItem("catalogue", this.address.value);
      try {
        await this.run({ command, catalog: this.address.value, trust: this.#trusted, ...more() });
      } catch (error) {
        this.problem.show(error);
      }
    };
    this.element = h("section.panel.stack", {}, h("h2", {}, t("models.catalogue")), h("p.hint", {}, t("models.catalogueHint")),
      field(t("models.address"), this.address), h("fieldset", {}, h("legend", {}, t("models.trust")), this.trust),
      h("div.row", {}, h("button", { onclick: act("search") }, t("models.search")), h("button", { onclick: act("update") }, t("models.update"))),
      field(t("models.installName"), this.model), this.problem,
      h("div.row", {}, h("button.primary", { onclick: act("install", () => ({ model: this.model.value })) }, t("models.installNow"))));
  }

  get #trusted() {
    return [...this.trust.querySelectorAll("input:checked")].map((each) => each.value);
  }

  show(keys) {
    const before = this.#trusted;
    fill(this.trust, keys.length === 0 ? h("p.hint", {}, t("models.trustNone")) : keys.map((key) =>
      h("label.choice.slim", {}, h("input", { type: "checkbox", value: key.name, checked: before.includes(key.name) }), h("span.name", {}, `${key.name} `, h("span.dim", {}, key.fingerprint)))));
  }
}

// MARK: - Keys

class Keys {
  constructor(context, run, changed) {
    this.list = h("div.jobs", { role: "list" });
    this.name = h("input", { autocomplete: "off", maxLength: 80 });
    this.foreign = h("input", { autocomplete: "off", maxLength: 80 });
    this.text = h("textarea", { rows: 4, spellcheck: false });
    const makeProblem = problemPlace();
    const addProblem = problemPlace();
    this.element = h("section.panel.stack", {}, h("h2", {}, t("models.keys")), h("p.hint", {}, t("models.keysHint")), this.list,
      h("form.stack", { "aria-label": t("models.keyMake"), onsubmit: async (event) => {
        event.preventDefault();
        makeProblem.clear();
        try {
          await run({ command: "keygen", key: this.name.value });
          this.name.value = "";
        } catch (error) {
          makeProblem.show(error);
        }
      } }, h("h3", {}, t("models.keyMake")), field(t("models.keyName"), this.name), makeProblem, h("div", {}, h("button", { type: "submit" }, t("models.keyMakeButton")))),
      h("details", {}, h("summary", {}, t("models.keyAdd")), h("form.stack", { "aria-label": t("models.keyAdd"), onsubmit: async (event) => {
        event.preventDefault();
        addProblem.clear();
        try {
          const key = await post("/v1/studio/keys", { name: this.foreign.value, publicKey: this.text.value });
          context.say(t("models.keyAdded", { name: key.name }));
          this.foreign.value = this.text.value = "";
          await changed();
        } catch (error) {
          addProblem.show(error);
        }
      } }, field(t("models.keyName"), this.foreign), field(t("models.keyText"), this.text, t("models.keyTextHint")), addProblem, h("div", {}, h("button", { type: "submit" }, t("models.keyAddButton"))))));
  }

  show(keys) {
    fill(this.list, keys.length === 0 ? h("p.hint", {}, t("models.keysNone")) : keys.map((key) =>
      h("div.job", { role: "listitem" }, h("div.row", {}, h("strong.grow", {}, key.name), h(`span.tag${key.signs ? ".good" : ""}`, {}, t(key.signs ? "models.keyOwn" : "models.keyForeign"))),
        h("div.key-line", {}, key.fingerprint),
        h("details", {}, h("summary", {}, t("models.keyShow")), h("pre.job-output", { tabIndex: 0, "aria-label": `${t("models.keyShow")} ${key.name}` }, key.publicKey)))));
  }
}

// MARK: - Publish

class Publish {
  constructor(run) {
    this.models = h("div.choices");
    this.key = h("select");
    this.folder = h("input", { value: "site", autocomplete: "off", maxLength: 80 });
    this.problem = problemPlace();
    this.button = h("button.primary", { type: "submit" }, t("models.publishButton"));
    this.element = h("section.panel.stack", {}, h("h2", {}, t("models.publish")), h("p.hint", {}, t("models.publishHint")),
      h("form.stack", { "aria-label": t("models.publish"), onsubmit: async (event) => {
        event.preventDefault();
        this.problem.clear();
        try {
          const models = [...this.models.querySelectorAll("input:checked")].map((each) => each.value);
          await run({ command: "publish", models, key: this.key.value, name: this.folder.value });
        } catch (error) {
          this.problem.show(error);
        }
      } }, h("fieldset", {}, h("legend", {}, t("models.publishModels")), this.models), field(t("models.signKey"), this.key),
        field(t("models.publishName"), this.folder, t("models.publishNameHint")), this.problem, h("div", {}, this.button)));
  }

  show({ models, keys }) {
    const before = [...this.models.querySelectorAll("input:checked")].map((each) => each.value);
    const own = models.filter((each) => each.place === "project");
    fill(this.models, own.length === 0 ? h("p.hint", {}, t("models.publishNone")) : own.map((each) =>
      h("label.choice.slim", {}, h("input", { type: "checkbox", value: each.identifier, checked: before.includes(each.identifier) }), h("span.name", {}, modelName(each)))));
    const signing = keys.filter((each) => each.signs);
    const chosen = this.key.value;
    fill(this.key, signing.length === 0 ? h("option", { value: "" }, t("models.signNoKey")) : signing.map((each) => h("option", { value: each.name, selected: each.name === chosen }, each.name)));
    this.button.disabled = signing.length === 0;
  }
}
