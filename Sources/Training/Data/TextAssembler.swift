import Foundation
import InkCore
import InkSynthesis

/// Writes texts with letters that real people wrote one by one.
///
/// The result has the letters of real writers and any text: lines of a language nobody collected
/// ink of. Letters with marks are a letter of the writer with drawn marks (`MarkPen`); æ and œ are
/// two letters. Many letters of Cyrillic and Greek, and a few of Armenian, have the shape of a Latin
/// one. What the writer never wrote comes from the synthesiser. The letters are not joined.
/// Figures on such ink compare languages with each other. Compare them with English text from the
/// same letters, and measure with writers and templates that training did not use.
///
///     let assembler = try TextAssembler(letters: letters, templates: .odd)
///     let line = assembler.line("Dobrý den", writer: 0, seed: 7)
package struct TextAssembler: Sendable {
  /// The identifiers of the writers with enough letters, sorted.
  package let writers: [String]
  private let sets: [WriterLetters]
  private let library: PrototypeLibrary
  private let addresses: [String: UInt64]
  private let templates: InkMarker.Templates
  private let spacing: Spacing
  private let otherForms: Double

  /// The gaps between the letters of a word and between words.
  package enum Spacing: String, CaseIterable, Sendable {
    /// As most people print: letters are close, words have a gap of about a letter.
    case normal
    /// Letters that nearly touch, and small gaps between words.
    case narrow
    /// Letters far apart, as in forms and on posters.
    case wide
  }

  /// The least number of different small letters of a writer.
  private static let leastLetters = 20
  /// Letters that can be written as two.
  private static let pairs: [Character: (Character, Character)] = [
    "æ": ("a", "e"), "œ": ("o", "e"), "Æ": ("A", "E"), "Œ": ("O", "E"),
  ]
  /// Letters of Cyrillic, Greek and Armenian that many people write like a Latin one, with the share
  /// of those who do.
  private static let alike: [Character: (latin: Character, share: Double)] = {
    var result: [Character: (latin: Character, share: Double)] = [:]
    func add(_ letters: String, _ latin: String, share: Double) {
      for (letter, other) in zip(letters, latin) { result[letter] = (other, share) }
    }
    add("аеосрхуіјѕһ", "aeocpxyijsh", share: 0.9)
    add("АВЕКМНОРСТХЅІЈ", "ABEKMHOPCTXSIJ", share: 0.8)
    add("ипзЗдтвИД", "unz3gmbUD", share: 0.5)
    add("ονΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ovABEZHIKMNOPTYX", share: 0.9)
    add("αυρχω", "aupxw", share: 0.5)
    add("օսոհցՕՍՏԼ", "ounhgOUSL", share: 0.7)
    return result
  }()
  /// Letters that schools have taught in several forms.
  private static let manyForms = Array("rzxGQ")
  /// Signs that look the same on paper, and the character that models read them as.
  private static let readAs: [Character: String] = [
    "“": "\"", "”": "\"", "‘": "'", "’": "'", "ʼ": "'", "‚": ",", "–": "-", "—": "-", "‐": "-",
    "‑": "-", "…": "...", "\u{A0}": " ", "\u{202F}": " ", "\u{2009}": " ",
  ]

  /// Makes an assembler.
  ///
  /// - Parameters:
  ///   - letters: Ink of single characters with writers and writing areas; other ink is ignored.
  ///   - templates: The templates of marks and of letters from the synthesiser.
  ///   - spacing: The gaps between letters and words.
  ///   - otherForms: The probability, for each line and each of a few letters that schools teach in several
  ///     forms, that the letter does not come from the writer; and that 11 is one stroke.
  /// - Throws: An error if the files of the synthesiser cannot be read.
  package init(
    letters: some Sequence<LabeledInk>, templates: InkMarker.Templates = .all,
    spacing: Spacing = .normal, otherForms: Double = 0
  ) throws {
    var sets: [String: WriterLetters] = [:]
    for letter in letters {
      guard let writer = letter.writer else { continue }
      sets[writer, default: WriterLetters()].add(letter)
    }
    let complete = sets.filter { $0.value.alphabetCount >= Self.leastLetters }
      .sorted { $0.key < $1.key }
    writers = complete.map(\.key)
    self.sets = complete.map(\.value)
    let library = try PrototypeLibrary.alphabets.get()
    self.library = library
    addresses = Dictionary(
      uniqueKeysWithValues: library.labels.enumerated().map { ($1, UInt64($0)) })
    self.templates = templates
    self.spacing = spacing
    self.otherForms = otherForms
  }

  /// Returns the text that models read when a text is written: the quotation marks “ and ” look
  /// like ", a dash like a hyphen.
  package static func readText(of text: String) -> String {
    text.reduce(into: "") { $0 += readAs[$1] ?? String($1) }
  }

  /// Writes a text on a line.
  ///
  /// - Parameters:
  ///   - text: The text, with single spaces.
  ///   - writer: The index of one of ``writers``.
  ///   - seed: Determines the letters, the marks and the gaps.
  /// - Returns: The ink, with the text that models read (``readText(of:)``) as its label; nil if a
  ///   character is unknown. Units are those of prototypes: capitals are 100 high.
  /// - Throws: An error if the files of the marks cannot be read.
  package func line(_ text: String, writer: Int, seed: UInt64) throws -> LabeledInk? {
    let written = text.precomposedStringWithCanonicalMapping
    var generator = SeededGenerator(seed: seed, 0x7E_17)
    let hand = VirtualWriter(seed: seed, index: writer)
    let pen = try MarkPen(
      writer: hand, templates: MarkPen.Templates(rawValue: templates.rawValue) ?? .all)
    let source = Source(
      set: sets[writer], synthesizer: InkSynthesizer(writer: hand), pen: pen, of: self)
    var line = AssembledLine(slant: sets[writer].slant, spacing: spacing, using: &generator)
    var characters = Array(written)
    let isRightToLeft = ScriptTraits(of: written).direction == .rightToLeft
    line.isOrdered = isRightToLeft
    if isRightToLeft { Self.turnBrackets(of: &characters) }
    // A generator of its own, so that lines without other forms stay as they are.
    var habits = SeededGenerator(seed: seed, 0xF0_12)
    let others = Self.manyForms.filter { _ in habits.chance(otherForms) }
    let linksOnes = habits.chance(otherForms)
    var places = (isRightToLeft ? Self.fromLeft(characters) : Array(characters.indices))[...]
    while let place = places.popFirst() {
      let character = characters[place]
      line.place = place
      if character.isWhitespace {
        line.finishWord(using: &generator)
      } else if linksOnes, character == "1", let next = places.first, characters[next] == "1",
        let pair = source.linkedOnes(using: &habits)
      {
        line.append(pair, marks: [], using: &generator)
        places.removeFirst()
      } else if others.contains(character), let letter = source.drawn(character, using: &habits) {
        line.append(letter, marks: [], using: &generator)
      } else if let letter = source.letter(character, using: &generator) {
        line.append(letter.body, marks: letter.marks, using: &generator)
      } else {
        return nil
      }
    }
    let ink = line.finish()
    guard !ink.strokes.isEmpty else { return nil }
    return LabeledInk(
      ink: ink, label: Self.readText(of: written), writer: writers[writer])
  }

  /// The places of the characters of a line from right to left, as they stand from left to right.
  private static func fromLeft(_ characters: [Character]) -> [Int] {
    var places = Array(characters.indices)
    for run in WritingRuns.leftToRight(in: characters) { places[run].reverse() }
    return places.reversed()
  }

  /// Exchanges opening and closing brackets where the text runs from right to left: ( looks like ).
  private static func turnBrackets(of characters: inout [Character]) {
    let runs = WritingRuns.leftToRight(in: characters)
    for place in characters.indices where !runs.contains(where: { $0.contains(place) }) {
      characters[place] = brackets[characters[place]] ?? characters[place]
    }
  }

  private static let brackets: [Character: Character] = [
    "(": ")", ")": "(", "[": "]", "]": "[", "{": "}", "}": "{", "<": ">", ">": "<", "«": "»",
    "»": "«",
  ]

  /// The letters of one line.
  private struct Source {
    let set: WriterLetters
    let synthesizer: InkSynthesizer
    let pen: MarkPen
    let assembler: TextAssembler

    init(
      set: WriterLetters, synthesizer: InkSynthesizer, pen: MarkPen, of assembler: TextAssembler
    ) {
      (self.set, self.synthesizer, self.pen, self.assembler) = (set, synthesizer, pen, assembler)
    }

    /// Returns a character as a letter and its marks.
    func letter(
      _ character: Character, using generator: inout SeededGenerator
    ) -> (body: WriterLetters.Letter, marks: [[StrokePoint]])? {
      if let own = own(character, using: &generator) { return (own, []) }
      if let base = MarkPen.base(of: String(character))?.first,
        var body = own(base, using: &generator) ?? drawn(base, using: &generator)
      {
        if MarkPen.dropsDot(String(character)) { body = body.withoutDot() }
        let marks = pen.strokes(
          of: String(character),
          on: MarkPen.Letter(box: body.box, xHeight: 50, slant: set.slant), step: 0.01,
          using: &generator)
        return (body, marks.map { $0.map { StrokePoint(x: $0.x, y: $0.y) } })
      }
      if let pair = TextAssembler.pairs[character], generator.chance(0.5),
        let first = own(pair.0, using: &generator), let second = own(pair.1, using: &generator)
      {
        return (first.joined(with: second, gap: -generator.number(2...14)), [])
      }
      return drawn(character, using: &generator).map { ($0, []) }
    }

    /// Returns 11 in one stroke; nil if the writer writes 1 in several strokes, or not downward.
    func linkedOnes(using generator: inout SeededGenerator) -> WriterLetters.Letter? {
      guard let first = own("1", using: &generator) ?? drawn("1", using: &generator),
        let second = own("1", using: &generator) ?? drawn("1", using: &generator)
      else { return nil }
      return first.linked(with: second, gap: generator.number(8...24))
    }

    private func own(
      _ character: Character, using generator: inout SeededGenerator
    ) -> WriterLetters.Letter? {
      if let letters = set.letters[character] {
        return letters[generator.index(below: letters.count)]
      }
      guard let alike = TextAssembler.alike[character], generator.chance(alike.share),
        let letters = set.letters[alike.latin]
      else { return nil }
      return letters[generator.index(below: letters.count)]
    }

    /// Returns a letter of the synthesiser.
    func drawn(
      _ character: Character, using generator: inout SeededGenerator
    ) -> WriterLetters.Letter? {
      let label = String(character)
      let all = assembler.library.formsAlone(of: label).map(\.prototype)
      // The letters of a line are not joined here.
      guard let address = assembler.addresses[label], !all.isEmpty,
        !assembler.library.isContextual(label)
      else { return nil }
      let rest =
        assembler.templates == .all || all.count == 1
        ? all
        : all.enumerated().filter { ($0.offset % 2 == 0) == (assembler.templates == .even) }
          .map(\.element)
      let ink = synthesizer.ink(
        of: rest, address: address,
        placement: Placement(scaleX: 1, scaleY: 1, slant: set.slant, rotation: 0),
        using: &generator)
      let strokes = ink.strokes.map { $0.points.map { StrokePoint(x: $0.x, y: $0.y) } }
      let letter = WriterLetters.Letter(strokes)
      let left = letter.box.minX
      return WriterLetters.Letter(
        strokes.map { stroke in stroke.map { StrokePoint(x: $0.x - left, y: $0.y) } })
    }
  }
}

