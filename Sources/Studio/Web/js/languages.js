// Languages and their models by name, with the tag beside: "Czech (cs)".

const names = new Intl.DisplayNames(["en"], { type: "language", languageDisplay: "standard", fallback: "none" });

/** Returns true for the tag of a language that people write, and not of shapes or gestures. */
export function isLanguage(tag) {
  return !/^(x|zxx)(-|$)/i.test(tag);
}

/** Returns the name of a language with its tag; the tag alone if it has no name. */
export function languageName(tag) {
  let name;
  try {
    name = isLanguage(tag) ? names.of(tag) : undefined;
  } catch {
    // The tag is malformed.
  }
  return name ? `${name} (${tag})` : tag;
}

/** Returns the name of a model: of its language if it is called so. */
export function modelName(model) {
  return model.languages.includes(model.identifier) ? languageName(model.identifier) : model.identifier;
}

/** Compares models by their names; languages come after the models with names of their own. */
export function byName(one, other) {
  const isPack = (model) => model.languages.includes(model.identifier);
  return isPack(one) - isPack(other) || modelName(one).localeCompare(modelName(other), "en");
}

/** Returns the languages that models of lines read, by name: [tag, name]. */
export function readableLanguages(models) {
  const tags = models.filter((each) => each.kind === "line").flatMap((each) => each.languages).filter(isLanguage);
  return [...new Set(tags)].map((tag) => [tag, languageName(tag)]).sort((one, other) => one[1].localeCompare(other[1], "en"));
}
