import Foundation
import InkCore
import InkDatasets
import InkFormats
import Studio
import Testing

/// A folder of a test, removed at its end.
final class CollectFolder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("ductus-collect-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func file(_ name: String) -> URL { url.appendingPathComponent(name) }
}

/// A sample whose points depend on a number.
func collectSample(
  _ id: String, _ number: Int = 0, replaces: String? = nil
) throws -> CollectSample {
  let x = (0..<12).map { "\(40 + 9 * $0 + number)" }.joined(separator: ",")
  let y = (0..<12).map { "\(60 + ($0 * 37 + number * 11) % 50)" }.joined(separator: ",")
  let t = (0..<12).map { "\($0 * 40)" }.joined(separator: ",")
  let old = replaces.map { #","replaces":"\#($0)""# } ?? ""
  let text = """
    {"id":"\(id)","strokes":[{"x":[\(x)],"y":[\(y)],"t":[\(t)]}],
     "area":{"x":0,"y":20,"width":600,"height":120},
     "surface":{"width":600,"height":200}\(old)}
    """
  return try JSONDecoder().decode(CollectSample.self, from: Data(text.utf8))
}

/// The line of a sample.
func collectLine(_ id: String, prompt: Int, _ number: Int = 0) throws -> Data {
  try CollectRecord(
    id: id, prompt: prompt,
    try collectSample(id, number).labeled(as: "label \(prompt)", by: "w1")
  ).line()
}

private func entry(_ id: String, _ prompt: Int) -> CollectLog.Entry {
  CollectLog.Entry(id: id, prompt: prompt, bytes: 0..<0)
}

/// Returns the code of the error that an action throws.
func collectCode(_ action: () throws -> Void) -> StudioError.Code? {
  do {
    try action()
    return nil
  } catch {
    return (error as? StudioError)?.code
  }
}

@Suite("Files of collected ink") struct CollectLogTests {
  @Test("A file cut at any byte of its last line keeps all samples before")
  func cutAnywhere() throws {
    let folder = try CollectFolder()
    let file = folder.file("a.jsonl")
    let first = try collectLine("one", prompt: 0) + collectLine("two", prompt: 1, 3)
    let last = try collectLine("three", prompt: 2, 5)
    for length in 0...last.count {
      try (first + last.prefix(length)).write(to: file)
      var log = try CollectLog(file, name: "a.jsonl")
      // The newline alone may be missing: the line is whole then.
      let isWhole = length >= last.count - 1
      #expect(log.entries.map(\.id) == ["one", "two"] + (isWhole ? ["three"] : []), "\(length)")
      #expect(try Data(contentsOf: file) == first + (isWhole ? last : Data()), "\(length)")
      // The file takes samples again.
      try log.append(try collectLine("four", prompt: 3, 7), entry("four", 3))
      let again = try CollectLog(file, name: "a.jsonl")
      #expect(again.entries.last?.id == "four", "\(length)")
    }
  }

  @Test(
    "Damage before the last line is an error, and the file stays unchanged",
    arguments: ["{\"label\":\"a\"}", "{\"id\":", "\u{0}\u{0}", "[1,2]", "text"])
  func damage(_ line: String) throws {
    let folder = try CollectFolder()
    let file = folder.file("a.jsonl")
    let bytes =
      try collectLine("one", prompt: 0) + Data("\(line)\n".utf8) + collectLine("two", prompt: 1)
    try bytes.write(to: file)
    #expect(collectCode { _ = try CollectLog(file, name: "a.jsonl") } == .unusableFile)
    #expect(try Data(contentsOf: file) == bytes)
  }

  @Test("Samples are replaced and removed at their places")
  func replaceAndRemove() throws {
    let folder = try CollectFolder()
    let file = folder.file("a.jsonl")
    var log = try CollectLog(file, name: "a.jsonl")
    let lines = try (0..<4).map { try collectLine("s\($0)", prompt: $0, $0) }
    for (index, line) in lines.enumerated() { try log.append(line, entry("s\(index)", index)) }
    let longer = try collectLine("longer-identifier", prompt: 1, 9)
    try log.replace(at: 1, with: longer, entry("longer-identifier", 1))
    #expect(try Data(contentsOf: file) == lines[0] + longer + lines[2] + lines[3])
    try log.replace(at: 0, with: nil)
    #expect(try Data(contentsOf: file) == longer + lines[2] + lines[3])
    try log.replace(at: 2, with: nil)
    #expect(try Data(contentsOf: file) == longer + lines[2])
    try log.append(lines[3], entry("s3", 3))
    for index in log.entries.indices {
      #expect(try log.line(at: index) + Data("\n".utf8) == [longer, lines[2], lines[3]][index])
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["a.jsonl"])
  }

  @Test("A rest of a replacement that was killed does no harm")
  func leftover() throws {
    let folder = try CollectFolder()
    let file = folder.file("a.jsonl")
    try Data("half".utf8).write(to: folder.file(".a.jsonl.new"))
    var log = try CollectLog(file, name: "a.jsonl")
    try log.append(try collectLine("one", prompt: 0), entry("one", 0))
    try log.append(try collectLine("two", prompt: 1), entry("two", 1))
    try log.replace(at: 0, with: try collectLine("new", prompt: 0), entry("new", 0))
    #expect(try CollectLog(file, name: "a.jsonl").entries.map(\.id) == ["new", "two"])
  }

  @Test("Ink of another program in the file is kept and read again")
  func otherInk() throws {
    let folder = try CollectFolder()
    let file = folder.file("a.jsonl")
    var log = try CollectLog(file, name: "a.jsonl")
    try log.append(try collectLine("one", prompt: 0), entry("one", 0))
    #expect(try log.refresh() == false)
    let other = Data(#"{"label":"x","id":7,"strokes":[{"x":[1,2],"y":[3,4]}]}"#.utf8)
    let handle = try FileHandle(forWritingTo: file)
    try handle.seekToEnd()
    try handle.write(contentsOf: other + Data("\n".utf8))
    try handle.close()
    #expect(try log.refresh())
    #expect(log.entries.map(\.prompt) == [0, nil])
    try log.replace(at: 0, with: try collectLine("new", prompt: 0), entry("new", 0))
    #expect(try log.line(at: 1) == other)
  }

  @Test("A line that another process adds between two requests is not written over")
  func otherProcess() throws {
    let folder = try CollectFolder()
    let file = folder.file("a.jsonl")
    var log = try CollectLog(file, name: "a.jsonl")
    try log.append(try collectLine("one", prompt: 0), entry("one", 0))
    let other = #"{"label":"x","strokes":[{"x":[1,2],"y":[3,4]}]}"#
    for end in ["\n", ""] {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/bin/sh")
      process.arguments = ["-c", "printf '%s' \"$1\" >> \"$0\"", file.path, other + end]
      try process.run()
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
      let last = log.entries.count - 1
      #expect(collectCode { try log.replace(at: last, with: nil) } == .unusableFile)
      try log.append(try collectLine("next\(last)", prompt: 1 + last), entry("next", 1 + last))
      #expect(
        try log.line(at: log.entries.count - 1) + Data("\n".utf8)
          == collectLine("next\(last)", prompt: 1 + last))
      #expect(try log.refresh())
    }
    #expect(log.entries.map(\.prompt) == [0, nil, 1, nil, 3])
    #expect(try log.refresh() == false)
    #expect(try CollectLog(file, name: "a.jsonl").entries.map(\.prompt) == [0, nil, 1, nil, 3])
  }

  @Test("Training reads the file without a conversion")
  func reading() throws {
    let folder = try CollectFolder()
    let file = folder.file("a.jsonl")
    var log = try CollectLog(file, name: "a.jsonl")
    try log.append(try collectLine("one", prompt: 4), entry("one", 4))
    let data = try DataSpecification(parsing: "ink:\(file.path)")
    #expect(data.format == .ink)
    let record = try #require(
      try InkReader(.jsonLines, path: file.path).makeIterator().next()
    ).get()
    #expect(record.labeled.label == "label 4")
    #expect(record.labeled.writer == "w1")
    #expect(record.id == "one")
    #expect(record.labeled.writingArea?.height == 120)
    #expect(
      try record.labeled.ink == collectSample("one").labeled(as: "label 4", by: "").ink)
  }
}
