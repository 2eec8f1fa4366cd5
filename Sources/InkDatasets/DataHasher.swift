import Crypto
import Foundation
import InkCore

/// Hashes the records that a run used, so that a report can say on what data it stands.
///
/// SHA-256 over the canonical bytes of each record in order: label, writer, writing area and
/// strokes; counts and lengths as 64-bit little-endian integers, numbers as the bits of doubles,
/// -0 as 0 and missing values as one NaN. File names, qualities and locations do not count. A
/// value; copies hash on independently.
public struct DataHasher: Sendable {
  private var hash = SHA256()
  private var bytes: [UInt8] = []

  /// Starts with no records.
  public init() {}

  /// Adds a record. O(points).
  public mutating func update(with labeled: LabeledInk) {
    bytes.removeAll(keepingCapacity: true)
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
    bytes.withUnsafeBytes { hash.update(bufferPointer: $0) }
  }

  /// The hash of the records so far, as 64 lowercase hex digits.
  public func finalize() -> String {
    hash.finalize().map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  private mutating func append(_ value: Int) {
    withUnsafeBytes(of: UInt64(bitPattern: Int64(value)).littleEndian) {
      bytes.append(contentsOf: $0)
    }
  }

  private mutating func append(_ value: Double?) {
    let number = value ?? .nan
    let bits = number.isNaN ? Double.nan.bitPattern : (number + 0).bitPattern
    withUnsafeBytes(of: bits.littleEndian) { bytes.append(contentsOf: $0) }
  }

  private mutating func append(_ text: String) {
    append(text.utf8.count)
    bytes.append(contentsOf: text.utf8)
  }
}
