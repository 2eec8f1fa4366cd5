import InkCore

/// Tells whether the order of strokes is that of writing.
///
/// Files of drawing programs, edited notes, ink of PDF files and merged layers hold strokes in the
/// order of storage. A pen that writes goes on where it stopped: the way from the end of a stroke to
/// the beginning of the next is short, and leads to the right. Where the stored order takes longer ways
/// than strokes that are ordered by their places, it is no order of writing.
package struct WritingOrder {
  private let strokes: [StrokeMeasure]
  private let ends: [Ends]
  private let height: Double

  /// Where the pen touched the surface and left it.
  private struct Ends {
    var first, last: (x: Double, y: Double)
  }

  /// The fewest strokes whose order is judged: with fewer, it hardly changes what is read.
  private static let leastStrokes = 4
  /// An order is one of storage if its mean way, as ``mean(_:)`` has it, is longer than that of the
  /// order of places by this limit, or by this number over the root of the strokes if that is more.
  /// On validation data of IAM-OnDB and UNIPEN (pages, lines, words), 99.9 % of inks in the order of
  /// writing are below, and all shuffled pages above.
  private static let longer = (least: 0.05, spread: 0.6)
  /// The factor on that limit if the times of all strokes confirm the order.
  private static let withTimes = 3.0
  /// No order of places is much shorter than this, so that a shorter one needs no comparison.
  private static let short = 0.42
  /// Going left costs more by this factor.
  private static let backward = 2.0

  /// Measures ink. O(points + strokes log strokes).
  package init(_ ink: Ink, direction: WritingDirection = .leftToRight) {
    let ink = ink.turned(direction)
    let page = PageInk(ink)
    strokes = page.strokes
    height = page.height
    ends = page.strokes.map { stroke in
      let points = ink.strokes[stroke.item].points
      let (first, last) = (points[0], points[points.count - 1])
      return Ends(
        first: (first.x * page.scale, first.y * page.scale),
        last: (last.x * page.scale, last.y * page.scale))
    }
  }

  /// Returns whether the strokes are in the order of writing, as far as can be told. O(strokes · lines).
  ///
  /// - Parameter isTimed: True if the strokes have times that confirm their order.
  package func isOfWriting(isTimed: Bool) -> Bool {
    guard strokes.count >= Self.leastStrokes else { return true }
    let given = mean(Array(strokes.indices))
    let limit =
      max(Self.longer.least, Self.longer.spread / Double(strokes.count).squareRoot())
      * (isTimed ? Self.withTimes : 1)
    guard given > Self.short + limit else { return true }
    return given - mean(byPlaces) <= limit
  }

  /// The numbers of the strokes, ordered by their places.
  private var byPlaces: [Int] {
    let lines = LineFinder(strokes, isOrdered: false).lines()
    let numbers = Dictionary(uniqueKeysWithValues: strokes.enumerated().map { ($1.item, $0) })
    return BlockOrder(lines, height: height).blocks().flatMap { block in
      block.flatMap { PlaceOrder($0.members).items() }.compactMap { numbers[$0] }
    }
  }

  /// The mean way between the strokes of an order, 0 ... 1: a way of w heights counts w / (1 + w).
  private func mean(_ order: [Int]) -> Double {
    var sum = 0.0
    for (one, next) in zip(order, order.dropFirst()) {
      let dx = ends[next].first.x - ends[one].last.x
      let dy = ends[next].first.y - ends[one].last.y
      // From middle to middle, so that a stroke that was drawn backward costs little.
      let ahead = strokes[next].box.midX - strokes[one].box.midX
      let isBack = ahead < -0.5 * height && abs(dy) < height
      let way = (dx * dx + dy * dy).squareRoot() / height * (isBack ? Self.backward : 1)
      sum += way / (1 + way)
    }
    return order.count > 1 ? sum / Double(order.count - 1) : 0
  }
}
