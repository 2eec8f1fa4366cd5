import Files
import Foundation
import Testing

@Suite("ZIP archives")
struct ZipArchiveTests {
  private static let text = (0..<200).map { "line \($0)\n" }.joined()

  /// The bytes of an archive that Python wrote, see `Zip/make-fixtures`.
  private func fixture(_ name: String) throws -> [UInt8] {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    return [UInt8](try Data(contentsOf: folder.appendingPathComponent("Zip/\(name).zip")))
  }

  private func archive(_ name: String) throws -> ZipArchive {
    try ZipArchive(ByteSource(try fixture(name)))
  }

  private func text(_ name: String, of archive: ZipArchive) throws -> String {
    let entry = try #require(archive[name])
    return String(decoding: try archive.bytes(of: entry, limit: 1 << 20), as: UTF8.self)
  }

  /// The code of the error of opening an archive and reading all of its entries.
  private func code(_ bytes: [UInt8], limit: Int = 1 << 20) -> ZipError.Code? {
    do throws(ZipError) {
      let archive = try ZipArchive(ByteSource(bytes))
      for entry in archive.entries { _ = try archive.bytes(of: entry, limit: limit) }
      return nil
    } catch {
      #expect(!error.description.isEmpty)
      return error.code
    }
  }

  // MARK: - Archives of another program

