import Foundation
import InkCore
import InkDatasets
import InkFormats
import Testing
import Training

@Suite("Indexes of large data")
final class DataIndexTests {
  private let folder = NSTemporaryDirectory() + "/data-index-\(UUID().uuidString)"
  private var path: String { folder + "/mine.jsonl" }
  private var indexes: String { path + ".ductus-index" }

  init() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try write(inks: 2_400)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// Writes inks of two rows or one, with times, areas and qualities: 18 MB, beyond the size from
  /// which data gets an index.
  private func write(inks: Int) throws {
    var generator = SeededGenerator(seed: 54)
    let writer = try InkJSONLinesWriter(path: path)
    for index in 0..<inks {
      // The upper row, or also a lower one.
      let rowHeight = index / 40 % 5 == 0 ? 90.0 : 0
      var strokes: [Stroke] = []
      for stroke in 0..<4 {
        let points = (0..<75).map { point -> StrokePoint in
          let x = Double(point) * 3 + Double(generator.uniform())
          let y = rowHeight * Double(stroke / 2) + 20 * Double(generator.uniform())
          return StrokePoint(
            x: x, y: y, t: index % 3 == 0 ? nil : Double(stroke * 1000 + point * 10))
        }
        strokes.append(Stroke(points: points))
      }
      var ink = LabeledInk(
        ink: Ink(strokes: strokes), label: "l\(index % 7)", writer: "w\(index % 40)")
      if index % 2 == 0 {
        ink.writingArea = try WritingArea(x: 0, y: -5, width: 300, height: 40)
      }
      if index % 50 == 0 { ink.quality = LabeledInk.Quality.bad }
      try writer.write(ink)
    }
    try writer.finish()
  }

  private func glyphs(_ indexing: DataIndexing = .beside, _ keys: String = "") throws
    -> GlyphTrainingData
  {
    let data = try DataSpecification(parsing: "ink:\(path)\(keys)")
    return try GlyphTrainingData(
      training: [data.withSplit(.train)], validation: [data.withSplit(.val)], indexing: indexing)
  }

  private func expectEqual(_ first: GlyphTrainingData, _ second: GlyphTrainingData) {
    #expect(first.identity == second.identity && first.rejected == second.rejected)
    #expect(first.writers == second.writers && first.unnamed == second.unnamed)
    #expect(first.sharedWriters == second.sharedWriters)
    for (one, other) in [
      (first.training, second.training), (first.validation, second.validation),
    ] {
      #expect(one.labels == other.labels && one.unknownCount == other.unknownCount)
      let isSame = one.samples.elementsEqual(other.samples) { one, other in
        one.label == other.label && one.area == other.area
          && one.trajectory.x == other.trajectory.x && one.trajectory.y == other.trajectory.y
          && one.trajectory.time.map(\.bitPattern) == other.trajectory.time.map(\.bitPattern)
          && one.trajectory.strokeEnds == other.trajectory.strokeEnds
          && one.trajectory.frame == other.trajectory.frame
      }
      #expect(isSame)
    }
  }

  private func areUsed(_ uses: [DataIndexUse]) -> Bool {
    uses.allSatisfy { if case .used = $0 { true } else { false } }
  }

  private func areMade(_ uses: [DataIndexUse]) -> Bool {
    uses.allSatisfy { if case .made = $0 { true } else { false } }
  }

  @Test("The second reading comes from the index, and is the same")
  func secondReading() throws {
    let plain = try glyphs(.off)
    #expect(plain.indexes == [.none, .none] && !FileManager.default.fileExists(atPath: indexes))
    let first = try glyphs()
    #expect(areMade(first.indexes))
    let second = try glyphs()
    #expect(areUsed(second.indexes))
    expectEqual(plain, first)
    expectEqual(plain, second)
    let count = try DataSpecification(parsing: "ink:\(path)?split=test")
    let counts = try [DataIndexing.off, .beside, .beside].map {
      try InkCount(of: [count], indexing: $0)
    }
    #expect(Set(counts).count == 1 && counts[0].inks > 0 && counts[0].writers > 0)
  }

  @Test("Lines with their rows come from the index, and are the same")
  func lines() throws {
    func lines(_ indexing: DataIndexing) throws -> LineTrainingData {
      let data = try DataSpecification(parsing: "ink:\(path)")
      return try LineTrainingData(
        training: [data.withSplit(.train)], validation: [data.withSplit(.val)], indexing: indexing)
    }
    let plain = try lines(.off)
    #expect(plain.rows.inks > 100 && plain.rows.validationInks > 10)
    let (first, second) = (try lines(.beside), try lines(.beside))
    #expect(areMade(first.indexes) && areUsed(second.indexes))
    for other in [first, second] {
      #expect(other.identity == plain.identity && other.rows == plain.rows)
      #expect(other.rejected == plain.rejected && other.training.labels == plain.training.labels)
      for (one, other) in [
        (plain.training, other.training), (plain.validation, other.validation),
      ] {
        let isSame = one.samples.elementsEqual(other.samples) { one, other in
          one.labels == other.labels && one.length == other.length && one.writer == other.writer
            && one.level == other.level && one.line.area == other.line.area
            && one.line.trajectory.x == other.line.trajectory.x
        }
        #expect(isSame)
      }
    }
  }

