import Foundation
import InkEditor
import Recognition

/// A change of a page that a client asks for. Commands name what they change by the ids of strokes.
package struct PageCommand: Hashable, Sendable {
  /// The change.
  package enum Action: Hashable, Sendable {
    /// Adds strokes as one step.
    case strokes([PageStroke])
    /// Removes the strokes that a path touches; or only what is exactly under it.
    case erase(PageStroke, isPrecise: Bool)
    /// Highlights the words under a path.
    case highlight(PageStroke)
    /// Makes a candidate the text of the word that consists of these strokes. LaTeX chooses a formula,
    /// or a symbol of one.
    case choose(text: String, items: [Int])
    /// Makes strokes text, a shape or a drawing, whatever their form. A formula between words becomes
    /// text.
    case type(SelectionType, items: [Int])
    /// Reads the page in a language; nil for the best one of those that can be read here.
    case language(String?)
    /// Selects ink. It is no step of the history.
    case select(PageSelector)
    /// Changes the selected ink: these strokes, or whatever is selected.
    case edit(PageEdit, items: [Int]?)
    /// Pastes the clipboard with its upper left corner at a place in millimetres.
    case paste(x: Double, y: Double)
    /// Makes typed text of the words that were read, and exact shapes of drawn ones.
    case convert(ConversionState)
    /// Adds typed text with its upper left corner at a place in millimetres.
    case text(String, x: Double, y: Double)
    /// Removes all strokes.
    case clear
    case undo
    case redo
  }

  /// The id, which the client makes. A command whose id is known is not applied again.
  package var id: String
  /// The change.
  package var action: Action
  /// The pen whose stroke this is, if the client has sent its samples while it was down.
  package var pen: String?
  /// True if strokes may be gestures.
  package var withGestures = false

  /// True if the command changes no ink.
  var onlySelects: Bool { if case .select = action { true } else { false } }

  package init(
    id: String, action: Action, pen: String? = nil, withGestures: Bool = false
  ) {
    (self.id, self.action, self.pen, self.withGestures) = (id, action, pen, withGestures)
  }

  /// Returns the command with checked and rounded values.
  ///
  /// - Throws: ``StudioError`` that names the member.
  package func checked() throws(StudioError) -> PageCommand {
    try Self.check(id: id, field: "id")
    var result = self
    switch action {
    case .strokes(let strokes):
      guard !strokes.isEmpty, strokes.count <= PageLimits.strokesPerCommand else {
        throw StudioError(
          .invalidValue,
          "expected 1 to \(PageLimits.strokesPerCommand) strokes, found \(strokes.count)",
          field: "strokes")
      }
      var checked: [PageStroke] = []
      for (index, stroke) in strokes.enumerated() {
        checked.append(try stroke.checked("strokes[\(index)]"))
      }
      result.action = .strokes(checked)
    case .erase(let path, let isPrecise):
      result.action = .erase(try path.checked("path"), isPrecise: isPrecise)
    case .highlight(let path): result.action = .highlight(try path.checked("path"))
    case .choose(let text, let items):
      guard !text.isEmpty, text.utf8.count <= PageLimits.textBytes else {
        throw StudioError(
          .invalidValue, "expected 1 to \(PageLimits.textBytes) bytes of text", field: "text")
      }
      try Self.check(items: items)
    case .type(_, let items): try Self.check(items: items)
    case .language(let tag):
      if let tag, !Self.isLanguage(tag) {
        throw StudioError(
          .invalidValue, "expected the tag of a language, such as cs, found another text",
          field: "language")
      }
    case .select(let selector): result.action = .select(try selector.checked())
    case .edit(let edit, let items):
      result.action = .edit(try edit.checked(), items: items)
      if let items { try Self.check(items: items) }
    case .paste(let x, let y):
      result.action = .paste(x: try PageEdit.checked(x, "x"), y: try PageEdit.checked(y, "y"))
    case .text(let text, let x, let y):
      guard text.contains(where: { !$0.isWhitespace }), text.utf8.count <= PageLimits.typedBytes
      else {
        throw StudioError(
          .invalidValue, "expected 1 to \(PageLimits.typedBytes) bytes of text", field: "text")
      }
      result.action = .text(
        text, x: try PageEdit.checked(x, "x"), y: try PageEdit.checked(y, "y"))
    case .convert, .clear, .undo, .redo: break
    }
    if let pen { try Self.check(id: pen, field: "pen") }
    return result
  }

  /// Returns true for a tag of letters, digits and hyphens, or two with a comma between them.
  private static func isLanguage(_ tag: String) -> Bool {
    let names = tag.split(separator: ",", omittingEmptySubsequences: false)
    return names.count <= 2
      && names.allSatisfy { (try? LanguageTag(parsing: String($0))) != nil }
  }

  static func check(items: [Int]) throws(StudioError) {
    guard !items.isEmpty, items.count <= PageLimits.strokes else {
      throw StudioError(
        .invalidValue, "expected the ids of 1 to \(PageLimits.strokes) strokes", field: "items")
    }
  }

  /// Checks the id of a command or a client.
  ///
  /// - Throws: ``StudioError`` unless it has 1 to 64 letters, digits, dots, `-` and `_`.
  static func check(id: String, field: String) throws(StudioError) {
    let isKnown = id.utf8.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"),
        UInt8(ascii: "."):
        true
      default: false
      }
    }
    guard isKnown, (1...PageLimits.idBytes).contains(id.utf8.count) else {
      throw StudioError(
        .invalidValue,
        "expected 1 to \(PageLimits.idBytes) letters, digits, dots, - and _, found another text",
        field: field)
    }
  }
}

