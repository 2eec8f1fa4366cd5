import Foundation
import InkCore
import InkDatasets
import LanguageModels
import ModelFormat
import PretrainedModels
import Recognition
import Testing

@Suite("The model of Japanese characters")
struct JapaneseModelTests {
  /// Ink of straight strokes through corners in a box of 100, y downward, with points between them.
  private func ink(_ strokes: [[(Double, Double)]]) -> Ink {
    Ink(
      strokes: strokes.map { corners in
        var points = [StrokePoint(x: corners[0].0, y: corners[0].1)]
        for (from, to) in zip(corners, corners.dropFirst()) {
          points += (1...8).map { step in
            let share = Double(step) / 8
            return StrokePoint(
              x: from.0 + share * (to.0 - from.0), y: from.1 + share * (to.1 - from.1))
          }
        }
        return Stroke(points: points)
      })
  }

  private func read(_ ink: Ink, alphabet: String? = nil) throws -> [String] {
    let recognizer = DigitalInkRecognizer(
      options: .init(
        model: "japanese-characters", maximumResultCount: 5,
        alphabet: try alphabet.map { try Alphabet(pattern: $0) }),
      provider: try PretrainedModels())
    return try recognizer.recognizeNow(ink).candidates.map(\.text)
  }

  @Test("The tag finds it, with Tomoe's licence and attribution and at most 4 MB")
  func manifest() throws {
    let models = try PretrainedModels()
    let model = try #require(try models.model(for: "ja", kind: .glyph))
    #expect(model.identifier == "japanese-characters")
    #expect(try models.model(for: "ja")?.identifier == "japanese-lines")
    #expect(try models.model(for: "ja-JP")?.identifier == "japanese-lines")
    let folder = try #require(models.bundleURL(of: model.identifier))
    let manifest = try ModelBundle.manifest(of: folder)
    #expect(
      manifest.data.contains {
        $0.licence.contains("Apache-2.0") && $0.attribution.contains("tomoe")
      })
    // KanjiVG is shared alike: nothing of it is in a model of this licence.
    #expect(!manifest.data.contains { $0.name.lowercased().contains("kanjivg") })
    let sizes = try FileManager.default.subpathsOfDirectory(atPath: folder.path).map { file in
      try FileManager.default.attributesOfItem(
        atPath: folder.appendingPathComponent(file).path)[.size] as? Int ?? 0
    }
    #expect(sizes.reduce(0, +) <= 4_000_000)
  }

  @Test("Simple kanji and kana, drawn by hand in straight strokes, are read")
  func drawn() throws {
    let characters: [(String, [[(Double, Double)]])] = [
      ("川", [[(22, 15), (20, 60), (10, 90)], [(50, 20), (50, 80)], [(80, 12), (80, 92)]]),
      ("山", [[(50, 10), (50, 85)], [(15, 40), (15, 88), (86, 88)], [(86, 38), (86, 92)]]),
      (
        "木",
        [[(10, 35), (90, 33)], [(50, 8), (50, 95)], [(48, 36), (10, 78)], [(52, 36), (92, 76)]]
      ),
      ("大", [[(10, 38), (90, 36)], [(50, 8), (46, 50), (10, 92)], [(50, 40), (90, 92)]]),
      (
        "日",
        [
          [(25, 12), (25, 90)], [(25, 13), (76, 13), (76, 90)], [(26, 50), (75, 50)],
          [(26, 87), (75, 87)],
        ]
      ),
      ("い", [[(18, 25), (20, 60), (32, 78), (38, 66)], [(72, 28), (82, 45), (84, 62)]]),
      ("ラ", [[(24, 14), (76, 14)], [(12, 40), (86, 40), (72, 70), (34, 96)]]),
      ("キ", [[(20, 30), (78, 24)], [(12, 58), (90, 50)], [(44, 6), (58, 94)]]),
    ]
    for (label, strokes) in characters {
      let found = try read(ink(strokes))
      #expect(found.prefix(3).contains(label), "\(label): \(found)")
    }
  }

  @Test("七 and ヒ are found with a flat, a rising and a falling first stroke")
  func slopes() throws {
    for (left, right) in [(50.0, 50.0), (60, 36), (42, 54)] {
      let bar = [(8.0, left), (92.0, right)]
      let seven = try read(ink([bar, [(46, 6), (46, 84), (90, 86)]]))
      #expect(seven.contains("七"), "\(left), \(right): \(seven)")
      let hi = try read(
        ink([[(26, left), (80, right)], [(25, 8), (25, 86), (86, 88)]]),
        alphabet: #"\p{Katakana}"#)
      #expect(hi.prefix(2).contains("ヒ"), "\(left), \(right): \(hi)")
    }
  }

  @Test("An alphabet of a script confines what is read")
  func alphabets() throws {
    // The same strokes are a kanji, a katakana, and similar to a hiragana.
    let square = ink([
      [(20, 15), (20, 85)], [(20, 16), (80, 16), (80, 85)], [(20, 84), (80, 84)],
    ])
    let mouth = try read(square)
    #expect(mouth.prefix(2).contains("口") && mouth.prefix(2).contains("ロ"), "\(mouth)")
    #expect(try read(square, alphabet: #"\p{Katakana}"#).first == "ロ")
    #expect(try read(square, alphabet: #"\p{Han}"#).first == "口")
    let kana = try read(square, alphabet: #"\p{Hiragana}"#)
    #expect(
      !kana.isEmpty
        && kana.allSatisfy { $0.unicodeScalars.allSatisfy { (0x3041...0x309F).contains($0.value) } }
    )
  }

  @Test("Kana of virtual writers that are not in training are read")
  func virtualKana() throws {
    let share = 0.8
    for (set, alphabet, block) in [
      ("hiragana", #"\p{Hiragana}"#, 0x3041...0x3096),
      ("katakana", #"\p{Katakana}"#, 0x30A1...0x30FA),
    ] {
      let data = "starter:\(set)?seed=4711&split=test&limit=150"
      let records = try DataSpecification(parsing: data).records().map { try $0.get() }
        .filter { $0.labeled.label.unicodeScalars.allSatisfy { block.contains(Int($0.value)) } }
      let recognizer = DigitalInkRecognizer(
        options: .init(model: "japanese-characters", alphabet: try Alphabet(pattern: alphabet)),
        provider: try PretrainedModels())
      let right = try records.count { record in
        let area = record.labeled.writingArea
        let context = RecognitionContext(writingArea: area)
        return try recognizer.recognizeNow(record.labeled.ink, context: context)
          .candidates.prefix(3).contains { $0.text == record.labeled.label }
      }
      #expect(records.count > 100, "\(data)")
      #expect(
        Double(right) >= share * Double(records.count), "\(data): \(right) of \(records.count)")
    }
  }
}
