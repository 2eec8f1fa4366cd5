import Crypto
import Foundation
import InkCore

/// Hashes the records of a run, so that a report identifies its data.
///
/// The hash is SHA-256 over the canonical bytes of each record in order: label, writer, writing
/// area and strokes. Counts and lengths are 64-bit little-endian integers, numbers are the bits of
/// doubles, with -0 as 0 and missing values as one NaN. File names, qualities, locations and the
/// kinds of strokes are not included. A value; copies are independent.
package struct DataHasher: Sendable {
  private var hash = SHA256()
  private var words: [UInt64] = []

  /// Starts with no records.
  package init() {}

  /// Adds a record. O(points).
  package mutating func update(with labeled: LabeledInk) {
    append(labeled.label)
    append(labeled.writer != nil ? 1 : 0)
    append(labeled.writer ?? "")
    append(labeled.writingArea != nil ? 1 : 0)
    if let area = labeled.writingArea {
      for value in [area.x, area.y, area.width, area.height] { append(value) }
    }
    append(labeled.ink.strokes.count)
    for stroke in labeled.ink.strokes {
      append(stroke.points.count)
      for point in stroke.points {
        append(point.x)
        append(point.y)
        append(point.t)
        append(point.force)
        append(point.azimuth)
        append(point.altitude)
      }
    }
    flush()
  }

  /// The hash of the records so far, as 64 lowercase hex digits.
  package func finalize() -> String {
    Self.text(hash.finalize())
  }

  /// The first 64 bits of the hash of the records so far.
  func prefix() -> UInt64 {
    hash.finalize().prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// The SHA-256 of bytes, as 64 lowercase hex digits. O(bytes).
  static func sha256(_ bytes: some DataProtocol) -> String {
    text(SHA256.hash(data: bytes))
  }

  private static func text(_ digest: SHA256.Digest) -> String {
    digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  private mutating func append(_ value: Int) {
    words.append(UInt64(bitPattern: Int64(value)).littleEndian)
  }

  private mutating func append(_ value: Double?) {
    let number = value ?? .nan
    let bits = number.isNaN ? Double.nan.bitPattern : (number + 0).bitPattern
    words.append(bits.littleEndian)
  }

  private mutating func append(_ text: String) {
    append(text.utf8.count)
    flush()
    hash.update(data: Array(text.utf8))
  }

  private mutating func flush() {
    words.withUnsafeBytes { hash.update(bufferPointer: $0) }
    words.removeAll(keepingCapacity: true)
  }
}
