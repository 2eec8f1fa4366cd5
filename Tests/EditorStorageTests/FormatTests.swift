import EditorStorage
import Foundation
import GRDB
import InkCore
import InkEditor
import TestSamples
import Testing

@Suite("The format of packages")
struct FormatTests {
  /// A saved package with text, a shape and an object.
  private func sample(_ shelf: Shelf, _ name: String = "notes") throws -> URL {
    let package = try shelf.engine.createPackage(at: shelf.url(name))
    let editor = try edit(try package.makePart(type: "Raw Content"))
    editor.tools.setStyle(try StrokeStyle(color: "#112233", width: 0.7), for: .pen)
    try editor.write([Pen.rectangle(x: 20, y: 20, width: 40, height: 30)])
    try editor.write(Pen.strokes("abc de", x: 20, y: 80))
    try package.put(PackageObject(name: "a", type: "b/c", data: Data([1, 2, 3])))
    try package.setMetadata(Metadata(["title": "sample"]))
    try editor.setPart(nil)
    try package.save()
    try package.close()
    return shelf.url(name)
  }

  /// Opens a file that must be refused, and checks that it was not changed.
  private func refused(_ bytes: Data, _ shelf: Shelf) throws -> PackageError? {
    let url = shelf.url("refused")
    try bytes.write(to: url)
    var found: PackageError?
    for mode in [PackageOpenMode.existing, .create, .readOnly, .truncate] {
      do throws(PackageError) {
        let package = try shelf.engine.openPackage(at: url, mode: mode)
        try package.close()
      } catch {
        found = error
      }
      #expect(try Data(contentsOf: url) == bytes)
    }
    #expect(shelf.files.filter { $0.contains("refused") } == ["refused.ductusdoc"])
    return found
  }

