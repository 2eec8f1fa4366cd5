import Features
import Files
import InkCore

/// A sample's ink as bytes: its writing area and trajectory, and its page if it has one.
///
/// The flags, the top and the height of the area, the size of the trajectory, each 32 bits; the
/// trajectory; and for a page: the rows, its writing area, the kinds of its strokes, and its points
/// as doubles.
struct SampleRecord {
  private static let headerSize = 16
  private static let areaFlag: UInt32 = 1
  private static let pageFlag: UInt32 = 2

  /// The bytes of a record.
  let size: Int
  private let flags: UInt32
  private let area: LocalArea?
  private let trajectory: Trajectory
  private let trajectorySize: Int
  private let page: [UInt8]

  init(_ trajectory: Trajectory, area: LocalArea?, page: TrainingReading.Page? = nil) {
    self.trajectory = trajectory
    self.area = area
    trajectorySize = trajectory.recordSize
    self.page = page.map(Self.bytes) ?? []
    flags = (area == nil ? 0 : Self.areaFlag) | (page == nil ? 0 : Self.pageFlag)
    size = Self.headerSize + trajectorySize + self.page.count
  }

  func write(to bytes: UnsafeMutableRawBufferPointer) {
    bytes.storeBytes(of: flags, as: UInt32.self)
    bytes.storeBytes(of: area?.top ?? 0, toByteOffset: 4, as: Float.self)
    bytes.storeBytes(of: area?.height ?? 0, toByteOffset: 8, as: Float.self)
    bytes.storeBytes(of: UInt32(trajectorySize), toByteOffset: 12, as: UInt32.self)
    let end = Self.headerSize + trajectorySize
    trajectory.write(to: UnsafeMutableRawBufferPointer(rebasing: bytes[Self.headerSize..<end]))
    UnsafeMutableRawBufferPointer(rebasing: bytes[end...]).copyBytes(from: page)
  }

  /// Reads the area and the trajectory of a sound record.
  static func load(
    _ bytes: UnsafeRawBufferPointer, into trajectory: inout Trajectory
  ) -> LocalArea? {
    trajectory.load(record: UnsafeRawBufferPointer(rebasing: bytes[headerSize...]))
    guard bytes.loadUnaligned(as: UInt32.self) & areaFlag != 0 else { return nil }
    return LocalArea(
      top: bytes.loadUnaligned(fromByteOffset: 4, as: Float.self),
      height: bytes.loadUnaligned(fromByteOffset: 8, as: Float.self))
  }

  /// Returns whether a sound record has a writing area.
  static func hasArea(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.loadUnaligned(as: UInt32.self) & areaFlag != 0
  }

  /// Reads the page of a sound record, without its label.
  static func page(_ bytes: UnsafeRawBufferPointer) -> TrainingReading.Page? {
    guard bytes.loadUnaligned(as: UInt32.self) & pageFlag != 0 else { return nil }
    let size = Int(bytes.loadUnaligned(fromByteOffset: 12, as: UInt32.self))
    var reader = ByteSequence(UnsafeRawBufferPointer(rebasing: bytes[(headerSize + size)...]))
    return page(&reader)
  }

  /// Returns whether bytes are exactly one record. O(bytes).
  static func isSound(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count >= headerSize else { return false }
    let flags = bytes.loadUnaligned(as: UInt32.self)
    guard flags <= areaFlag | pageFlag else { return false }
    if flags & areaFlag != 0 {
      let height = bytes.loadUnaligned(fromByteOffset: 8, as: Float.self)
      guard height > 0, height.isFinite else { return false }
    }
    let size = Int(bytes.loadUnaligned(fromByteOffset: 12, as: UInt32.self))
    let rest = UnsafeRawBufferPointer(rebasing: bytes[headerSize...])
    guard Trajectory.recordSize(at: rest) == size else { return false }
    guard flags & pageFlag != 0 else { return rest.count == size }
    var reader = ByteSequence(UnsafeRawBufferPointer(rebasing: rest[size...]))
    return page(&reader) != nil && reader.isAtEnd
  }