extension PageCommand: Codable {
  private enum CodingKeys: String, CodingKey {
    case id, type, strokes, path, text, items, content, language, pen, x, y, state
    case withGestures = "gestures"
    case isPrecise = "precise"
  }

  /// The types of commands in messages.
  private enum Kind: String, Codable {
    case strokes, erase, highlight, choose, type, language, select, edit, paste, convert, text
    case clear, undo, redo
  }

  /// Reads a command, such as `{"id": "a-1", "type": "undo"}`. The values are not checked.
  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    id = try values.decode(String.self, forKey: .id)
    pen = try values.decodeIfPresent(String.self, forKey: .pen)
    withGestures = try values.decodeIfPresent(Bool.self, forKey: .withGestures) ?? false
    switch try values.decode(Kind.self, forKey: .type) {
    case .strokes: action = .strokes(try values.decode([PageStroke].self, forKey: .strokes))
    case .erase:
      action = .erase(
        try values.decode(PageStroke.self, forKey: .path),
        isPrecise: try values.decodeIfPresent(Bool.self, forKey: .isPrecise) ?? false)
    case .highlight: action = .highlight(try values.decode(PageStroke.self, forKey: .path))
    case .choose:
      action = .choose(
        text: try values.decode(String.self, forKey: .text),
        items: try values.decode([Int].self, forKey: .items))
    case .type:
      let content = try values.decode(String.self, forKey: .content)
      guard let type = SelectionType(rawValue: content) else {
        throw DecodingError.dataCorruptedError(
          forKey: .content, in: values, debugDescription: "expected text, shape, drawing or math")
      }
      action = .type(type, items: try values.decode([Int].self, forKey: .items))
    case .language:
      action = .language(try values.decodeIfPresent(String.self, forKey: .language))
    case .select: action = .select(try PageSelector(from: decoder))
    case .edit:
      action = .edit(
        try PageEdit(from: decoder), items: try values.decodeIfPresent([Int].self, forKey: .items))
    case .paste:
      action = .paste(
        x: try values.decode(Double.self, forKey: .x), y: try values.decode(Double.self, forKey: .y)
      )
    case .convert:
      let name = try values.decodeIfPresent(String.self, forKey: .state)
      guard let state = ConversionState(rawValue: name ?? ConversionState.publish.rawValue) else {
        throw DecodingError.dataCorruptedError(
          forKey: .state, in: values, debugDescription: "expected digital publish or digital edit")
      }
      action = .convert(state)
    case .text:
      action = .text(
        try values.decode(String.self, forKey: .text),
        x: try values.decode(Double.self, forKey: .x),
        y: try values.decode(Double.self, forKey: .y))
    case .clear: action = .clear
    case .undo: action = .undo
    case .redo: action = .redo
    }
  }

  /// Writes the command in the form that is read.
  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(id, forKey: .id)
    try values.encodeIfPresent(pen, forKey: .pen)
    if withGestures { try values.encode(true, forKey: .withGestures) }
    switch action {
    case .strokes(let strokes):
      try values.encode(Kind.strokes, forKey: .type)
      try values.encode(strokes, forKey: .strokes)
    case .erase(let path, let isPrecise):
      try values.encode(Kind.erase, forKey: .type)
      try values.encode(path, forKey: .path)
      if isPrecise { try values.encode(true, forKey: .isPrecise) }
    case .highlight(let path):
      try values.encode(Kind.highlight, forKey: .type)
      try values.encode(path, forKey: .path)
    case .choose(let text, let items):
      try values.encode(Kind.choose, forKey: .type)
      try values.encode(text, forKey: .text)
      try values.encode(items, forKey: .items)
    case .type(let type, let items):
      try values.encode(Kind.type, forKey: .type)
      try values.encode(type.rawValue, forKey: .content)
      try values.encode(items, forKey: .items)
    case .language(let tag):
      try values.encode(Kind.language, forKey: .type)
      try values.encodeIfPresent(tag, forKey: .language)
    case .select(let selector):
      try values.encode(Kind.select, forKey: .type)
      try selector.encode(to: encoder)
    case .edit(let edit, let items):
      try values.encode(Kind.edit, forKey: .type)
      try values.encodeIfPresent(items, forKey: .items)
      try edit.encode(to: encoder)
    case .paste(let x, let y):
      try values.encode(Kind.paste, forKey: .type)
      try values.encode(x, forKey: .x)
      try values.encode(y, forKey: .y)
    case .convert(let state):
      try values.encode(Kind.convert, forKey: .type)
      try values.encode(state.rawValue, forKey: .state)
    case .text(let text, let x, let y):
      try values.encode(Kind.text, forKey: .type)
      try values.encode(text, forKey: .text)
      try values.encode(x, forKey: .x)
      try values.encode(y, forKey: .y)
    case .clear: try values.encode(Kind.clear, forKey: .type)
    case .undo: try values.encode(Kind.undo, forKey: .type)
    case .redo: try values.encode(Kind.redo, forKey: .type)
    }
  }
}
