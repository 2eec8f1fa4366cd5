// A line chart in SVG: several series, a legend that can be switched, values by mouse and keyboard,
// and a table for screen readers.
import { fill, h, svg, t } from "/js/dom.js";

const margin = { left: 58, right: 14, top: 12, bottom: 34 };
let charts = 0;

/** Returns round values that cover a range. */
export function ticks(low, high, most = 6) {
  if (!(high > low)) return [low];
  const raw = (high - low) / most;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((each) => each * power).find((each) => each >= raw);
  const result = [];
  for (let value = Math.ceil(low / step - 1e-9) * step; value <= high + step * 1e-6; value += step) {
    result.push(Math.abs(value) < step * 1e-9 ? 0 : value);
  }
  return result;
}

/**
 * Options: label (the name of the chart), x and y (the names of the axes), formatX, formatY.
 * A series is { name, colour (1 to 6), points: [[x, y], ...] } with rising x.
 */
export class LineChart {
  #series = [];
  #hidden = new Set();
  #cursor = null;
  #scale = null;

  constructor(options) {
    this.options = { height: 260, formatX: (value) => value.toLocaleString("en"), formatY: (value) => String(Number(value.toPrecision(3))), ...options };
    this.id = `chart-${++charts}`;
    this.readout = h("p.chart-values", { "aria-live": "polite" });
    this.svg = svg("svg", { class: "chart-drawing", role: "application", tabindex: 0, "aria-label": t("train.chart.label", { name: options.label }), "aria-describedby": `${this.id}-keys` });
    this.legend = h("div.chart-legend", { role: "group", "aria-label": t("train.chart.legend") });
    this.tableBody = h("div.scroll.chart-table");
    this.table = h("details", { ontoggle: () => this.#fillTable() }, h("summary", {}, t("train.chart.table")), this.tableBody);
    this.element = h("figure.chart", {},
      h("figcaption", {}, options.label), this.legend, this.svg, this.readout,
      h("p.visually-hidden", { id: `${this.id}-keys` }, t("train.chart.keys")), this.table);
    this.svg.addEventListener("pointermove", (event) => this.#point(event));
    this.svg.addEventListener("pointerleave", () => this.#setCursor(null));
    this.svg.addEventListener("keydown", (event) => this.#key(event));
    this.svg.addEventListener("blur", () => this.#setCursor(null));
    this.observer = new ResizeObserver(() => this.#draw());
    this.observer.observe(this.element);
  }

  /** Stops watching the size. */
  remove() {
    this.observer.disconnect();
  }

  /** Shows series. A series that was switched off stays off. */
  update(series) {
    const names = series.map((each) => each.name).join("\n");
    const isSame = names === this.#series.map((each) => each.name).join("\n");
    this.#series = series.map((each) => ({ ...each, points: each.points.filter(([x, y]) => Number.isFinite(x) && Number.isFinite(y)) }));
    if (!isSame) this.#fillLegend();
    this.#draw();
    if (this.table.open) this.#fillTable();
  }

  get #shown() {
    return this.#series.filter((each) => !this.#hidden.has(each.name) && each.points.length > 0);
  }

  #fillLegend() {
    fill(this.legend, this.#series.length < 2 ? [] : this.#series.map((each) =>
      h("button.quiet.chart-key", {
        "aria-pressed": String(!this.#hidden.has(each.name)),
        onclick: (event) => {
          if (!this.#hidden.delete(each.name)) this.#hidden.add(each.name);
          event.currentTarget.setAttribute("aria-pressed", String(!this.#hidden.has(each.name)));
          this.#draw();
        },
      }, h(`span.swatch.fill-${each.colour}`), each.name)));
  }

  #draw() {
    const width = Math.max(240, this.element.clientWidth);
    const { height } = this.options;
    const shown = this.#shown;
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.svg.setAttribute("height", height);
    if (shown.length === 0) {
      this.#scale = null;
      this.svg.replaceChildren(svg("text", { x: width / 2, y: height / 2, class: "chart-empty" }, t("train.chart.empty")));
      return;
    }
    const xs = shown.flatMap((each) => [each.points[0][0], each.points.at(-1)[0]]);
    const ys = shown.flatMap((each) => each.points.map((point) => point[1]));
    let [left, right] = [Math.min(...xs), Math.max(...xs)];
    let low = ys.reduce((a, b) => Math.min(a, b), Infinity);
    let high = ys.reduce((a, b) => Math.max(a, b), -Infinity);
    if (right === left) [left, right] = [left - 0.5, right + 0.5];
    const pad = (high - low) * 0.06 || Math.abs(high) * 0.05 || 0.05;
    // Rates and losses are not below 0.
    [low, high] = [low >= 0 ? Math.max(0, low - pad) : low - pad, high + pad];
    if (this.options.most !== undefined && high > this.options.most) high = Math.max(this.options.most, high - pad);
    const x = (value) => margin.left + (value - left) / (right - left) * (width - margin.left - margin.right);
    const y = (value) => height - margin.bottom - (value - low) / (high - low) * (height - margin.top - margin.bottom);
    this.#scale = { x, y, left, right, width, height };
    const across = ticks(left, right, width < 420 ? 4 : 8).filter((each) => this.options.wholeX ? Number.isInteger(each) : true);
    const up = ticks(low, high, 5);
    this.svg.replaceChildren(
      svg("g", { class: "chart-grid" },
        up.map((each) => svg("line", { x1: margin.left, x2: width - margin.right, y1: y(each), y2: y(each) }))),
      svg("g", { class: "chart-axis" },
        up.map((each) => svg("text", { x: margin.left - 8, y: y(each) + 4, "text-anchor": "end" }, this.options.formatY(each))),
        across.map((each) => svg("text", { x: x(each), y: height - margin.bottom + 18, "text-anchor": "middle" }, this.options.formatX(each))),
        svg("text", { x: width - margin.right, y: height - 2, "text-anchor": "end", class: "chart-name" }, this.options.x)),
      svg("g", { class: "chart-lines" }, shown.map((each) => each.points.length === 1
        ? svg("circle", { cx: x(each.points[0][0]), cy: y(each.points[0][1]), r: 4, class: `fill-${each.colour}` })
        : svg("polyline", { class: `line-${each.colour}`, points: each.points.map((point) => `${x(point[0]).toFixed(1)},${y(point[1]).toFixed(1)}`).join(" ") }))),
      this.cursorGroup = svg("g", { class: "chart-cursor" }));
    this.#drawCursor();
  }

  /** The point of a series that is nearest to a value of x. */
  static nearest(points, value) {
    let [low, high] = [0, points.length - 1];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (points[middle][0] < value) low = middle;
      else high = middle;
    }
    return Math.abs(points[low][0] - value) <= Math.abs(points[high][0] - value) ? low : high;
  }

  #point(event) {
    if (!this.#scale) return;
    const box = this.svg.getBoundingClientRect();
    const { left, right, width } = this.#scale;
    const place = (event.clientX - box.left) / box.width * width;
    const value = left + (place - margin.left) / (width - margin.left - margin.right) * (right - left);
    this.#setCursor(Math.min(right, Math.max(left, value)));
  }

  #key(event) {
    const points = this.#shown.toSorted((a, b) => b.points.length - a.points.length)[0]?.points;
    if (!points) return;
    const present = this.#cursor === null ? points.length : LineChart.nearest(points, this.#cursor);
    const big = Math.max(1, Math.round(points.length / 10));
    const moves = { ArrowLeft: present - 1, ArrowRight: present + 1, PageUp: present - big, PageDown: present + big, Home: 0, End: points.length - 1 };
    if (!(event.key in moves)) return;
    event.preventDefault();
    this.#setCursor(points[Math.min(points.length - 1, Math.max(0, moves[event.key]))][0]);
  }

  #setCursor(value) {
    this.#cursor = value;
    this.#drawCursor();
  }

  #drawCursor() {
    if (!this.cursorGroup || !this.#scale) return;
    if (this.#cursor === null) {
      this.cursorGroup.replaceChildren();
      this.readout.textContent = "";
      return;
    }
    const { x, y, height } = this.#scale;
    const found = this.#shown.map((each) => ({ each, point: each.points[LineChart.nearest(each.points, this.#cursor)] }));
    const place = x(found[0].point[0]);
    this.cursorGroup.replaceChildren(
      svg("line", { x1: place, x2: place, y1: margin.top, y2: height - margin.bottom }),
      ...found.map(({ each, point }) => svg("circle", { cx: x(point[0]), cy: y(point[1]), r: 4, class: `fill-${each.colour}` })));
    const texts = found.map(({ each, point }) => this.#series.length > 1
      ? `${each.name}: ${this.options.formatY(point[1])} (${this.options.formatX(point[0])})` : this.options.formatY(point[1]));
    this.readout.textContent = `${this.options.x} ${this.options.formatX(found[0].point[0])} · ${texts.join(" · ")}`;
  }

  #fillTable() {
    if (!this.table.open) return;
    const shown = this.#shown;
    // Long series are thinned: a table of 50 rows can be read.
    const places = [...new Set(shown.flatMap((each) => {
      const step = Math.max(1, Math.ceil(each.points.length / 50));
      return each.points.filter((_, place) => place % step === 0 || place === each.points.length - 1).map((point) => point[0]);
    }))].sort((a, b) => a - b);
    const maps = shown.map((each) => new Map(each.points));
    fill(this.tableBody, h("table", {},
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, this.options.x), shown.map((each) => h("th.number", { scope: "col" }, each.name)))),
      h("tbody", {}, places.map((place) => h("tr", {}, h("th", { scope: "row" }, this.options.formatX(place)),
        maps.map((map) => h("td.number", {}, map.has(place) ? this.options.formatY(map.get(place)) : "–")))))));
  }
}