  private static func bytes(of page: TrainingReading.Page) -> [UInt8] {
    var bytes = ByteAppender()
    bytes.append(page.rows.count)
    for row in page.rows {
      bytes.append(row.count)
      for stroke in row { bytes.append(stroke) }
    }
    let area = page.labeled.writingArea
    bytes.append(area == nil ? 0 : 1)
    if let area { for value in [area.x, area.y, area.width, area.height] { bytes.append(value) } }
    bytes.append(page.labeled.kinds?.count ?? -1)
    for kind in page.labeled.kinds ?? [] {
      let name = Array(kind.utf8)
      bytes.append(name.count)
      bytes.bytes += name
    }
    bytes.append(page.labeled.ink.strokes.count)
    for stroke in page.labeled.ink.strokes {
      bytes.append(stroke.points.count)
      for point in stroke.points {
        for value in [
          point.x, point.y, point.t, point.force, point.azimuth, point.altitude, point.roll,
        ] {
          bytes.append(value ?? .nan)
        }
      }
    }
    return bytes.bytes
  }

  private static func page(_ bytes: inout ByteSequence) -> TrainingReading.Page? {
    guard let rowCount = bytes.count(of: 4) else { return nil }
    var rows: [[Int]] = []
    for _ in 0..<rowCount {
      guard let count = bytes.count(of: 4) else { return nil }
      rows.append((0..<count).compactMap { _ in bytes.integer() })
    }
    var labeled = LabeledInk(ink: Ink(), label: "")
    guard let hasArea = bytes.integer() else { return nil }
    if hasArea != 0 {
      let values = (0..<4).compactMap { _ in bytes.double() }
      guard values.count == 4,
        let area = try? WritingArea(
          x: values[0], y: values[1], width: values[2], height: values[3])
      else { return nil }
      labeled.writingArea = area
    }
    guard let kindCount = bytes.integer() else { return nil }
    if kindCount >= 0 {
      guard kindCount * 4 <= bytes.left else { return nil }
      let kinds = (0..<kindCount).compactMap { _ in bytes.text() }
      guard kinds.count == kindCount else { return nil }
      labeled.kinds = kinds
    }
    guard let strokeCount = bytes.count(of: 4) else { return nil }
    var strokes: [Stroke] = []
    for _ in 0..<strokeCount {
      guard let count = bytes.count(of: 56) else { return nil }
      strokes.append(Stroke(points: (0..<count).compactMap { _ in bytes.point() }))
    }
    guard rows.allSatisfy({ $0.allSatisfy(strokes.indices.contains) }) else { return nil }
    labeled.ink = Ink(strokes: strokes)
    return TrainingReading.Page(labeled: labeled, rows: rows)
  }
}

/// Numbers and texts, written one after the other.
private struct ByteAppender {
  var bytes: [UInt8] = []

  mutating func append(_ value: Int) {
    withUnsafeBytes(of: Int32(value)) { bytes.append(contentsOf: $0) }
  }

  mutating func append(_ value: Double) {
    withUnsafeBytes(of: value) { bytes.append(contentsOf: $0) }
  }
}

/// Numbers and texts, read one after the other; nil where the bytes end.
private struct ByteSequence {
  private let bytes: UnsafeRawBufferPointer
  private var next = 0

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  var left: Int { bytes.count - next }
  var isAtEnd: Bool { left == 0 }

  mutating func integer() -> Int? {
    guard left >= 4 else { return nil }
    defer { next += 4 }
    return Int(bytes.loadUnaligned(fromByteOffset: next, as: Int32.self))
  }

  mutating func double() -> Double? {
    guard left >= 8 else { return nil }
    defer { next += 8 }
    return bytes.loadUnaligned(fromByteOffset: next, as: Double.self)
  }

  /// The number of things that follow, of `size` bytes or more each.
  mutating func count(of size: Int) -> Int? {
    guard let count = integer(), count >= 0, count * size <= left else { return nil }
    return count
  }

  mutating func text() -> String? {
    guard let count = count(of: 1) else { return nil }
    defer { next += count }
    return String(validating: bytes[next..<next + count], as: UTF8.self)
  }

  mutating func point() -> StrokePoint? {
    var values: [Double] = []
    for _ in 0..<7 {
      guard let value = double() else { return nil }
      values.append(value)
    }
    func optional(_ index: Int) -> Double? { values[index].isNaN ? nil : values[index] }
    return StrokePoint(
      x: values[0], y: values[1], t: optional(2), force: optional(3), azimuth: optional(4),
      altitude: optional(5), roll: optional(6))
  }
}
