import Foundation
import InkCore
import InkFormats
import InkSynthesis

/// Ink made by the synthesiser of this package, addressed by seed and index.
///
/// Each record depends only on the set's name, labels, words and options and on its index, not on
/// other records. Writers are virtual; of ten consecutive ones, eight belong to train, one to val,
/// one to test. Positions are in tenths of a millimetre, with times, and with force for some
/// writers.
package struct StarterSet: Sendable {
  /// The content of a set.
  enum Name: String, Hashable, Sendable, CaseIterable {
    /// Digits, letters and symbols.
    case characters
    /// The characters, and all letters and signs of the Latin script.
    case latin
    /// Digits, signs, and the letters of the Cyrillic script.
    case cyrillic
    /// Digits, signs, and the letters of the Greek script.
    case greek
    /// Digits, signs, and the letters of the Georgian script.
    case georgian
    /// Digits, signs, and the characters of the Hebrew script.
    case hebrew
    /// Digits, signs, and the characters of the Armenian script.
    case armenian
    /// Digits, signs, and the characters of the Arabic script.
    case arabic
    /// Shapes of diagrams.
    case shapes
    /// Editing gestures on a line of text.
    case gestures
    /// Words and lines.
    case words
    /// Drawings that public datasets lack: hearts.
    case sketches
    /// Hiragana.
    case hiragana
    /// Katakana, punctuation and symbols of Japanese text.
    case katakana
    /// Hiragana, katakana, and kanji that people write in several ways.
    case japanese
  }

  /// The count if neither a count nor a limit is given.
  static let defaultCount = 20_000

  /// The content of the set.
  let name: Name
  /// Seed, writers and other options.
  let options: StarterOptions
  /// The number of records of all parts.
  let count: Int
  private let library: PrototypeLibrary
  private let labels: [String]
  private let addresses: [String: UInt64]
  private let texts: [String]
  private let lineArea: LineArea

  /// Makes a set.
  ///
  /// - Parameters:
  ///   - isSelected: Selects the labels to make; not used for words.
  ///   - words: The texts of `words`; nil for the built-in words.
  ///   - isRuled: If true, areas reach from descenders to capitals for any labels, as those of
  ///     words always do. Otherwise they have twice the median size of the labels.
  init(
    name: Name, options: StarterOptions, count: Int, isSelected: (String) -> Bool = { _ in true },
    words: String? = nil, isRuled: Bool = false
  ) throws {
    self.name = name
    self.options = options
    self.count = count
    let library =
      switch name {
      case .characters: try PrototypeLibrary.characters.get()
      case .latin: try PrototypeLibrary.latin.get()
      case .cyrillic: try PrototypeLibrary.cyrillic.get()
      case .greek: try PrototypeLibrary.greek.get()
      case .georgian: try PrototypeLibrary.georgian.get()
      case .hebrew: try PrototypeLibrary.hebrew.get()
      case .armenian: try PrototypeLibrary.armenian.get()
      case .arabic: try PrototypeLibrary.arabic.get()
      case .words: try PrototypeLibrary.alphabets.get()
      case .shapes: try PrototypeLibrary.shapes.get()
      case .gestures: try PrototypeLibrary.gestures.get()
      case .sketches: try PrototypeLibrary.sketches.get()
      case .hiragana: try PrototypeLibrary.hiragana.get()
      case .katakana: try PrototypeLibrary.katakana.get()
      case .japanese: try PrototypeLibrary.japanese.get()
      }
    self.library = library
    addresses = Dictionary(
      uniqueKeysWithValues: library.labels.enumerated().map { ($1, UInt64($0)) })
    guard name == .words else {
      let composed = name == .shapes ? ShapeComposer.labels : []
      labels = (composed + library.labels).filter(isSelected)
      texts = []
      lineArea =
        isRuled
        ? .ruled : LineArea(boxes: labels.compactMap { library.prototypes[$0]?.first?.box })
      return
    }
    do {
      texts =
        try words.map { try StarterWords(path: $0, library: library) }?.texts
        ?? StarterWords(
          parsing: StarterWords.builtIn(), name: "starter:words", library: library
        ).texts
    } catch let error as SynthesisError {
      throw DataError(
        .invalidValue, in: error.subject, expected: error.expected, found: error.found)
    }
    labels = []
    lineArea = .ruled
  }

  /// The index of the writer of a record.
  ///
  /// A writer writes all labels, or 20 texts, before the next one begins.
  func writerIndex(of index: Int) -> Int {
    index / max(1, name == .words ? 20 : labels.count) % options.population
  }

  /// The part that a record's writer belongs to.
  func part(of index: Int) -> DataSplit { VirtualRecords.part(ofWriter: writerIndex(of: index)) }

  /// The id of a record's writer.
  func writerID(of index: Int) -> String { "\(options.seed)-\(writerIndex(of: index))" }

  /// The record at an index in 0 ..< count. O(points).
  package func record(at index: Int) -> InkRecord {
    let writer = VirtualWriter(seed: options.seed, index: writerIndex(of: index))
    let synthesizer = InkSynthesizer(writer: writer)
    var generator = SeededGenerator(seed: options.seed, UInt64(index), 1, 0x1_4B)
    var labeled: LabeledInk
    var segmentation: CharacterSegmentation?
    switch name {
    case .words:
      (labeled, segmentation) = text(with: synthesizer, using: &generator)
    case .shapes, .sketches:
      let label = labels[index % labels.count]
      labeled = LabeledInk(ink: shape(label, with: synthesizer, using: &generator), label: label)
    case .hiragana, .katakana, .japanese:
      let label = labels[index % labels.count]
      let written = CharacterWriter(seed: options.seed, index: writerIndex(of: index)).ink(
        of: library.prototypes[label] ?? [], address: VirtualRecords.address(of: label),
        using: &generator)
      labeled = LabeledInk(ink: written.ink, label: label, writingArea: written.area)
    case .characters, .latin, .cyrillic, .greek, .georgian, .hebrew, .armenian, .arabic,
      .gestures:
      let label = labels[index % labels.count]
      let ink = synthesizer.ink(
        of: library.prototypes[label] ?? [], address: addresses[label] ?? 0, using: &generator)
      labeled = LabeledInk(ink: ink, label: label)
    }
    labeled.writer = writerID(of: index)
    switch name {
    // Shapes and drawings are not on a line, and the others have boxes.
    case .shapes, .sketches, .hiragana, .katakana, .japanese: break
    case .characters, .latin, .cyrillic, .greek, .georgian, .hebrew, .armenian, .arabic,
      .gestures, .words:
      labeled.writingArea = lineArea.area(for: labeled.ink, writer: writer, using: &generator)
    }
    let place = "starter:\(name.rawValue)"
    let level: InkRecord.Level =
      name != .words ? .character : labeled.label.contains(" ") ? .text : .word
    return InkRecord(
      labeled: labeled, location: SourceLocation(path: place), source: place,
      indexInSource: index, level: level, segmentation: segmentation)
  }

  /// Makes a shape of 5 to 60 mm, slightly rotated.
  private func shape(
    _ label: String, with synthesizer: InkSynthesizer, using generator: inout SeededGenerator
  ) -> Ink {
    let size = exp(generator.number(log(0.5)...log(6)))
    let rotation = generator.normal(label == "circle" ? 0.3 : 0.05)
    let placement = Placement(
      scaleX: size, scaleY: size, slant: generator.normal(0.02), rotation: rotation)
    let composer = ShapeComposer(error: 0.6 * synthesizer.writer.inkNoise)
    guard let strokes = composer.strokes(of: label, using: &generator) else {
      return synthesizer.ink(
        of: library.prototypes[label] ?? [], address: addresses[label] ?? 0,
        placement: placement, using: &generator)
    }
    return synthesizer.record(strokes, placement: placement, using: &generator).ink
  }

  /// Makes a text, with the character that the pen was writing at each point.
  private func text(
    with synthesizer: InkSynthesizer, using generator: inout SeededGenerator
  ) -> (LabeledInk, CharacterSegmentation) {
    let length = options.length
    let count = length.lowerBound + generator.index(below: length.count)
    let text = (0..<count).map { _ in texts[generator.index(below: texts.count)] }
      .joined(separator: " ")
    var own = synthesizer.writer.formStream(0x57_1E)
    let mixture = [0, 1, own.number(0.3...0.9)][own.index(below: 3)]
    let joining: Double =
      switch options.style {
      case .printed: 0
      case .joined: 1
      case .mixed: mixture
      }
    let composer = WordComposer(
      synthesizer: synthesizer, library: library, addresses: addresses, joining: joining)
    let strokes = composer.strokes(of: text, using: &generator)
    let placement = synthesizer.linePlacement(using: &generator)
    let recorded = synthesizer.record(
      strokes.map(\.knots), placement: placement, using: &generator)
    let characters = zip(strokes, recorded.movements).map { stroke, movements in
      movements.map { stroke.characters(ofMovement: $0) }
    }
    return (
      LabeledInk(ink: recorded.ink, label: text), CharacterSegmentation(of: characters)
    )
  }

  /// The records of one part, in order.
  func records(of part: DataSplit) -> AnyIterator<Result<InkRecord, InkFormatError>> {
    var index = 0
    let end = labels.isEmpty && texts.isEmpty ? 0 : count
    return AnyIterator {
      while index < end {
        defer { index += 1 }
        if part == .all || self.part(of: index) == part { return .success(record(at: index)) }
      }
      return nil
    }
  }

  /// The number of records of each writer, without making them. O(count).
  func recordsByWriter() -> [String: Int] {
    var counts: [String: Int] = [:]
    for index in 0..<(labels.isEmpty && texts.isEmpty ? 0 : count) {
      counts[writerID(of: index), default: 0] += 1
    }
    return counts
  }
}

extension DataSpecification {
  /// The starter set of the path.
  ///
  /// - Throws: ``DataError`` for an unknown set or for words that cannot be written.
  package func starterSet() throws -> StarterSet {
    guard let name = StarterSet.Name(rawValue: path) else {
      let names = StarterSet.Name.allCases.map(\.rawValue).joined(separator: ", ")
      throw DataError(
        .invalidValue, in: "data \(text)", expected: "one of the sets \(names)",
        found: "\"\(path)\"")
    }
    let match = try labels.map(WholeMatch.init)
    return try StarterSet(
      name: name, options: starter, count: starter.count ?? defaultCount,
      isSelected: { match?.matches($0) ?? true }, words: starter.words.map { Self.locate($0) },
      isRuled: area == .text)
  }

  /// The number of records for a limit. A part may contain a tenth of them, so the count is larger
  /// for a part.
  private var defaultCount: Int {
    guard let limit else { return StarterSet.defaultCount }
    guard split != nil, split != .all else { return limit }
    return max(StarterSet.defaultCount, min(limit, Int.max / 16) * 12)
  }
}
