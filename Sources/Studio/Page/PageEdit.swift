import Foundation
import InkEditor

/// A change of the selected ink of a page that a client asks for.
package enum PageEdit: Hashable, Sendable {
  /// Removes the ink.
  case delete
  /// Moves the ink by millimetres.
  case move(dx: Double, dy: Double)
  /// Scales the ink by factors of its width and height; the handle stays where it is.
  case scale(x: Double, y: Double, about: SelectionHandle)
  /// Copies the ink to the clipboard that all pages share.
  case copy
  /// Copies and removes the ink.
  case cut
  /// Gives the ink a colour, as `#RRGGBB`; nil for that of the theme.
  case color(String?)
  /// Makes the ink text, a shape or a drawing, whatever its form.
  case type(SelectionType)
  /// Makes typed text of the words that were read, and exact shapes of drawn ones.
  case convert(ConversionState)

  /// The factors that the editor accepts.
  private static let factors = 0.01...100.0

  /// Returns the edit with checked and rounded values.
  ///
  /// - Throws: ``StudioError`` that names the member.
  func checked() throws(StudioError) -> PageEdit {
    switch self {
    case .move(let dx, let dy):
      return .move(dx: try Self.checked(dx, "dx"), dy: try Self.checked(dy, "dy"))
    case .scale(let x, let y, _):
      guard Self.factors.contains(x), Self.factors.contains(y) else {
        throw StudioError(
          .invalidValue,
          "expected factors in \(Self.factors.lowerBound) ... \(Self.factors.upperBound), found "
            + "another",
          field: Self.factors.contains(x) ? "y" : "x")
      }
      return self
    case .color(let color?):
      guard color.wholeMatch(of: /#[0-9A-Fa-f]{6}/) != nil else {
        throw StudioError(.invalidValue, "expected #RRGGBB, found another text", field: "color")
      }
      return .color(color.uppercased())
    case .delete, .copy, .cut, .color(nil), .type, .convert: return self
    }
  }

  /// Checks a length in millimetres, and rounds it to micrometres.
  static func checked(_ value: Double, _ field: String) throws(StudioError) -> Double {
    let distance = PageLimits.distance
    guard (-distance...distance).contains(value) else {
      throw StudioError(
        .invalidValue, "expected a number in \(-distance) ... \(distance), found another",
        field: field)
    }
    return (value * 1000).rounded() / 1000
  }
}

extension PageEdit: Codable {
  private enum CodingKeys: String, CodingKey {
    case edit, dx, dy, x, y, about, color, content, state
  }

  /// The kinds of edits in messages.
  private enum Kind: String, Codable {
    case delete, move, scale, copy, cut, color, type, convert
  }

  /// Reads an edit, such as `{"edit": "move", "dx": 10, "dy": 0}`. The values are not checked.
  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    func number(_ key: CodingKeys) throws -> Double { try values.decode(Double.self, forKey: key) }
    func choice<Choice: RawRepresentable<String>>(
      _ key: CodingKeys, _ expected: String
    ) throws -> Choice {
      guard let choice = Choice(rawValue: try values.decode(String.self, forKey: key)) else {
        throw DecodingError.dataCorruptedError(
          forKey: key, in: values, debugDescription: "expected \(expected)")
      }
      return choice
    }
    switch try values.decode(Kind.self, forKey: .edit) {
    case .delete: self = .delete
    case .move: self = .move(dx: try number(.dx), dy: try number(.dy))
    case .scale:
      self = .scale(
        x: try number(.x), y: try number(.y), about: try choice(.about, "the name of a handle"))
    case .copy: self = .copy
    case .cut: self = .cut
    case .color: self = .color(try values.decodeIfPresent(String.self, forKey: .color))
    case .type: self = .type(try choice(.content, "text, shape or drawing"))
    case .convert:
      self = .convert(
        values.contains(.state)
          ? try choice(.state, "digital publish or digital edit") : .publish)
    }
  }

  /// Writes the edit in the form that is read.
  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .delete: try values.encode(Kind.delete, forKey: .edit)
    case .move(let dx, let dy):
      try values.encode(Kind.move, forKey: .edit)
      try values.encode(dx, forKey: .dx)
      try values.encode(dy, forKey: .dy)
    case .scale(let x, let y, let about):
      try values.encode(Kind.scale, forKey: .edit)
      try values.encode(x, forKey: .x)
      try values.encode(y, forKey: .y)
      try values.encode(about.rawValue, forKey: .about)
    case .copy: try values.encode(Kind.copy, forKey: .edit)
    case .cut: try values.encode(Kind.cut, forKey: .edit)
    case .color(let color):
      try values.encode(Kind.color, forKey: .edit)
      try values.encodeIfPresent(color, forKey: .color)
    case .type(let type):
      try values.encode(Kind.type, forKey: .edit)
      try values.encode(type.rawValue, forKey: .content)
    case .convert(let state):
      try values.encode(Kind.convert, forKey: .edit)
      try values.encode(state.rawValue, forKey: .state)
    }
  }
}
