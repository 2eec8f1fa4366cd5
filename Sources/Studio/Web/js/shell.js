// The frame of the app: navigation, theme, messages, keyboard. Each page is a module in js/pages/
// that exports mount(main, context) and may return a function that removes it.
import { connection, get } from "/js/api.js";
import { fill, h, t } from "/js/dom.js";

const pages = ["try", "page", "collect", "data", "train", "evaluate", "models", "intensity", "notes"];
const views = new Map([["/", "try"], ...pages.map((name) => [`/${name}`, name])]);

const main = h("main", { id: "main", tabIndex: -1 });
const status = h("div.toasts", { role: "status", "aria-live": "polite" });
const banner = h("div.banner", { role: "alert", hidden: true });
const links = new Map();
let unmount = null;
let visit = 0;

/** Shows a message for some seconds. kind: "info" or "error". */
export function say(text, kind = "info") {
  const toast = h(`div.toast.${kind}`, {}, text);
  status.append(toast);
  setTimeout(() => toast.remove(), kind === "error" ? 9000 : 4000);
}

/** Shows the message of an error; errors without one are of the app itself. */
export function sayError(error) {
  if (error?.name === "AbortError") return;
  if (error?.status === 401) showUnauthorized();
  say(error?.field ? `${error.field}: ${error.message}` : error?.message ?? String(error), "error");
}

function showUnauthorized() {
  banner.hidden = false;
  banner.textContent = t("shell.unauthorized");
}

/** Goes to a path of the app, such as "/data?name=x", without loading the page again. */
export function go(path, replace = false) {
  if (replace) history.replaceState(null, "", path);
  else history.pushState(null, "", path);
  return show();
}

async function show() {
  const name = views.get(location.pathname) ?? "try";
  const mine = ++visit;
  for (const [key, link] of links) {
    if (key === name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  try {
    await unmount?.();
  } catch (error) {
    console.error(error);
  }
  unmount = null;
  document.title = `${t(`${name}.name`)} · ${t("shell.title")}`;
  fill(main);
  main.dataset.page = name;
  try {
    const module = await import(`/js/pages/${name}.js`);
    if (mine !== visit) return;
    const removal = await module.mount(main, { query: new URLSearchParams(location.search), say, sayError, go });
    if (mine === visit) unmount = removal ?? null;
    else await removal?.();
  } catch (error) {
    if (mine !== visit) return;
    console.error(error);
    fill(main, h("section.problem", {}, h("p", {}, error.message), h("button", { onclick: show }, t("shell.retry"))));
    if (error.status === 401) showUnauthorized();
  }
}

// MARK: - Theme

const themes = ["auto", "light", "dark"];

function applyTheme(theme) {
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  document.dispatchEvent(new Event("themechange"));
}

function themeChoice() {
  const names = { auto: "shell.themeAuto", light: "shell.themeLight", dark: "shell.themeDark" };
  const present = localStorage.getItem("theme") ?? "auto";
  const control = h("select.theme", {
    "aria-label": t("shell.theme"),
    onchange: () => {
      localStorage.setItem("theme", control.value);
      applyTheme(control.value);
    },
  });
  for (const each of themes) control.append(h("option", { value: each, selected: each === present }, t(names[each])));
  return control;
}

// MARK: - Keyboard

function help() {
  const rows = ["Pages", "Undo", "Clear", "Save", "Next", "Tools", "Selection", "Help"].map((key) =>
    h("tr", {}, h("th", { scope: "row" }, h("kbd", {}, t(`shell.key${key}`))), h("td", {}, t(`shell.key${key}Text`))));
  const dialog = h("dialog", { "aria-label": t("shell.helpTitle"), onclose: () => dialog.remove() },
    h("h2", {}, t("shell.helpTitle")), h("table.keys", {}, h("tbody", {}, rows)),
    h("form", { method: "dialog" }, h("button", {}, t("shell.close"))));
  document.body.append(dialog);
  dialog.showModal();
}

/** True if keys go to a control that takes text. */
export function isTyping(event) {
  return event.target instanceof Element && event.target.closest("input, textarea, select, [contenteditable]") !== null;
}

document.addEventListener("keydown", (event) => {
  if (event.altKey && !event.ctrlKey && /^Digit[1-9]$/.test(event.code)) {
    event.preventDefault();
    go(`/${pages[Number(event.code.slice(5)) - 1]}`);
  } else if (event.key === "?" && !isTyping(event) && !document.querySelector("dialog[open]")) {
    event.preventDefault();
    help();
  }
});

// MARK: - Start

connection.addEventListener("lost", () => {
  banner.hidden = false;
  banner.textContent = t("shell.lost");
  probe();
});
connection.addEventListener("back", () => {
  banner.hidden = true;
  say(t("shell.back"));
});

/** Asks until the studio answers again. */
async function probe() {
  while (true) {
    await new Promise((done) => setTimeout(done, 1000));
    try {
      await get("/v1/studio");
      return;
    } catch (error) {
      if (error.status !== 0) return;
    }
  }
}

function start() {
  applyTheme(localStorage.getItem("theme") ?? "auto");
  const navigation = h("nav", { "aria-label": t("shell.navigation") }, pages.map((name) => {
    const link = h("a", { href: `/${name}` }, t(`${name}.name`));
    links.set(name, link);
    return link;
  }));
  document.body.append(
    h("a.skip", { href: "#main", onclick: (event) => { event.preventDefault(); main.focus(); } }, t("shell.skip")),
    h("header.bar", {}, h("a.brand", { href: "/try" }, h("img", { src: "/icon.svg", alt: "", width: 24, height: 24 }), "Ductus"), navigation,
      h("div.tools", {}, themeChoice(), h("button.quiet", { onclick: help, "aria-label": t("shell.help") }, "?"))),
    banner, main, status);
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href^='/']");
    if (!link || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || link.target) return;
    if (!views.has(new URL(link.href).pathname)) return;
    event.preventDefault();
    go(link.getAttribute("href"));
  });
  addEventListener("popstate", show);
  show();
}

start();
