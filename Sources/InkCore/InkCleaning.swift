/// An ink without the samples that no pen drew, and the origins of its points.
public struct CleanedInk: Hashable, Sendable {
  /// The origin of the points of a stroke.
  package struct Origin: Hashable, Sendable {
    /// The stroke of the original ink.
    package var stroke: Int
    /// For each point its place in that stroke.
    package var points: [Int]
  }

  /// The samples and strokes that were changed.
  @usableFromInline package struct Report: Hashable, Sendable {
    /// Samples that repeat the one before them.
    package var duplicates = 0
    /// Samples that repeat an earlier one: an event handler gave a batch twice.
    package var repeats = 0
    /// Strokes whose samples were put in the order of their times.
    package var reorderedStrokes = 0
    /// Strokes whose times ran backward while the samples stood in the right order.
    package var repairedClocks = 0
    /// Samples of a pen above the surface: force 0 between samples with force.
    package var hovering = 0
    /// True if the coordinates were coarse and the strokes were smoothed.
    package var isSmoothed = false

    /// Makes a report of nothing.
    @usableFromInline package init() {}

    /// True where the ink is as it was.
    @usableFromInline package var isEmpty: Bool { self == Report() }
  }

  /// The ink.
  public var ink: Ink
  /// For each stroke of ``ink`` where it comes from: a stroke that the pen left is two.
  package var origins: [Origin]
  /// The samples and strokes that were changed.
  package var report: Report
}

extension Ink {
  /// The ink without duplicated samples, samples that run backward, and hovering.
  ///
  /// Within each stroke,
  ///
  /// - a sample equal to the one before it, in place and time, is dropped. So is, where times run
  ///   backward, one that stood in the stroke before: event handlers that report a batch twice.
  /// - samples whose times run backward are put in the order of their times where this makes the stroke
  ///   shorter, else they keep their order and get the times in ascending order: clocks jump.
  /// - samples with force 0 that others with force surround are hovering: they end the stroke, which
  ///   goes on as another one behind them. A single one may be a fault of the sensor and stays, unless
  ///   the pen jumps there. At the ends of a stroke as many as three are a pen that lands or lifts.
  ///
  /// Strokes of coarse coordinates, such as whole units where a letter is a few units tall, are
  /// smoothed if their samples are dense.
  ///
  /// No stroke is dropped. O(points log points).
  public func cleaned() -> CleanedInk {
    var result = CleanedInk(ink: Ink(), origins: [], report: CleanedInk.Report())
    result.ink.strokes.reserveCapacity(strokes.count)
    let smoothed = smoothedIfCoarse()
    result.report.isSmoothed = smoothed != nil
    for (index, stroke) in (smoothed ?? self).strokes.enumerated() {
      var samples = Samples(stroke)
      samples.dropDuplicates(&result.report)
      samples.repairTimes(&result.report)
      for piece in samples.pieces(&result.report) {
        result.ink.strokes.append(Stroke(points: piece.map(\.point)))
        result.origins.append(CleanedInk.Origin(stroke: index, points: piece.map(\.place)))
      }
    }
    return result
  }
}

/// The samples of one stroke while they are cleaned.
private struct Samples {
  /// A sample and its place in the stroke.
  struct Sample {
    var place: Int
    var point: StrokePoint
  }

  /// More hovering samples than these at an end of a stroke are dropped: sensors tell force one or two
  /// samples late.
  private static let mostAtEnd = 2
  /// A single sample without force ends a stroke where the pen moves so many times its usual step.
  private static let jump = 4.0
  /// An order of times is shorter only by this share of the length: clocks tick coarsely.
  private static let shorter = 0.98

  private var samples: [Sample]

  init(_ stroke: Stroke) {
    samples = stroke.points.enumerated().map { Sample(place: $0.offset, point: $0.element) }
  }

  private var runsBackward: Bool {
    zip(samples, samples.dropFirst()).contains { before, after in
      guard let first = before.point.t, let second = after.point.t else { return false }
      return second < first
    }
  }

  mutating func dropDuplicates(_ report: inout CleanedInk.Report) {
    if zip(samples, samples.dropFirst()).contains(where: { $0.point == $1.point }) {
      let count = samples.count
      var previous: StrokePoint?
      samples = samples.filter { sample in
        defer { previous = sample.point }
        return sample.point != previous
      }
      report.duplicates += count - samples.count
    }
    guard runsBackward else { return }
    let count = samples.count
    var seen: Set<StrokePoint> = []
    samples = samples.filter { seen.insert($0.point).inserted }
    report.repeats += count - samples.count
  }

  mutating func repairTimes(_ report: inout CleanedInk.Report) {
    guard runsBackward else { return }
    let times = samples.compactMap(\.point.t)
    guard times.count == samples.count else { return }
    // Times that hardly ever differ tell no order.
    guard 2 * Set(times).count >= times.count else {
      var latest = -Double.infinity
      for index in samples.indices {
        latest = max(latest, times[index])
        samples[index].point.t = latest
      }
      report.repairedClocks += 1
      return
    }
    let order = samples.indices.sorted { (times[$0], $0) < (times[$1], $1) }
    let sorted = order.map { samples[$0] }
    if Self.length(sorted) < Self.shorter * Self.length(samples) {
      samples = sorted
      report.reorderedStrokes += 1
    } else {
      for (index, from) in order.enumerated() { samples[index].point.t = times[from] }
      report.repairedClocks += 1
    }
  }

  private static func length(_ samples: [Sample]) -> Double {
    steps(samples).reduce(0, +)
  }

  private static func steps(_ samples: [Sample]) -> [Double] {
    zip(samples, samples.dropFirst()).map { distance($0.point, $1.point) }
  }

  private static func distance(_ first: StrokePoint, _ second: StrokePoint) -> Double {
    let (x, y) = (second.x - first.x, second.y - first.y)
    return (x * x + y * y).squareRoot()
  }

  /// The strokes that are left between hovering samples: at least one.
  func pieces(_ report: inout CleanedInk.Report) -> [[Sample]] {
    func hovers(_ sample: Sample) -> Bool { sample.point.force.map { $0 <= 0 } ?? false }
    guard samples.contains(where: hovers), samples.contains(where: { ($0.point.force ?? 0) > 0 })
    else { return [samples] }
    var pieces: [[Sample]] = [[]]
    var start = 0
    while start < samples.count {
      var end = start + 1
      while end < samples.count, hovers(samples[end]) == hovers(samples[start]) { end += 1 }
      let run = samples[start..<end]
      let isAtEnd = start == 0 || end == samples.count
      if !hovers(samples[start]) || !isHovering(start..<end, isAtEnd: isAtEnd) {
        pieces[pieces.count - 1] += run
      } else {
        report.hovering += run.count
        if !isAtEnd { pieces.append([]) }
      }
      start = end
    }
    return pieces.filter { !$0.isEmpty }
  }

  /// Tells whether samples without force are of a pen above the surface.
  private func isHovering(_ run: Range<Int>, isAtEnd: Bool) -> Bool {
    if isAtEnd { return run.count > Self.mostAtEnd }
    guard run.count == 1 else { return true }
    let steps = Self.steps(samples).sorted()
    let here = samples[run.lowerBound].point
    let way = max(
      Self.distance(samples[run.lowerBound - 1].point, here),
      Self.distance(here, samples[run.upperBound].point))
    return way > Self.jump * steps[steps.count / 2]
  }
}
