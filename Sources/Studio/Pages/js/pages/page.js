import { h, t } from "/js/dom.js";

export function mount(main) {
  main.append(h("h1", {}, t("page.name")));
}