  @Test("Other data, other keys and another time make the index again")
  func changes() throws {
    _ = try glyphs()
    #expect(areMade(try glyphs(.beside, "?every=2").indexes))
    #expect(areUsed(try glyphs().indexes))
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1e9)], ofItemAtPath: path)
    #expect(areMade(try glyphs().indexes))
    try write(inks: 2_500)
    let after = try glyphs()
    #expect(areMade(after.indexes))
    expectEqual(after, try glyphs(.off))
    #expect(try FileManager.default.contentsOfDirectory(atPath: indexes).count == 5)
  }

  @Test("A damaged index is made again")
  func damage() throws {
    let first = try glyphs()
    guard case .made(let file, let size)? = first.indexes.first else {
      Issue.record("no index")
      return
    }
    let good = try Data(contentsOf: URL(fileURLWithPath: file))
    #expect(good.count == size)
    var places = [0, 9, 16, 24, 32, 41, 71, 130, size / 3, size - 1]
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<10 { places.append(generator.index(below: size)) }
    for place in places where !(72..<128).contains(place) {
      var damaged = good
      damaged[place] ^= 0x55
      try damaged.write(to: URL(fileURLWithPath: file))
      let again = try glyphs()
      #expect(areMade([again.indexes[0]]), "byte \(place)")
      #expect(again.identity == first.identity)
    }
    for count in [0, 7, 127, 128, size / 2, size - 1] {
      try good.prefix(count).write(to: URL(fileURLWithPath: file))
      #expect(areMade([try glyphs().indexes[0]]), "\(count) bytes")
    }
    try FileManager.default.removeItem(atPath: file)
    try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: "/dev/null")
    #expect(areMade([try glyphs().indexes[0]]))
    #expect(areUsed(try glyphs().indexes))
  }

  @Test("An index can be read by those who can read the data, and by nobody else")
  func permissions() throws {
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    guard case .made(let file, _)? = try glyphs().indexes.first else {
      Issue.record("no index")
      return
    }
    let attributes = try FileManager.default.attributesOfItem(atPath: file)
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
  }

  @Test("Where no index can be written, the data is read, and the reason told")
  func unwritable() throws {
    let data = try glyphs(.folder("/dev/null/none"))
    for use in data.indexes {
      guard case .failed(let path, let reason) = use else {
        Issue.record("\(use)")
        continue
      }
      #expect(path.hasPrefix("/dev/null/none/") && !reason.isEmpty)
    }
    expectEqual(data, try glyphs(.off))
  }

  @Test("Small data, made ink and folders with other files get no index, or the right one")
  func small() throws {
    try write(inks: 40)
    #expect(try glyphs().indexes == [.none, .none])
    let starter = try DataSpecification(parsing: "starter:characters?count=2")
    #expect(
      try GlyphTrainingData(training: [starter], validation: [starter], indexing: .beside).indexes
        == [.none, .none])
    #expect(!FileManager.default.fileExists(atPath: indexes))
    try write(inks: 2_400)
    let all = try DataSpecification(parsing: "ink:\(folder)/?split=all")
    defer { try? FileManager.default.removeItem(atPath: folder + ".ductus-index") }
    for indexing in [DataIndexing.folder(folder + "/kept.ductus-index"), .beside] {
      for time in 0..<2 {
        let data = try GlyphTrainingData(training: [all], validation: [all], indexing: indexing)
        #expect(time == 0 ? areMade([data.indexes[0]]) : areUsed(data.indexes))
      }
    }
  }

  @Test("Parts by a table and texts from a table belong to the key")
  func tables() throws {
    let table = folder + "/parts.tsv"
    func write(_ last: String) throws {
      let rows = (0..<40).map { "w\($0)\t\($0 < 30 ? "train" : $0 < 35 ? "val" : last)" }
      try "writer\tsplit\n\(rows.joined(separator: "\n"))\n"
        .write(toFile: table, atomically: true, encoding: .utf8)
    }
    try write("test")
    let first = try glyphs(.beside, "?splits=\(table)")
    #expect(areMade(first.indexes))
    #expect(areUsed(try glyphs(.beside, "?splits=\(table)").indexes))
    try write("val")
    let second = try glyphs(.beside, "?splits=\(table)")
    #expect(areMade(second.indexes))
    #expect(second.validation.samples.count > first.validation.samples.count)
  }

  @Test("Models trained from an index have the same bits")
  func bits() throws {
    var configuration = GlyphTrainingConfiguration.tiny
    configuration.optimization.epochs = 1
    func weights(_ data: GlyphTrainingData) throws -> [Float] {
      let model = try GlyphTrainer(
        configuration: configuration, training: data.training, validation: data.validation,
        workers: 2
      ).train()
      return Array(model.parameters.values)
    }
    let plain = try weights(try glyphs(.off, "?limit=300"))
    _ = try glyphs(.beside, "?limit=300")
    #expect(try weights(try glyphs(.beside, "?limit=300")) == plain)
  }
}
