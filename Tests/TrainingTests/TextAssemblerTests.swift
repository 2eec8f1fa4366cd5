import Foundation
import InkCore
import InkDatasets
import Testing
import Training

@Suite("Writing texts with single letters") struct TextAssemblerTests {
  private let letters: [LabeledInk]

  init() throws {
    // Virtual writers whose letters have areas from descenders to capitals.
    letters = try DataSpecification(
      parsing: "starter:characters?labels=[A-Za-z]&limit=3000&writers=.*&area=text&split=all"
    ).records().map { try $0.get().labeled }
  }

  private func assembler(
    _ templates: InkMarker.Templates = .all, spacing: TextAssembler.Spacing = .normal,
    otherForms: Double = 0
  ) throws -> TextAssembler {
    // One writer with all letters: the starter set has few letters of each.
    let joined = letters.map { letter in
      var letter = letter
      letter.writer = "one"
      return letter
    }
    return try TextAssembler(
      letters: joined, templates: templates, spacing: spacing, otherForms: otherForms)
  }

  @Test("Wide letters stand apart, narrow ones nearly touch, and words have larger gaps")
  func spacing() throws {
    var widths: [TextAssembler.Spacing: Double] = [:]
    for spacing in TextAssembler.Spacing.allCases {
      let assembler = try assembler(spacing: spacing)
      for seed in UInt64(0)..<10 {
        let line = try #require(try assembler.line("oooo oo", writer: 0, seed: seed))
        let boxes = line.ink.strokes.compactMap { Ink(strokes: [$0]).boundingBox }
        widths[spacing, default: 0] += try #require(line.ink.boundingBox).width
        guard spacing == .wide, boxes.count == 6 else { continue }
        let gaps = zip(boxes, boxes.dropFirst()).map { $1.minX - $0.maxX }
        #expect(gaps.filter { $0 > 5 }.count == gaps.count, "seed \(seed): \(gaps)")
        #expect(gaps.max() == gaps[3], "seed \(seed): \(gaps)")
      }
    }
    let narrow = try #require(widths[.narrow]), normal = try #require(widths[.normal])
    let wide = try #require(widths[.wide])
    #expect(narrow < 0.95 * normal && wide > 1.25 * normal, "\(narrow), \(normal), \(wide)")
  }

