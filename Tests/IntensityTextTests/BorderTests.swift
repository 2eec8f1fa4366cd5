import Foundation
import IntensityText
import Testing

@Suite("Borders of words, sentences and lines")
struct BorderTests {
  /// A case of the Unicode test files: a text and the ends of its segments.
  struct Case {
    var text: String
    var ends: [Int]
  }

  static func cases(_ name: String) throws -> [Case] {
    let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Cases/\(name).txt")
    let lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
    return lines.filter { !$0.hasPrefix("#") }.map { line in
      var units: [UInt16] = []
      var ends: [Int] = []
      for segment in line.split(separator: "|") {
        for word in segment.split(separator: " ") {
          if let value = UInt32(word, radix: 16), let scalar = Unicode.Scalar(value) {
            units += Array(String(scalar).utf16)
          }
        }
        ends.append(units.count)
      }
      return Case(text: String(decoding: units, as: UTF16.self), ends: ends)
    }
  }

  @Test("Words end as in all cases of the Unicode test file")
  func words() throws {
    let cases = try Self.cases("word-borders")
    #expect(cases.count == 1823)
    for (number, item) in cases.enumerated() {
      #expect(TextBorders(item.text).words == item.ends, "case \(number)")
    }
  }

  @Test("Sentences end as in all cases of the Unicode test file")
  func sentences() throws {
    let cases = try Self.cases("sentence-borders")
    #expect(cases.count == 502)
    for (number, item) in cases.enumerated() {
      #expect(TextBorders(item.text).sentences == item.ends, "case \(number)")
    }
  }

  @Test("The borders of a list of texts are the same everywhere")
  func texts() {
    #expect(TextBorders("Don't stop. Go!").words == [5, 6, 10, 11, 12, 14, 15])
    #expect(TextBorders("Mr. Smith paid 3.50 EUR. He left.").sentences == [4, 25, 33])
    #expect(TextBorders("can't 1,000.5 snake_case").words == [5, 6, 13, 14, 24])
    #expect(TextBorders("👩‍👩‍👧 und 🇩🇪🇫🇷").words == [8, 9, 12, 13, 17, 21])
    #expect(TextBorders("").words == [] && TextBorders("").sentences == [])
    #expect(TextBorders("").lines == [] && TextBorders("").paragraphs == [])
  }

  @Test("Lines and paragraphs end behind their separators")
  func lines() {
    let text = "a\r\nb\u{2028}c\rd\u{2029}e\n"
    #expect(TextBorders(text).lines == [3, 5, 7, 9, 11])
    #expect(TextBorders(text).paragraphs == [3, 7, 9, 11])
  }
}
