import InkCore

/// Converts a line of ink to a sequence of numbers. It is saved inside the model.
///
/// The ink is rotated to be level, scaled so that one unit is the line height, and resampled along
/// its strokes. Each point becomes one step, or each of the cubic Bézier curves that are fitted to
/// the points (Carbune et al. 2020).
public struct LinePipeline: Hashable, Codable, Sendable {
  private enum CodingKeys: String, CodingKey {
    case spacing, curveError, maximumSteps, direction, placesMarks
  }

  /// Distance between points, in line heights.
  package var spacing: Float
  /// The largest distance of a point from its curve, in line heights; nil if steps are points.
  package var curveError: Double?
  /// The most points. A longer ink gets a wider spacing. If it has more than half as many strokes,
  /// the last strokes are not read. If steps are curves, each pen lift may add a step.
  package var maximumSteps: Int
  /// The direction of writing. Ink is turned into its reading frame before anything else.
  package var direction = WritingDirection.leftToRight
  /// True if dots, accents and bars that are written late are read at their letters, even within a
  /// stroke. Steps must be points.
  package var placesMarks = false

  /// Makes a pipeline.
  @usableFromInline package init(spacing: Float = 0.1, maximumSteps: Int = 8192) {
    self.spacing = spacing
    self.maximumSteps = maximumSteps
  }

  /// C: the number of channels.
  @usableFromInline package var channels: Int { curveError == nil ? 13 : 20 }
}

extension LinePipeline {
  /// Decodes a pipeline; throws if it cannot be applied.
  ///
  /// - Throws: `DecodingError`, or ``FeatureError`` naming the member.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      spacing: try container.decode(Float.self, forKey: .spacing),
      maximumSteps: try container.decode(Int.self, forKey: .maximumSteps))
    curveError = try container.decodeIfPresent(Double.self, forKey: .curveError)
    direction =
      try container.decodeIfPresent(WritingDirection.self, forKey: .direction) ?? .leftToRight
    placesMarks = try container.decodeIfPresent(Bool.self, forKey: .placesMarks) ?? false
    try check()
  }

  /// Encodes the pipeline. The direction from left to right is left out.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(spacing, forKey: .spacing)
    try container.encodeIfPresent(curveError, forKey: .curveError)
    try container.encode(maximumSteps, forKey: .maximumSteps)
    if direction != .leftToRight { try container.encode(direction, forKey: .direction) }
    try container.encode(placesMarks, forKey: .placesMarks)
  }

  /// Checks that the pipeline can be applied.
  ///
  /// - Throws: ``FeatureError``.
  package func check() throws(FeatureError) {
    guard spacing.isFinite, (0.005...2).contains(spacing), (16...65536).contains(maximumSteps)
    else {
      throw FeatureError(
        what: "features", expected: "a spacing of 0.005 to 2 and 16 to 65536 steps",
        found: "\(spacing) and \(maximumSteps)")
    }
    if let curveError, !(0.001...1).contains(curveError) {
      throw FeatureError(
        what: "features", expected: "a curve error of 0.001 to 1", found: "\(curveError)")
    }
    guard curveError == nil || !placesMarks else {
      throw FeatureError(
        what: "features", expected: "points as steps if marks are placed", found: "curves")
    }
  }
}

