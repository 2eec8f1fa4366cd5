// A note about fonts for a text that the browser cannot draw: which script lacks one, and where to
// get it.
import { h, t } from "/js/dom.js";

/** Scripts: name, a letter, package of Debian, cask of Homebrew, optional feature of Windows. */
const scripts = [
  ["Hebrew", "ש", "fonts-noto-core", "font-noto-sans-hebrew", "Hebrew Supplemental Fonts"],
  ["Arabic", "س", "fonts-noto-core", "font-noto-naskh-arabic", "Arabic Script Supplemental Fonts"],
  ["Syriac", "ܫ", "fonts-noto-core", "font-noto-sans-syriac", "Syriac Supplemental Fonts"],
  ["Thaana", "ހ", "fonts-noto-core", "font-noto-sans-thaana", null],
  ["Nko", "ߒ", "fonts-noto-core", "font-noto-sans-nko", null],
  ["Greek", "λ", "fonts-noto-core", "font-noto-sans", null],
  ["Cyrillic", "ж", "fonts-noto-core", "font-noto-sans", null],
  ["Armenian", "ա", "fonts-noto-core", "font-noto-sans-armenian", null],
  ["Georgian", "ქ", "fonts-noto-core", "font-noto-sans-georgian", null],
  ["Devanagari", "क", "fonts-noto-core", "font-noto-sans-devanagari", "Devanagari Supplemental Fonts"],
  ["Bengali", "ক", "fonts-noto-core", "font-noto-sans-bengali", "Bangla Script Supplemental Fonts"],
  ["Gurmukhi", "ਕ", "fonts-noto-core", "font-noto-sans-gurmukhi", "Gurmukhi Supplemental Fonts"],
  ["Gujarati", "ક", "fonts-noto-core", "font-noto-sans-gujarati", "Gujarati Supplemental Fonts"],
  ["Tamil", "க", "fonts-noto-core", "font-noto-sans-tamil", "Tamil Supplemental Fonts"],
  ["Telugu", "క", "fonts-noto-core", "font-noto-sans-telugu", "Telugu Supplemental Fonts"],
  ["Kannada", "ಕ", "fonts-noto-core", "font-noto-sans-kannada", "Kannada Supplemental Fonts"],
  ["Malayalam", "ക", "fonts-noto-core", "font-noto-sans-malayalam", "Malayalam Supplemental Fonts"],
  ["Sinhala", "ක", "fonts-noto-core", "font-noto-sans-sinhala", "Sinhala Supplemental Fonts"],
  ["Thai", "ก", "fonts-noto-core", "font-noto-sans-thai", "Thai Supplemental Fonts"],
  ["Lao", "ກ", "fonts-noto-core", "font-noto-sans-lao", "Lao Supplemental Fonts"],
  ["Khmer", "ក", "fonts-noto-core", "font-noto-sans-khmer", "Khmer Supplemental Fonts"],
  ["Myanmar", "က", "fonts-noto-core", "font-noto-sans-myanmar", null],
  ["Tibetan", "ཀ", "fonts-noto-core", "font-noto-serif-tibetan", null],
  ["Ethiopic", "ሀ", "fonts-noto-core", "font-noto-sans-ethiopic", "Ethiopic Supplemental Fonts"],
  ["Mongolian", "ᠮ", "fonts-noto-core", "font-noto-sans-mongolian", null],
  ["Han", "字", "fonts-noto-cjk", "font-noto-sans-cjk", "Japanese Supplemental Fonts"],
  ["Hiragana", "あ", "fonts-noto-cjk", "font-noto-sans-cjk", "Japanese Supplemental Fonts"],
  ["Katakana", "ア", "fonts-noto-cjk", "font-noto-sans-cjk", "Japanese Supplemental Fonts"],
  ["Hangul", "한", "fonts-noto-cjk", "font-noto-sans-cjk", "Korean Supplemental Fonts"],
].map(([name, letter, ...fonts]) => ({ name, letter, fonts, letters: new RegExp(`\\p{Script=${name}}`, "u"), isDrawn: null }));

const edge = 24;
let drawing;

/** Returns the pixels of a letter. */
function picture(letter) {
  drawing ??= Object.assign(document.createElement("canvas"), { width: edge, height: edge })
    .getContext("2d", { willReadFrequently: true });
  drawing.clearRect(0, 0, edge, edge);
  drawing.font = `16px ${getComputedStyle(document.body).fontFamily}`;
  drawing.textBaseline = "middle";
  drawing.fillText(letter, 2, edge / 2);
  return drawing.getImageData(0, 0, edge, edge).data.join();
}

/** Returns true if a font has a letter: it looks unlike a code point that no font has. */
function isDrawn(letter) {
  const found = picture(letter);
  return found !== picture("\u{10FFFE}") && found !== picture(" ");
}

/** Returns a note for a text in a script that no font has; null if the browser can draw the text. */
export function fontNote(text) {
  for (const script of scripts) {
    if (!script.letters.test(text ?? "") || (script.isDrawn ??= isDrawn(script.letter))) continue;
    const [debian, mac, windows] = script.fonts;
    return h("p.hint.font-note", {}, t("fonts.missing", { script: script.name, debian, mac }), windows ? ` ${t("fonts.windows", { windows })}` : "");
  }
  return null;
}
