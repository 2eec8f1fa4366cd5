import Files
import Foundation
import Testing

@Suite("Complete files or none")
final class AtomicFileTests {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("files-\(UUID().uuidString)").path

  init() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private func path(_ name: String) -> String { "\(folder)/\(name)" }

  private func replace(_ name: String, _ text: String) throws(FileError) {
    try AtomicFile.replace(
      path(name), with: Data(text.utf8), temporary: path(".\(name).tmp"), folderSync: .required)
  }

  @Test("A file is created, then replaced, without leaving a temporary file")
  func replacing() throws {
    try replace("a", "one")
    try replace("a", "two")
    #expect(try String(contentsOfFile: path("a"), encoding: .utf8) == "two")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["a"])
  }

  @Test("A folder of that name is kept, without leaving a temporary file")
  func folderInTheWay() throws {
    try FileManager.default.createDirectory(
      atPath: path("a/b"), withIntermediateDirectories: true)
    let error = #expect(throws: FileError.self) { try replace("a", "one") }
    #expect(error?.operation == .renaming)
    #expect(FileManager.default.fileExists(atPath: path("a/b")))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["a"])
  }

  @Test("Creating refuses an existing file and a missing folder")
  func creating() throws {
    try AtomicFile.create(path("a"), Data("one".utf8))
    for name in ["a", "none/b"] {
      let error = #expect(throws: FileError.self) {
        try AtomicFile.create(path(name), Data())
      }
      #expect(error?.operation == .creating)
      #expect(error?.code == (name == "a" ? EEXIST : ENOENT))
    }
    #expect(try String(contentsOfFile: path("a"), encoding: .utf8) == "one")
  }

  @Test("Writing at an offset, and reading past the end")
  func descriptors() throws {
    try AtomicFile.create(path("a"), Data("0123456789".utf8))
    let descriptor = open(path("a"), O_RDWR)
    defer { close(descriptor) }
    let code = Array("ab".utf8).withUnsafeBytes { Descriptor.writeAll(descriptor, $0, at: 4) }
    #expect(code == 0)
    var buffer = [UInt8](repeating: 0, count: 20)
    let read = buffer.withUnsafeMutableBytes { Descriptor.readAll(descriptor, into: $0) }
    #expect(read.count == 10 && read.code == 0)
    #expect(String(decoding: buffer[..<10], as: UTF8.self) == "0123ab6789")
  }

  @Test("A mapped file has the bytes of the file; a folder and a missing file are refused")
  func mapping() throws {
    try AtomicFile.create(path("a"), Data("bytes".utf8))
    try AtomicFile.create(path("empty"), Data())
    #expect(try MappedBytes(path: path("a")).data == Data("bytes".utf8))
    #expect(try MappedBytes(path: path("empty")).data.isEmpty)
    for (place, operation) in [(folder, FileError.Operation.checking), (path("none"), .opening)] {
      let error = #expect(throws: FileError.self) { try MappedBytes(path: place) }
      #expect(error?.operation == operation)
    }
  }

  @Test("A lock excludes others while it exists")
  func locking() throws {
    var lock = try FileLock.attempt(path("lock"))
    #expect(lock != nil)
    #expect(try FileLock.attempt(path("lock")) == nil)
    withExtendedLifetime(lock) {}
    lock = nil
    #expect(try FileLock.attempt(path("lock")) != nil)
  }

  @Test("A lock ends with its object, whoever else has the descriptor")
  func sharedDescriptor() throws {
    var lock = try FileLock.attempt(path("lock"))
    // As a child process has it before it begins its program.
    let copy = dup(try #require(lock).descriptor)
    defer { close(copy) }
    #expect(try FileLock.attempt(path("lock")) == nil)
    withExtendedLifetime(lock) {}
    lock = nil
    #expect(try FileLock.attempt(path("lock")) != nil)
  }
}
