// All texts of the app, by page. {name} is filled in.
export const texts = {
  shell: {
    title: "Ductus Studio",
    skip: "Skip to the content",
    navigation: "Pages",
    loading: "Loading",
    unreachable: "The studio cannot be reached. Is 'ductus studio' still running?",
    failed: "The studio answered with the status {status}.",
    lost: "No connection to the studio. Trying again.",
    back: "Connected again.",
    unauthorized: "This page has no access. Open the address that 'ductus studio' printed, with its token.",
    theme: "Theme",
    themeAuto: "As the system",
    themeLight: "Light",
    themeDark: "Dark",
    help: "Keyboard",
    helpTitle: "Keyboard",
    close: "Close",
    cancel: "Cancel",
    retry: "Try again",
    keyPages: "Alt 1 to Alt 7",
    keyPagesText: "go to a page",
    keyHelp: "?",
    keyHelpText: "show this list",
    keyUndo: "Ctrl Z, Ctrl Shift Z",
    keyUndoText: "undo, redo",
    keyClear: "Escape",
    keyClearText: "clear the ink",
    keySave: "Ctrl S",
    keySaveText: "save",
    keyNext: "Enter",
    keyNextText: "accept and go on",
    ink: "Surface to write on",
  },

  // MARK: Try
  try: {
    name: "Try",
    title: "Write here",
    hint: "Write with a pen, a finger or the mouse. The text appears while you write.",
    canvas: "Surface to write on. The candidates are listed beside it.",
    model: "Model",
    second: "Second model",
    none: "None",
    preContext: "Text before",
    preContextHint: "Helps with spaces and capitals.",
    alphabet: "Alphabet",
    alphabetHint: "The only characters that may be read, such as 0123456789.",
    options: "More settings",
    space: "Space",
    areaOn: "Show the writing area",
    areaHint: "Drag its edges to the line that you write on.",
    areaTop: "Upper edge of the writing area",
    areaBottom: "Lower edge of the writing area",
    undo: "Undo",
    redo: "Redo",
    clear: "Clear",
    save: "Save",
    saveTitle: "Save as labelled ink",
    saveLabel: "Label",
    saveFile: "File",
    saveFileHint: "A file in the folder collect of the project. Ink is added to its end.",
    saved: "Saved to {file}.",
    candidates: "Candidates",
    characters: "Characters",
    charactersHint: "Point at a character to see its strokes.",
    empty: "Nothing is read yet.",
    latency: "{milliseconds} ms",
    latencyTitle: "From the end of the stroke to the candidates on the screen",
    strokes: { one: "{count} stroke", many: "{count} strokes" },
    noModels: "There is no model to read with.",
  },

  // MARK: Page
  page: {
    name: "Page",
  },

  // MARK: Collect
  collect: {
    name: "Collect",
  },

  // MARK: Data
  data: {
    name: "Label and clean",
  },

  // MARK: Train
  train: {
    name: "Train",
  },

  // MARK: Evaluate
  evaluate: {
    name: "Evaluate",
  },

  // MARK: Models
  models: {
    name: "Models",
  },
};
