import Foundation
import Recognition
import Training

/// The result of `ductus language new`: a pack of a language, or a model of lines of single characters.
struct PackSummary: Encodable {
  var output: String
  var language: String
  var name: String
  /// The bytes of the parts that the pack does not share.
  var bytes = 0
  var sentences: Int
  var letters: Int
  /// The letters that the network cannot read.
  var missingLetters: [String]
  var rareLetters: [String] = []
  var figures: LanguagePack.Figures?
  /// The figures of a model of lines of single characters.
  var characterFigures: CharacterPack.Figures?
  var seconds = 0.0
  /// The name of what ``letters`` counts.
  private let unit: String
  /// The lines of the text below the first.
  private let details: [String]

  private enum CodingKeys: String, CodingKey {
    case output, language, name, bytes, sentences, letters, missingLetters, rareLetters, figures
    case characterFigures, seconds
  }

  /// The text for the terminal.
  var text: String {
    let first =
      "\(output): \(name), \(letters) \(unit), \(sentences) sentences, \(bytes / 1000) kB, made in "
      + ProgressLine.clock(seconds)
    return ([first] + details).joined(separator: "\n")
  }

  init(_ pack: CharacterPack, output: String) {
    (self.output, language, name) = (output, pack.tag, pack.name)
    (sentences, letters) = (pack.sentences, pack.glyphs.labels.count)
    (missingLetters, characterFigures) = (pack.missing, pack.figures)
    unit = "characters"
    details =
      Self.missing(pack.missing, "character", of: " of the text")
      + [
        pack.figures.map {
          String(
            format: "On %d lines: CER %.1f %% with the language model, %.1f %% without",
            $0.lines, 100 * $0.with, 100 * $0.without)
        } ?? "No lines to tune and measure on: --ink names them"
      ]
  }

  init(_ pack: LanguagePack, output: String) {
    (self.output, language, name) = (output, pack.tag, pack.name)
    (sentences, letters) = (pack.sentences, pack.rules.letters.count)
    (missingLetters, rareLetters) = (pack.missingLetters, pack.rules.rareLetters)
    figures = pack.figures
    unit = "letters with capitals"
    details =
      Self.missing(pack.missingLetters, "letter")
      + (rareLetters.isEmpty
        ? [] : ["The text hardly has: \(rareLetters.joined(separator: " "))"])
      + (pack.figures.map(Self.lines) ?? ["No text: letters and rules only"])
  }

  /// The most characters that are listed.
  private static let mostListed = 40

  /// The line of what the network cannot read; none if it can read everything.
  private static func missing(_ letters: [String], _ unit: String, of text: String = "") -> [String]
  {
    guard !letters.isEmpty else { return [] }
    return [
      "The network cannot read \(TerminalText.count(letters.count, unit))\(text): "
        + letters.prefix(mostListed).joined(separator: " ")
        + (letters.count > mostListed ? " …" : "")
    ]
  }

  /// The lines of the figures of a pack.
  private static func lines(_ figures: LanguagePack.Figures) -> [String] {
    func percent(_ rate: Double?) -> String {
      rate.map { String(format: "%.1f %%", 100 * $0) } ?? "–"
    }
    let lines = [
      "On \(TerminalText.count(figures.lines, "synthesised line")) (expect more errors on real ink):",
      "  CER                    with the pack \(percent(figures.with)), without "
        + "\(percent(figures.without)), network alone \(percent(figures.greedy))",
      "  letters beyond a to z  with the pack \(percent(figures.lettersWith.rate)) right, without "
        + "\(percent(figures.lettersWithout.rate)), of \(figures.lettersWith.total)",
    ]
    let worst = figures.worst.sorted { ($0.value.rate ?? 0, $0.key) < ($1.value.rate ?? 0, $1.key) }
      .map { "\($0.key) \($0.value.right)/\($0.value.total)" }
    return worst.isEmpty
      ? lines : lines + ["  worst                  " + worst.joined(separator: ", ")]
  }
}
