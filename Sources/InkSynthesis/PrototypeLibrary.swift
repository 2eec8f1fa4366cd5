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
    let alone = (prototypes[label] ?? []).filter { $0.joints == .none }
    let total = alone.reduce(0) { $0 + $1.weight }
    return alone.map { ($0, $0.weight / total) }
  }

  /// True if the forms of a label depend on the letters beside it, as in Arabic writing.
  package func isContextual(_ label: String) -> Bool {
    prototypes[label]?.contains { $0.joints == .before } ?? false
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

  /// The characters of Latin, Cyrillic, Greek and Georgian.
  private static let european = Result {
    try extended(latin.get(), by: ["cyrillic.txt", "greek.txt", "georgian.txt"])
  }

  /// All characters of alphabets: those of ``latin``, then those of each other script; made once per
  /// process. The place of a label decides how virtual writers form it, so new scripts come last.
  package static let alphabets = Result {
    try extended(european.get(), by: ["hebrew.txt", "armenian.txt", "arabic.txt"])
  }

  private static func extended(
    _ library: PrototypeLibrary, by files: [String]
  ) throws -> PrototypeLibrary {
    try files.reduce(library) { library, file in
      try PrototypeLibrary(extending: library, files: [file], marks: "marks.txt")
    }
  }

  /// Digits, signs, and the letters of the Cyrillic script; made once per process.
  package static let cyrillic = european.map { library in
    PrototypeLibrary(library) { isCyrillic($0) || !isLetter($0) }
  }

  /// Digits, signs, and the letters of the Greek script; made once per process.
  package static let greek = european.map { library in
    PrototypeLibrary(library) { isGreek($0) || !isLetter($0) }
  }

  /// Digits, signs, and the letters of the Georgian script; made once per process.
  package static let georgian = european.map { library in
    PrototypeLibrary(library) { isGeorgian($0) || !isLetter($0) }
  }

  /// Digits, signs, and the characters of the Hebrew script; made once per process.
  package static let hebrew = Result { try alphabet(of: "hebrew.txt") }

  /// Digits, signs, and the characters of the Armenian script; made once per process.
  package static let armenian = Result { try alphabet(of: "armenian.txt") }

  /// Digits, signs, and the characters of the Arabic script, without ligatures; made once per process.
  package static let arabic = Result { try alphabet(of: "arabic.txt") }

  /// The digits and signs of ``latin``, and the characters of a file of ``alphabets``.
  private static func alphabet(of file: String) throws -> PrototypeLibrary {
    let latin = try latin.get()
    let signs = Set(latin.labels.filter { !isLetter($0) })
    let own = try Set(extended(latin, by: [file]).labels).subtracting(latin.labels)
    return PrototypeLibrary(try alphabets.get()) { label in
      label.count == 1 && (signs.contains(label) || own.contains(label))
    }
  }

  /// The label of a character in a text: the character without a joiner or non-joiner at its end.
  package static func label(of character: Character) -> String {
    var scalars = String(character).unicodeScalars
    while let last = scalars.last, joiners.contains(last), scalars.count > 1 {
      scalars.removeLast()
    }
    return String(scalars)
  }

  /// U+200C keeps two letters apart, U+200D lets a letter join.
  static let joiners: Set<Unicode.Scalar> = ["\u{200C}", "\u{200D}"]

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
