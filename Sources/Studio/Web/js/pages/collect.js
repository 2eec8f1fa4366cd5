// Collecting ink: the list of sessions and a new one, or one session.
import { h } from "/js/dom.js";
import { mountSession } from "/js/collect/session.js";
import { mountSetup } from "/js/collect/setup.js";

/** Loads the style of the page once. */
function style() {
  if (document.querySelector("link[href='/css/collect.css']")) return Promise.resolve();
  return new Promise((done) => {
    document.head.append(h("link", { rel: "stylesheet", href: "/css/collect.css", onload: done, onerror: done }));
  });
}

export async function mount(main, context) {
  await style();
  const name = context.query.get("session");
  return name ? mountSession(main, context, name) : mountSetup(main, context);
}
