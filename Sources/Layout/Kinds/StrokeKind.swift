/// The role of a stroke on a page.
package enum StrokeKind: String, CaseIterable, Codable, Sendable {
  /// Letters, digits and punctuation of writing.
  case text
  /// Symbols, fraction bars and roots of a formula, in a line of its own or inside a line of text.
  case formula
  /// A picture or figure.
  case drawing
  /// A line from one thing to another, with the heads of arrows.
  case connector
  /// An outline around writing: a box, the node of a diagram, a ring around a word.
  case frame
  /// A long line between blocks.
  case divider
  /// A line beneath words, straight, double or wavy.
  case underline
  /// Ink across words that are deleted.
  case strikeThrough
  /// The mark of an item of a list.
  case bullet
  /// A box to be ticked, and its tick.
  case tickBox
  /// A line of a table.
  case tableRule

  /// The position in ``allCases``.
  package var index: Int {
    switch self {
    case .text: 0
    case .formula: 1
    case .drawing: 2
    case .connector: 3
    case .frame: 4
    case .divider: 5
    case .underline: 6
    case .strikeThrough: 7
    case .bullet: 8
    case .tickBox: 9
    case .tableRule: 10
    }
  }
}