/// Encodes normalised lines and reuses its memory. Not thread-safe: use one per thread.
///
/// The channels of each step:
///
/// - the cosine and sine of the direction from the previous point;
/// - y in line heights;
/// - 1 at the first point of a stroke, and 1 at its last;
/// - x and y of the pen's jump from the previous stroke (0 within a stroke);
/// - the distance to the left of the rightmost point so far;
/// - the sine of the turn;
/// - if a writing area is known: 1, the logarithm of the line height divided by the area's height,
///   the position of the line's middle in the area, and that of the point.
///
/// A late mark that is read within a stroke ends there and begins with a jump; so does the rest of
/// the stroke, without the 1 of a first point.
///
/// If steps are curves, each pen lift is also a step, so that two strokes that read as the same
/// letter have a step between them. Curves differ from points as follows:
///
/// - the first two channels are the vector from the curve's start to its end, times 2;
/// - the turn is the angle between the vectors of two curves;
/// - the point is the curve's start;
/// - after the area follow y of the curve's end, the distances of the inner control points from
///   their ends divided by the vector's length (at most 3), and the cosine and sine of the angles
///   between these arms and the vector; all are 0 for a lift.
package struct LineEncoder: Sendable {
  /// The pipeline.
  package let pipeline: LinePipeline
  /// The steps of the last line, [T, C]. Every number is finite.
  package private(set) var values: [Float] = []
  /// The index of the ink's point at or before each step. A late mark that is read at its letter has
  /// the index of the letter's last point.
  package private(set) var sources: [Int32] = []
  private var resampled = Trajectory()
  private var marks = LateMarks()
  /// The resampled point of each step, if marks were moved.
  private var order: [Int] = []
  private var fitter = CurveFitter()
  /// The sources of the resampled points, while `sources` holds those of curves.
  private var pointSources: [Int32] = []
  /// The curves of the last line with their strokes; nil for the lifts between.
  private var curves: [(curve: FittedCurve, stroke: Int?)] = []

  /// Makes an encoder.
  package init(_ pipeline: LinePipeline) {
    self.pipeline = pipeline
  }

  /// The number of strokes at the end of the last line that exceeded ``LinePipeline/maximumSteps``.
  package private(set) var unreadStrokes = 0

  /// T of the last line.
  package var steps: Int { sources.count }

  /// Encodes a line. O(points + steps); allocates nothing once its memory has grown.
  ///
  /// - Parameter spacing: A factor on the spacing of the pipeline, for augmentation.
  package mutating func encode(_ line: NormalizedLine, spacing factor: Float = 1) {
    resample(line, spacing: pipeline.spacing * factor)
    if let bound = pipeline.curveError { fitCurves(within: bound) } else { arrangePoints() }
    // Moved out while they are written, so that the methods may read the rest of the encoder.
    var numbers: [Float] = []
    swap(&numbers, &values)
    numbers.removeAll(keepingCapacity: true)
    numbers.append(contentsOf: repeatElement(0, count: steps * pipeline.channels))
    numbers.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      if pipeline.curveError == nil { encodePath(into: base) } else { encodeCurves(into: base) }
      encodeArea(line.area, into: base)
    }
    swap(&numbers, &values)
  }

  /// Sets all channels of some steps to 0.
  package mutating func mask(_ steps: Range<Int>) {
    for index in steps.lowerBound * pipeline.channels..<steps.upperBound * pipeline.channels {
      values[index] = 0
    }
  }

  private static let widestSpacing: Float = 2

  /// Places points every `spacing` along each stroke, starting with its first point. The last point
  /// is included if it is more than 0.3 of a spacing from the previous one.
  private mutating func resample(_ line: NormalizedLine, spacing: Float) {
    let ink = line.trajectory
    resampled.removeAll()
    sources.removeAll(keepingCapacity: true)
    let room = Float(max(1, pipeline.maximumSteps - 2 * ink.strokeEnds.count))
    // Letters keep their shapes up to twice the spacing. Strokes that do not fit even then count as
    // unread.
    let step = min(max(spacing, ink.pathLength / room), Self.widestSpacing * spacing)
    for stroke in ink.strokeEnds.indices where sources.count + 2 < pipeline.maximumSteps {
      let range = ink.stroke(stroke)
      append(ink.x[range.lowerBound], ink.y[range.lowerBound], line.sources[range.lowerBound])
      // Distance from the last point placed to the start of the segment.
      var walked: Float = 0
      for point in range.dropFirst() {
        let length = ink.distance(point - 1, point)
        var position = step - walked
        while position <= length, sources.count + 1 < pipeline.maximumSteps {
          // By rounding, a point can be due where two samples are in one place.
          let part = length > 0 ? position / length : 0
          append(
            ink.x[point - 1] + part * (ink.x[point] - ink.x[point - 1]),
            ink.y[point - 1] + part * (ink.y[point] - ink.y[point - 1]), line.sources[point - 1])
          position += step
        }
        walked = length - (position - step)
      }
      if range.count > 1, walked > 0.3 * step {
        let last = range.upperBound - 1
        append(ink.x[last], ink.y[last], line.sources[last])
      }
      resampled.endStroke()
    }
    unreadStrokes = ink.strokeEnds.count - resampled.strokeEnds.count
  }

  private mutating func append(_ x: Float, _ y: Float, _ source: Int32) {
    resampled.append(x: x, y: y, time: .nan)
    sources.append(source)
  }

  /// Sets the reading order of the points.
  private mutating func arrangePoints() {
    if pipeline.placesMarks {
      marks.arrange(resampled)
    } else {
      marks.keepOrder(of: resampled)
    }
    order.removeAll(keepingCapacity: true)
    guard marks.hasMoved else { return }
    pointSources.removeAll(keepingCapacity: true)
    swap(&pointSources, &sources)
    var source = pointSources.first ?? 0
    for run in marks.runs {
      for point in run.points {
        if !run.isMark { source = pointSources[point] }
        sources.append(source)
        order.append(point)
      }
    }
  }

  private func encodePath(into target: UnsafeMutablePointer<Float>) {
    var rightmost = -Float.infinity
    var before: (x: Float, y: Float)?
    var row = target
    for run in marks.runs {
      let stroke = resampled.stroke(run.stroke)
      // After a mark within a stroke, the turn goes on from the points before it.
      let begin = run.points.lowerBound
      var direction = begin > stroke.lowerBound + 1 ? heading(begin - 2, begin - 1) : nil
      for point in run.points {
        let (x, y) = (resampled.x[point], resampled.y[point])
        rightmost = max(rightmost, x)
        if point == begin, let before {
          row[5] = bounded(x - before.x)
          row[6] = bounded(y - before.y)
        }
        if point == stroke.lowerBound {
          row[3] = 1
        } else {
          let here = heading(point - 1, point)
          row[0] = here.cosine
          row[1] = here.sine
          if let direction {
            row[8] = here.sine * direction.cosine - here.cosine * direction.sine
          }
          direction = here
        }
        row[2] = bounded(2 * y)
        row[4] = point + 1 == stroke.upperBound ? 1 : 0
        row[7] = min(4, rightmost - x)
        before = (x, y)
        row += pipeline.channels
      }
    }
  }

  /// The direction from one resampled point to another.
  private func heading(_ first: Int, _ second: Int) -> (cosine: Float, sine: Float) {
    let length = max(resampled.distance(first, second), 1e-9)
    return (
      (resampled.x[second] - resampled.x[first]) / length,
      (resampled.y[second] - resampled.y[first]) / length
    )
  }

  /// Clamps a number to -3 ... 3.
  private func bounded(_ x: Float) -> Float { min(3, max(-3, x)) }

  /// Fits curves to the resampled strokes. Each curve becomes a step.
  private mutating func fitCurves(within bound: Double) {
    fitter.reset(count: resampled.count)
    curves.removeAll(keepingCapacity: true)
    for stroke in resampled.strokeEnds.indices {
      let before = fitter.curves.count
      fitter.fit(resampled, resampled.stroke(stroke), maximumError: bound)
      for curve in fitter.curves[before...] { curves.append((curve, stroke)) }
      let next = resampled.stroke(stroke).upperBound
      if next < resampled.count { curves.append((fitter.line(resampled, next - 1, next), nil)) }
    }
    pointSources.removeAll(keepingCapacity: true)
    swap(&pointSources, &sources)
    for one in curves { sources.append(pointSources[one.curve.first]) }
    pointSources.removeAll(keepingCapacity: true)
  }

  /// The resampled point of a step.
  private func pointIndex(of step: Int) -> Int {
    if pipeline.curveError != nil { return curves[step].curve.first }
    return marks.hasMoved ? order[step] : step
  }

  private func encodeCurves(into target: UnsafeMutablePointer<Float>) {
    var rightmost = -Float.infinity
    var end: (x: Float, y: Float)?
    var direction: (cosine: Float, sine: Float)?
    for (step, one) in curves.enumerated() {
      let curve = one.curve
      let row = target + step * pipeline.channels
      let (x, y) = (resampled.x[curve.first], resampled.y[curve.first])
      let (x3, y3) = (resampled.x[curve.last], resampled.y[curve.last])
      if let stroke = one.stroke, curve.first == resampled.stroke(stroke).lowerBound {
        row[3] = 1
        direction = nil
        if let end {
          row[5] = bounded(x - end.x)
          row[6] = bounded(y - end.y)
        }
      }
      let (dx, dy) = (x3 - x, y3 - y)
      let length = max((dx * dx + dy * dy).squareRoot(), 1e-3)
      rightmost = max(rightmost, x, x3)
      row[0] = bounded(2 * dx)
      row[1] = bounded(2 * dy)
      row[2] = bounded(2 * y)
      row[7] = min(4, rightmost - x3)
      row[13] = bounded(2 * y3)
      end = (x3, y3)
      guard let stroke = one.stroke else { continue }
      row[4] = curve.last + 1 == resampled.stroke(stroke).upperBound ? 1 : 0
      let here = (cosine: dx / length, sine: dy / length)
      if let direction { row[8] = here.sine * direction.cosine - here.cosine * direction.sine }
      direction = here
      curve.encodeArms(resampled, into: row + 14)
    }
  }

  private func encodeArea(_ area: LocalArea?, into target: UnsafeMutablePointer<Float>) {
    guard let area else { return }
    // Outside these bounds the area says nothing about the writing.
    let size = min(2, max(-2, -boundedLog2(area.height, -4...4) / 2))
    let place = min(2, max(-2, (0 - area.top) / area.height - 0.5))
    for point in 0..<sources.count {
      let row = target + point * pipeline.channels
      row[9] = 1
      row[10] = size
      row[11] = 2 * place
      let y = resampled.y[pointIndex(of: point)]
      row[12] = min(2, max(-2, 2 * ((y - area.top) / area.height - 0.5)))
    }
  }
}
