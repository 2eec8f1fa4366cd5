import Foundation
import InkCore
import InkDatasets
import LanguageModels
import PretrainedModels
import Recognition
import Testing
import Training

@Suite("Lines of Japanese")
struct JapaneseLinesTests {
  private func recognizer(
    alphabet: Alphabet? = nil, vocabulary: Vocabulary? = nil
  ) throws -> any Recognizer {
    var specification = ReadingSpecification(language: "ja")
    specification.options.alphabet = alphabet
    specification.options.vocabulary = vocabulary
    return try ModelLibrary([try PretrainedModels()]).reader(for: specification)
  }

  private func errors(_ text: String, _ reading: String?) -> Int {
    Array(text).difference(from: Array(reading ?? "")).count
  }

  private static let texts = [
    "さくらがさいています。", "ありがとうございました", "わたしはカメラをかいました。",
    "これはなんですか？", "テレビとラジオ", "おいしいコーヒーをのみます", "きょうはあめです。",
  ]

  @Test("Rows and columns of kana by virtual writers are read", arguments: [false, true])
  func kana(isColumn: Bool) throws {
    let recognizer = try recognizer()
    var (wrong, total) = (0, 0)
    for (seed, text) in Self.texts.enumerated() {
      let line = try JapaneseWriters.line(text, seed: UInt64(seed), isColumn: isColumn)
      let result = try recognizer.recognize(line.ink)
      wrong += errors(text, result.candidates.first?.text)
      total += text.count
      #expect(result.language == "ja")
      #expect(result.lines.count == 1, "\(text)")
      // Each stroke belongs to one character, and the words are the text.
      let best = try #require(result.candidates.first)
      let strokes = best.characters.flatMap { $0.parts.map(\.stroke) }
      #expect(strokes.sorted() == Array(line.ink.strokes.indices), "\(text)")
      #expect(best.characters.count == best.text.count)
      #expect(best.words.map(\.text).joined() == best.text)
      #expect(best.words.allSatisfy { (0...1).contains($0.confidence) })
      let sum = result.candidates.reduce(0) { $0 + exp($1.score) }
      #expect(sum <= 1 + 1e-9)
    }
    // A replaced character counts twice here.
    #expect(Double(wrong) <= 0.3 * Double(total), "column \(isColumn): \(wrong) of \(total)")
  }

  @Test("A page of two rows, and one of two columns from right to left")
  func pages() throws {
    let recognizer = try recognizer()
    for isColumn in [false, true] {
      let (first, second) = (
        try JapaneseWriters.line("ありがとうございました", isColumn: isColumn),
        try JapaneseWriters.line("おいしいコーヒーをのみます", isColumn: isColumn)
      )
      let shift = isColumn ? (-260.0, 0.0) : (0.0, 260.0)
      let strokes =
        first.ink.strokes
        + second.ink.strokes.map { stroke in
          Stroke(
            points: stroke.points.map {
              StrokePoint(x: $0.x + shift.0, y: $0.y + shift.1)
            })
        }
      let result = try recognizer.recognize(Ink(strokes: strokes))
      #expect(result.lines.count == 2, "column \(isColumn)")
      #expect(errors(first.label, result.lines.first?.text) <= 8, "\(result.lines.map(\.text))")
      #expect(errors(second.label, result.lines.last?.text) <= 8, "\(result.lines.map(\.text))")
      #expect(result.blocks.first?.angle == (isColumn ? 90 : 0))
    }
  }

  @Test("An alphabet and a vocabulary confine what is read")
  func limits() throws {
    let ink = try JapaneseWriters.line("テレビとラジオ").ink
    let hiragana = try recognizer(alphabet: Alphabet(pattern: #"\p{Hiragana}"#)).recognize(ink)
    #expect(!hiragana.candidates.isEmpty)
    #expect(
      hiragana.candidates.allSatisfy { candidate in
        candidate.text.unicodeScalars.allSatisfy { (0x3041...0x309F).contains($0.value) }
      })
    let words = try Lexicon(words: ["テレビとラジオ", "カメラ"])
    let closed = try recognizer(vocabulary: .closed(words)).recognize(ink)
    #expect(closed.candidates.first?.text == "テレビとラジオ")
    let boosted = try recognizer(vocabulary: .boosted(words, bonus: 4)).recognize(ink)
    #expect(boosted.candidates.first?.text == "テレビとラジオ")
    // Without a language the characters find the model.
    var unnamed = ReadingSpecification()
    unnamed.options.alphabet = try Alphabet(pattern: #"\p{Katakana}ー"#)
    let found = try ModelLibrary([try PretrainedModels()]).reader(for: unnamed).recognize(ink)
    #expect(found.language == "ja")
    #expect(throws: RecognitionError.emptyAlphabet) {
      try recognizer(alphabet: Alphabet(pattern: #"\p{Cyrillic}"#))
    }
    #expect(throws: RecognitionError.unwritableVocabulary) {
      try recognizer(vocabulary: .closed(Lexicon(words: ["hello"])))
    }
  }

  @Test("Japanese is found where no language is named, and line by line beside English")
  func found() throws {
    let library = ModelLibrary([try PretrainedModels()])
    let unnamed = try library.reader(for: ReadingSpecification())
    let texts = Self.texts.filter { $0.count >= 10 }
    let found = try texts.enumerated().count { seed, text in
      try unnamed.recognize(JapaneseWriters.line(text, seed: UInt64(seed)).ink).language == "ja"
    }
    #expect(found >= texts.count - 1, "\(found) of \(texts.count)")
    let english = try #require(
      DataSpecification(parsing: "starter:words?seed=5&length=4&split=test&count=2000&limit=4")
        .records().map { try $0.get().labeled }.first)
    #expect(try unnamed.recognize(english.ink).language != "ja")
    let both = try library.reader(for: ReadingSpecification(language: "ja,en"))
    #expect(try both.recognize(english.ink).language == "en")
    #expect(try both.recognize(JapaneseWriters.line("ありがとうございました").ink).language == "ja")
  }

  @Test("One character is read as one, with and without its box, and alone on a page")
  func single() throws {
    let recognizer = try recognizer()
    let records = try DataSpecification(
      parsing: "starter:hiragana?seed=99&split=test&limit=70"
    ).records().map { try $0.get().labeled }
    let whole = try records.count { labeled in
      let plain = try recognizer.recognize(labeled.ink).candidates.first?.text
      let placed = try recognizer.recognize(
        labeled.ink, context: RecognitionContext(writingArea: labeled.writingArea)
      ).candidates.first?.text
      let glyph = try recognizer.recognize(
        labeled.ink, context: RecognitionContext(layout: .glyph)
      ).candidates.first?.text
      return plain?.count == 1 && placed?.count == 1 && glyph?.count == 1
    }
    #expect(Double(whole) >= 0.85 * Double(records.count), "\(whole) of \(records.count)")
  }

  @Test("Ink that is no writing gives an answer or none")
  func degenerate() throws {
    let recognizer = try recognizer()
    #expect(try recognizer.recognize(Ink()).candidates.isEmpty)
    let point = Stroke(points: [StrokePoint(x: 5, y: 5)])
    for strokes in [[point], [point, point], [Stroke(points: []), point]] {
      for layout in InkLayout.allCases {
        _ = try recognizer.recognize(
          Ink(strokes: strokes), context: RecognitionContext(layout: layout))
      }
    }
    #expect(throws: InkError.self) {
      try recognizer.recognize(
        Ink(strokes: [Stroke(points: [StrokePoint(x: .nan, y: 0)])]))
    }
  }
}
