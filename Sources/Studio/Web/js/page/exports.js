// Exports of a page, its selection or a block: a menu of what is possible, and files to keep.
import { get, part, request } from "/js/api.js";
import { h, t } from "/js/dom.js";
import { closeMenu, openMenu } from "/js/page/menu.js";

/** Milliseconds until a browser has surely begun to keep a file. */
const patience = 10000;

/** The groups of the menu: for reading, as pictures, and as ink. */
const groups = [
  ["pdf", "docx", "odt", "html", "markdown", "text", "graphml", "mermaid", "latex", "mathml"],
  ["png", "jpeg", "svg"],
  ["xopp", "inkml", "jiix", "jsonl", "unipen"],
];

/** Exports of a page. `of` is "page", "selection" or the id of a block as { block }. */
export class PageExports {
  #name;
  #say;

  /** @param messages say and sayError: show a message. */
  constructor(name, messages) {
    this.#name = name;
    this.#say = messages;
  }

  #path(kind, of, format) {
    const query = new URLSearchParams(format ? { format } : {});
    if (of.block !== undefined) {
      query.set("of", "block");
      query.set("block", of.block);
    } else {
      query.set("of", of);
    }
    return `/v1/pages/${part(this.#name)}/${kind}?${query}`;
  }

  /**
   * Opens a menu of the formats that have something to show.
   *
   * @param returnTo The element that gets the focus back.
   */
  async menu(label, of, rect, returnTo) {
    closeMenu();
    try {
      const { formats } = await get(this.#path("formats", of));
      if (formats.length === 0) return this.#say.say(t("page.nothingToExport"));
      const known = new Map(formats.map((each) => [each.name, each]));
      const entry = ({ name, ending }) => ({
        text: t(`page.formats.${name}`), hint: `.${ending}`, action: () => this.download(name, ending, of),
      });
      const lists = groups.map((names) => names.filter((name) => known.has(name)).map((name) => entry(known.get(name))));
      if (known.has("text")) lists.unshift([{ text: t("page.copyText"), action: () => this.copyText(of) }]);
      openMenu(label, lists.filter((list) => list.length > 0).flatMap((list, index) => (index > 0 ? ["-", ...list] : list)),
        rect, { returnTo });
    } catch (error) {
      this.#say.sayError(error);
    }
  }

  /** Keeps a file in the folder of downloads. */
  async download(format, ending, of) {
    try {
      const answer = await request("GET", this.#path("export", of, format), undefined, { isFile: true });
      const link = h("a", { href: URL.createObjectURL(await answer.blob()), download: `${this.#name}.${ending}` });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), patience);
    } catch (error) {
      this.#say.sayError(error);
    }
  }

  /** Copies the text to the clipboard of the system. */
  async copyText(of) {
    try {
      const answer = await request("GET", this.#path("export", of, "text"), undefined, { isFile: true });
      await navigator.clipboard.writeText(await answer.text());
      this.#say.say(t("page.copied"));
    } catch (error) {
      this.#say.sayError(error);
    }
  }

  /** Copies a text, and says so. */
  async copy(text, message) {
    try {
      await navigator.clipboard.writeText(text);
      this.#say.say(message);
    } catch (error) {
      this.#say.sayError(error);
    }
  }
}
