/// A trajectory as bytes: 8 for each point, 12 if points have times, 4 for each stroke, and 40.
///
/// The count of points, the count of strokes and 1 if there are times, each 32 bits, then 32 bits of
/// zeros; the frame as three doubles; the ends of the strokes, 32 bits each; x, y, and the times as
/// floats. In the byte order of the machine: records are for the machine that wrote them.
extension Trajectory {
  private static let headerSize = 40

  /// The bytes that the trajectory needs as a record.
  package var recordSize: Int {
    Self.size(points: count, strokes: strokeEnds.count, hasTimes: hasTimes)
  }

  private var hasTimes: Bool { !time.allSatisfy(\.isNaN) }

  private static func size(points: Int, strokes: Int, hasTimes: Bool) -> Int {
    headerSize + 4 * strokes + (hasTimes ? 12 : 8) * points
  }

  /// Writes the trajectory as a record of ``recordSize`` bytes. O(points).
  package func write(to bytes: UnsafeMutableRawBufferPointer) {
    bytes.storeBytes(of: UInt32(count), as: UInt32.self)
    bytes.storeBytes(of: UInt32(strokeEnds.count), toByteOffset: 4, as: UInt32.self)
    bytes.storeBytes(of: hasTimes ? 1 : 0, toByteOffset: 8, as: UInt32.self)
    bytes.storeBytes(of: 0, toByteOffset: 12, as: UInt32.self)
    bytes.storeBytes(of: frame.centerX, toByteOffset: 16, as: Double.self)
    bytes.storeBytes(of: frame.centerY, toByteOffset: 24, as: Double.self)
    bytes.storeBytes(of: frame.unit, toByteOffset: 32, as: Double.self)
    var offset = Self.headerSize
    for end in strokeEnds {
      bytes.storeBytes(of: UInt32(end), toByteOffset: offset, as: UInt32.self)
      offset += 4
    }
    for column in hasTimes ? [x, y, time] : [x, y] {
      column.withUnsafeBytes { values in
        UnsafeMutableRawBufferPointer(rebasing: bytes[offset..<offset + values.count])
          .copyMemory(from: values)
      }
      offset += 4 * count
    }
  }

  /// The size of the record at the start of some bytes; nil if no record is there. O(strokes).
  package static func recordSize(at bytes: UnsafeRawBufferPointer) -> Int? {
    guard bytes.count >= headerSize else { return nil }
    let points = Int(bytes.loadUnaligned(as: UInt32.self))
    let strokes = Int(bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
    let times = bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self)
    guard times <= 1 else { return nil }
    let size = size(points: points, strokes: strokes, hasTimes: times == 1)
    let unit = bytes.loadUnaligned(fromByteOffset: 32, as: Double.self)
    guard size <= bytes.count, unit > 0, unit.isFinite else { return nil }
    var last = 0
    for stroke in 0..<strokes {
      let end = Int(
        bytes.loadUnaligned(fromByteOffset: headerSize + 4 * stroke, as: UInt32.self))
      guard end > last else { return nil }
      last = end
    }
    return last == points ? size : nil
  }

  /// Replaces the content by that of the record at the start of some bytes, and keeps the memory.
  /// O(points).
  ///
  /// - Precondition: There is a record; ``recordSize(at:)`` tells.
  package mutating func load(record bytes: UnsafeRawBufferPointer) {
    removeAll()
    let points = Int(bytes.loadUnaligned(as: UInt32.self))
    let strokes = Int(bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
    let hasTimes = bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self) == 1
    frame = Frame(
      centerX: bytes.loadUnaligned(fromByteOffset: 16, as: Double.self),
      centerY: bytes.loadUnaligned(fromByteOffset: 24, as: Double.self),
      unit: bytes.loadUnaligned(fromByteOffset: 32, as: Double.self))
    var offset = Self.headerSize
    for _ in 0..<strokes {
      strokeEnds.append(Int(bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
      offset += 4
    }
    Self.append(points, at: offset, of: bytes, to: &x)
    Self.append(points, at: offset + 4 * points, of: bytes, to: &y)
    if hasTimes {
      Self.append(points, at: offset + 8 * points, of: bytes, to: &time)
    } else {
      time.append(contentsOf: repeatElement(.nan, count: points))
    }
  }

  private static func append(
    _ count: Int, at offset: Int, of bytes: UnsafeRawBufferPointer, to column: inout [Float]
  ) {
    let values = UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + 4 * count])
    // The memory of a column is aligned, that of a record may not be.
    column.append(contentsOf: repeatElement(0, count: count))
    column.withUnsafeMutableBytes { $0.copyMemory(from: values) }
  }
}
