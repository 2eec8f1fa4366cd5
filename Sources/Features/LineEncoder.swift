import InkCore

/// Encodes normalised lines, with memory of its own. Not thread-safe: one for each worker.
///
/// Each step has: cosine and sine of the direction from the point before; y in line heights; 1 at
/// the first point of a stroke; 1 at its last; the pen's jump to it from the stroke before, x and y
/// (0 within a stroke); how far the point lies left of the rightmost point so far; the sine of the
/// turn; then, where a writing area is known, 1, the logarithm of the line height over the area's,
/// the place of the line's middle in it, and that of the point; then the surroundings.
public struct LineEncoder: Sendable {
  /// What it applies.
  public let pipeline: LinePipeline
  /// The steps of the last line, [T, C]. Every number is finite.
  public private(set) var values: [Float] = []
  /// For each step the index of the ink's point that it lies on or after.
  public private(set) var sources: [Int32] = []
  private var resampled = Trajectory()
  private var surroundings = Surroundings()

  /// Makes an encoder.
  public init(_ pipeline: LinePipeline) {
    self.pipeline = pipeline
  }

  /// T of the last line.
  public var steps: Int { sources.count }

  /// Encodes a line. O(points + steps); allocates nothing once its memory has grown.
  ///
  /// - Parameter spacing: A factor on the spacing of the pipeline, for augmentation.
  public mutating func encode(_ line: NormalizedLine, spacing factor: Float = 1) {
    resample(line, spacing: pipeline.spacing * factor)
    if pipeline.surroundings { surroundings.load(resampled) }
    // Taken out while they are written, so that the methods may read the rest of the encoder.
    var numbers: [Float] = []
    swap(&numbers, &values)
    numbers.removeAll(keepingCapacity: true)
    numbers.append(contentsOf: repeatElement(0, count: steps * pipeline.channels))
    numbers.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      encodePath(into: base)
      encodeArea(line.area, into: base)
      if pipeline.surroundings { encodeSurroundings(into: base) }
    }
    swap(&numbers, &values)
  }

  /// Points every `spacing` along each stroke, its first and last included.
  private mutating func resample(_ line: NormalizedLine, spacing: Float) {
    let ink = line.trajectory
    resampled.removeAll()
    sources.removeAll(keepingCapacity: true)
    let room = Float(max(1, pipeline.maximumSteps - 2 * ink.strokeEnds.count))
    let step = max(spacing, ink.pathLength / room)
    for stroke in ink.strokeEnds.indices where sources.count + 2 < pipeline.maximumSteps {
      let range = ink.stroke(stroke)
      append(ink.x[range.lowerBound], ink.y[range.lowerBound], line.sources[range.lowerBound])
      // Distance from the last point placed to the start of the segment.
      var walked: Float = 0
      for point in range.dropFirst() {
        let length = ink.distance(point - 1, point)
        var position = step - walked
        while position <= length, sources.count + 1 < pipeline.maximumSteps {
          let part = position / length
          append(
            ink.x[point - 1] + part * (ink.x[point] - ink.x[point - 1]),
            ink.y[point - 1] + part * (ink.y[point] - ink.y[point - 1]), line.sources[point - 1])
          position += step
        }
        walked = length - (position - step)
      }
      if range.count > 1, walked > 0.3 * step || resampled.count == (resampled.strokeEnds.last ?? 0)
      {
        let last = range.upperBound - 1
        append(ink.x[last], ink.y[last], line.sources[last])
      }
      resampled.endStroke()
    }
  }

  private mutating func append(_ x: Float, _ y: Float, _ source: Int32) {
    resampled.append(x: x, y: y, time: .nan)
    sources.append(source)
  }

  private func encodePath(into target: UnsafeMutablePointer<Float>) {
    var rightmost = -Float.infinity
    var before: (x: Float, y: Float)?
    for stroke in resampled.strokeEnds.indices {
      let range = resampled.stroke(stroke)
      var direction: (cosine: Float, sine: Float)?
      for point in range {
        let (x, y) = (resampled.x[point], resampled.y[point])
        let row = target + point * pipeline.channels
        rightmost = max(rightmost, x)
        if point == range.lowerBound {
          row[3] = 1
          if let before {
            row[5] = min(3, max(-3, x - before.x))
            row[6] = min(3, max(-3, y - before.y))
          }
        } else if let before {
          let length = max(resampled.distance(point - 1, point), 1e-9)
          let here = (cosine: (x - before.x) / length, sine: (y - before.y) / length)
          row[0] = here.cosine
          row[1] = here.sine
          if let direction {
            row[8] = here.sine * direction.cosine - here.cosine * direction.sine
          }
          direction = here
        }
        row[2] = min(3, max(-3, 2 * y))
        row[4] = point + 1 == range.upperBound ? 1 : 0
        row[7] = min(4, rightmost - x)
        before = (x, y)
      }
    }
  }

  private func encodeSurroundings(into target: UnsafeMutablePointer<Float>) {
    for step in 0..<sources.count {
      surroundings.encode(
        x: resampled.x[step], y: resampled.y[step],
        into: target + step * pipeline.channels + LinePipeline.pathChannels)
    }
  }

  private func encodeArea(_ area: LocalArea?, into target: UnsafeMutablePointer<Float>) {
    guard let area else { return }
    // Beyond these bounds the area says nothing about the writing.
    let size = min(2, max(-2, -boundedLog2(area.height, -4...4) / 2))
    let place = min(2, max(-2, (0 - area.top) / area.height - 0.5))
    for point in 0..<sources.count {
      let row = target + point * pipeline.channels
      row[9] = 1
      row[10] = size
      row[11] = 2 * place
      row[12] = min(2, max(-2, 2 * ((resampled.y[point] - area.top) / area.height - 0.5)))
    }
  }
}
