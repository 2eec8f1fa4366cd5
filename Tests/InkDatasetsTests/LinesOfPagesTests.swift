import Foundation
import InkCore
import InkDatasets
import InkFormats
import Testing

@Suite("Pages cut into lines")
struct LinesOfPagesTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Lines of zigzag letters, 40 units apart. Each number is the letters of a line.
  private static func page(_ lines: [Int]) -> Ink {
    var strokes: [Stroke] = []
    for (line, letters) in lines.enumerated() {
      for letter in 0..<letters {
        let points = (0...8).map { step -> StrokePoint in
          let x = Double(22 * letter + 2 * step)
          let y = Double(40 * line + (step % 2 == 0 ? 0 : 18))
          return StrokePoint(x: x, y: y, t: Double(100 * letter + step))
        }
        strokes.append(Stroke(points: points))
      }
    }
    return Ink(strokes: strokes)
  }

  /// Writes pages, with as many writers, as a file of our own format.
  private func write(_ pages: [(ink: Ink, label: String)]) throws -> String {
    let path = folder.path + "/pages.jsonl"
    let writer = try InkJSONLinesWriter(path: path)
    for (number, page) in pages.enumerated() {
      try writer.write(LabeledInk(ink: page.ink, label: page.label, writer: "w\(number % 7)"))
    }
    try writer.finish()
    return "ink:\(path)"
  }

  @Test("A page has a record for each line of its label, in any direction")
  func lines() throws {
    let data = try write([
      (Self.page([5, 4, 5]), "abcde\nfghi\n klmno "),
      (Self.page([5, 4]).turned(.rightToLeft), "אבגדה\nוזחט"), (Self.page([5]), "abcde"),
    ])
    let found = try records(data + "?unit=line")
    #expect(
      found.map(\.labeled.label) == ["abcde", "fghi", "klmno", "אבגדה", "וזחט", "abcde"])
    #expect(found.map(\.labeled.ink.strokes.count) == [5, 4, 5, 5, 4, 5])
    #expect(found.map(\.indexInSource) == [0, 0, 0, 1, 1, 2])
    #expect(found.map(\.labeled.writer) == ["w0", "w0", "w0", "w1", "w1", "w2"])
    #expect(found.prefix(5).allSatisfy { $0.level == .text && $0.labeled.writingArea == nil })
    let mirrored = Self.page([5, 4]).turned(.rightToLeft).strokes
    #expect(found[3].labeled.ink.strokes == Array(mirrored[..<5]))
    #expect(try records(data).count == 3)
    #expect(try records(data + "?unit=page").count == 3)
  }

  @Test("The lines of a page keep the kinds of their strokes")
  func kinds() throws {
    let path = folder.path + "/kinds.jsonl"
    let writer = try InkJSONLinesWriter(path: path)
    var page = LabeledInk(ink: Self.page([5, 4]), label: "abcde\nfghi")
    page.kinds = Array(repeating: "text", count: 5) + Array(repeating: "formula", count: 4)
    try writer.write(page)
    try writer.finish()
    let found = try records("ink:\(path)?unit=line").map(\.labeled.kinds)
    #expect(
      found == [Array(repeating: "text", count: 5), Array(repeating: "formula", count: 4)])
  }

  @Test("Labels, limits and intervals select lines; splits select pages")
  func selection() throws {
    let data = try write((0..<40).map { (Self.page([5, 4]), "line\($0)\nmore") })
    #expect(try records(data + "?unit=line&labels=more").count == 40)
    let labels = { (query: String) in
      try records(data + "?unit=line&\(query)").map(\.labeled.label)
    }
    #expect(try labels("limit=3") == ["line0", "more", "line1"])
    #expect(try labels("every=2&limit=2") == ["line0", "line1"])
    for split in ["train", "val", "test"] {
      let pages = try records(data + "?split=\(split)").map(\.indexInSource)
      let lines = try records(data + "?unit=line&split=\(split)").map(\.indexInSource)
      #expect(lines == pages.flatMap { [$0, $0] })
    }
  }

  @Test("Ink and label with different numbers of lines are a failure with its place")
  func unmatched() throws {
    let data = try write([
      (Self.page([5, 4]), "abcde"), (Self.page([1, 1]), "abc def\nabc\nx\nabc\nde\nab"),
      (Self.page([5, 4]), "abcde\nabcd"),
    ])
    let all = Array(try DataSpecification(parsing: data + "?unit=line").records())
    let errors = all.compactMap { element -> InkFormatError? in
      if case .failure(let error) = element { return error }
      return nil
    }
    #expect(errors.map(\.code) == [.unmatchedLines, .unmatchedLines])
    #expect(errors.map(\.location.line) == [1, 2])
    #expect(all.count == 4)
    // The page is not of this part, so neither is its failure.
    let parts = try ["train", "val", "test"].map { split in
      Array(try DataSpecification(parsing: data + "?unit=line&split=\(split)").records()).count
    }
    #expect(parts.reduce(0, +) == all.count)
  }

  @Test("Lines written closely are split by the label, and marks between lines are joined")
  func adjusted() throws {
    // The middle line is so near to the first that both are found as one line or two.
    var ink = Self.page([5, 4, 5])
    ink.strokes.insert(
      Stroke(points: [StrokePoint(x: 30, y: 28), StrokePoint(x: 33, y: 28)]), at: 5)
    let data = try write([(ink, "abcde\nfghi\nklmno")])
    let found = try records(data + "?unit=line")
    #expect(found.count == 3)
    #expect(found.reduce(0) { $0 + $1.labeled.ink.strokes.count } == ink.strokes.count)
  }

  @Test("Unlabelled pages are cut into unlabelled lines")
  func unlabelled() throws {
    let data = try write([(Self.page([5, 4]), "")])
    let specification = try DataSpecification(parsing: data + "?unit=line")
    let found = try specification.records(unlabelled: true).compactMap { try? $0.get() }
    #expect(found.map(\.labeled.ink.strokes.count) == [5, 4])
    #expect(found.allSatisfy { !$0.isLabelled })
  }

  @Test("Formats of single characters have no lines")
  func formats() {
    for format in DataFormat.allCases where format.cutsPages {
      #expect(format.units.contains(.line) && format.keys.contains("unit"), "\(format)")
    }
    #expect(throws: DataError.self) { try DataSpecification(parsing: "quickdraw:a?unit=line") }
  }
}
