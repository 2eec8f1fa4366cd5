import Foundation
import InkCore

/// The direction of the lines of a page, from the places of its ink.
///
/// Lines of writing leave the ink in bands with sharp edges. The page is projected along directions
/// all around, and the one with the sharpest edges is that of the lines: after Postl, *Detection of
/// linear oblique structures and skew scan in digitized documents*, ICPR 1986.
package struct PageAngle {
  private var x: [Double] = []
  private var y: [Double] = []
  private var weight: [Double] = []
  private var height = 1.0

  /// The direction in which the pen went on, as far as the order of the strokes shows it: its angle in
  /// degrees, 0 to the right and 90 down, and how sure it is, 0 ... 1. Above 0.4 it is within 45 degrees
  /// of the direction of the lines: so it is on all pages of IAM-OnDB's validation writers.
  package let progress: (angle: Int, certainty: Double)

  /// Ink is measured if it is longer than this, in heights of the writing: less is no line.
  private static let leastLength = 6.0
  /// The most segments that are measured.
  private static let mostSegments = 4000
  /// The width of a band, in heights of the writing.
  private static let band = 0.6
  /// The step of the first search, in degrees.
  private static let coarse = 3

  /// Measures ink. O(points).
  ///
  /// - Returns: nil for ink too short for a line.
  package init?(_ ink: Ink) {
    let ink = InterruptedStrokes(ink)?.ink ?? ink
    let page = PageInk(ink)
    guard let box = ink.boundingBox, page.strokes.count > 1 else { return nil }
    height = Self.height(of: page) / page.scale
    guard max(box.width, box.height) > Self.leastLength * height else { return nil }
    let step = max(1, ink.pointCount / Self.mostSegments)
    for stroke in ink.strokes {
      var last = stroke.points.first
      for index in Swift.stride(from: step, to: stroke.points.count, by: step) {
        let point = stroke.points[index]
        guard let before = last else { continue }
        let (dx, dy) = (point.x - before.x, point.y - before.y)
        x.append((point.x + before.x) / 2 - box.midX)
        y.append((point.y + before.y) / 2 - box.midY)
        weight.append((dx * dx + dy * dy).squareRoot())
        last = point
      }
    }
    progress = Self.progress(of: page, ink)
    guard !x.isEmpty else { return nil }
  }

  private static func progress(of page: PageInk, _ ink: Ink) -> (angle: Int, certainty: Double) {
    let sizes = page.strokes.map { ($0.box.width, $0.box.height) }
      .map { ($0 * $0 + $1 * $1).squareRoot() }.sorted()
    let size = sizes[sizes.count / 2]
    var (x, y, count) = (0.0, 0.0, 0.0)
    func add(_ dx: Double, _ dy: Double, _ lengths: ClosedRange<Double>, weight: Double) {
      let length = (dx * dx + dy * dy).squareRoot()
      guard lengths.contains(length), length > 0 else { return }
      x += weight * dx / length
      y += weight * dy / length
      count += weight
    }
    for (one, next) in zip(page.strokes, page.strokes.dropFirst()) {
      add(
        next.box.midX - one.box.midX, next.box.midY - one.box.midY, 0.2 * size...6 * size, weight: 1
      )
    }
    for stroke in page.strokes {
      let points = ink.strokes[stroke.item].points
      let (first, last) = (points[0], points[points.count - 1])
      add(
        (last.x - first.x) * page.scale, (last.y - first.y) * page.scale,
        1.5 * size...Double.infinity, weight: 2)
    }
    guard count > 0 else { return (0, 0) }
    let angle = atan2(y, x) * 180 / Double.pi
    return (Int(angle.rounded()), (x * x + y * y).squareRoot() / count)
  }

  /// The directions of the lines that are possible, in degrees, the likeliest first; positive if lines
  /// fall to the right. O(segments).
  ///
  /// - Parameters:
  ///   - middle: A direction in degrees.
  ///   - reach: The result is at most so far from it, in degrees.
  package func directions(near middle: Int = 0, within reach: Int = 90) -> [Int] {
    let all = Swift.stride(from: middle - reach, through: middle + reach, by: Self.coarse)
      .map { (angle: $0, edges: edges($0)) }
    guard let most = all.map(\.edges).max(), most > 0 else { return [] }
    var peaks: [(angle: Int, edges: Double)] = []
    for place in all.sorted(by: { $0.edges > $1.edges })
    where place.edges > Self.second * most
      && !peaks.contains(where: { Self.distance($0.angle, place.angle) < Self.apart })
    {
      let near = (-2...2).map { (angle: place.angle + $0, edges: edges(place.angle + $0)) }
      peaks.append(near.max { $0.edges < $1.edges } ?? place)
    }
    return peaks.prefix(2).map(\.angle)
  }

  /// Returns true if the ink of a page is about as much in level bands as in those of a direction. Cells
  /// of a table are in bands in many directions. On pages, lines and texts that are turned by 10 to 40
  /// degrees, the level bands have 0.4 of the sharpness or less, on level tables 0.6 and more. O(segments).
  package func isLevel(against degrees: Int) -> Bool {
    let level = [-Self.coarse, 0, Self.coarse].map(edges).max() ?? 0
    return level > Self.levelShare * edges(degrees)
  }

  private static let levelShare = 0.6

  /// The angle between two lines, 0 ... 90.
  private static func distance(_ one: Int, _ other: Int) -> Int {
    let turn = abs(one - other) % 180
    return min(turn, 180 - turn)
  }

  /// Another direction is possible if its edges are sharper than this share of the sharpest.
  private static let second = 0.4
  /// Two directions differ by this much at least, in degrees.
  private static let apart = 20

  /// The sharpness of the bands in a direction, in degrees.
  private func edges(_ degrees: Int) -> Double {
    let angle = Double(degrees) * .pi / 180
    let (sine, cosine) = (sin(angle), cos(angle))
    let scale = 1 / (Self.band * height)
    var (low, high) = (Double.infinity, -Double.infinity)
    for index in x.indices {
      let place = y[index] * cosine - x[index] * sine
      low = min(low, place)
      high = max(high, place)
    }
    let count = (high - low) * scale
    guard count.isFinite, count < Double(Self.mostBands) else { return 0 }
    var bands = [Double](repeating: 0, count: Int(count) + 3)
    for index in x.indices {
      // A share of the weight goes into the next band, so that the edges of bands do not matter.
      let place = (y[index] * cosine - x[index] * sine - low) * scale + 1
      let band = Int(place)
      let share = place - Double(band)
      bands[band] += weight[index] * (1 - share)
      bands[band + 1] += weight[index] * share
    }
    return zip(bands, bands.dropFirst()).reduce(0) { $0 + ($1.1 - $1.0) * ($1.1 - $1.0) }
  }

  /// A height of the writing that does not depend on how the page is turned.
  private static func height(of page: PageInk) -> Double {
    let sides = page.strokes.map { min($0.box.width, $0.box.height) }.sorted()
    return max(sides[sides.count / 2], page.height / 4)
  }

  /// A page longer than this many bands is not measured.
  private static let mostBands = 100_000
}
