import Foundation
import InkCore

/// The strokes of a page as numbers: each stroke, and its relation to those around it.
///
/// The numbers do not depend on the order of the strokes, on times, on the direction in which a
/// stroke was drawn, on the unit, or on the place of the ink. All lengths are in heights of the
/// writing.
package struct StrokeFeatures: Sendable {
  /// The number of values of a stroke.
  package static let ownCount = StrokeOutline.shapeCount + contextCount + pageCount
  /// The number of values of a neighbour.
  package static let edgeCount = 20
  /// The number of neighbours: the nearest strokes, and the nearest large ones.
  package static let neighbourCount = nearest + nearestLarge

  private static let nearest = 8
  private static let nearestLarge = 4
  private static let contextCount = 27
  private static let pageCount = 6
  /// The distance within which strokes are looked at.
  private static let margin: Float = 2

  /// The number of strokes that have points.
  package let count: Int
  /// The index of each stroke in the ink.
  package let items: [Int]
  /// Values of the strokes: `count` rows of ``ownCount``.
  package private(set) var own: [Float] = []
  /// Values of the neighbours: for each stroke ``neighbourCount`` rows of ``edgeCount``.
  package private(set) var edges: [Float] = []
  /// The neighbours: for each stroke ``neighbourCount`` rows; -1 where there are fewer.
  package private(set) var neighbours: [Int32] = []

  private let outlines: [StrokeOutline]

  /// Measures the strokes of a page. O(points + strokes log strokes).
  ///
  /// - Parameter ink: The strokes, in any unit, y down. Strokes without points, or with points that
  ///   are not finite, are left out.
  package init(_ ink: Ink) {
    var measures: [StrokeMeasure] = []
    measures.reserveCapacity(ink.strokes.count)
    for (item, stroke) in ink.strokes.enumerated() {
      guard stroke.points.allSatisfy(\.hasFinitePosition),
        let measure = StrokeMeasure(stroke, item: item, number: item), measure.length.isFinite
      else { continue }
      measures.append(measure)
    }
    let height = PageInk.height(of: measures)
    let origin = (
      x: measures.lazy.map(\.box.minX).min() ?? 0, y: measures.lazy.map(\.box.minY).min() ?? 0
    )
    let scale = height > 0 && height.isFinite ? min(1 / height, 1e30) : 1
    var buffer: [SIMD2<Float>] = []
    var outlines: [(item: Int, outline: StrokeOutline)] = measures.map { measure in
      let stroke = ink.strokes[measure.item]
      return (
        measure.item, StrokeOutline(stroke, origin: origin, scale: scale, buffer: &buffer)
      )
    }
    // One order for any order of the ink, so that sums are equal to the last bit.
    outlines.sort { Self.precedes($0.outline, $1.outline) }
    items = outlines.map(\.item)
    self.outlines = outlines.map(\.outline)
    count = items.count
    measure()
  }

  private static func precedes(_ one: StrokeOutline, _ other: StrokeOutline) -> Bool {
    if one.minX != other.minX { return one.minX < other.minX }
    if one.minY != other.minY { return one.minY < other.minY }
    if one.maxX != other.maxX { return one.maxX < other.maxX }
    if one.maxY != other.maxY { return one.maxY < other.maxY }
    return one.length < other.length
  }

  private mutating func measure() {
    own.reserveCapacity(count * Self.ownCount)
    edges.reserveCapacity(count * Self.neighbourCount * Self.edgeCount)
    neighbours.reserveCapacity(count * Self.neighbourCount)
    let grid = StrokeGrid(outlines)
    let page = PageMeasure(outlines)
    var marks = [Int32](repeating: -1, count: count)
    var found: [Int32] = []
    for index in 0..<count {
      found.removeAll(keepingCapacity: true)
      grid.near(index, outlines, margin: Self.margin, marks: &marks, into: &found)
      found.sort()
      outlines[index].appendShape(to: &own)
      let chosen = neighbours(of: index, among: found, large: grid.large)
      appendContext(of: index, among: found, page)
      appendEdges(of: index, chosen)
      page.append(to: &own)
    }
  }

  // MARK: - Surroundings

  /// The shares of a stroke's width or height that others cover, as sixteen bits.
  private struct Cover {
    private var bits: UInt16 = 0

    mutating func add(_ low: Float, _ high: Float, of start: Float, _ length: Float) {
      let unit = 16 / max(length, 1e-6)
      let first = Int(max(0, min(15, (low - start) * unit)))
      let last = Int(max(0, min(15, (high - start) * unit)))
      bits |= (UInt16.max << UInt16(first)) & (UInt16.max >> UInt16(15 - last))
    }

    var share: Float { Float(bits.nonzeroBitCount) / 16 }
  }

  /// Adds values of the strokes around a stroke.
  private mutating func appendContext(of index: Int, among found: [Int32], _ page: PageMeasure) {
    let stroke = outlines[index]
    var (above, below, through, left, right) = (Cover(), Cover(), Cover(), Cover(), Cover())
    var (near, farBelow) = (Cover(), Cover())
    var gaps = (above: Float(3), below: Float(3), left: Float(3), right: Float(3))
    var (inside, containers, overlapping, tall, dots) = (
      Float(0), Float(0), Float(0), Float(0), Float(0)
    )
    var (smallest, close) = (Float(60), Float(0))
    var largeInside: Float = 0
    let (width, height) = (stroke.width, stroke.height)
    for other in found {
      let box = outlines[Int(other)]
      let isLarge = box.size > StrokeGrid.largest
      let sharesX = box.minX <= stroke.maxX && box.maxX >= stroke.minX
      let sharesY = box.minY <= stroke.maxY && box.maxY >= stroke.minY
      if box.midX > stroke.minX, box.midX < stroke.maxX, box.midY > stroke.minY,
        box.midY < stroke.maxY
      {
        inside += 1
        if isLarge { largeInside += 1 }
      }
      if stroke.minX >= box.minX, stroke.maxX <= box.maxX, stroke.minY >= box.minY,
        stroke.maxY <= box.maxY
      {
        containers += 1
        smallest = min(smallest, box.size)
      }
      if sharesX, sharesY { overlapping += 1 }
      if stroke.gap(to: box) < 0.5 { close += 1 }
      if box.size < 0.2 { dots += 1 }
      // Long lines and frames do not count as writing around a stroke.
      guard !isLarge || box.height > 0.4 && box.height < 2 else { continue }
      if box.height > 0.5 { tall += 1 }
      if sharesX {
        if box.maxY < stroke.midY {
          above.add(box.minX, box.maxX, of: stroke.minX, width)
          if stroke.minY - box.maxY < 0.5 { near.add(box.minX, box.maxX, of: stroke.minX, width) }
          gaps.above = min(gaps.above, max(stroke.minY - box.maxY, 0))
        } else if box.minY > stroke.midY {
          if box.minY - stroke.maxY < 1 {
            below.add(box.minX, box.maxX, of: stroke.minX, width)
          } else {
            farBelow.add(box.minX, box.maxX, of: stroke.minX, width)
          }
          gaps.below = min(gaps.below, max(box.minY - stroke.maxY, 0))
        } else if box.maxY - stroke.midY > 0.15, stroke.midY - box.minY > 0.15 {
          through.add(box.minX, box.maxX, of: stroke.minX, width)
        }
      }
      if sharesY {
        if box.midX < stroke.midX {
          left.add(box.minY, box.maxY, of: stroke.minY, height)
          gaps.left = min(gaps.left, max(stroke.minX - box.maxX, 0))
        } else {
          right.add(box.minY, box.maxY, of: stroke.minY, height)
          gaps.right = min(gaps.right, max(box.minX - stroke.maxX, 0))
        }
      }
    }
    own.append(above.share)
    own.append(near.share)
    own.append(below.share)
    own.append(farBelow.share)
    own.append(through.share)
    own.append(left.share)
    own.append(right.share)
    own.append(gaps.above / 1.5)
    own.append(gaps.below / 1.5)
    own.append(gaps.left / 1.5)
    own.append(gaps.right / 1.5)
    own.append(Self.few(inside))
    own.append(Self.few(containers))
    own.append(Self.few(overlapping))
    own.append(Self.few(tall))
    own.append(Self.few(dots))
    own.append(Self.few(close))
    own.append(Self.few(largeInside))
    own.append(StrokeOutline.logarithm(smallest))
    own.append(Self.short(stroke.minX - page.minX))
    own.append(Self.short(page.maxX - stroke.maxX))
    own.append(Self.short(stroke.minY - page.minY))
    own.append(Self.short(page.maxY - stroke.maxY))
    own.append(width / max(page.maxX - page.minX, 1e-6))
    own.append(height / max(page.maxY - page.minY, 1e-6))
  }

  /// A number of strokes, compressed.
  private static func few(_ number: Float) -> Float { log(1 + number) / 2 }

  /// A distance, compressed: a third of its inverse hyperbolic sine.
  private static func short(_ distance: Float) -> Float {
    let size = abs(distance)
    let value = log(size + (size * size + 1).squareRoot()) / 3
    return distance < 0 ? -value : value
  }

  // MARK: - Neighbours

  /// The nearest strokes, and the nearest large ones.
  private func neighbours(of index: Int, among found: [Int32], large: [Int32]) -> [Int32] {
    let stroke = outlines[index]
    var best: [(distance: Float, index: Int32)] = []
    func offer(_ distance: Float, _ other: Int32, from start: Int, most: Int) {
      guard best.count < start + most || distance < best[best.count - 1].distance else { return }
      var place = best.count
      while place > start, best[place - 1].distance > distance { place -= 1 }
      best.insert((distance, other), at: place)
      if best.count > start + most { best.removeLast() }
    }
    for other in found {
      let box = outlines[Int(other)]
      let (dx, dy) = (abs(box.midX - stroke.midX), abs(box.midY - stroke.midY))
      offer(stroke.gap(to: box) + 0.1 * (dx + dy), other, from: 0, most: Self.nearest)
    }
    let small = best.count
    for other in large where Int(other) != index {
      if best[..<small].contains(where: { $0.index == other }) { continue }
      let box = outlines[Int(other)]
      let (dx, dy) = (abs(box.midX - stroke.midX), abs(box.midY - stroke.midY))
      let distance = stroke.gap(to: box) + 0.1 * (dx + dy)
      offer(distance, other, from: small, most: Self.nearestLarge)
    }
    return best.map(\.index)
  }

  /// Adds values of the neighbours, and of the ends of a stroke to its own.
  private mutating func appendEdges(of index: Int, _ chosen: [Int32]) {
    let stroke = outlines[index]
    var ends = (first: Float(2), last: Float(2))
    for other in chosen {
      let box = outlines[Int(other)]
      let toFirst = box.distance(stroke.x[0], stroke.y[0])
      let toLast = box.distance(stroke.x[15], stroke.y[15])
      ends = (min(ends.first, toFirst), min(ends.last, toLast))
      let (near, far) = (min(toFirst, toLast), max(toFirst, toLast))
      let middle = box.distance(stroke.x[8], stroke.y[8])
      let back = (
        stroke.distance(box.x[0], box.y[0]), stroke.distance(box.x[15], box.y[15])
      )
      let (dx, dy) = (box.midX - stroke.midX, box.midY - stroke.midY)
      let shareX = min(box.maxX, stroke.maxX) - max(box.minX, stroke.minX)
      let shareY = min(box.maxY, stroke.maxY) - max(box.minY, stroke.minY)
      edges.append(Self.short(dx))
      edges.append(Self.short(abs(dx)))
      edges.append(Self.short(dy))
      edges.append(Self.short(abs(dy)))
      edges.append(Self.short(stroke.gap(to: box)))
      edges.append(max(-1, min(1, shareX / max(stroke.width, 0.1))))
      edges.append(max(-1, min(1, shareX / max(box.width, 0.1))))
      edges.append(max(-1, min(1, shareY / max(stroke.height, 0.1))))
      edges.append(max(-1, min(1, shareY / max(box.height, 0.1))))
      edges.append(box.logWidth - stroke.logWidth)
      edges.append(box.logHeight - stroke.logHeight)
      edges.append(Self.short(near))
      edges.append(Self.short(far))
      edges.append(Self.short(middle))
      edges.append(Self.short(min(back.0, back.1)))
      edges.append(Self.short(max(back.0, back.1)))
      edges.append(Self.short(box.minY - stroke.maxY))
      edges.append(Self.short(stroke.minY - box.maxY))
      edges.append(Self.short(box.minX - stroke.maxX))
      edges.append(Self.short(stroke.minX - box.maxX))
      neighbours.append(other)
    }
    for _ in chosen.count..<Self.neighbourCount {
      neighbours.append(-1)
      for _ in 0..<Self.edgeCount { edges.append(0) }
    }
    own.append(min(ends.first, ends.last))
    own.append(max(ends.first, ends.last))
  }

  // MARK: - Page

  /// Values of a whole page.
  private struct PageMeasure {
    var minX: Float = 0
    var minY: Float = 0
    var maxX: Float = 0
    var maxY: Float = 0
    private var values: [Float] = []

    init(_ outlines: [StrokeOutline]) {
      guard let first = outlines.first else { return }
      (minX, minY, maxX, maxY) = (first.minX, first.minY, first.maxX, first.maxY)
      var large: Float = 0
      for outline in outlines {
        (minX, maxX) = (min(minX, outline.minX), max(maxX, outline.maxX))
        (minY, maxY) = (min(minY, outline.minY), max(maxY, outline.maxY))
        if outline.size > StrokeGrid.largest { large += 1 }
      }
      let count = Float(outlines.count)
      values = [
        short(maxX - minX), short(maxY - minY), log(count) / 4, log(1 + large) / 3, large / count,
        min(count, 8) / 8,
      ]
    }

    func append(to own: inout [Float]) { own += values }
  }
}
