import InkEditor

/// The selection of a page, which all of its clients share, as its history.
extension PageDocument {
  /// Selects ink.
  func select(_ selector: PageSelector) throws(EditorError) {
    switch selector {
    case .lasso(let path):
      let path = zip(path.x, path.y).map { PlanePoint(x: $0, y: $1) }
      try editor.setSelection(editor.selection(inLasso: path))
    case .word(let x, let y): try editor.setSelection(selection(ofWordAtX: x, y: y))
    case .block(let x, let y):
      let block = try editor.hitBlock(x: x, y: y)
      try editor.setSelection(
        block.map { block throws(EditorError) in try editor.selection(of: block) })
    case .items(let items): try editor.setSelection(editor.selection(ofItems: items))
    case .all:
      try editor.setSelection(editor.selection(ofItems: editor.rootBlock?.items ?? []))
    case .none: try editor.setSelection(nil)
    }
  }

  /// Returns the word at a place, or the shape if there is no word.
  private func selection(ofWordAtX x: Double, y: Double) throws(EditorError) -> Selection? {
    if let word = try editor.selection(ofWordAtX: x, y: y) { return word }
    guard let block = try editor.hitBlock(x: x, y: y), block.type != .text else { return nil }
    return try editor.selection(of: block)
  }

  /// Changes selected ink.
  ///
  /// - Parameters:
  ///   - edit: The change.
  ///   - items: The strokes that the client shows as selected; nil for those that are.
  func edit(_ edit: PageEdit, items: [Int]?) throws(EditorError) {
    let selection = try selection(of: items)
    switch edit {
    case .delete: try editor.erase(selection)
    case .move(let dx, let dy): try editor.move(selection, dx: dx, dy: dy)
    case .scale(let x, let y, let about): try editor.scale(selection, x: x, y: y, about: about)
    case .copy: try editor.copy(selection)
    case .cut: try editor.cut(selection)
    case .color(let color):
      let style = try color.map { color throws(EditorError) in
        try StrokeStyle(color: color, width: StrokeStyle.standard.width)
      }
      try editor.setStyle(style, of: selection)
      styled.formUnion(selection.items)
    case .type(let type): try editor.setSelectionType(type, selection, asOneBlock: true)
    case .convert(let state): try convert(selection, to: state)
    }
  }

  /// Converts selected ink, and selects what came of it.
  private func convert(_ selection: Selection, to state: ConversionState) throws(EditorError) {
    let before = Set(editor.rootBlock?.items ?? [])
    let kept = selection.items
    try editor.convert(selection, to: state)
    let now = editor.rootBlock?.items ?? []
    let items = now.filter { !before.contains($0) } + kept.filter(Set(now).contains)
    try editor.setSelection(items.isEmpty ? nil : editor.selection(ofItems: items))
  }

  /// Adds typed text, and selects it.
  func type(_ text: String, x: Double, y: Double) throws(EditorError) {
    let before = Set(editor.rootBlock?.items ?? [])
    try editor.addText(text, x: x, y: y)
    let items = (editor.rootBlock?.items ?? []).filter { !before.contains($0) }
    try editor.setSelection(editor.selection(ofItems: items))
  }

  /// Returns the selection of the page if it has these strokes. If another window has selected
  /// others since, or the page was opened again, it is the strokes as a whole.
  private func selection(of items: [Int]?) throws(EditorError) -> Selection {
    let present = editor.selection
    guard let items else {
      guard let present else {
        throw .invalidArgument("selection", expected: "selected ink", found: "none")
      }
      return present
    }
    if let present, present.items == items.sorted() { return present }
    let selection = try editor.selection(ofItems: items)
    try editor.setSelection(selection)
    return selection
  }

  /// Pastes the clipboard, and selects what was pasted.
  func paste(x: Double, y: Double) throws(EditorError) {
    let pasted = try editor.paste(x: x, y: y)
    guard !pasted.items.isEmpty else {
      throw .invalidArgument(
        "clipboard", expected: "copied ink", found: "none; copy a selection first")
    }
    try editor.setSelection(editor.selection(ofItems: pasted.items))
  }

  /// The colours of strokes that were given one while the page was open; nil for that of the theme.
  var colors: [Int: String?] {
    styled.reduce(into: [:]) { colors, item in
      colors[item] = .some(Self.color(editor.style(of: item)?.color))
    }
  }

  /// Returns a colour as clients get it: nil for black, which the theme replaces.
  static func color(_ color: String?) -> String? {
    color.flatMap { $0.hasPrefix("#000000") ? nil : $0 }
  }
}
