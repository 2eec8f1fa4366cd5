import InkCore

/// One way to write a label: strokes in their order, each a chain of knots.
package struct Prototype: Hashable, Sendable {
  /// The character, or the name of the shape or gesture.
  package var label: String
  /// The relative frequency of this form among the label's prototypes, above 0.
  package var weight: Double
  /// The neighbours in a word that the first stroke is joined to. The other strokes of a form that
  /// joins are added at the end of the joined letters.
  package var joints: Joints
  /// The strokes in the order written, each with at least two knots.
  package var strokes: [[Knot]]
  /// The number of strokes at the end that are marks of a letter, such as accents. They may be
  /// written later than the letter.
  package var marks = 0

  /// The neighbours that a form is joined to; the raw value is the sign of the notation.
  package enum Joints: String, Hashable, Sendable, CaseIterable {
    /// Written singly.
    case none = ""
    /// Joined to the letters before and after it: in Arabic the medial form.
    case both = "~"
    /// Joined to the letter before it only: the final form.
    case before = "<"
    /// Joined to the letter after it only: the initial form.
    case after = ">"

    /// The joints with the letter before and with the letter after.
    init(before: Bool, after: Bool) {
      self = before ? (after ? .both : .before) : (after ? .after : .none)
    }

    /// True if the form is joined to the letter before it.
    var joinsBefore: Bool { self == .both || self == .before }
    /// True if the form is joined to the letter after it.
    var joinsAfter: Bool { self == .both || self == .after }
  }

  package init(
    label: String, weight: Double, joints: Joints, strokes: [[Knot]], marks: Int = 0
  ) {
    self.label = label
    self.weight = weight
    self.joints = joints
    self.strokes = strokes
    self.marks = marks
  }

  /// The form with x turned round, as in the reading frame of writing from right to left.
  var mirrored: Prototype {
    var result = self
    result.strokes = strokes.map { $0.map { Knot(-$0.x, $0.y, isCorner: $0.isCorner) } }
    return result
  }

  /// The box of the knots, with y growing upward: `minY` is its lower edge.
  package var box: BoundingBox {
    var box = BoundingBox(
      minX: .infinity, minY: .infinity, maxX: -.infinity, maxY: -.infinity)
    for stroke in strokes {
      for knot in stroke { box.formUnion(x: knot.x, y: knot.y) }
    }
    return box
  }
}

/// Reads prototypes from their notation: one prototype per line.
///
///     LABEL [*WEIGHT] [~|<|>] KNOT KNOT … [| KNOT KNOT …]
///     LABEL [*WEIGHT] [~|<|>] = OTHER
///
/// The second form takes the prototypes of a label of an earlier file: those that are written singly,
/// or after a sign those that join in the same way; the weight is a factor then.
///
/// The label is the text up to the first space. A knot is `x,y`, whole numbers in the units of
/// ``Knot``; a `!` after it makes it a corner. `|` lifts the pen. `~` marks a form that joins the
/// letters before and after it, `<` one that joins only the letter before it, and `>` one that joins
/// only the letter after it. The weight is 1 if none is given. Empty lines and lines that start with
/// `// ` are skipped.
package enum PrototypeParser {
  private static let bounds = -400...400

  /// Parses a text; errors contain `name`.
  ///
  /// - Parameters:
  ///   - text: The lines.
  ///   - name: The name of the text.
  ///   - known: The prototypes that the text may refer to.
  package static func parse(
    _ text: String, name: String, known: [String: [Prototype]] = [:]
  ) throws(PrototypeError) -> [Prototype] {
    var prototypes: [Prototype] = []
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() where !line.isEmpty && !line.hasPrefix("// ") {
      prototypes += try forms(line, place: "\(name):\(index + 1)", known)
    }
    return prototypes
  }

  /// Parses the prototype of a line, or the prototypes that it refers to.
  private static func forms(
    _ line: Substring, place: String, _ known: [String: [Prototype]]
  ) throws(PrototypeError) -> [Prototype] {
    var tokens = line.split(separator: " ")[...]
    guard let label = tokens.popFirst().map(String.init) else {
      throw PrototypeError(code: .missingLabel, place: place, found: "spaces only")
    }
    var weight = 1.0
    if let token = tokens.first, token.hasPrefix("*") {
      guard let value = Double(token.dropFirst()), value > 0, value.isFinite else {
        throw PrototypeError(code: .invalidWeight, place: place, found: String(token))
      }
      weight = value
      tokens.removeFirst()
    }
    var joints = Prototype.Joints.none
    if let sign = tokens.first.flatMap({ Prototype.Joints(rawValue: String($0)) }), sign != .none {
      joints = sign
      tokens.removeFirst()
    }
    if tokens.first == "=", tokens.count == 2 {
      let other = String(tokens.last ?? "")
      let forms = (known[other] ?? []).filter { $0.joints == joints }
      guard !forms.isEmpty else {
        throw PrototypeError(code: .unknownReference, place: place, found: other)
      }
      return forms.map { form in
        var form = form
        (form.label, form.weight) = (label, form.weight * weight)
        return form
      }
    }
    var strokes: [[Knot]] = []
    for part in tokens.split(separator: "|", omittingEmptySubsequences: false) {
      strokes.append(try stroke(part, place: place))
    }
    return [Prototype(label: label, weight: weight, joints: joints, strokes: strokes)]
  }

  private static func stroke(
    _ tokens: ArraySlice<Substring>, place: String
  ) throws(PrototypeError) -> [Knot] {
    var knots: [Knot] = []
    for token in tokens {
      let isCorner = token.hasSuffix("!")
      let parts = (isCorner ? token.dropLast() : token)
        .split(separator: ",", omittingEmptySubsequences: false)
      guard parts.count == 2, let x = Int(parts[0]), let y = Int(parts[1]),
        bounds.contains(x), bounds.contains(y)
      else { throw PrototypeError(code: .invalidKnot, place: place, found: String(token)) }
      let knot = Knot(Double(x), Double(y), isCorner: isCorner)
      if let last = knots.last, last.x == knot.x, last.y == knot.y {
        throw PrototypeError(code: .degenerateStroke, place: place, found: "\(token) twice")
      }
      knots.append(knot)
    }
    guard knots.count >= 2 else {
      throw PrototypeError(
        code: .degenerateStroke, place: place, found: "\(knots.count) knots in a stroke")
    }
    return knots
  }
}

/// An error in a line of prototype notation.
package struct PrototypeError: Error, Hashable, Sendable {
  /// The kind of defect.
  package enum Code: String, Hashable, Sendable, CaseIterable {
    /// A line of spaces.
    case missingLabel
    /// A weight that is not a finite number above 0.
    case invalidWeight
    /// A knot that is not `x,y` with whole numbers in -400 ... 400.
    case invalidKnot
    /// A stroke of fewer than two knots, or two equal knots in a row.
    case degenerateStroke
    /// A label after `=` that has no such forms in an earlier file.
    case unknownReference
  }

  /// The kind of defect.
  package let code: Code
  /// The name of the text and the line, counted from 1.
  let place: String
  /// The invalid text.
  let found: String
}

extension PrototypeError: CustomStringConvertible {
  /// The message: where, what was expected and what was found.
  package var description: String {
    let expected =
      switch code {
      case .missingLabel: "a label and knots"
      case .invalidWeight: "a weight such as *2, above 0"
      case .invalidKnot: "a knot such as 40,-12 or 40,-12! in -400 ... 400"
      case .degenerateStroke: "at least two knots per stroke, no two equal in a row"
      case .unknownReference: "a label of an earlier file with such forms"
      }
    return "\(place): expected \(expected), found \(found)"
  }
}
