import Foundation
import InkCore
import Layout

/// Writes words, letters and formulas with the ink of one page's writer.
struct PageScribe {
  let material: PageMaterial
  let pen: PagePen
  /// The writer of words, or nil if the page is written letter by letter.
  let words: PageMaterial.Writer?
  /// The writer of letters.
  let letters: PageMaterial.Writer?
  /// The mean space between words and the unevenness of letters and lines.
  let space: Double
  let jitter: Double
  /// The spaces between letters, and between the symbols of a formula.
  let gap: Double
  let symbolGap: Double

  init(_ material: PageMaterial, using generator: inout SeededGenerator) {
    self.material = material
    pen = PagePen(unevenness: generator.number(0.3...1.6))
    let isJoined = generator.chance(0.6) || material.letterWriters.isEmpty
    words =
      isJoined && !material.wordWriters.isEmpty
      ? material.wordWriters[generator.index(below: material.wordWriters.count)] : nil
    letters =
      material.letterWriters.isEmpty
      ? nil : material.letterWriters[generator.index(below: material.letterWriters.count)]
    space = generator.number(0.45...1.3)
    jitter = generator.number(0.01...0.07)
    gap = generator.chance(0.25) ? generator.number(0.2...0.55) : generator.number(0.08...0.2)
    symbolGap = generator.number(0.15...0.7)
  }

  // MARK: - Letters

  /// The height of a character and the place of its lower edge beneath the middle of small letters,
  /// in heights of larger letters.
  private static func zone(_ character: Character) -> (height: Double, bottom: Double) {
    switch character {
    case "g", "p", "q", "y": (1, 0.7)
    case "j": (1.25, 0.65)
    case "Q": (1.1, 0.4)
    case "b", "d", "f", "h", "k", "l", "t", "i", "ß", "(", ")", "/", "!", "?", "[", "]", "|", "{",
      "}", "&", "%", "#", "$", "@", "\\":
      (1, 0.3)
    case ",": (0.25, 0.5)
    case ".": (0.1, 0.32)
    case ":", ";": (0.5, 0.3)
    case "'", "\"", "^", "*", "`": (0.3, -0.4)
    case "-", "_", "~": (0.1, character == "_" ? 0.4 : 0.05)
    case "+", "=", "<", ">": (character == "=" ? 0.25 : 0.45, 0.25)
    default: character.isUppercase || character.isNumber ? (1, 0.3) : (0.6, 0.3)
    }
  }

  /// A character at x = 0, or nil if there is no ink of it.
  func glyph(_ character: Character, using generator: inout SeededGenerator) -> PagePiece? {
    let own = letters?.characters[character] ?? []
    let forms = own.isEmpty ? material.anyCharacter[character] ?? [] : own
    guard !forms.isEmpty else { return nil }
    let piece = PagePiece(forms[generator.index(below: forms.count)], kind: .text)
    let box = piece.box
    let (height, bottom) = Self.zone(character)
    let isFlat = "-_~.".contains(character)
    let size = isFlat ? max(box.width, box.height) : box.height
    guard size > 0 else { return piece.moved(-box.minX, bottom - box.maxY) }
    let target = isFlat ? (character == "." ? 0.08 : 0.4) : height
    var scale = target / size * exp(generator.normal(2 * jitter))
    scale = min(scale, 1.6 / max(box.width, 1e-9))
    let placed = piece.moved(-box.minX, isFlat ? -box.midY : -box.maxY).scaled(scale)
    return placed.moved(0, (isFlat ? bottom - 0.05 : bottom) + generator.normal(jitter))
  }

  /// A word of single letters at x = 0.
  func printed(_ word: String, using generator: inout SeededGenerator) -> PagePiece {
    var result = PagePiece()
    var x = 0.0
    for character in word {
      guard let glyph = glyph(character, using: &generator) else { continue }
      result.add(glyph.moved(x, 0))
      x += glyph.box.width + gap * exp(generator.normal(0.4))
    }
    return result
  }

  // MARK: - Words

  /// A word at x = 0: a real one, or one of single letters.
  func word(using generator: inout SeededGenerator) -> (label: String, piece: PagePiece) {
    if let words {
      let (label, ink) = words.words[generator.index(below: words.words.count)]
      var piece = PagePiece(ink, kind: .text)
      let box = piece.box
      piece = piece.moved(-box.minX, -Self.middle(piece)).scaled(1.15 / words.wordHeight)
      return (label, piece.moved(0, generator.normal(jitter)))
    }
    let label = text(using: &generator)
    return (label, printed(label, using: &generator))
  }

  /// A word or number to be written in letters.
  private func text(using generator: inout SeededGenerator) -> String {
    switch generator.number(0...1) {
    case ..<0.07: return String(generator.index(below: 3000))
    case ..<0.09: return ["a", "I", "A", "x", "R", "n", "5", "2"][generator.index(below: 8)]
    default: break
    }
    guard !material.vocabulary.isEmpty else { return "text" }
    var word = material.vocabulary[generator.index(below: material.vocabulary.count)]
    if generator.chance(0.05) { word = word.uppercased() }
    switch generator.number(0...1) {
    case ..<0.08: word += "."
    case ..<0.15: word += ","
    case ..<0.17: word += "?"
    case ..<0.19: word += ":"
    case ..<0.21: word = "(" + word + ")"
    case ..<0.24:
      word += "-" + material.vocabulary[generator.index(below: material.vocabulary.count)]
    default: break
    }
    return word
  }

  /// The mean y of a piece, weighted by length.
  private static func middle(_ piece: PagePiece) -> Double {
    var (sum, weight) = (0.0, 0.0)
    for stroke in piece.strokes {
      for (last, point) in zip(stroke.points, stroke.points.dropFirst()) {
        let offset = point - last
        let length = (offset * offset).sum().squareRoot()
        sum += length * (last.y + point.y) / 2
        weight += length
      }
    }
    return weight > 0 ? sum / weight : piece.box.midY
  }

  // MARK: - Lines

  /// Words in a line, with their boxes.
  struct Line {
    var piece = PagePiece()
    var labels: [String] = []
    /// The places of the words, of formulas too.
    var boxes: [BoundingBox] = []
    /// True for each box of a formula.
    var isFormula: [Bool] = []
  }

  /// A line of text.
  ///
  /// - Parameters:
  ///   - count: The most words.
  ///   - width: The greatest width; one word is written in any case.
  ///   - formulas: The share of words that are formulas.
  func line(
    _ count: Int, width: Double, formulas: Double = 0, id: Int,
    using generator: inout SeededGenerator
  ) -> Line {
    var line = Line()
    var x = 0.0
    while line.boxes.count < count {
      let isFormula = generator.chance(formulas)
      var piece: PagePiece
      var label = ""
      if isFormula {
        piece = inlineFormula(using: &generator)
      } else {
        (label, piece) = word(using: &generator)
      }
      guard !piece.strokes.isEmpty else { break }
      let box = piece.box
      if !line.boxes.isEmpty, x + box.width > width { break }
      piece = piece.moved(x - box.minX, 0)
      for index in piece.strokes.indices { piece.strokes[index].line = id }
      line.piece.add(piece)
      line.boxes.append(piece.box)
      line.isFormula.append(isFormula)
      if !isFormula { line.labels.append(label) }
      x += box.width + (words == nil ? gap + space : space) * exp(generator.normal(0.25))
    }
    let (slope, bend) = (generator.normal(0.015), generator.normal(0.001))
    line.piece = line.piece.mapped { PagePoint($0.x, $0.y + slope * $0.x + bend * $0.x * $0.x) }
    return line
  }
}
