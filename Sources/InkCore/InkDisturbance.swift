import Foundation

/// A change by which other people, pens or programs turn the same writing into different ink. A
/// recogniser should tolerate it. Deterministic by seed.
package enum InkDisturbance: String, CaseIterable, Hashable, Codable, Sendable {
  /// Every other point, as from a device with half the rate.
  case halfRate
  /// Every fourth point.
  case quarterRate
  /// A tenth of the points, lost at random.
  case lostPoints
  /// No times, forces or angles.
  case positionsAlone
  /// Positions on a grid of 24 steps per height of the writing, as for small writing on a coarse
  /// screen.
  case coarse
  /// Noise of 1.5 % of the height of the writing on every point.
  case tremor
  /// A quarter of the points, on the coarse grid, without times: the data of a mouse in a browser.
  case mouse
  /// A hundredth of the points moved by the height of the writing.
  case spikes
  /// Strokes longer than the height of the writing are cut in two, as if the pen had lost contact.
  case interrupted
  /// Every stroke drawn from its end to its start.
  case backward
  /// One stroke in ten drawn from its end to its start.
  case someBackward
  /// The last stroke first.
  case otherOrder
  /// The smallest strokes after all others: dots and bars that are written at the end of the line.
  case lateDots
  /// The strokes in any order and without times, as drawing programs and merged layers store them.
  case anyOrder
  /// Every stroke twice, as layers and synchronisation store them.
  case twice
  /// Slanted by 20 degrees to the right.
  case leaningRight
  /// Slanted by 20 degrees to the left.
  case leaningLeft
  /// Turned 6 degrees, so that it climbs.
  case uphill
  /// Turned 6 degrees, so that it falls.
  case downhill
  /// Turned 20 degrees, as by a tablet that lies askew.
  case turned
  /// Turned 90 degrees.
  case quarterTurn
  /// 0.7 times as wide.
  case narrow
  /// 1.4 times as wide.
  case wide
  /// A thousandth of the size, in an area of that size.
  case tiny

  /// The kind of ink that is disturbed.
  package enum Subject: Hashable, Sendable {
    /// Single characters, shapes and the like.
    case glyphs
    /// Lines of writing.
    case lines
  }

  /// The disturbances that do not change the meaning of such ink: moving the last stroke of a line
  /// to the front would change its text.
  package static func all(of subject: Subject) -> [InkDisturbance] {
    switch subject {
    case .lines: allCases.filter { $0 != .otherOrder }
    // A turned character is another one.
    case .glyphs: allCases.filter { ![.lateDots, .turned, .quarterTurn].contains($0) }
    }
  }

  /// A short description.
  package var title: String {
    switch self {
    case .halfRate: "half of the points"
    case .quarterRate: "a quarter of the points"
    case .lostPoints: "a tenth of the points lost"
    case .positionsAlone: "no times, no forces"
    case .coarse: "a coarse grid"
    case .tremor: "a tremor"
    case .mouse: "a mouse"
    case .spikes: "points far off"
    case .interrupted: "strokes interrupted"
    case .backward: "strokes drawn backward"
    case .someBackward: "some strokes backward"
    case .otherOrder: "the last stroke first"
    case .lateDots: "dots and bars last"
    case .anyOrder: "strokes in any order"
    case .twice: "every stroke twice"
    case .leaningRight: "leaning to the right"
    case .leaningLeft: "leaning to the left"
    case .uphill: "uphill"
    case .downhill: "downhill"
    case .turned: "turned by 20 degrees"
    case .quarterTurn: "turned by 90 degrees"
    case .narrow: "narrow"
    case .wide: "wide"
    case .tiny: "tiny"
    }
  }

  /// The disturbed ink, with its label, writer and area, and the kinds of its strokes. O(points).
  ///
  /// - Parameters:
  ///   - labeled: An ink with finite coordinates.
  ///   - generator: The source of random numbers.
  package func apply(
    to labeled: LabeledInk, using generator: inout SeededGenerator
  ) -> LabeledInk {
    guard let box = labeled.ink.boundingBox else { return labeled }
    var result = labeled
    let height = Self.height(of: labeled.ink)
    let (x, y) = ((box.minX + box.maxX) / 2, (box.minY + box.maxY) / 2)
    func map(_ a: Double, _ b: Double, _ c: Double, _ d: Double) {
      result.ink.mapPoints {
        let (dx, dy) = ($0.x - x, $0.y - y)
        ($0.x, $0.y) = (x + a * dx + b * dy, y + c * dx + d * dy)
      }
    }
    switch self {
    case .halfRate: result.ink.keepPoints { $0.isMultiple(of: 2) }
    case .quarterRate: result.ink.keepPoints { $0.isMultiple(of: 4) }
    case .lostPoints: result.ink.keepPoints { _ in generator.uniform() >= 0.1 }
    case .positionsAlone: result.ink.mapPoints { $0 = StrokePoint(x: $0.x, y: $0.y) }
    case .coarse: result.ink.round(to: height / 24)
    case .tremor:
      result.ink.mapPoints {
        $0.x += 0.015 * height * Double(generator.normal())
        $0.y += 0.015 * height * Double(generator.normal())
      }
    case .mouse:
      result.ink.keepPoints { $0.isMultiple(of: 4) }
      result.ink.round(to: height / 24)
      result.ink.mapPoints { $0 = StrokePoint(x: $0.x, y: $0.y) }
    case .spikes:
      result.ink.mapPoints {
        guard generator.uniform() < 0.01 else { return }
        let angle = 2 * Double.pi * Double(generator.uniform())
        $0.x += height * cos(angle)
        $0.y += height * sin(angle)
      }
    case .interrupted: result.interruptStrokes(longerThan: height)
    case .backward:
      for index in result.ink.strokes.indices { result.ink.strokes[index].reverse() }
    case .someBackward:
      for index in result.ink.strokes.indices where generator.uniform() < 0.1 {
        result.ink.strokes[index].reverse()
      }
    case .otherOrder: result.takeStrokes(result.ink.strokes.indices.reversed())
    case .lateDots: result.moveSmallStrokesToEnd(smallerThan: height / 3)
    case .anyOrder:
      result.ink.mapPoints { $0.t = nil }
      result.takeStrokes(result.ink.strokes.indices.shuffled(using: &generator))
    case .twice: result.takeStrokes(Array(result.ink.strokes.indices) + result.ink.strokes.indices)
    case .leaningRight: map(1, -tan(Double.pi / 9), 0, 1)
    case .leaningLeft: map(1, tan(Double.pi / 9), 0, 1)
    case .uphill: map(cos(Self.slope), sin(Self.slope), -sin(Self.slope), cos(Self.slope))
    case .downhill: map(cos(Self.slope), -sin(Self.slope), sin(Self.slope), cos(Self.slope))
    case .turned: map(cos(Self.askew), -sin(Self.askew), sin(Self.askew), cos(Self.askew))
    case .quarterTurn: map(0, -1, 1, 0)
    case .narrow: map(0.7, 0, 0, 1)
    case .wide: map(1.4, 0, 0, 1)
    case .tiny:
      result.ink.mapPoints { ($0.x, $0.y) = ($0.x / 1000, $0.y / 1000) }
      result.writingArea = labeled.writingArea.flatMap {
        try? WritingArea(
          x: $0.x / 1000, y: $0.y / 1000, width: $0.width / 1000, height: $0.height / 1000)
      }
    }
    return result
  }

  /// The slope of uphill and downhill writing, in radians.
  private static let slope = Double.pi / 30

  /// The angle of ink that is turned a little, in radians.
  private static let askew = Double.pi / 9

  /// The height of the writing: the upper quartile of the heights of its strokes, or of their
  /// widths if all are flat.
  private static func height(of ink: Ink) -> Double {
    let boxes = ink.strokes.compactMap { Ink(strokes: [$0]).boundingBox }
    func quartile(_ values: [Double]) -> Double {
      values.isEmpty ? 0 : values.sorted()[3 * (values.count - 1) / 4]
    }
    let height = quartile(boxes.map(\.height))
    return height > 0 ? height : quartile(boxes.map(\.width))
  }
}

