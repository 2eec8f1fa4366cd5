import DatasetFiles
import InkCore

/// Prototypes by label, in the order in which the labels first occur.
package struct PrototypeLibrary: Sendable {
  /// The labels, each once.
  package let labels: [String]
  /// The prototypes of each label, at least one.
  package let prototypes: [String: [Prototype]]

  /// Parses the prototype files of this package.
  ///
  /// - Parameters:
  ///   - base: A library whose labels come first; nil for none.
  ///   - files: The names of the files. A file may refer to the labels before it.
  ///   - marks: The name of a file of marks; letters with these marks are then composed.
  ///   - composesKana: True to compose voiced and small kana.
  private init(
    extending base: PrototypeLibrary? = nil, files: [String], marks: String? = nil,
    composesKana: Bool = false
  ) throws {
    var labels = base?.labels ?? []
    var prototypes = base?.prototypes ?? [:]
    for file in files {
      let text = try DatasetFiles.text(file, in: .starter)
      for prototype in try PrototypeParser.parse(text, name: file, known: prototypes) {
        if prototypes[prototype.label] == nil { labels.append(prototype.label) }
        prototypes[prototype.label, default: []].append(prototype)
      }
    }
    if let marks {
      let letters = MarkedLetters(templates: try Self.marks(in: marks))
      for character in MarkedLetters.characters where prototypes[character] == nil {
        let forms = letters.prototypes(of: character, bases: prototypes)
        guard !forms.isEmpty else { continue }
        labels.append(character)
        prototypes[character] = forms
      }
    }
    if composesKana { try ComposedKana().extend(&prototypes, labels: &labels) }
    self.labels = labels
    self.prototypes = prototypes
  }

  /// Makes a library of some of the labels of another, in the same order.
  private init(_ library: PrototypeLibrary, where isIncluded: (String) -> Bool) {
    labels = library.labels.filter(isIncluded)
    prototypes = library.prototypes.filter { isIncluded($0.key) }
  }

  /// Makes a library of other prototypes.
  ///
  /// - Parameters:
  ///   - forms: The prototypes, in the order of the labels.
  ///   - composesKana: True to compose the voiced and small kana that are missing.
  /// - Throws: `DatasetFilesError` or ``PrototypeError`` if the marks of kana cannot be read.
  package init(forms: [Prototype], composesKana: Bool) throws {
    var labels: [String] = []
    var prototypes: [String: [Prototype]] = [:]
    for form in forms {
      if prototypes[form.label] == nil { labels.append(form.label) }
      prototypes[form.label, default: []].append(form)
    }
    if composesKana { try ComposedKana().extend(&prototypes, labels: &labels) }
    self.labels = labels
    self.prototypes = prototypes
  }

  /// The forms of a label that are written singly, with the share of people who write each. The
  /// shares sum to one. Empty if the label has none.
  package func formsAlone(of label: String) -> [(prototype: Prototype, share: Double)] {
    let alone = (prototypes[label] ?? []).filter { !$0.isJoining }
    let total = alone.reduce(0) { $0 + $1.weight }
    return alone.map { ($0, $0.weight / total) }
  }

  /// Digits, letters and symbols; parsed once per process.
  package static let characters = Result {
    try PrototypeLibrary(
      files: ["digits.txt", "upper-case.txt", "lower-case.txt", "symbols.txt"])
  }

  /// The characters, then the letters and signs of other languages of the Latin script, with marks;
  /// made once per process.
  package static let latin = Result {
    try PrototypeLibrary(
      files: ["digits.txt", "upper-case.txt", "lower-case.txt", "symbols.txt", "latin.txt"],
      marks: "marks.txt")
  }

  /// All characters of alphabets: those of ``latin``, then those of each other script; made once per
  /// process. The place of a label decides how virtual writers form it, so new scripts come last.
  package static let alphabets = Result {
    try ["cyrillic.txt", "greek.txt", "georgian.txt"].reduce(latin.get()) { library, file in
      try PrototypeLibrary(extending: library, files: [file], marks: "marks.txt")
    }
  }

  /// Digits, signs, and the letters of the Cyrillic script; made once per process.
  package static let cyrillic = alphabets.map { alphabets in
    PrototypeLibrary(alphabets) { isCyrillic($0) || !isLetter($0) }
  }

  /// Digits, signs, and the letters of the Greek script; made once per process.
  package static let greek = alphabets.map { alphabets in
    PrototypeLibrary(alphabets) { isGreek($0) || !isLetter($0) }
  }

  /// Digits, signs, and the letters of the Georgian script; made once per process.
  package static let georgian = alphabets.map { alphabets in
    PrototypeLibrary(alphabets) { isGeorgian($0) || !isLetter($0) }
  }

  private static func isGeorgian(_ label: String) -> Bool {
    label.unicodeScalars.first.map { (0x10D0...0x10FF).contains($0.value) } ?? false
  }

  private static func isCyrillic(_ label: String) -> Bool {
    label.unicodeScalars.first.map { (0x400...0x52F).contains($0.value) } ?? false
      || ["№", "₽", "₴"].contains(label)
  }

  private static func isGreek(_ label: String) -> Bool {
    label.unicodeScalars.first.map { (0x370...0x3FF).contains($0.value) } ?? false
  }

  /// True for letters, but not for the apostrophe of the letters, which is in Ukrainian.
  private static func isLetter(_ label: String) -> Bool {
    label != "ʼ" && (label.first?.isLetter ?? false)
  }

  /// Returns the templates of marks, by the names of the marks.
  static func marks(in file: String = "marks.txt") throws -> [String: [Prototype]] {
    let text = try DatasetFiles.text(file, in: .starter)
    return Dictionary(grouping: try PrototypeParser.parse(text, name: file), by: \.label)
  }

  /// Shapes of diagrams; parsed once per process.
  package static let shapes = Result { try PrototypeLibrary(files: ["shapes.txt"]) }

  /// Drawings that public datasets lack; parsed once per process.
  package static let sketches = Result { try PrototypeLibrary(files: ["sketches.txt"]) }

  /// Hiragana; made once per process.
  package static let hiragana = Result {
    try PrototypeLibrary(files: ["hiragana.txt"], composesKana: true)
  }

  /// Katakana, punctuation and symbols of Japanese text; made once per process.
  package static let katakana = Result {
    try PrototypeLibrary(files: ["katakana.txt"], composesKana: true)
  }

  /// Hiragana, katakana, and kanji that people write in several ways; made once per process.
  package static let japanese = Result {
    try PrototypeLibrary(
      files: ["hiragana.txt", "katakana.txt", "kanji.txt"], composesKana: true)
  }

  /// Editing gestures; parsed once per process.
  package static let gestures = Result { try PrototypeLibrary(files: ["gestures.txt"]) }
}

