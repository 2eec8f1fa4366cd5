import InkCore
import IntensityText

extension Editor {
  /// Returns the recognised text of a block, or of the root if nil, with the intensity of each
  /// character. The text is that of the plain text export.
  ///
  /// Intensities follow the ink: whatever moves, restores or reads it again, the next call has the
  /// right ones. A word with a typed label has the mean of its ink.
  ///
  /// - Throws: ``EditorError/notIdle`` while ink is being read, and
  ///   ``EditorError/unsupportedExport(found:supported:)`` for a block without text.
  public func intensityText(
    _ block: ContentBlock? = nil, _ options: InkIntensity = InkIntensity()
  ) throws(EditorError) -> IntensityString {
    try intensityText(block, options, withStruckWords: true)
  }

  func intensityText(
    _ block: ContentBlock?, _ options: InkIntensity, withStruckWords: Bool
  ) throws(EditorError) -> IntensityString {
    let supported = try supportedExportTypes(block)
    guard supported.contains(.intensity) else {
      throw .unsupportedExport(
        found: ExportType.intensity.rawValue, supported: supported.map(\.rawValue))
    }
    let pieces = try idle(block) { (state, document, node) throws(EditorError) in
      Self.inkedText(of: node, document, withStruckWords: withStruckWords)
    }
    do throws(IntensityTextError) {
      return try options.text(of: pieces)
    } catch {
      throw .invalidArgument(error.field, expected: error.expected, found: error.found)
    }
  }

  /// Returns the characters of the plain text of a block with their ink.
  static func inkedText(
    of node: BlockNode, _ document: Document, withStruckWords: Bool
  ) -> [InkedText] {
    pieces(of: node, without: withStruckWords ? [] : document.struckWords)
      .flatMap { $0.inked(by: document.strokes) }
  }

  /// Reads the settings of the export.
  func intensityOptions(_ overrides: String?) throws(EditorError) -> InkIntensity {
    try exportOptions(overrides) { settings throws(ConfigurationError) in
      let isLogarithmic = try settings.string("export.intensity.mapping") == "logarithmic"
      let maximum = try settings.number("export.intensity.maximum-force")
      return InkIntensity(
        source: InkIntensity.Source(rawValue: try settings.string("export.intensity.source"))
          ?? .force,
        mapping: isLogarithmic ? .logarithmic() : .linear(),
        maximumForce: maximum > 0 ? maximum : nil)
    }
  }
}

/// A part of the plain text of a block: a word, or what separates words.
struct TextPiece {
  var text: String
  var word: TextWord?

  /// Makes a separator.
  init(separator text: String) { self.text = text }

  /// Makes a word.
  init(_ word: TextWord) {
    text = word.label
    self.word = word
  }

  /// The characters of the piece with their ink.
  func inked(by strokes: StrokeTable) -> [InkedText] {
    guard let word else { return [InkedText(text)] }
    let all = word.items.compactMap { strokes[$0]?.points }
    let isTyped = word.isChosen && !word.candidates.contains { $0.text == word.label }
    guard !isTyped, word.characters.map(\.label).joined() == word.label else {
      return [InkedText(text, strokes: all)]
    }
    return word.characters.map { character in
      let parts = character.parts.compactMap { part -> [StrokePoint]? in
        guard let points = strokes[part.item]?.points else { return nil }
        return Array(points[part.points.clamped(to: points.indices)])
      }
      return InkedText(character.label, strokes: parts.isEmpty ? all : parts)
    }
  }
}

// Typed text keeps the force that its ink was written with: its points have it.
extension Document {
  /// Returns the force of each character of a word that is not white space, nil where it is not
  /// known.
  func forces(of word: TextWord) -> [Double?] {
    let pieces = TextPiece(word).inked(by: strokes)
    let known = pieces.map { ($0.text, Self.meanForce(of: $0.strokes)) }
    let all = known.flatMap { text, force in
      text.filter { !$0.isWhitespace }.map { _ in force }
    }
    return all
  }

  /// Returns the mean of the forces that are known, nil if none is.
  static func meanForce(of strokes: [[StrokePoint]]) -> Double? {
    let forces = strokes.joined().compactMap(\.force).filter { $0 > 0 }
    return forces.isEmpty ? nil : forces.reduce(0, +) / Double(forces.count)
  }
}

extension InkStroke {
  /// Gives the points of typed characters forces, one for each character.
  mutating func setForces(_ forces: some Collection<Double?>) {
    guard forces.contains(where: { $0 != nil }) else { return }
    var points = self.points
    for (index, force) in forces.enumerated() {
      let start = index * TypedGlyphs.pointsPerCharacter
      for place in start..<start + TypedGlyphs.pointsPerCharacter where place < points.count {
        points[place].force = force
      }
    }
    put(points: points)
  }
}
