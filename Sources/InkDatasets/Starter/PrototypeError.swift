/// What is wrong with a line of prototype notation.
struct PrototypeError: Error, Hashable, Sendable {
  /// The kind of defect.
  enum Code: String, Hashable, Sendable, CaseIterable {
    /// A line of spaces.
    case missingLabel
    /// A weight that is not a finite number above 0.
    case invalidWeight
    /// A knot that is not `x,y` with whole numbers in -400 ... 400.
    case invalidKnot
    /// A stroke of fewer than two knots, or two equal knots in a row.
    case degenerateStroke
  }

  /// The kind of defect.
  let code: Code
  /// The name of the text and the line, counted from 1.
  let place: String
  /// What stands there.
  let found: String
}

extension PrototypeError: CustomStringConvertible {
  /// Where, what was expected and what was found.
  var description: String {
    let expected =
      switch code {
      case .missingLabel: "a label and knots"
      case .invalidWeight: "a weight such as *2, above 0"
      case .invalidKnot: "a knot such as 40,-12 or 40,-12! in -400 ... 400"
      case .degenerateStroke: "at least two knots per stroke, no two equal in a row"
      }
    return "\(place): expected \(expected), found \(found)"
  }
}
