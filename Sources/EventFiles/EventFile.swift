import Files
import Foundation

/// A file of events that TensorBoard shows: TFRecord with one message `Event` in each record.
///
/// Each file begins with its version. Records are written whole, so that a reader of a file that
/// grows sees only complete ones. Not thread-safe.
///
///     let file = try EventFile(inFolder: "runs/mine")
///     try file.write(.scalar("loss", 0.25), step: 1)
///     try file.close()
package final class EventFile {
  /// The path of the file.
  package let path: String
  private let descriptor: Int32
  private var pending: [UInt8] = []
  private var lastWrite = ContinuousClock.now

  /// The version that all readers of this century know.
  private static let version = "brain.Event:2"
  /// The longest time that a record waits in memory.
  private static let pause = Duration.seconds(1)
  /// The most bytes that wait in memory.
  private static let mostPending = 1 << 20

  /// Makes a file in a folder, which is made if it does not exist.
  ///
  /// - Parameters:
  ///   - folder: The folder of one run.
  ///   - time: The time in the name of the file, by which readers sort the files of a folder.
  /// - Throws: ``EventFileError`` if the folder or the file cannot be made.
  package init(inFolder folder: String, time: Date = Date()) throws(EventFileError) {
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw EventFileError(path: folder, code: ENOTDIR)
    }
    let process = ProcessInfo.processInfo
    let host = process.hostName.filter { $0.isLetter || $0.isNumber || "-.".contains($0) }
    let name = String(
      format: "events.out.tfevents.%010d.%@.%d", Int(time.timeIntervalSince1970), host,
      process.processIdentifier)
    var number = 0
    while true {
      let path = "\(folder)/\(name).\(number)"
      let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      if descriptor >= 0 {
        (self.path, self.descriptor) = (path, descriptor)
        break
      }
      guard errno == EEXIST else { throw EventFileError(path: path, code: errno) }
      number += 1
    }
    append(at: time, step: 0) { $0.string(3, Self.version) }
    try flush()
  }

  deinit { Foundation.close(descriptor) }

  /// Writes a value of a step.
  ///
  /// - Parameters:
  ///   - value: The value, with its name.
  ///   - step: The step or the epoch, from 0.
  ///   - time: When it was measured.
  /// - Throws: ``EventFileError`` if the file cannot be written.
  package func write(_ value: EventValue, step: Int, time: Date = Date()) throws(EventFileError) {
    append(at: time, step: step) { $0.message(5) { $0.message(1, value.append) } }
    let now = ContinuousClock.now
    if pending.count > Self.mostPending || now - lastWrite > Self.pause { try flush() }
  }

  /// Writes that a session begins at a step: readers drop what earlier files have of later steps,
  /// which a resumed run repeats.
  ///
  /// - Throws: ``EventFileError`` if the file cannot be written.
  package func beginSession(at step: Int, time: Date = Date()) throws(EventFileError) {
    // SessionLog with the status START.
    append(at: time, step: step) { $0.message(7) { $0.integer(1, 1) } }
    try flush()
  }

  /// Writes the records that wait in memory.
  ///
  /// - Throws: ``EventFileError`` if the file cannot be written.
  package func flush() throws(EventFileError) {
    lastWrite = .now
    guard !pending.isEmpty else { return }
    let code = pending.withUnsafeBytes { Descriptor.writeAll(descriptor, $0) }
    pending.removeAll(keepingCapacity: true)
    guard code == 0 else { throw EventFileError(path: path, code: code) }
  }

  private func append(at time: Date, step: Int, _ write: (inout ProtobufWriter) -> Void) {
    var event = ProtobufWriter()
    event.double(1, time.timeIntervalSince1970)
    event.integer(2, step)
    write(&event)
    pending.append(contentsOf: Self.record(event.bytes))
  }

  /// A record of a TFRecord file: the length, its checksum, the bytes, their checksum.
  package static func record(_ bytes: [UInt8]) -> [UInt8] {
    var record: [UInt8] = []
    record.reserveCapacity(bytes.count + 16)
    func append(_ value: some FixedWidthInteger) {
      withUnsafeBytes(of: value.littleEndian) { record.append(contentsOf: $0) }
    }
    append(UInt64(bytes.count))
    append(CRC32C.masked(of: record))
    record.append(contentsOf: bytes)
    append(CRC32C.masked(of: bytes))
    return record
  }
}

/// A file of events that cannot be written.
package struct EventFileError: Error, Hashable, CustomStringConvertible {
  /// The file or the folder.
  package var path: String
  /// The `errno` of the system.
  package var code: Int32

  /// Makes an error.
  package init(path: String, code: Int32) {
    self.path = path
    self.code = code
  }

  /// The path and the reason.
  package var description: String {
    "\(path): cannot be written: \(String(cString: strerror(code))); choose another folder"
  }
}

extension EventFileError: LocalizedError {
  /// The text of `localizedDescription`: ``description``.
  package var errorDescription: String? { description }
}