/// A line to which letters are added.
private struct AssembledLine {
  private var strokes: [[StrokePoint]] = []
  /// Marks that are written after the word, and after the line.
  private var afterWord: [[StrokePoint]] = []
  private var afterLine: [[StrokePoint]] = []
  private var edge = 0.0
  /// The place in the text of the letters that are added.
  var place = 0
  /// True to write the letters in the order of their places, with marks at once.
  var isOrdered = false
  private var places: [Int] = []
  private let habit: MarkHabit
  private let letterGap: Double
  private let wordGap: Double
  private let rotation: Double

  init(slant: Double, spacing: TextAssembler.Spacing, using generator: inout SeededGenerator) {
    habit = MarkHabit.random(using: &generator)
    switch spacing {
    case .normal:
      letterGap = generator.number(2...16)
      wordGap = generator.number(30...80)
    case .narrow:
      letterGap = generator.number(-4...3)
      wordGap = generator.number(20...40)
    case .wide:
      letterGap = generator.number(16...48)
      wordGap = letterGap * generator.number(1.5...3) + 30
    }
    rotation = generator.normal(0.015)
  }

  /// Adds a letter to the right of the last one.
  mutating func append(
    _ letter: WriterLetters.Letter, marks: [[StrokePoint]],
    using generator: inout SeededGenerator
  ) {
    let scale = exp(generator.normal(0.04))
    let x = edge + max(-6, letterGap + generator.normal(3))
    let y = generator.normal(2) + rotation * x
    func placed(_ strokes: [[StrokePoint]]) -> [[StrokePoint]] {
      strokes.map { stroke in
        stroke.map { StrokePoint(x: x + scale * $0.x, y: y + scale * $0.y) }
      }
    }
    strokes += placed(letter.strokes)
    edge = x + scale * letter.box.maxX
    if isOrdered {
      strokes += placed(marks)
      places += Array(repeating: place, count: strokes.count - places.count)
      return
    }
    switch habit.next(using: &generator) {
    case .atOnce: strokes += placed(marks)
    case .afterWord: afterWord += placed(marks)
    case .afterLine: afterLine += placed(marks)
    }
  }

  /// Ends a word and leaves a gap.
  mutating func finishWord(using generator: inout SeededGenerator) {
    strokes += afterWord
    afterWord = []
    edge += wordGap * exp(generator.normal(0.2))
  }

  /// Returns the ink of the line.
  mutating func finish() -> Ink {
    strokes += afterWord + afterLine
    if isOrdered {
      strokes = strokes.indices.sorted { (places[$0], $0) < (places[$1], $1) }.map { strokes[$0] }
    }
    // A tenth of a unit is finer than the ink of the letters.
    return Ink(
      strokes: strokes.map { stroke in
        Stroke(
          points: stroke.map {
            StrokePoint(x: (10 * $0.x).rounded() / 10, y: (10 * $0.y).rounded() / 10)
          })
      })
  }
}
