import InkCore
import InkEditor
import Typesetting

/// The record of a stroke: all channels, without loss.
///
/// A channel whose values are multiples of 1, 1/1000 or 1/10000 is written as whole differences,
/// and others as 8 bytes for each value.
package enum StrokeCoding {
  /// The channels that may be missing, as bits.
  private enum Channel {
    static let time: UInt8 = 1
    static let force: UInt8 = 2
    static let azimuth: UInt8 = 4
    static let altitude: UInt8 = 8
    static let roll: UInt8 = 16
    static let style: UInt8 = 32
    static let digital: UInt8 = 64
  }

  /// The divisors of whole numbers, by the kind of a channel; kind 0 is for numbers as they are.
  private static let divisors: [Double] = [0, 1, 1000, 10_000]
  /// The bit of a channel's kind that says that some values are missing.
  private static let hasMissing: UInt8 = 0x80
  /// The types of pointers, by their number in the format.
  private static let pointers: [PointerType] = [
    .pen, .touch, .eraser, .mouse, .custom1, .custom2, .custom3, .custom4, .custom5,
  ]

  /// Returns the record of a stroke.
  ///
  /// - Parameters:
  ///   - stroke: The stroke.
  ///   - style: The number of its style, or nil.
  package static func bytes(_ stroke: InkStroke, style: Int?) -> [UInt8] {
    var writer = ByteWriter()
    let points = stroke.points
    var flags: UInt8 = 0
    if points.contains(where: { $0.t != nil }) { flags |= Channel.time }
    if points.contains(where: { $0.force != nil }) { flags |= Channel.force }
    if points.contains(where: { $0.azimuth != nil }) { flags |= Channel.azimuth }
    if points.contains(where: { $0.altitude != nil }) { flags |= Channel.altitude }
    if points.contains(where: { $0.roll != nil }) { flags |= Channel.roll }
    if style != nil { flags |= Channel.style }
    if !stroke.isInk { flags |= Channel.digital }
    writer.byte(flags)
    writer.byte(UInt8(pointers.firstIndex(of: stroke.pointer) ?? 0))
    writer.count(stroke.session)
    writer.count(stroke.number)
    if let style { writer.count(style) }
    writer.count(points.count)
    column(points.map(\.x), &writer)
    column(points.map(\.y), &writer)
    if flags & Channel.time != 0 { column(points.map { $0.t ?? .nan }, &writer) }
    if flags & Channel.force != 0 { column(points.map { $0.force ?? .nan }, &writer) }
    if flags & Channel.azimuth != 0 { column(points.map { $0.azimuth ?? .nan }, &writer) }
    if flags & Channel.altitude != 0 { column(points.map { $0.altitude ?? .nan }, &writer) }
    if flags & Channel.roll != 0 {
      writer.count(points.count)
      column(points.map { $0.roll ?? .nan }, &writer)
    }
    if let digital = stroke.digital { write(digital, &writer) }
    return writer.bytes
  }

  // MARK: - Typed text, exact lines and pictures

  private static func write(_ digital: DigitalContent, _ writer: inout ByteWriter) {
    switch digital {
    case .text(let typed):
      writer.byte(1)
      writer.text(typed.text)
      writer.text(typed.face.family)
      writer.byte((typed.face.isBold ? 1 : 0) | (typed.face.isItalic ? 2 : 0))
      writer.number(typed.size)
      writer.number(typed.length)
    case .outline: writer.byte(2)
    // The bytes are in a table of their own.
    case .picture: writer.byte(3)
    }
  }

  private static func digital(
    _ reader: inout ByteReader, points: Int, picture: DocumentPicture?
  ) throws(ContentFault) -> DigitalContent {
    switch try reader.byte() {
    case 1:
      let (text, family) = (try reader.text(), try reader.text())
      let face = try reader.byte()
      let (size, length) = (try reader.number(), try reader.number())
      guard face < 4, size > 0, length >= 0, TypedGlyphs.count(of: text) == points else {
        throw ContentFault("typed text does not fit its points")
      }
      return .text(
        TypedGlyphs(
          text: text,
          face: FontFace(family: family, isBold: face & 1 != 0, isItalic: face & 2 != 0),
          size: size, length: length))
    case 2: return .outline
    case 3:
      guard let picture else { throw ContentFault("a picture is missing") }
      return .picture(picture)
    default: throw ContentFault("an item has an unknown content")
    }
  }

  /// Appends a channel; NaN is a missing value.
  private static func column(_ values: [Double], _ writer: inout ByteWriter) {
    let known = values.filter { !$0.isNaN }
    let kind = (1..<divisors.count).first { isWhole(known, divisors[$0]) }
    writer.byte(UInt8(kind ?? 0) | (known.count < values.count ? hasMissing : 0))
    if known.count < values.count {
      for start in stride(from: 0, to: values.count, by: 8) {
        var bits: UInt8 = 0
        for index in start..<min(start + 8, values.count) where !values[index].isNaN {
          bits |= 1 << UInt8(index - start)
        }
        writer.byte(bits)
      }
    }
    guard let kind else {
      for value in known { writer.number(value) }
      return
    }
    var last: Int64 = 0
    for value in known {
      let whole = Int64((value * divisors[kind]).rounded())
      writer.signed(whole - last)
      last = whole
    }
  }

  /// Returns true if all values are whole numbers divided by a number, without loss.
  private static func isWhole(_ values: [Double], _ divisor: Double) -> Bool {
    for value in values {
      let scaled = (value * divisor).rounded()
      guard abs(scaled) < 0x1p53, scaled / divisor == value, value != 0 || value.sign == .plus
      else { return false }
    }
    return true
  }

  /// Reads a stroke.
  ///
  /// - Parameters:
  ///   - item: The id of the stroke.
  ///   - bytes: The record.
  ///   - styles: The styles by number.
  ///   - picture: The picture of the item.
  ///   - isLenient: True to read a stroke whose style is missing.
  /// - Throws: `ContentFault`.
  package static func stroke(
    _ item: Int, _ bytes: UnsafeRawBufferPointer, styles: [Int: StrokeStyle],
    picture: DocumentPicture? = nil, isLenient: Bool = false
  ) throws(ContentFault) -> InkStroke {
    var reader = ByteReader(bytes)
    let flags = try reader.byte()
    let pointer = Int(try reader.byte())
    guard flags < 128, pointers.indices.contains(pointer) else {
      throw ContentFault("a stroke has an unknown channel or pointer")
    }
    let (session, number) = (try reader.small(), try reader.small())
    let style = flags & Channel.style != 0 ? try reader.small() : nil
    let count = try reader.count()
    guard count > 0 else { throw ContentFault("a stroke is empty") }
    let x = try column(count, &reader)
    let y = try column(count, &reader)
    var points: [StrokePoint] = []
    points.reserveCapacity(count)
    for index in 0..<count {
      guard abs(x[index]) < greatest, abs(y[index]) < greatest else {
        throw ContentFault("a position is missing or too far away")
      }
      points.append(StrokePoint(x: x[index], y: y[index]))
    }
    if flags & Channel.time != 0 {
      let values = try column(count, &reader)
      for index in 0..<count { points[index].t = values[index] }
    }
    if flags & Channel.force != 0 {
      let values = try column(count, &reader)
      for index in 0..<count { points[index].force = values[index] }
    }
    if flags & Channel.azimuth != 0 {
      let values = try column(count, &reader)
      for index in 0..<count { points[index].azimuth = values[index] }
    }
    if flags & Channel.altitude != 0 {
      let values = try column(count, &reader)
      for index in 0..<count { points[index].altitude = values[index] }
    }
    if flags & Channel.roll != 0 {
      let count = try reader.small()
      // A value that is missing takes one bit.
      guard count <= 8 * reader.rest else { throw ContentFault("a record ends too early") }
      // A tap of two equal samples is one point.
      for (index, value) in try column(count, &reader).prefix(points.count).enumerated() {
        points[index].roll = value
      }
    }
    let digital =
      flags & Channel.digital != 0
      ? try digital(&reader, points: points.count, picture: picture) : nil
    try reader.end()
    var stroke = InkStroke(id: item, pointer: pointers[pointer], points: points)
    (stroke.session, stroke.number, stroke.digital) = (session, number, digital)
    if let style {
      stroke.style = styles[style]
      guard stroke.style != nil || isLenient else { throw ContentFault("a style is missing") }
    }
    return stroke
  }

  /// The largest distance of a point from the origin in millimetres.
  private static let greatest = 1e12

  private static func column(
    _ count: Int, _ reader: inout ByteReader
  ) throws(ContentFault) -> [Double] {
    let kind = try reader.byte()
    guard kind & ~hasMissing < divisors.count else {
      throw ContentFault("a channel has an unknown form")
    }
    let present = kind & hasMissing != 0 ? try reader.bits(count) : nil
    let divisor = divisors[Int(kind & ~hasMissing)]
    var result = [Double](repeating: .nan, count: count)
    var last: Int64 = 0
    for index in 0..<count {
      if let present, present[index / 8] & (1 << UInt8(index % 8)) == 0 { continue }
      if divisor == 0 {
        result[index] = try reader.number()
      } else {
        last &+= try reader.signed()
        result[index] = Double(last) / divisor
      }
    }
    return result
  }
}
