import Foundation
import InkCore
import InkFormats
import Testing

/// Folders and files that were made to break a reader, whatever is in them.
@Suite("Attacks by files", .timeLimit(.minutes(1)))
struct AttackFilesTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  // MARK: - Compressed files

  @Test("A small file that unpacks to much is a typed error", arguments: InkFileFormat.allCases)
  func bomb(format: InkFileFormat) throws {
    // 130 kB that would be 20 MB, where 8 MB are the limit.
    let path = try folder.write(GzipFile.bomb(repeats: 80_000), to: "a")
    let outcome = Outcome(try InkReader(format, path: path))
    #expect(outcome.codes == [.tooLarge])
    #expect(outcome.failures.first?.location.path == path)
    #expect(throws: InkFormatError.self) { try InkReader(path: path) }
  }

  @Test("A file of many small members is unpacked once")
  func members() throws {
    let empty = GzipFile.stored([])
    let last = GzipFile.stored(Array("<svg><path stroke='red' d='M1 2z'/></svg>".utf8))
    let bytes = (0..<100_000).flatMap { _ in empty } + last
    let path = try folder.write(bytes, to: "a")
    #expect(Outcome(try InkReader(.svg, path: path)).pattern == [true])
  }

  @Test("A compressed file that ends anywhere is a typed error")
  func truncated() throws {
    let bytes = GzipFile.stored(Array("<xournal><stroke>1 2</stroke></xournal>".utf8))
    for count in 2..<bytes.count {
      #expect(throws: InkFormatError.self) {
        try ByteFile.unpacked(Array(bytes[..<count]), path: "a")
      }
    }
  }

  // MARK: - Files that are none

  @Test("A file larger than what is read whole is a typed error", arguments: [1 << 40, 257 << 20])
  func largest(size: Int) throws {
    let path = try folder.write("<svg>", to: "a.svg")
    #expect(truncate(path, size) == 0)
    for format in [InkFileFormat.svg, .inkML, .tldraw, .zinnia, .unipen] {
      let outcome = Outcome(try InkReader(format, path: path))
      #expect(outcome.codes == [.tooLarge])
    }
  }

  @Test("A pipe is a typed error where a file is read whole, and is no file of a folder")
  func pipes() throws {
    let pipe = folder.path + "/pipe.jsonl"
    #expect(mkfifo(pipe, 0o600) == 0)
    for format in [InkFileFormat.svg, .inkML, .jiix, .zinnia, .unipen] {
      #expect(Outcome(try InkReader(format, path: pipe)).codes == [.unreadableFile])
    }
    let error = #expect(throws: InkFormatError.self) {
      try InkReader(.jsonLines, path: folder.path)
    }
    #expect(error?.code == .missingFile)
    try folder.write(#"{"strokes":[{"x":[1],"y":[2]}]}"#, to: "a.jsonl")
    #expect(Outcome(try InkReader(.jsonLines, path: folder.path)).pattern == [true])
  }

  @Test("Links in a circle and links to nothing end, and cost themselves only")
  func links() throws {
    try folder.write("<svg><path stroke='red' d='M1 2z'/></svg>", to: "in/a.svg")
    try folder.link("in/circle.svg", to: "circle.svg")
    try folder.link("in/nothing.svg", to: "/no/such/file.svg")
    try folder.link("in/up", to: "..")
    let outcome = Outcome(try InkReader(.svg, path: folder.path))
    #expect(outcome.records.count == 1)
    #expect(outcome.failures.map(\.location.path).allSatisfy { $0.hasSuffix(".svg") })
    for name in ["circle.svg", "nothing.svg"] {
      let path = folder.path + "/in/" + name
      #expect(!Outcome(try InkReader(.svg, path: folder.path)).failures.isEmpty)
      #expect(throws: InkFormatError.self) { try InkFileFormat.of(path: path) }
    }
  }

  @Test("A path with a zero in it is a typed error", arguments: InkFileFormat.allCases)
  func zero(format: InkFileFormat) {
    do throws(InkFormatError) {
      #expect(Outcome(try InkReader(format, path: folder.path + "/a\0b")).records.isEmpty)
    } catch {
      #expect(error.code == .missingFile)
    }
  }

  // MARK: - Includes

  /// The outcome of a dataset of UNIPEN with one segment file.
  private func unipen(_ text: String) throws -> Outcome {
    try folder.write(
      text + "\n.COORD X Y\n.PEN_DOWN\n1 2\n.SEGMENT WORD 0 OK \"a\"\n", to: "set/data/1a/x/a.dat")
    try FileManager.default.createDirectory(
      atPath: folder.path + "/set/include", withIntermediateDirectories: true)
    return Outcome(try UNIPENReader(folder: folder.path + "/set"))
  }

  @Test(
    "An include that leads out of the folder is not opened",
    arguments: [
      "../secret.dat", "../../../../../secret.dat", "/etc/passwd", "x/../../../secret.dat",
      "..\\secret.dat", "./../../../../secret.dat", "..", ".", "/",
    ])
  func outside(name: String) throws {
    try folder.write(
      ".COORD X Y\n.PEN_DOWN\n7 7\n.SEGMENT WORD 0 OK \"secret\"\n", to: "secret.dat")
    let outcome = try unipen(".INCLUDE \(name)")
    #expect(outcome.labels == ["a"])
    #expect(outcome.records.first?.labeled.ink.strokes.count == 1)
    #expect(outcome.records.first?.warnings.count == 1)
    #expect(outcome.records.first?.warnings.first?.location.line == 1)
  }

  @Test("Files that include themselves and each other are read once, with a warning")
  func includeLoops() throws {
    try folder.write(".INCLUDE b.dat\n", to: "set/include/a.dat")
    try folder.write(".INCLUDE a.dat\n.INCLUDE b.dat\n", to: "set/include/b.dat")
    let outcome = try unipen(".INCLUDE a.dat\n.INCLUDE x/a.dat")
    #expect(outcome.labels == ["a"])
    #expect(outcome.records.first?.warnings.map(\.code).contains(.includeCycle) == true)
  }

  @Test("Includes that multiply, by number or by size, are a typed error")
  func includeBombs() throws {
    for level in 0..<12 {
      try folder.write(
        String(repeating: ".INCLUDE l\(level + 1)\n", count: 10), to: "set/include/l\(level)")
    }
    try folder.write("", to: "set/include/l12")
    #expect(try unipen(".INCLUDE l0").codes == [.includeCycle])
    try folder.write(
      ".PEN_DOWN\n" + String(repeating: "1 2\n", count: 1 << 18), to: "set/include/large")
    let large = try unipen(String(repeating: ".INCLUDE large\n", count: 999))
    #expect(large.codes == [.tooLarge])
    #expect(large.failures.first?.location.line == 64)
  }

  @Test("An include that is a link in a circle, a folder or a pipe is a warning")
  func includeLinks() throws {
    try folder.write("", to: "set/include/b/c.dat")
    try folder.link("set/include/circle", to: "circle")
    #expect(mkfifo(folder.path + "/set/include/pipe", 0o600) == 0)
    for name in ["circle", "b", "pipe"] {
      let outcome = try unipen(".INCLUDE \(name)")
      #expect(outcome.labels == ["a"])
      #expect(outcome.records.first?.warnings.map(\.code) == [.unreadableFile])
    }
  }
}
