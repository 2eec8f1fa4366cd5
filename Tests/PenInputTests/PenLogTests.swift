import Foundation
import InkCore
import PenInput
import Testing

@Suite("Real pen logs")
struct PenLogTests {
  static let names = [
    "events", "pencil-antigrain", "pencil-antigrain2", "pencil-error", "unknown-polyline-index",
  ]

  private func entries(_ name: String) throws -> [PenLogEntry] {
    let path = try #require(dataset("pencil-logs/\(name).json"))
    return try PenLogEntry.entries(of: Data(contentsOf: URL(fileURLWithPath: path)))
  }

  @Test(
    "every real sample becomes a point, in order, and no promised update is left",
    .enabled(if: dataset("pencil-logs") != nil, "no pencil logs"), arguments: names)
  func wholeLog(_ name: String) throws {
    let entries = try entries(name)
    var replay = PenLogReplay()
    for entry in entries { replay.play(entry) }
    replay.deliver()
    var assembler = replay.assembler
    assembler.finalizeAll()
    #expect(assembler.pendingCount == 0)
    let touches = entries.reduce(into: [String]()) {
      if !$0.contains($1.touch) { $0.append($1.touch) }
    }
    let strokes = assembler.takeFinished()
    #expect(strokes.count == touches.count)
    for (touch, stroke) in zip(touches, strokes) {
      let real = entries.filter { $0.touch == touch && !$0.isUpdate && !$0.isPrediction }
      #expect(stroke.samples.count == real.count)
      #expect(stroke.samples.map(\.point.x) == real.map(\.sample.point.x))
      let updates = entries.filter { $0.touch == touch && $0.isUpdate }
      for update in updates {
        let sample = stroke.samples.first { $0.updateIndex == update.sample.updateIndex }
        #expect(sample?.point.force == update.sample.point.force)
        #expect(sample?.estimated == [])
      }
    }
  }

  @Test(
    "a log split at every position gives the identical stroke",
    .enabled(if: dataset("pencil-logs") != nil, "no pencil logs"), arguments: names)
  func splitLog(_ name: String) throws {
    let entries = try entries(name)
    var whole = PenLogReplay()
    for entry in entries { whole.play(entry) }
    whole.deliver()
    var prefix = PenLogReplay()
    for position in 0...entries.count {
      // A copy goes on where the first part ended.
      var copy = prefix
      for entry in entries[position...] { copy.play(entry) }
      copy.deliver()
      #expect(copy.assembler == whole.assembler, "split at \(position)")
      // The current delivery is passed on in two parts.
      var parted = prefix
      parted.deliver()
      for entry in entries[position...] { parted.play(entry) }
      parted.deliver()
      #expect(parted.assembler.strokes.map(\.stroke) == whole.assembler.strokes.map(\.stroke))
      #expect(parted.assembler.pendingCount == whole.assembler.pendingCount)
      if position < entries.count { prefix.play(entries[position]) }
    }
  }

  @Test("a log that is malformed is refused")
  func malformed() {
    for text in ["", "{}", "[{}]", "[{\"touchIdentifier\":\"a\",\"phase\":9}]"] {
      #expect(throws: DecodingError.self) { try PenLogEntry.entries(of: Data(text.utf8)) }
    }
    let short = """
      [{"touchIdentifier":"a","phase":0,"type":2,"timestamp":1,"location":[1]}]
      """
    #expect(throws: DecodingError.self) { try PenLogEntry.entries(of: Data(short.utf8)) }
  }
}