  @Test("With other forms, 11 can be one stroke, and only letters with several forms change")
  func otherForms() throws {
    let (plain, other) = (try assembler(), try assembler(otherForms: 1))
    var (linked, changed) = (0, 0)
    for seed in UInt64(0)..<20 {
      let ones = try #require(try other.line("11", writer: 0, seed: seed))
      #expect(ones.label == "11")
      if ones.ink.strokes.count == 1 {
        linked += 1
        // Down, up and down again.
        let box = try #require(ones.ink.boundingBox)
        let way = zip(ones.ink.strokes[0].points, ones.ink.strokes[0].points.dropFirst())
          .reduce(0) { $0 + abs($1.1.y - $1.0.y) }
        #expect(way > 2 * box.height, "seed \(seed)")
      }
      #expect(
        try plain.line("house", writer: 0, seed: seed) == other.line("house", writer: 0, seed: seed)
      )
      if try plain.line("razor", writer: 0, seed: seed)
        != other.line("razor", writer: 0, seed: seed)
      {
        changed += 1
      }
    }
    #expect(linked > 5 && changed > 15, "\(linked), \(changed)")
  }

  @Test("The letters stand side by side in the order of the text")
  func order() throws {
    let line = try #require(try assembler().line("ooo xxx", writer: 0, seed: 3))
    #expect(line.label == "ooo xxx")
    #expect(line.writer == "one")
    let strokes = line.ink.strokes.compactMap { Ink(strokes: [$0]).boundingBox }
    let first = try #require(strokes.first), last = try #require(strokes.last)
    #expect(first.maxX < last.minX)
    let box = try #require(line.ink.boundingBox)
    // Small letters are 50 high and stand on y = 0.
    #expect(box.minY > -100 && box.maxY < 40, "\(box)")
  }

  @Test("Letters of a line from right to left are written in the order of the text")
  func rightToLeft() throws {
    for seed in UInt64(0)..<10 {
      let text = "שששששששש 77"
      let line = try #require(try assembler().line(text, writer: 0, seed: seed))
      #expect(line.label == text)
      let boxes = line.ink.strokes.compactMap { Ink(strokes: [$0]).boundingBox }
      let box = try #require(line.ink.boundingBox)
      // The number takes the left fifth of the line, and its digits stand from left to right.
      let number = boxes.indices.filter { boxes[$0].maxX < box.minX + 0.3 * box.width }
      let first = try #require(number.first), last = try #require(number.last)
      #expect(last == boxes.count - 1 && number.count == last - first + 1, "seed \(seed)")
      #expect(first < last && boxes[first].midX < boxes[last].midX, "seed \(seed)")
      #expect(boxes[0].minX > boxes[first - 1].maxX, "seed \(seed)")
    }
  }

  @Test("Parentheses around letters from right to left are turned, those of a Latin word are not")
  func parentheses() throws {
    // The opening parenthesis is the first stroke, or the fourth from the end: each l has one.
    for (text, fromEnd, opensLeft) in [("(ש)", nil, true), ("ש l(l)l", 4, false)]
      as [(String, Int?, Bool)]
    {
      var right = 0
      for seed in UInt64(0)..<10 {
        let strokes = try #require(try assembler().line(text, writer: 0, seed: seed)).ink.strokes
        let points = strokes[fromEnd.map { strokes.count - $0 } ?? 0].points
        let bow = points[points.count / 2].x - (points[0].x + points[points.count - 1].x) / 2
        right += (bow > 0) == opensLeft ? 1 : 0
      }
      // A hook may hide the bow.
      #expect(right >= 8, "\(text): \(right) of 10")
    }
  }

  @Test("Marks are added to the letters of the writer")
  func marks() throws {
    let assembler = try assembler()
    for seed in UInt64(0)..<20 {
      let plain = try #require(try assembler.line("oooo", writer: 0, seed: seed))
      let marked = try #require(try assembler.line("öööö", writer: 0, seed: seed))
      #expect(marked.label == "öööö")
      #expect(marked.ink.strokes.count > plain.ink.strokes.count, "seed \(seed)")
    }
  }

  @Test("Decomposed text gets composed labels")
  func composition() throws {
    let line = try #require(try assembler().line("e\u{301}ẹ\u{301}", writer: 0, seed: 1))
    #expect(Array(line.label.unicodeScalars).count == 3)
    #expect(line.label.count == 2)
  }

  @Test(
    "A bar goes through its letter", arguments: ["đ", "Đ", "ħ", "Ħ", "ł", "Ł", "ø", "Ø"])
  func bars(letter: String) throws {
    let line = try #require(try assembler().line(letter, writer: 0, seed: 4))
    let bar = try #require(line.ink.strokes.last.flatMap { Ink(strokes: [$0]).boundingBox })
    let rest = Ink(strokes: Array(line.ink.strokes.dropLast()))
    let body = try #require(rest.boundingBox)
    #expect(bar.midY > body.minY && bar.midY < body.maxY)
    #expect(bar.maxX > body.minX && bar.minX < body.maxX)
  }

  @Test("A mark above takes the place of the dot of i")
  func dots() throws {
    let assembler = try assembler()
    for seed in UInt64(0)..<20 {
      let line = try #require(try assembler.line("ı", writer: 0, seed: seed))
      let box = try #require(line.ink.boundingBox)
      #expect(box.minY > -95, "seed \(seed): a dot is left")
    }
  }

  @Test(
    "A letter with the shape of a Latin one can be that of the writer",
    arguments: [("о", "o"), ("ο", "o"), ("ս", "u"), ("հ", "h"), ("Տ", "S")])
  func twins(letter: String, latin: String) throws {
    let assembler = try assembler()
    let own = letters.filter { $0.label == latin }.map { outline($0.ink) }
    let lines = try (UInt64(0)..<20).compactMap {
      try assembler.line(letter, writer: 0, seed: $0)
    }
    #expect(lines.allSatisfy { $0.label == letter })
    #expect(
      lines.contains { line in
        let points = outline(line.ink)
        return own.contains { other in
          // Coordinates are rounded to a tenth of a unit; letters are 50 or 100 high.
          other.count == points.count
            && zip(other, points).allSatisfy { abs($0 - $1) < 0.01 }
        }
      })
  }

  /// Returns the coordinates of the points, relative to the box and its height.
  private func outline(_ ink: Ink) -> [Double] {
    guard let box = ink.boundingBox, box.height > 0 else { return [] }
    return ink.strokes.flatMap(\.points).flatMap {
      [($0.x - box.minX) / box.height, ($0.y - box.minY) / box.height]
    }
  }

  @Test("Signs that look alike get the label that models read")
  func signs() throws {
    #expect(TextAssembler.readText(of: "„Už“ – l’eau…") == "„Už\" - l'eau...")
    let line = try #require(try assembler().line("“no”", writer: 0, seed: 2))
    #expect(line.label == "\"no\"")
  }

  @Test("Even and odd templates give different marks for the same seed")
  func templates() throws {
    let even = try #require(try assembler(.even).line("éèêëñ", writer: 0, seed: 9))
    let odd = try #require(try assembler(.odd).line("éèêëñ", writer: 0, seed: 9))
    #expect(even.ink != odd.ink)
    #expect(even.label == odd.label)
    let again = try #require(try assembler(.odd).line("éèêëñ", writer: 0, seed: 9))
    #expect(again == odd)
  }

  @Test("Unknown characters give no line, and few letters no writer")
  func unknown() throws {
    #expect(try assembler().line("日本", writer: 0, seed: 1) == nil)
    let few = letters.filter { "abc".contains($0.label) }
    #expect(try TextAssembler(letters: few).writers.isEmpty)
  }
}