  @Test("Stored and deflated entries, folders and names outside ASCII are read")
  func plain() throws {
    let archive = try archive("plain")
    #expect(
      archive.entries.map(\.name)
        == ["mimetype", "folder/", "folder/text.txt", "folder/grüße.txt", "empty"])
    #expect(archive.entries.map(\.isFolder) == [false, true, false, false, false])
    #expect(archive.entries.map(\.count) == [18, 0, Self.text.utf8.count, 5, 0])
    #expect(try text("mimetype", of: archive) == "application/x-test")
    #expect(try text("folder/text.txt", of: archive) == Self.text)
    #expect(try text("folder/grüße.txt", of: archive) == "hello")
    #expect(try text("empty", of: archive).isEmpty)
    #expect(archive["text.txt"] == nil)
  }

  @Test("An archive that was written to a pipe, and one with ZIP64 sizes, read the same")
  func otherForms() throws {
    for name in ["streamed", "zip64"] {
      let archive = try archive(name)
      #expect(try text("folder/text.txt", of: archive) == Self.text)
      #expect(try text("b", of: archive) == "hello")
    }
  }

  @Test("An archive on the disk reads the same, piece by piece")
  func file() throws {
    let path = NSTemporaryDirectory() + "/zip-\(UUID().uuidString).zip"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data(try fixture("plain")).write(to: URL(fileURLWithPath: path))
    let archive = try ZipArchive(ByteSource(path: path))
    let stream = try archive.stream(of: try #require(archive["folder/text.txt"]))
    var buffer = [UInt8](repeating: 0, count: 7)
    var read: [UInt8] = []
    while case let count = try buffer.withUnsafeMutableBytes({ try stream.read(into: $0) }),
      count > 0
    {
      read += buffer[..<count]
    }
    #expect(String(decoding: read, as: UTF8.self) == Self.text)
  }

  @Test(
    "Archives that are not safe to unpack are refused",
    arguments: [
      ("parent", ZipError.Code.unsafeName), ("repeated", .repeatedName), ("overlap", .overlap),
      ("encrypted", .unsupported), ("bzip2", .unsupported),
    ])
  func refused(name: String, expected: ZipError.Code) throws {
    #expect(code(try fixture(name)) == expected)
  }

  // MARK: - Damage

  @Test("An archive that ends anywhere is a typed error")
  func truncated() throws {
    let bytes = try fixture("streamed")
    for count in 0..<bytes.count {
      let expected: Set<ZipError.Code> = count < 4 ? [.notArchive] : [.truncated]
      #expect(code(Array(bytes[..<count])).map(expected.contains) == true)
    }
  }

  @Test("No changed byte of an archive gives other bytes than those that were packed")
  func changedBytes() throws {
    let bytes = try fixture("streamed")
    for place in bytes.indices {
      for change in [UInt8(1), 0x80, 0xFF] {
        var changed = bytes
        changed[place] ^= change
        guard let archive = try? ZipArchive(ByteSource(changed)) else { continue }
        for entry in archive.entries {
          guard let read = try? archive.bytes(of: entry, limit: 1 << 20) else { continue }
          #expect(read == Array(Self.text.utf8) || read == Array("hello".utf8))
        }
      }
    }
  }

  @Test("An entry larger than the limit is refused before it is unpacked")
  func limit() throws {
    #expect(code(try fixture("plain"), limit: 100) == .tooLarge)
  }

  @Test("An entry that unpacks to more than the archive says ends with its length")
  func bomb() throws {
    var writer = ZipWriter()
    try writer.add("a", [UInt8](repeating: 0x20, count: 10 << 20))
    var bytes = writer.finish()
    #expect(bytes.count < 20_000)
    // The length in the directory.
    let directory = try #require(
      bytes.indices.last { bytes[$0...].starts(with: [0x50, 0x4B, 1, 2]) })
    bytes.replaceSubrange((directory + 24)..<(directory + 28), with: [100, 0, 0, 0])
    #expect(code(bytes) == .damaged)
  }

  @Test("Entries that share bytes, so that few unpack to much, are refused")
  func sharedBytes() throws {
    // A thousand entries of one megabyte, all of the same deflated bytes.
    var writer = ZipWriter()
    try writer.add("a0", [UInt8](repeating: 0, count: 1 << 20))
    let one = writer.finish()
    let start = try #require(one.indices.last { one[$0...].starts(with: [0x50, 0x4B, 1, 2]) })
    let end = one.count - 22
    var bytes = Array(one[..<start])
    for index in 0..<1000 {
      var entry = Array(one[start..<end])
      let name = Array("\(1000 + index)".utf8)
      entry.replaceSubrange(28..<30, with: [4, 0])
      bytes += entry[..<46] + name
    }
    let size = UInt32(bytes.count - start)
    bytes += [0x50, 0x4B, 5, 6, 0, 0, 0, 0, 0xE8, 3, 0xE8, 3]
    for value in [size, UInt32(start)] {
      for shift in stride(from: UInt32(0), to: 32, by: 8) {
        bytes.append(UInt8(truncatingIfNeeded: value >> shift))
      }
    }
    bytes += [0, 0]
    #expect(code(bytes) == .overlap)
  }

  @Test(
    "Names that leave their folder on any system are not safe",
    arguments: [
      "", "/", "/a", "a//b", "..", "../a", "a/../../b", "a/..", "./a", "a/.", "C:/a", "a\\b",
      "..\\a", "a\0b",
    ])
  func names(name: String) throws {
    #expect(!ZipName.isSafe(name))
    var writer = ZipWriter()
    #expect(throws: ZipError.self) { try writer.add(name, []) }
  }

  @Test("Names with dots, blanks and other scripts are safe")
  func safeNames() {
    for name in ["a", "a/b.txt", "a/", "...", "..a/b..", " a", "日本/語"] {
      #expect(ZipName.isSafe(name))
    }
  }

  // MARK: - Writing

  @Test("Written archives read the same, whatever their bytes")
  func roundTrip() throws {
    var generator = SystemRandomNumberGenerator()
    let noise = (0..<100_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
    let files: [(String, [UInt8])] = [
      ("mimetype", Array("application/x".utf8)), ("empty", []), ("noise", noise),
      ("text/日.txt", Array(String(repeating: Self.text, count: 50).utf8)),
    ]
    var writer = ZipWriter()
    for (name, bytes) in files { try writer.add(name, bytes, isPacked: name != "mimetype") }
    #expect(throws: ZipError.self) { try writer.add("empty", [1]) }
    let bytes = writer.finish()
    // A stored first entry can be told by its bytes, as in OpenDocument.
    #expect(bytes[30..<38].elementsEqual("mimetype".utf8))
    #expect(bytes[38...].starts(with: "application/x".utf8))
    let archive = try ZipArchive(ByteSource(bytes))
    for (name, content) in files {
      #expect(try archive.bytes(of: try #require(archive[name]), limit: 1 << 20) == content)
    }
    #expect(bytes.count < 110_000)
  }

  @Test("Another program reads a written archive and finds no error in it")
  func otherProgram() throws {
    let path = NSTemporaryDirectory() + "/zip-\(UUID().uuidString).zip"
    defer { try? FileManager.default.removeItem(atPath: path) }
    var writer = ZipWriter()
    try writer.add("folder/", [])
    try writer.add("folder/grüße.txt", Array(Self.text.utf8))
    try writer.add("stored", [1, 2, 3], isPacked: false)
    try Data(writer.finish()).write(to: URL(fileURLWithPath: path))
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "-m", "zipfile", "-t", path]
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0 && !output.contains("corrupted"), "\(output)")
  }
}