/// One way to write a label: strokes in their order, each a chain of knots.
package struct Prototype: Hashable, Sendable {
  /// The character, or the name of the shape or gesture.
  package var label: String
  /// The relative frequency of this form among the label's prototypes, above 0.
  package var weight: Double
  /// True if the first stroke begins and ends with a movement that joins it to its neighbours in a
  /// word. The other strokes are then added at the end of the word.
  package var isJoining: Bool
  /// The strokes in the order written, each with at least two knots.
  package var strokes: [[Knot]]
  /// The number of strokes at the end that are marks of a letter, such as accents. They may be
  /// written later than the letter.
  package var marks = 0

  package init(label: String, weight: Double, isJoining: Bool, strokes: [[Knot]], marks: Int = 0) {
    self.label = label
    self.weight = weight
    self.isJoining = isJoining
    self.strokes = strokes
    self.marks = marks
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
///     LABEL [*WEIGHT] [~] KNOT KNOT … [| KNOT KNOT …]
///     LABEL [*WEIGHT] [~] = OTHER
///
/// The second form takes the prototypes of a label of an earlier file: those that are written singly,
/// or after `~` those that join; the weight is a factor then.
///
/// The label is the text up to the first space. A knot is `x,y`, whole numbers in the units of
/// ``Knot``; a `!` after it makes it a corner. `|` lifts the pen. `~` marks a joining form. The
/// weight is 1 if none is given. Empty lines and lines that start with `// ` are skipped.
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
    let isJoining = tokens.first == "~"
    if isJoining { tokens.removeFirst() }
    if tokens.first == "=", tokens.count == 2 {
      let other = String(tokens.last ?? "")
      let forms = (known[other] ?? []).filter { $0.isJoining == isJoining }
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
    return [Prototype(label: label, weight: weight, isJoining: isJoining, strokes: strokes)]
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