@Suite("Random pieces of texts") struct TextPiecesTests {
  @Test("Pieces are whole words of one sentence, not longer than asked")
  func words() {
    let pieces = TextPieces(of: ["one two three four\nfive six", "sieben acht"], length: 8...12)
    var generator = SeededGenerator(seed: 5)
    var seen: Set<String> = []
    for number in 0..<400 {
      guard let piece = pieces.piece(ofText: number, using: &generator) else {
        Issue.record("no piece \(number)")
        continue
      }
      #expect(piece.count <= 12)
      let text = number % 2 == 0 ? "one two three four five six" : "sieben acht"
      #expect(text.contains(piece))
      #expect(!piece.contains("four five"))
      seen.insert(piece)
    }
    #expect(seen.contains("one two") && seen.contains("sieben acht"))
  }

  @Test("Text without spaces breaks anywhere, in the order of its characters")
  func characters() {
    let sentence = "これは日本語の 文です。"
    let pieces = TextPieces(of: [sentence], length: 4...4, unit: .character)
    var generator = SeededGenerator(seed: 2)
    var seen: Set<String> = []
    for number in 0..<100 {
      if let piece = pieces.piece(ofText: number, using: &generator) { seen.insert(piece) }
    }
    #expect(seen == ["これは日", "本語の文", "です。"])
  }

  @Test("A word that is too long is a piece of its own; no text gives none")
  func limits() {
    var generator = SeededGenerator(seed: 1)
    let long = TextPieces(of: ["Donaudampfschifffahrt"], length: 8...10)
    #expect(long.piece(ofText: 0, using: &generator) == "Donaudampfschifffahrt")
    #expect(TextPieces(of: ["\n \n"]).piece(ofText: 0, using: &generator) == nil)
  }
}
