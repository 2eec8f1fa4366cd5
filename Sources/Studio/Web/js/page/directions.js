// The direction of words on a page.
import { h } from "/js/dom.js";

const leftward = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
const letter = /\p{L}/u;

/** Returns true for a text from right to left, false for one from left to right, null without letters. */
function directionOf(text) {
  const letters = [...text].filter((each) => letter.test(each));
  if (letters.length === 0) return null;
  return 2 * letters.filter((each) => leftward.test(each)).length > letters.length;
}

/** Returns true for a text whose letters are read from right to left. */
export const isLeftward = (text) => directionOf(text) === true;

/** Returns the buttons of the words of a line, which is read leftward if `own` is true, in logical order.
    Buttons have no direction for the browser: words of the other direction that follow each other
    get an element of that direction. */
export function directedParts(buttons, own) {
  const kinds = buttons.map((each) => directionOf(each.textContent));
  const parts = [];
  for (let start = 0; start < buttons.length; start++) {
    let end = start;
    if (kinds[start] === !own) {
      for (let next = start + 1; next < kinds.length && kinds[next] !== own; next++) if (kinds[next] === !own) end = next;
    }
    parts.push(end === start ? buttons[start] : h("span", { dir: own ? "ltr" : "rtl" }, buttons.slice(start, end + 1)));
    start = end;
  }
  return parts;
}
