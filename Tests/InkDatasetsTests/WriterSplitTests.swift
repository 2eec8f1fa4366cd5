import Crypto
import Foundation
import InkDatasets
import Testing

@Suite("Writer splits")
struct WriterSplitTests {
  /// The ids in the order of the lowercase hex of their SHA-256, following the rule directly.
  private func ordered(_ ids: some Sequence<String>) -> [String] {
    ids.sorted { left, right in hex(left) < hex(right) }
  }

  private func hex(_ text: String) -> String {
    SHA256.hash(data: Data(text.utf8)).map { String(format: "%02x", $0) }.joined()
  }

  @Test("a writer's part follows from the ink before it")
  func shares() {
    let counts = Dictionary(uniqueKeysWithValues: (0..<50).map { ("w\($0)", 1 + $0 % 7) })
    let split = WriterSplit(counts: counts)
    let total = Double(counts.values.reduce(0, +))
    var before = 0
    for id in ordered(counts.keys) {
      let share = Double(before) / total
      #expect(split.parts[id] == (share < 0.8 ? .train : share < 0.9 ? .val : .test))
      before += counts[id] ?? 0
    }
  }

  @Test("exactly 80 % before a writer makes it val, exactly 90 % test")
  func bounds() {
    let ids = ordered((0..<10).map { "w\($0)" })
    let split = WriterSplit(counts: Dictionary(uniqueKeysWithValues: ids.map { ($0, 3) }))
    let parts = ids.map { split.parts[$0] }
    #expect(parts == Array(repeating: .train, count: 8) + [.val, .test])
  }

  @Test("a fold holds out every N-th writer, and splits the others eight to one")
  func folds() {
    let ids = ordered((0..<12).map { "w\($0)" })
    let counts = Dictionary(uniqueKeysWithValues: ids.map { ($0, 2) })
    let split = WriterSplit(counts: counts, fold: DataFold(index: 1, count: 4))
    let held = ids.enumerated().filter { $0.offset % 4 == 1 }.map(\.element)
    #expect(Set(split.parts.filter { $0.value == .test }.keys) == Set(held))
    let others = ids.filter { !held.contains($0) }
    #expect(others.map { split.parts[$0] } == Array(repeating: .train, count: 8) + [.val])
  }

  @Test("one writer alone is train")
  func oneWriter() {
    #expect(WriterSplit(counts: ["w": 5]).parts == ["w": .train])
  }

  @Test("an unknown writer has no part")
  func unknownWriter() {
    #expect(WriterSplit(counts: ["w": 5]).part(writer: "v", key: "k") == nil)
  }
}