  @Test("Foreign, truncated and newer files are refused and never changed")
  func refusals() throws {
    let shelf = try Shelf()
    let good = try Data(contentsOf: try sample(shelf))
    let path = shelf.url("refused").path
    #expect(try refused(Data(), shelf) == .foreign(path: path))
    #expect(try refused(Data("a text".utf8), shelf) == .foreign(path: path))
    #expect(try refused(Data(repeating: 7, count: 5000), shelf) == .foreign(path: path))
    for count in [10, 99, 100, 4096, good.count / 2, good.count - 1] {
      #expect(try refused(good.prefix(count), shelf) == .truncated(path: path), "\(count)")
    }
    var newer = good
    newer[63] = UInt8(PackageFormat.version + 1)
    #expect(
      try refused(newer, shelf)
        == .newer(
          path: path, version: PackageFormat.version + 1, supported: PackageFormat.version))
    var other = good
    other[68] = 0
    #expect(try refused(other, shelf) == .foreign(path: path))
    // Another SQLite file that claims to be a package.
    let foreign = shelf.folder.appendingPathComponent("foreign")
    let queue = try DatabaseQueue(path: foreign.path)
    try queue.write { database in
      try PackageFormat.make(database)
      try database.execute(sql: "CREATE TABLE surprise (a)")
    }
    try queue.close()
    #expect(try refused(try Data(contentsOf: foreign), shelf) == .foreign(path: path))
    #expect(try refused(good + Data([0]), shelf).map(\.isDamaged) == true)
  }

  @Test("A file of version 1 opens with all it holds")
  func versionOne() throws {
    let shelf = try Shelf()
    let url = try shelf.copy(ofVersion: 1)
    #expect(try PackageCheck(of: url).report().problems == [])
    let package = try shelf.engine.openPackage(at: url)
    #expect(package.partCount == 2)
    #expect(try package.metadata()["title"] == "sample")
    #expect(try package.object(named: "a").data == Data([1, 2, 3]))
    let editor = try edit(try package.part(at: 0))
    #expect(try editor.export(as: .text) == "abc DE")
    #expect(editor.rootBlock?.children.map(\.type) == [.node, .text])
    #expect(try #require(editor.rootBlock).items.compactMap(editor.style(of:)).count == 6)
    let drawing = try edit(try package.part(at: 1))
    let first = try #require(drawing.rootBlock?.items.first)
    #expect(try drawing.stroke(of: first)?.points.first?.force == 0.5)
    #expect(shelf.reader.calls.count == 0)
    // It can be written.
    try editor.write(Pen.strokes("f", x: 20, y: 120))
    try package.save()
    #expect(try PackageCheck(of: url).report().isClean)
  }

  @Test("Each step of a migration runs once, from the version of the file")
  func migrations() throws {
    let shelf = try Shelf()
    let queue = try DatabaseQueue(path: shelf.folder.appendingPathComponent("x").path)
    try queue.write { database in
      try PackageFormat.make(database)
      try database.execute(sql: "PRAGMA user_version = 1")
      let steps: [@Sendable (Database) throws -> Void] = [
        { try $0.execute(sql: "CREATE TABLE second (a)") },
        { try $0.execute(sql: "ALTER TABLE second ADD COLUMN b") },
      ]
      try PackageFormat.migrate(database, steps: steps)
      #expect(try Int.fetchOne(database, sql: "PRAGMA user_version") == 3)
      try PackageFormat.migrate(database, steps: steps)
      #expect(try database.columns(in: "second").map(\.name) == ["a", "b"])
    }
    #expect(PackageFormat.migrations.count == PackageFormat.version - 1)
  }

  @Test("A check finds each kind of damage and changes nothing, and a repair saves the rest")
  func checks() throws {
    let shelf = try Shelf()
    let url = try sample(shelf)
    let good = try Data(contentsOf: url)
    #expect(try PackageCheck(of: url).report() == .init(problems: [], parts: 1, strokes: 6))
    func damaged(_ sql: String) throws -> PackageCheck.Report {
      let queue = try DatabaseQueue(path: url.path)
      try queue.write { try $0.execute(sql: sql) }
      try queue.close()
      let bytes = try Data(contentsOf: url)
      let report = try PackageCheck(of: url).report()
      #expect(!report.isClean, "\(sql)")
      #expect(try Data(contentsOf: url) == bytes)
      return report
    }
    for (index, sql) in [
      "UPDATE stroke SET data = x'00' WHERE key = (SELECT max(key) FROM stroke)",
      "UPDATE stroke SET checksum = 1 WHERE key = (SELECT min(key) FROM stroke)",
      "DELETE FROM stroke WHERE key = (SELECT min(key) FROM stroke)",
      "UPDATE line SET data = zeroblob(40)", "DELETE FROM line", "DELETE FROM block",
      "UPDATE block SET type = 'Sponge'", "UPDATE part SET state = x'0102'",
      "UPDATE part SET type = 'Sponge'", "DELETE FROM part", "DELETE FROM style",
      "UPDATE part SET metadata = '{'", "UPDATE object SET data = x'09'",
      "UPDATE stroke SET key = key + 100 WHERE key = (SELECT max(key) FROM stroke)",
    ].enumerated() {
      try good.write(to: url)
      let report = try damaged(sql)
      let target = shelf.url("repaired-\(index)")
      let repair = try PackageCheck(of: url).repair(to: target)
      #expect(repair.parts == 1, "\(sql)")
      #expect(repair.strokes >= 5, "\(sql)")
      #expect(repair.strokes + repair.lostStrokes <= 6, "\(sql)")
      #expect(try PackageCheck(of: target).report().problems == [], "\(sql)")
      #expect(throws: PackageError.exists(path: target.path)) {
        try PackageCheck(of: url).repair(to: target)
      }
      let package = try shelf.engine.openPackage(at: target)
      let editor = try edit(try package.part(at: 0))
      try editor.waitUntilIdle()
      #expect(editor.rootBlock?.items.count == repair.strokes, "\(sql)")
      #expect(report.strokes >= 4 || sql.contains("part") || sql.contains("style"), "\(sql)")
    }
  }

  @Test("A damaged part is an error when it is set, and the others can be used")
  func damagedPart() throws {
    let shelf = try Shelf()
    let url = try sample(shelf)
    var package = try shelf.engine.openPackage(at: url)
    let other = try edit(try package.makePart(type: "Text"))
    try other.write(Pen.strokes("xyz", x: 20, y: 20))
    try other.setPart(nil)
    try package.save()
    try package.close()
    let queue = try DatabaseQueue(path: url.path)
    try queue.write { try $0.execute(sql: "UPDATE line SET data = x'01' WHERE key < 2 << 32") }
    try queue.close()
    package = try shelf.engine.openPackage(at: url)
    let editor = shelf.engine.makeEditor()
    try editor.setViewSize(width: 100, height: 100)
    do {
      try editor.setPart(try package.part(at: 0))
      Issue.record("a damaged part was set")
    } catch let error as EditorError {
      guard case .unreadablePart = error else { throw error }
    }
    #expect(editor.part == nil)
    #expect(try edit(try package.part(at: 1)).export(as: .text) == "xyz")
  }

  @Test("Mutated files are refused or repaired, and never crash", arguments: 1...4)
  func mutations(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let shelf = try Shelf()
    let good = try Data(contentsOf: try sample(shelf))
    for round in 0..<Mutations.rounds {
      let url = shelf.url("mutated")
      try Mutations.mutated(good, &generator).write(to: url)
      try Mutations.tryOut(url, shelf, "seed \(seed), round \(round)")
    }
  }

  @Test("A record of a stroke holds any numbers without loss", arguments: 1...8)
  func strokes(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    func value(_ kind: UInt64) -> Double {
      let number = Double(Int64(bitPattern: generator.next()) % 1_000_000)
      return switch kind % 5 {
      case 0: number
      case 1: number / 1000
      case 2: number / 10_000
      case 3: number * 1e-13
      default: number == 0 ? -0.0 : number.squareRoot().isNaN ? number / 7 : number.squareRoot()
      }
    }
    for _ in 0..<200 {
      let kinds = (0..<7).map { _ in generator.next() }
      let points = (0..<(1 + generator.next() % 30)).map { _ in
        StrokePoint(
          x: value(kinds[0]), y: value(kinds[1]),
          t: kinds[2] % 3 == 0 ? nil : value(kinds[2]),
          force: generator.next() % 3 == 0 ? nil : value(kinds[3]),
          azimuth: kinds[4] % 2 == 0 ? nil : value(kinds[4]),
          altitude: kinds[5] % 2 == 0 ? nil : value(kinds[5]),
          roll: kinds[6] % 2 == 0 ? nil : value(kinds[4]))
      }
      var stroke = InkStroke(id: 7, pointer: .custom3, points: points)
      (stroke.session, stroke.number) = (3, 99)
      let bytes = StrokeCoding.bytes(stroke, style: nil)
      let read = try bytes.withUnsafeBytes {
        try StrokeCoding.stroke(7, $0, styles: [:])
      }
      #expect(read.points == points, "seed \(seed)")
      #expect(read.points.map { $0.x.sign } == points.map { $0.x.sign }, "seed \(seed)")
      #expect((read.session, read.number, read.pointer) == (3, 99, .custom3))
      // A record that ends too early is a fault.
      let short = Array(bytes.prefix(Int(generator.next() % UInt64(bytes.count))))
      #expect(throws: ContentFault.self) {
        try short.withUnsafeBytes { try StrokeCoding.stroke(7, $0, styles: [:]) }
      }
    }
  }
}

