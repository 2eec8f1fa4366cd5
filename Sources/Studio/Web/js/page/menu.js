// Menus that open at a place: of buttons, and of the candidates of a word.
import { h } from "/js/dom.js";

let open = null;

/** Closes the open menu, if there is one. */
export function closeMenu() {
  open?.close();
}

/** Returns true while a menu is open. */
export function isMenuOpen() {
  return open !== null;
}

/** Returns a spot of a colour; null without one. */
function swatch(color) {
  if (!color) return null;
  const element = h("span.swatch", { "aria-hidden": "true" });
  element.style.background = color;
  return element;
}

/**
 * Opens a menu below a rectangle of the window.
 *
 * @param label The name for screen readers.
 * @param entries { text, hint, color, isChosen, action } or "-" for a line.
 * @param rect { left, top, right, bottom } in pixels of the window.
 * @param options onclose; returnTo: the element that gets the focus back.
 */
export function openMenu(label, entries, rect, options = {}) {
  closeMenu();
  const items = entries.map((each) => {
    if (each === "-") return h("hr", { role: "separator" });
    return h("button.entry", {
      type: "button", role: each.isChosen === undefined ? "menuitem" : "menuitemradio", tabIndex: -1,
      "aria-checked": each.isChosen === undefined ? null : String(each.isChosen),
      class: each.isDanger ? "danger" : "",
      onclick: () => {
        close();
        each.action();
      },
    }, swatch(each.color), h("span.text", { dir: "auto" }, each.text), each.hint ? h("span.hint", {}, each.hint) : null);
  });
  const element = h("div.page-menu", { role: "menu", "aria-label": label }, items);
  const buttons = items.filter((each) => each.tagName === "BUTTON");
  document.body.append(element);
  const { offsetWidth: width, offsetHeight: height } = element;
  const below = rect.bottom + 6 + height <= innerHeight || rect.top - 6 - height < 0;
  element.style.left = `${Math.max(8, Math.min(rect.left, innerWidth - width - 8))}px`;
  element.style.top = `${Math.max(8, below ? Math.min(rect.bottom + 6, innerHeight - height - 8) : rect.top - 6 - height)}px`;

  function close(returnsFocus = true) {
    if (open?.element !== element) return;
    open = null;
    removeEventListener("pointerdown", outside, true);
    const hadFocus = element.contains(document.activeElement);
    element.remove();
    if (hadFocus && returnsFocus) options.returnTo?.isConnected && options.returnTo.focus({ preventScroll: true });
    options.onclose?.();
  }
  function outside(event) {
    if (!element.contains(event.target)) close(false);
  }
  element.addEventListener("keydown", (event) => {
    const index = buttons.indexOf(document.activeElement);
    const to = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: buttons.length - 1 }[event.key];
    if (to !== undefined) buttons[(to + buttons.length) % buttons.length]?.focus();
    else if (event.key === "Escape" || event.key === "Tab") close();
    else if (/^[1-9]$/.test(event.key)) buttons[Number(event.key) - 1]?.click();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  addEventListener("pointerdown", outside, true);
  open = { element, close };
  (buttons.find((each) => each.getAttribute("aria-checked") === "true") ?? buttons[0])?.focus({ preventScroll: true });
}
