import Foundation
import InkCore
import InkDatasets
import InkFormats
import Testing

@Suite("Tomoe and KanjiVG")
struct CharacterStrokesReaderTests {
  private typealias Collection = CharacterStrokesReader.Collection

  private func read(
    _ collection: Collection, _ lines: String..., yAxis: YAxis = .down
  ) -> [Result<InkRecord, InkFormatError>] {
    Array(
      CharacterStrokesReader(
        collection, content: Data(lines.joined(separator: "\n").utf8), path: "made.jsonl",
        yAxis: yAxis))
  }

  private func error(_ collection: Collection, _ line: String) throws -> InkFormatError {
    let result = try #require(read(collection, line).first)
    guard case .failure(let error) = result else {
      throw Unexpected(text: "\(collection) reads \(line)")
    }
    return error
  }

  private struct Unexpected: Error {
    var text: String
  }

  @Test("A line of Tomoe is a character in a box of 320")
  func tomoe() throws {
    let line = #"{"character": "い", "strokes": [[[56, 63], [43.5, 213]], [[213, 66]]], "more": 1}"#
    let record = try #require(read(.tomoe, line).first).get()
    #expect(record.labeled.label == "い" && record.labeled.writer == "tomoe")
    #expect(record.level == .character && record.location.line == 1)
    let points = record.labeled.ink.strokes.map { $0.points.map { [$0.x, $0.y] } }
    #expect(points == [[[56, 63], [43.5, 213]], [[213, 66]]])
    #expect(record.labeled.writingArea == (try WritingArea(width: 320, height: 320)))
  }

  @Test("A line of KanjiVG is a character in a box of 109, with curves as short lines")
  func kanjiVG() throws {
    let record = try #require(
      read(
        .kanjivg, #"{"character":"二","strokes":["M10,20c0,0,30,0,60,10","M5,90C5,90,50,95,99,90"]}"#
      )
      .first
    ).get()
    let strokes = record.labeled.ink.strokes
    #expect(strokes.count == 2)
    let ends = strokes.map { [$0.points.first, $0.points.last].map { [$0?.x, $0?.y] } }
    #expect(ends == [[[10, 20], [70, 30]], [[5, 90], [99, 90]]])
    #expect(strokes.allSatisfy { $0.points.count > 5 && $0.points.count < 40 })
    #expect(record.labeled.writingArea?.height == 109)
  }

  @Test("y may point up")
  func upward() throws {
    let line = #"{"character":"い","strokes":[[[1,20],[2,300]]]}"#
    let record = try #require(read(.tomoe, line, yAxis: .up).first).get()
    #expect(record.labeled.ink.strokes[0].points.map(\.y) == [300, 20])
  }

  @Test("Blank lines are skipped, and a bad line costs itself alone")
  func lines() throws {
    let good = #"{"character":"い","strokes":[[[1,2],[3,4]]]}"#
    let results = read(.tomoe, good, "", "{", "  ", good)
    #expect(results.count == 3)
    #expect(
      (try? results[0].get().indexInSource) == 0 && (try? results[2].get().indexInSource) == 2)
    #expect((try? results[2].get().location.line) == 5)
    guard case .failure(let error) = results[1] else { throw Unexpected(text: "{") }
    #expect(error.code == .malformed && error.location.line == 3)
    #expect(read(.tomoe, "").isEmpty)
  }

  @Test(
    "Bad lines say what is wrong with them, with file and line",
    arguments: [
      (Collection.tomoe, "[]", InkFormatError.Code.wrongType),
      (.tomoe, #"{"strokes":[[[1,2]]]}"#, .missingKey),
      (.tomoe, #"{"character":"い"}"#, .missingKey),
      (.tomoe, #"{"character":"い","strokes":[[[1,"2"]]]}"#, .wrongType),
      (.tomoe, #"{"character":"い","strokes":["M1,2"]}"#, .wrongType),
      (.tomoe, #"{"character":"い","strokes":[[[1,2,3]]]}"#, .unequalLengths),
      (.tomoe, #"{"character":"い","strokes":[]}"#, .emptyInk),
      (.tomoe, #"{"character":"","strokes":[[[1,2]]]}"#, .emptyInk),
      (.tomoe, #"{"character":"い","strokes":[[[1,1e999]]]}"#, .malformed),
      (.kanjivg, #"{"character":"い","strokes":[[[1,2]]]}"#, .wrongType),
      (.kanjivg, #"{"character":"い","strokes":["M1,2\"/><path d=\"M3,4L5,6"]}"#, .malformed),
      (.kanjivg, #"{"character":"い","strokes":["M1,2c3"]}"#, .malformed),
      (.kanjivg, #"{"character":"い","strokes":["M1,2L3,4M5,6L7,8"]}"#, .malformed),
      (.kanjivg, #"{"character":"い","strokes":["L1,2"]}"#, .malformed),
      (.kanjivg, #"{"character":"い","strokes":[]}"#, .emptyInk),
    ])
  func bad(
    collection: CharacterStrokesReader.Collection, line: String, code: InkFormatError.Code
  ) throws {
    let error = try error(collection, line)
    #expect(error.code == code, "\(line): \(error)")
    #expect(error.location == SourceLocation(path: "made.jsonl", line: 1))
    #expect(!error.description.contains("い"))
  }

  @Test("The file is found by its folder, and its absence says which file is meant")
  func files() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("characters-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for collection in Collection.allCases {
      do {
        _ = try CharacterStrokesReader(collection, path: folder.path)
        Issue.record("\(collection) reads an empty folder")
      } catch {
        #expect(error.code == .missingFile && error.description.contains(".jsonl"))
      }
    }
    let file = folder.appendingPathComponent("tomoe.jsonl")
    try Data(#"{"character":"い","strokes":[[[1,2],[3,4]]]}"#.utf8).write(to: file)
    for path in [folder.path, file.path] {
      let records = try DataSpecification(parsing: "tomoe:\(path)").records()
      #expect(records.compactMap { try? $0.get().labeled.label } == ["い"])
    }
  }

  // Nine characters of KanjiVG are canonically equivalent to others.
  @Test(
    "All characters of the collections are read",
    .enabled(
      if: dataset("tomoe/tomoe.jsonl") != nil && dataset("kanjivg/strokes.jsonl") != nil,
      "no Tomoe or no KanjiVG"),
    arguments: [("tomoe", 3045, 3009), ("kanjivg", 6703, 6694)])
  func all(name: String, count: Int, classes: Int) throws {
    let folder = try #require(dataset(name))
    let records = try DataSpecification(parsing: "\(name):\(folder)").records()
      .map { try $0.get() }
    #expect(records.count == count && Set(records.map(\.labeled.label)).count == classes)
  }
}
