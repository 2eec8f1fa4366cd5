/// Reads prototypes from their notation: one prototype per line.
///
///     LABEL [*WEIGHT] [~] KNOT KNOT … [| KNOT KNOT …]
///
/// The label is the line up to the first space. A knot is `x,y`, whole numbers in the units of
/// ``Knot``; `!` behind it makes it a corner. `|` lifts the pen. `~` marks a joining form. The
/// weight is 1 where none is given. Empty lines and lines that start with `// ` are skipped.
enum PrototypeParser {
  private static let bounds = -400...400

  /// Parses a text; `name` stands in errors.
  static func parse(_ text: String, name: String) throws(PrototypeError) -> [Prototype] {
    var prototypes: [Prototype] = []
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() where !line.isEmpty && !line.hasPrefix("// ") {
      prototypes.append(try prototype(line, place: "\(name):\(index + 1)"))
    }
    return prototypes
  }

  private static func prototype(
    _ line: Substring, place: String
  ) throws(PrototypeError) -> Prototype {
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
    let isJoining = tokens.first == "~"
    if isJoining { tokens.removeFirst() }
    var strokes: [[Knot]] = []
    for part in tokens.split(separator: "|", omittingEmptySubsequences: false) {
      strokes.append(try stroke(part, place: place))
    }
    return Prototype(label: label, weight: weight, isJoining: isJoining, strokes: strokes)
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