extension PackageError {
  var isDamaged: Bool { if case .damaged = self { true } else { false } }
}

/// Random changes of files.
enum Mutations {
  /// The number of files of each seed; `DUCTUS_SOAK_MUTATIONS` sets another.
  static let rounds =
    ProcessInfo.processInfo.environment["DUCTUS_SOAK_MUTATIONS"].flatMap { Int($0) } ?? 60

  static func mutated(_ good: Data, _ generator: inout SeededGenerator) -> Data {
    var bytes = good
    func index(_ count: Int) -> Int { Int(generator.next() % UInt64(max(1, count))) }
    for _ in 0...index(6) {
      switch index(6) {
      case 0, 1: bytes[index(bytes.count)] = UInt8(truncatingIfNeeded: generator.next())
      case 2: bytes[index(bytes.count)] ^= 1 << UInt8(index(8))
      case 3:
        let start = index(bytes.count)
        let end = min(bytes.count, start + index(600))
        bytes.replaceSubrange(start..<end, with: Data(count: end - start))
      case 4:
        let (from, to) = (index(bytes.count), index(bytes.count))
        let count = min(index(400), bytes.count - max(from, to))
        bytes.replaceSubrange(to..<to + count, with: bytes[from..<from + count])
      default:
        // A byte of the first page, where the header and the tables are.
        bytes[index(min(4096, bytes.count))] = UInt8(truncatingIfNeeded: generator.next())
      }
    }
    if index(12) == 0 { bytes = bytes.prefix(index(bytes.count)) }
    return bytes
  }

  /// Opens, checks and repairs a file.
  static func tryOut(_ url: URL, _ shelf: Shelf, _ place: String) throws {
    let bytes = try Data(contentsOf: url)
    let target = shelf.url("repaired")
    try? FileManager.default.removeItem(at: target)
    do {
      let package = try shelf.engine.openPackage(at: url, mode: .readOnly)
      for part in package.allParts {
        let editor = shelf.engine.makeEditor()
        try editor.setViewSize(width: 200, height: 200)
        try editor.setPart(part)
        _ = try editor.waitUntilIdle(timeout: 10)
        _ = try? editor.export(as: .jiix)
        try editor.setPart(nil)
      }
    } catch is PackageError {
    } catch is EditorError {
    }
    do throws(PackageError) {
      _ = try PackageCheck(of: url).report()
      let repair = try PackageCheck(of: url).repair(to: target)
      let report = try PackageCheck(of: target).report()
      #expect(report.problems == [], "\(place)")
      #expect(report.strokes == repair.strokes, "\(place)")
    } catch {
      #expect(!FileManager.default.fileExists(atPath: target.path), "\(place)")
    }
    #expect(try Data(contentsOf: url) == bytes, "\(place)")
  }
}
