import Foundation
import InkCore
import InkFormats

/// A temporary folder that is removed when the object is released.
final class TemporaryFolder {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "/ink-formats-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Makes a symbolic link in the folder.
  func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: path + "/" + name, withDestinationPath: target)
  }

  /// Writes bytes to a file below the folder, making the folders between; returns its path.
  @discardableResult
  func write(_ bytes: some Sequence<UInt8>, to name: String) throws -> String {
    let file = URL(fileURLWithPath: path + "/" + name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: file)
    return file.path
  }

  /// Writes text in UTF-8.
  @discardableResult
  func write(_ text: String, to name: String) throws -> String {
    try write(Array(text.utf8), to: name)
  }
}

/// The records and the failures of a reader.
struct Outcome {
  var records: [InkRecord] = []
  var failures: [InkFormatError] = []
  /// For each element, in order, true if it is a record.
  var pattern: [Bool] = []

  init(_ elements: some Sequence<Result<InkRecord, InkFormatError>>) {
    for element in elements {
      switch element {
      case .success(let record): records.append(record)
      case .failure(let error): failures.append(error)
      }
      if case .success = element { pattern.append(true) } else { pattern.append(false) }
    }
  }

  var labels: [String] { records.map(\.labeled.label) }
  var codes: [InkFormatError.Code] { failures.map(\.code) }
}

/// The folder of the unpacked public datasets, or nil.
let datasetsFolder: String? = {
  let environment = ProcessInfo.processInfo.environment
  let home = environment["HOME"].map { $0 + "/.cache/ink-datasets" }
  return [environment["INK_DATASETS"], home].compactMap { $0 }
    .first { FileManager.default.fileExists(atPath: $0) }
}()

/// The path of an unpacked dataset, or nil.
func dataset(_ name: String) -> String? {
  guard let path = datasetsFolder.map({ $0 + "/" + name }),
    FileManager.default.fileExists(atPath: path)
  else { return nil }
  return path
}

/// Makes files compressed by gzip without a compressor.
enum GzipFile {
  private static let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]

  /// A member that holds bytes as they are.
  static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var result = header
    var rest = bytes[...]
    repeat {
      let block = rest.prefix(0xFFFF)
      rest = rest.dropFirst(block.count)
      result.append(rest.isEmpty ? 1 : 0)
      result += littleEndian(UInt32(block.count), count: 2)
      result += littleEndian(~UInt32(block.count), count: 2)
      result += block
    } while !rest.isEmpty
    return result + littleEndian(checksum(bytes), count: 4)
      + littleEndian(UInt32(bytes.count), count: 4)
  }

  /// A bomb: a member that unpacks to 258 times `repeats` blanks, and has no end.
  static func bomb(repeats: Int) -> [UInt8] {
    // The last block, in the fixed code: a blank, then runs of 258 bytes at distance 1.
    var bits: [UInt8] = [1, 1, 0] + code(0x30 + 0x20, count: 8)
    let run = code(0b1100_0101, count: 8) + code(0, count: 5)
    // Eight runs are a whole number of bytes.
    for _ in 0..<16 { bits += run }
    let bytes = stride(from: 0, to: 208, by: 8).map { start in
      bits[start..<(start + 8)].enumerated().reduce(UInt8(0)) { $0 | $1.element << $1.offset }
    }
    var result = header + bytes[..<13]
    result.reserveCapacity(result.count + 13 * repeats / 8)
    for _ in 0..<(repeats / 8) { result += bytes[13..<26] }
    return result
  }

  /// The bits of a code of Huffman, the highest first.
  private static func code(_ value: Int, count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(value >> $0 & 1) }
  }

  private static func littleEndian(_ value: UInt32, count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * UInt32($0))) }
  }

  /// CRC-32.
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var sum = UInt32.max
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum >> 1 ^ (sum & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
    return ~sum
  }
}
