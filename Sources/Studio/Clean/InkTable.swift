import Foundation
import InkCore
import InkDatasets
import InkFormats

/// The inks of some data in little memory: 4 bytes for each point, about 100 for each ink.
///
/// Points are kept in 1/65535 of the box of their ink, which is enough to draw them at any size. To
/// recognise an ink, it is read from its file again.
package struct InkTable: Sendable {
  package init() {}

  /// The inks by reading order: label, writer (-1 for none), file, line (0 for none).
  private(set) var labelOf: [Int32] = []
  private(set) var writerOf: [Int32] = []
  package private(set) var sourceOf: [Int32] = []
  package private(set) var lineOf: [Int32] = []
  /// The keys for decisions.
  package private(set) var keys: [InkKey] = []
  package private(set) var labels = NameTable()
  private(set) var writers = NameTable()
  package private(set) var sources = NameTable()

  /// x and y of each point, one point after the other.
  private var points: [UInt16] = []
  /// The end of each stroke in points, and the end of each ink in strokes.
  private var strokeEnds: [UInt32] = []
  private var inkEnds: [UInt32] = []
  /// Width and height of each ink; the longer one is 1, or 0 for a dot.
  private var sizes: [SIMD2<Float>] = []
  /// Upper and lower edge of the writing area, where 0 is the top of the ink and 1 the bottom.
  private var areas: [Int32: SIMD2<Float>] = [:]

  /// The most inks and points.
  static let mostInks = 1_000_000
  static let mostPoints = 120_000_000

  /// The number of inks.
  package var count: Int { labelOf.count }
  /// The number of points.
  var pointCount: Int { points.count / 2 }
  /// True if nothing more can be added.
  var isFull: Bool { count >= Self.mostInks || pointCount >= Self.mostPoints }

  /// Adds a record. O(points).
  package mutating func append(_ record: InkRecord, _ key: InkKey) {
    let ink = record.labeled.ink
    labelOf.append(labels.number(of: record.labeled.label))
    writerOf.append(record.labeled.writer.map { writers.number(of: $0) } ?? -1)
    sourceOf.append(sources.number(of: record.source))
    lineOf.append(Int32(clamping: record.location.line ?? 0))
    keys.append(key)
    let box = Self.box(of: ink)
    let (width, height) = (box.map { $0.maxX - $0.minX } ?? 0, box.map { $0.maxY - $0.minY } ?? 0)
    let longest = max(width, height)
    for stroke in ink.strokes {
      for point in stroke.points {
        guard let box, point.x.isFinite, point.y.isFinite else { continue }
        points.append(Self.part(point.x - box.minX, of: width))
        points.append(Self.part(point.y - box.minY, of: height))
      }
      strokeEnds.append(UInt32(pointCount))
    }
    inkEnds.append(UInt32(strokeEnds.count))
    let isDot = !(longest > 0 && longest.isFinite)
    sizes.append(isDot ? .zero : SIMD2(Float(width / longest), Float(height / longest)))
    if let area = record.labeled.writingArea, let box, height > 0 {
      let top = Float((area.y - box.minY) / height)
      let bottom = Float((area.y + area.height - box.minY) / height)
      if top.isFinite, bottom.isFinite { areas[Int32(count - 1)] = SIMD2(top, bottom) }
    }
  }

  /// The box of the finite points; nil if there are none.
  private static func box(of ink: Ink) -> (minX: Double, minY: Double, maxX: Double, maxY: Double)?
  {
    let (least, most) = (-Double.infinity, Double.infinity)
    var box = (minX: most, minY: most, maxX: least, maxY: least)
    for stroke in ink.strokes {
      for point in stroke.points where point.x.isFinite && point.y.isFinite {
        box.minX = min(box.minX, point.x)
        box.maxX = max(box.maxX, point.x)
        box.minY = min(box.minY, point.y)
        box.maxY = max(box.maxY, point.y)
      }
    }
    return box.minX <= box.maxX ? box : nil
  }

  private static func part(_ offset: Double, of length: Double) -> UInt16 {
    let part = offset / length
    return part.isFinite ? UInt16(min(65535, max(0, (part * 65535).rounded()))) : 0
  }
}

// MARK: - Drawing

extension InkTable {
  /// An ink to draw: whole numbers in a box.
  package struct Drawing: Encodable, Hashable {
    /// The size of the box.
    package var width: Int
    package var height: Int
    /// Base64 of 16-bit little-endian numbers: for each stroke the number of its points, then x and
    /// y of each.
    package var strokes: String
    /// Upper and lower edge of the writing area in the units of the box.
    package var area: [Double]?
  }

  /// The detail of a drawing.
  package struct Detail {
    /// The longer side of the box, unless the ink is very long.
    var side: Double
    /// The longer side of the box of a very long ink.
    var longest: Double
    /// Points that are closer to their predecessor are left out.
    var step: Int
    /// The most points.
    var most: Int

    /// For a cell of some 80 CSS pixels, three units for each.
    package static let thumbnail = Detail(side: 255, longest: 1023, step: 4, most: 800)
    /// For the whole screen.
    package static let large = Detail(side: 4095, longest: 16383, step: 3, most: 30_000)
  }

  /// Returns the drawing of an ink. O(points).
  package func drawing(of index: Int, _ detail: Detail) -> Drawing {
    let size = sizes[index]
    let (width, height) = (Double(size.x), Double(size.y))
    // The shorter side of a line of text needs detail too.
    let shortest = max(0.05, min(width, height))
    let scale = min(detail.longest, max(detail.side, 0.4 * detail.side / shortest))
    let extent = SIMD2(width * scale, height * scale)
    var step = detail.step
    var packed = pack(index, extent, step)
    while packed.count > 2 * detail.most, step < 64 * detail.step {
      step *= 2
      packed = pack(index, extent, step)
    }
    let bytes = packed.map(\.littleEndian).withUnsafeBytes { Data($0) }
    let area = areas[Int32(index)]
    return Drawing(
      width: Int(extent.x.rounded()), height: Int(extent.y.rounded()),
      strokes: bytes.base64EncodedString(),
      area: area.map { edges in
        [edges.x, edges.y].map { (Double($0) * extent.y * 10).rounded() / 10 }
      })
  }

  private func pack(_ index: Int, _ extent: SIMD2<Double>, _ step: Int) -> [UInt16] {
    let first = index == 0 ? 0 : Int(inkEnds[index - 1])
    var result: [UInt16] = []
    for stroke in first..<Int(inkEnds[index]) {
      let start = stroke == 0 ? 0 : Int(strokeEnds[stroke - 1])
      let end = Int(strokeEnds[stroke])
      guard start < end else { continue }
      let place = result.count
      result.append(0)
      var last = SIMD2(Int.min / 4, Int.min / 4)
      for point in start..<end {
        let x = Int((Double(points[2 * point]) * extent.x / 65535).rounded())
        let y = Int((Double(points[2 * point + 1]) * extent.y / 65535).rounded())
        // The last point is kept, so that strokes end where they end.
        let isNear = abs(x - last.x) + abs(y - last.y) < step
        if isNear, point + 1 < end || (x, y) == (last.x, last.y) { continue }
        guard result[place] < .max else { break }
        result[place] += 1
        result.append(UInt16(x))
        result.append(UInt16(y))
        last = SIMD2(x, y)
      }
    }
    return result
  }
}