extension Stroke {
  /// Reverses the stroke's points and keeps the sequence of times.
  fileprivate mutating func reverse() {
    let times = points.map(\.t)
    points.reverse()
    for (index, time) in times.enumerated() { points[index].t = time }
  }
}

extension Ink {
  fileprivate mutating func mapPoints(_ change: (inout StrokePoint) -> Void) {
    for stroke in strokes.indices {
      for point in strokes[stroke].points.indices { change(&strokes[stroke].points[point]) }
    }
  }

  /// Keeps the points for which the rule returns true for their index in the stroke, and the last
  /// point.
  fileprivate mutating func keepPoints(_ isKept: (Int) -> Bool) {
    for stroke in strokes.indices {
      let points = strokes[stroke].points
      strokes[stroke].points = points.indices.filter { isKept($0) || $0 == points.count - 1 }
        .map { points[$0] }
    }
  }

  fileprivate mutating func round(to step: Double) {
    guard step > 0 else { return }
    mapPoints { ($0.x, $0.y) = (step * ($0.x / step).rounded(), step * ($0.y / step).rounded()) }
  }
}

extension LabeledInk {
  /// Splits long strokes at the middle of their points.
  fileprivate mutating func interruptStrokes(longerThan length: Double) {
    let whole = self
    takeStrokes(
      whole.ink.strokes.indices.flatMap { index in
        whole.ink.strokes[index].isLong(length) ? [index, index] : [index]
      })
    var next = 0
    for stroke in whole.ink.strokes {
      guard stroke.isLong(length) else {
        next += 1
        continue
      }
      let middle = stroke.points.count / 2
      ink.strokes[next].points = Array(stroke.points[..<middle])
      ink.strokes[next + 1].points = Array(stroke.points[(middle + 1)...])
      next += 2
    }
  }

  fileprivate mutating func moveSmallStrokesToEnd(smallerThan size: Double) {
    let isSmall = ink.strokes.map { stroke in
      Ink(strokes: [stroke]).boundingBox.map { max($0.width, $0.height) < size } ?? false
    }
    takeStrokes(isSmall.indices.filter { !isSmall[$0] } + isSmall.indices.filter { isSmall[$0] })
  }
}

extension Stroke {
  /// Returns whether it is longer than a length and has enough points for two strokes.
  fileprivate func isLong(_ length: Double) -> Bool {
    guard points.count >= 8, let box = Ink(strokes: [self]).boundingBox else { return false }
    return max(box.width, box.height) > length
  }
}
