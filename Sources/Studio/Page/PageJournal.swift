import Files
import Foundation
import InkEditor

/// The place where a page is kept: a package, or the journal of an earlier version. It is used by
/// one thread at a time.
protocol PageLog: AnyObject {
  /// The part with the content of the page; nil if it is made of the commands.
  var part: ContentPart? { get }
  /// The ids of the last commands that the part contains.
  var ids: [String] { get }

  /// Returns the commands that the part does not contain, in order.
  ///
  /// - Throws: ``StudioError`` if they cannot be read.
  func commands() throws(StudioError) -> [PageCommand]

  /// Keeps a command, and returns once it survives the end of the process and of the machine.
  ///
  /// - Throws: ``StudioError``; the command is then not kept.
  func append(_ command: PageCommand) throws(StudioError)

  /// Keeps what was read meanwhile.
  func settle()

  /// Ends the use of the place.
  ///
  /// - Throws: ``StudioError`` if the page cannot be saved; it is kept nevertheless.
  func close() throws(StudioError)
}

extension PageLog {
  var part: ContentPart? { nil }
  var ids: [String] { [] }
  func settle() {}
  func close() throws(StudioError) {}
}

/// A page as a file of JSON lines: a line with the format, then one line for each command.
///
/// Each line is synced before the next. A line that was cut off while it was written was never
/// acknowledged, so it is removed when the file is opened. The file is locked while it is open.
final class PageJournal: PageLog {
  private struct Header: Codable, Equatable {
    var format = "ductus-page"
    var version = 1
  }

  /// The suffix of the files of pages.
  static let suffix = ".page.jsonl"

  private let name: String
  private let lock: FileLock
  /// The bytes that are complete lines.
  private var end = 0
  /// True if the file may hold more than ``end`` bytes that cannot be removed.
  private var isBroken = false
  private var loaded: [PageCommand] = []

  /// Makes a new page without strokes.
  ///
  /// - Throws: ``StudioError`` of code `conflict` if the file exists.
  static func create(_ file: URL) throws(StudioError) {
    let header: Data
    do {
      header = try encoder.encode(Header()) + Data("\n".utf8)
    } catch {
      throw StudioError(.failed, "the page cannot be encoded; please report it")
    }
    do throws(FileError) {
      try AtomicFile.create(file.path, header)
      try AtomicFile.syncFolder(of: file.path)
    } catch {
      if error.code == EEXIST {
        throw StudioError(
          .conflict, "expected the name of no page, found a page; choose another name",
          field: "name")
      }
      throw StudioError(
        .unusableFile,
        "the page cannot be written (\(String(cString: strerror(error.code)))); check the folder")
    }
  }

  /// Opens the file of a page, and removes an incomplete last line.
  ///
  /// - Throws: ``StudioError`` if the file is missing, in use by another process, too large or
  ///   malformed. A malformed file is not changed.
  init(opening file: URL, name: String) throws(StudioError) {
    self.name = name
    guard FileManager.default.fileExists(atPath: file.path) else {
      throw StudioError(.notFound, "expected the name of a page, found another", field: "name")
    }
    do throws(FileError) {
      guard let lock = try FileLock.attempt(file.path) else {
        throw FileError(.locking, file.path, code: EWOULDBLOCK)
      }
      self.lock = lock
    } catch {
      guard error.operation == .locking else {
        throw StudioError(
          .unusableFile,
          "\(name): the page cannot be opened (\(String(cString: strerror(error.code))))")
      }
      throw StudioError(
        .conflict, "\(name): another studio has the page open; close it there first")
    }
    try read()
  }

  func commands() throws(StudioError) -> [PageCommand] {
    defer { loaded = [] }
    return loaded
  }

  func append(_ command: PageCommand) throws(StudioError) {
    guard !isBroken else { throw unwritable(EIO) }
    var line: Data
    do {
      line = try Self.encoder.encode(command)
    } catch {
      throw StudioError(.failed, "the command cannot be encoded; please report it")
    }
    line.append(UInt8(ascii: "\n"))
    guard end + line.count <= PageLimits.journalBytes else {
      throw StudioError(.tooLarge, "\(name): the page is full; begin a new one")
    }
    var code = line.withUnsafeBytes { Descriptor.writeAll(lock.descriptor, $0, at: end) }
    if code == 0, fsync(lock.descriptor) != 0 { code = errno }
    guard code == 0 else {
      // A part of the line may be there: it must not precede the next one.
      isBroken = ftruncate(lock.descriptor, off_t(end)) != 0 || fsync(lock.descriptor) != 0
      throw unwritable(code)
    }
    end += line.count
  }

  private func unwritable(_ code: Int32) -> StudioError {
    StudioError(
      .unusableFile,
      "\(name): the page cannot be saved (\(String(cString: strerror(code)))); make room on the "
        + "disk, then write on")
  }

  private static let encoder: JSONEncoder = {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }()

  // MARK: - Reading

  private func read() throws(StudioError) {
    let bytes = try wholeFile()
    let decoder = JSONDecoder()
    var (start, number) = (0, 0)
    while start < bytes.count {
      number += 1
      guard let stop = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) else { break }
      let line = bytes[start..<stop]
      // Blocks of a file that were never written are zeros after the loss of power.
      if line.contains(0) { break }
      do {
        if number == 1 {
          guard try decoder.decode(Header.self, from: line) == Header() else {
            throw StudioError(
              .unusableFile, "\(name): the page has another format; use a newer studio")
          }
        } else {
          loaded.append(try decoder.decode(PageCommand.self, from: line).checked())
        }
      } catch let error as StudioError where number == 1 {
        throw error
      } catch {
        throw StudioError(
          .unusableFile,
          "\(name), line \(number): expected a command of a page, found something else; repair or "
            + "remove the line")
      }
      start = stop + 1
    }
    if start == 0 {
      // The file was cut off at its beginning, so it never held a command.
      try restart()
    } else if start < bytes.count {
      guard ftruncate(lock.descriptor, off_t(start)) == 0, fsync(lock.descriptor) == 0 else {
        throw unwritable(errno)
      }
      end = start
    } else {
      end = start
    }
  }

  private func restart() throws(StudioError) {
    guard var header = try? Self.encoder.encode(Header()) else {
      throw StudioError(.failed, "the page cannot be encoded; please report it")
    }
    header.append(UInt8(ascii: "\n"))
    guard ftruncate(lock.descriptor, 0) == 0 else { throw unwritable(errno) }
    let code = header.withUnsafeBytes { Descriptor.writeAll(lock.descriptor, $0, at: 0) }
    guard code == 0, fsync(lock.descriptor) == 0 else { throw unwritable(code == 0 ? errno : code) }
    end = header.count
  }

  private func wholeFile() throws(StudioError) -> Data {
    var status = stat()
    guard fstat(lock.descriptor, &status) == 0 else { throw unreadable(errno) }
    let size = Int(status.st_size)
    guard size <= PageLimits.journalBytes else {
      throw StudioError(.tooLarge, "\(name): the file of the page is too large to be opened")
    }
    var bytes = Data(count: size)
    let (count, code) = bytes.withUnsafeMutableBytes {
      Descriptor.readAll(lock.descriptor, into: $0)
    }
    guard code == 0 else { throw unreadable(code) }
    return bytes.prefix(count)
  }

  private func unreadable(_ code: Int32) -> StudioError {
    StudioError(
      .unusableFile, "\(name): the page cannot be read (\(String(cString: strerror(code))))")
  }
}
