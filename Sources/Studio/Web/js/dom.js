// Small helpers for elements and texts. No framework.
import { texts } from "/js/texts.js";

/**
 * Makes an element: h("button.primary", { onclick }, "Save").
 * A property that begins with "on" is a listener; `class`, `aria-*`, `data-*` and `for` are
 * attributes; null and false leave an attribute out.
 */
export function h(name, properties, ...children) {
  const [tag, ...classes] = name.split(".");
  const element = document.createElement(tag || "div");
  if (classes.length > 0) element.className = classes.join(" ");
  if (properties instanceof Node || typeof properties !== "object" || Array.isArray(properties)) {
    children.unshift(properties);
  } else if (properties) {
    for (const [key, value] of Object.entries(properties)) {
      if (value === null || value === undefined || value === false) continue;
      if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
      else if (key === "class") element.classList.add(...value.split(" ").filter(Boolean));
      else if (key in element && !key.includes("-") && key !== "list") element[key] = value;
      else element.setAttribute(key, value === true ? "" : value);
    }
  }
  element.append(...children.flat(Infinity).filter((each) => each !== null && each !== undefined && each !== false));
  return element;
}

/** Makes an SVG element: svg("path", { d: "M0 0" }). */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(key, value);
  }
  element.append(...children.flat(Infinity).filter((each) => each !== null && each !== undefined));
  return element;
}

/** Returns a text of texts.js by its path: t("collect.saved", { count: 3 }) fills {count}. */
export function t(path, values = {}) {
  let text = texts;
  for (const part of path.split(".")) text = text?.[part];
  if (typeof text !== "string") throw new Error(`no text ${path}`);
  return text.replace(/\{(\w+)\}/g, (all, key) => (key in values ? String(values[key]) : all));
}

/** Returns a text for a number: t(path + ".one") for 1, t(path + ".many") otherwise. */
export function count(path, number) {
  return t(`${path}.${number === 1 ? "one" : "many"}`, { count: number.toLocaleString("en") });
}

/** Replaces the children of an element. */
export function fill(element, ...children) {
  element.replaceChildren(...children.flat(Infinity).filter((each) => each !== null && each !== undefined && each !== false));
  return element;
}

/** Calls a function at most once per frame. */
export function perFrame(action) {
  let isDue = false;
  return () => {
    if (isDue) return;
    isDue = true;
    requestAnimationFrame(() => {
      isDue = false;
      action();
    });
  };
}

/** A label with a control: the label names the control for screen readers. */
export function field(label, control, hint) {
  control.id ||= `field-${Math.random().toString(36).slice(2, 9)}`;
  return h("div.field", h("label", { for: control.id }, label), control, hint ? h("p.hint", hint) : null);
}

/** A select with options: [value, text] or a text for both. */
export function select(options, value, onchange) {
  const element = h("select", { onchange: () => onchange?.(element.value) });
  for (const each of options) {
    const [key, text] = Array.isArray(each) ? each : [each, each];
    element.append(h("option", { value: key, selected: key === value }, text));
  }
  if (value !== undefined && value !== null) element.value = value;
  return element;
}
