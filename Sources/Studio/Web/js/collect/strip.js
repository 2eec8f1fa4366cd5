// The last samples as small pictures, each of which can be written again.
import { fill, h, t } from "/js/dom.js";
import { drawFitted } from "/js/ink.js";

/** A canvas with ink that follows the theme. */
export function picture(strokes, width, height) {
  const canvas = h("canvas.collect-picture", { "aria-hidden": "true" });
  const scale = window.devicePixelRatio || 1;
  canvas.width = width * scale;
  canvas.height = height * scale;
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const draw = () => {
    const context = canvas.getContext("2d");
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, width, height);
    context.strokeStyle = context.fillStyle =
      getComputedStyle(document.documentElement).getPropertyValue("--ink").trim() || "black";
    drawFitted(context, strokes.map((each) => ({ x: each.x, y: each.y })), width, height, 5, 1.6);
  };
  draw();
  canvas.redraw = draw;
  return canvas;
}

/** The strip. `again(prompt)` is called to write a prompt again. */
export class Strip {
  /** The most pictures. */
  static most = 12;
  #samples = [];

  constructor(again) {
    this.again = again;
    this.list = h("ol.collect-strip");
    this.element = h("section", { "aria-labelledby": "collect-strip", hidden: true },
      h("h2", { id: "collect-strip" }, t("collect.written")), this.list);
    this.redraw = () => { for (const each of this.list.querySelectorAll("canvas")) each.redraw(); };
    this.scheme = matchMedia("(prefers-color-scheme: dark)");
    this.scheme.addEventListener("change", this.redraw);
    document.addEventListener("themechange", this.redraw);
  }

  remove() {
    this.scheme.removeEventListener("change", this.redraw);
    document.removeEventListener("themechange", this.redraw);
  }

  /** The sample of a prompt, if the strip shows it. */
  sample(prompt) {
    return this.#samples.find((each) => each.prompt === prompt);
  }

  /** Replaces all samples, the latest first. */
  set(samples) {
    this.#samples = samples;
    this.#show();
  }

  /** Adds a sample at the front, or replaces the one of its prompt. */
  add(sample) {
    const place = this.#samples.findIndex((each) => each.prompt === sample.prompt);
    if (place >= 0) this.#samples[place] = sample;
    else this.#samples = [sample, ...this.#samples].slice(0, Strip.most);
    this.#show();
  }

  /** Removes the sample of a prompt. */
  drop(prompt) {
    this.#samples = this.#samples.filter((each) => each.prompt !== prompt);
    this.#show();
  }

  #show() {
    this.element.hidden = this.#samples.length === 0;
    fill(this.list, this.#samples.map((each) => {
      const warnings = (each.warnings ?? []).map((warning) => t(`collect.warnings.${warning}`)).join(" ");
      return h("li", {}, h("button.collect-thumb", {
        type: "button", title: warnings || null, class: warnings ? "warned" : null,
        "aria-label": `${t("collect.writeAgain", { label: each.label })}. ${warnings}`,
        onclick: () => this.again(each.prompt),
      }, picture(each.strokes, 104, 52), h("span", { dir: "auto" }, each.label)));
    }));
  }
}
