import Foundation

/// The ink of a page that a client asks to select.
package enum PageSelector: Hashable, Sendable {
  /// The ink inside of a closed path.
  case lasso(PageStroke)
  /// The word or the shape at a place in millimetres.
  case word(x: Double, y: Double)
  /// The block at a place in millimetres.
  case block(x: Double, y: Double)
  /// These strokes.
  case items([Int])
  /// All ink.
  case all
  /// Nothing.
  case none

  /// Returns the selector with checked and rounded values.
  ///
  /// - Throws: ``StudioError`` that names the member.
  func checked() throws(StudioError) -> PageSelector {
    switch self {
    case .lasso(let path): return .lasso(try path.checked("path"))
    case .word(let x, let y):
      return .word(x: try PageEdit.checked(x, "x"), y: try PageEdit.checked(y, "y"))
    case .block(let x, let y):
      return .block(x: try PageEdit.checked(x, "x"), y: try PageEdit.checked(y, "y"))
    case .items(let items):
      try PageCommand.check(items: items)
      return self
    case .all, .none: return self
    }
  }
}

extension PageSelector: Codable {
  private enum CodingKeys: String, CodingKey {
    case unit, path, x, y, items
  }

  /// The kinds of selectors in messages.
  private enum Unit: String, Codable {
    case lasso, word, block, items, all, none
  }

  /// Reads a selector, such as `{"unit": "word", "x": 20, "y": 30}`. The values are not checked.
  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    func number(_ key: CodingKeys) throws -> Double { try values.decode(Double.self, forKey: key) }
    switch try values.decode(Unit.self, forKey: .unit) {
    case .lasso: self = .lasso(try values.decode(PageStroke.self, forKey: .path))
    case .word: self = .word(x: try number(.x), y: try number(.y))
    case .block: self = .block(x: try number(.x), y: try number(.y))
    case .items: self = .items(try values.decode([Int].self, forKey: .items))
    case .all: self = .all
    case .none: self = .none
    }
  }

  /// Writes the selector in the form that is read.
  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    func write(_ unit: Unit, x: Double, y: Double) throws {
      try values.encode(unit, forKey: .unit)
      try values.encode(x, forKey: .x)
      try values.encode(y, forKey: .y)
    }
    switch self {
    case .lasso(let path):
      try values.encode(Unit.lasso, forKey: .unit)
      try values.encode(path, forKey: .path)
    case .word(let x, let y): try write(.word, x: x, y: y)
    case .block(let x, let y): try write(.block, x: x, y: y)
    case .items(let items):
      try values.encode(Unit.items, forKey: .unit)
      try values.encode(items, forKey: .items)
    case .all: try values.encode(Unit.all, forKey: .unit)
    case .none: try values.encode(Unit.none, forKey: .unit)
    }
  }
}
