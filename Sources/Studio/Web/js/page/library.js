// The list of pages: open, make, rename and delete.
import { del, get, part, post } from "/js/api.js";
import { fill, h, t } from "/js/dom.js";

/** Returns the name of a page that is there: the last one, the newest, or a new one. */
export async function anyPage(last) {
  const { pages } = await get("/v1/pages");
  if (pages.some((page) => page.name === last)) return last;
  return pages[0]?.name ?? newPage();
}

/** Makes a page with the next free name; returns the name. */
export async function newPage() {
  return (await post("/v1/pages")).name;
}

/** Shows the list of pages. `open` is called with the name of the chosen page. */
export async function showLibrary(current, open, sayError) {
  const list = h("ul.page-list", {});
  const problem = h("p.note.bad", { role: "alert", hidden: true });
  const dialog = h("dialog.page-dialog", { "aria-label": t("page.library"), onclose: () => dialog.remove() },
    h("div.row", {}, h("h2.grow", {}, t("page.library")), h("button.primary", { onclick: () => run(async () => choose(await newPage())) }, t("page.new"))),
    problem, list,
    h("form.row.end", { method: "dialog" }, h("button", {}, t("shell.close"))));

  function choose(name) {
    dialog.close();
    open(name);
  }

  async function run(action) {
    problem.hidden = true;
    try {
      await action();
    } catch (error) {
      problem.hidden = false;
      problem.textContent = error.message;
    }
  }

  function renaming(page, item) {
    const input = h("input", { value: page.name, "aria-label": t("page.nameLabel"), maxLength: 100 });
    fill(item, h("form.row", {
      onsubmit: (event) => {
        event.preventDefault();
        run(async () => {
          const { name } = await post(`/v1/pages/${part(page.name)}/rename`, { name: input.value });
          if (page.name === current) current = name;
          await refresh(name);
        });
      },
    }, h("div.grow", {}, input), h("button.primary", {}, t("page.rename")),
    h("button", { type: "button", onclick: () => refresh(page.name) }, t("shell.cancel"))));
    input.select();
    input.focus();
  }

  function deleting(page, item) {
    const confirm = h("button.danger", {
      onclick: () => run(async () => {
        await del(`/v1/pages/${part(page.name)}`);
        await refresh();
      }),
    }, t("page.delete"));
    fill(item, h("p", {}, t("page.deleteQuestion", { name: page.name })),
      h("div.row", {}, confirm, h("button", { onclick: () => refresh(page.name) }, t("shell.cancel"))));
    confirm.focus();
  }

  async function refresh(focused) {
    const { pages } = await get("/v1/pages");
    if (pages.length === 0) return fill(list, h("li.dim", {}, t("page.noPages")));
    fill(list, pages.map((page) => {
      const item = h("li", {});
      const button = h("button.quiet.grow.name", {
        onclick: () => choose(page.name), "aria-current": page.name === current ? "page" : null,
      }, h("span", {}, page.name), h("span.hint", {}, new Date(page.changed).toLocaleString()));
      fill(item, h("div.row", {}, button,
        h("button.quiet", { onclick: () => renaming(page, item), "aria-label": t("page.renameName", { name: page.name }) }, t("page.rename")),
        h("button.quiet.danger", { onclick: () => deleting(page, item), "aria-label": t("page.deleteName", { name: page.name }) }, t("page.delete"))));
      if (page.name === focused) queueMicrotask(() => button.focus());
      return item;
    }));
  }

  try {
    await refresh();
  } catch (error) {
    return sayError(error);
  }
  document.body.append(dialog);
  dialog.showModal();
  list.querySelector("[aria-current]")?.focus();
}
