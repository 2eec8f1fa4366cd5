import Foundation
import InkCore
import InkDatasets
import LanguageModels
import PretrainedModels
import Recognition
import Testing
import Training

@Suite("Latin words in lines of Japanese")
struct JapaneseMixedLinesTests {
  /// The side of the box of a character, and the gap beside a word.
  private static let (size, gap) = (100.0, 15.0)

  private static func kana(_ text: String) throws -> Ink {
    let line = try JapaneseWriters.line(text)
    let area = try #require(line.writingArea)
    return line.ink.scaled(by: size / area.height, fromY: area.y)
  }

  /// A word without letters below the baseline, as tall as capitals are.
  private static func word(_ text: String, _ number: Int = 0) throws -> Ink {
    let ink = try Ink.printed(text)[number]
    let box = try #require(ink.boundingBox)
    return ink.scaled(by: 0.75 * size / box.height, fromY: box.minY).moved(down: 0.15 * size)
  }

  /// Inks beside each other.
  private static func row(_ inks: [Ink]) throws -> Ink {
    var (strokes, right): ([Stroke], Double) = ([], 0)
    for ink in inks {
      let box = try #require(ink.boundingBox)
      strokes += ink.moved(right: right - box.minX).strokes
      right += box.width + gap
    }
    return Ink(strokes: strokes)
  }

  private func recognizer(_ language: String, alphabet: String? = nil) throws -> any Recognizer {
    var specification = ReadingSpecification(language: language)
    specification.options.alphabet = try alphabet.map { try Alphabet(pattern: $0) }
    return try ModelLibrary([try PretrainedModels()]).reader(for: specification)
  }

  private static let words = ["Tokyo", "Linux", "London", "Windows", "Internet", "Berlin"]

  @Test("A word between kana is read, with its ink", arguments: ["ja", "ja,en"])
  func rows(language: String) throws {
    let recognizer = try recognizer(language)
    var right = 0
    var texts: [String] = []
    for (number, word) in Self.words.enumerated() {
      let inks = [
        try Self.kana("きょうは"), try Self.word(word, number % 4), try Self.kana("をかいました"),
      ]
      let ink = try Self.row(inks)
      let result = try recognizer.recognize(
        ink, context: RecognitionContext(layout: .line))
      let best = try #require(result.candidates.first)
      texts.append(best.text)
      #expect(result.language == "ja")
      #expect(best.characters.count == best.text.count)
      #expect(best.words.allSatisfy { (0...1).contains($0.confidence) })
      for part in best.words {
        #expect(String(Array(best.text)[part.characters]) == part.text)
      }
      guard let found = best.words.first(where: { $0.text == word }) else { continue }
      right += 1
      let first = inks[0].strokes.count
      #expect(best.strokes(of: found) == Array(first..<(first + inks[1].strokes.count)))
      #expect(
        Set(best.characters.flatMap { $0.parts.map(\.stroke) }).sorted()
          == Array(ink.strokes.indices))
    }
    // Half of people's words are found, and fewer of these: two printed letters look like one kanji.
    #expect(right >= 1, "\(texts)")
  }

  @Test("Lines without Latin words, and an alphabet without Latin letters, give none")
  func none() throws {
    func latin(_ text: String?) -> Bool { text?.contains { $0.isASCII && $0.isLetter } ?? true }
    let plain = try recognizer("ja")
    for text in ["さくらがさいています。", "わたしはカメラをかいました。", "おいしいコーヒーをのみます"] {
      #expect(!latin(try plain.recognize(Self.kana(text)).candidates.first?.text))
    }
    let ink = try Self.row([Self.kana("きょうは"), Self.word("London")])
    let kana = try recognizer("ja", alphabet: #"[\p{Hiragana}\p{Katakana}]"#)
    #expect(!latin(try kana.recognize(ink).candidates.first?.text))
  }
}

extension Ink {
  fileprivate func moved(right: Double = 0, down: Double = 0) -> Ink {
    mapped { StrokePoint(x: $0.x + right, y: $0.y + down) }
  }

  /// The ink scaled so that a height becomes 0.
  fileprivate func scaled(by factor: Double, fromY top: Double) -> Ink {
    mapped { StrokePoint(x: $0.x * factor, y: ($0.y - top) * factor) }
  }

  private func mapped(_ change: (StrokePoint) -> StrokePoint) -> Ink {
    Ink(strokes: strokes.map { Stroke(points: $0.points.map(change)) })
  }
}
