import Features
import InkCore

/// Random changes to a normalised line that keep its text valid. Saved with the training state.
public struct LineAugmentation: Hashable, Codable, Sendable {
  /// Standard deviation of the shear, dx per dy.
  package var shear: Float = 0.25
  /// Standard deviation of the rotation, radians.
  package var rotation: Float = 0.03
  /// Standard deviation of the scale of both axes, which imitates a misjudged line height.
  package var scale: Float = 0.12
  /// Standard deviation of the scale of x alone.
  package var stretch: Float = 0.12
  /// Root mean square displacement of letters by waves along the line, in line heights.
  package var elastic: Float = 0.06
  /// Standard deviation of each stroke's displacement, in line heights.
  package var strokeShift: Float = 0.02
  /// Standard deviation of each point's displacement, in line heights.
  package var tremor: Float = 0.008
  /// Probability that a stroke that is much smaller than a letter is left out.
  package var smallStrokeDrop: Float = 0.01
  /// Probability that a stroke is drawn backwards.
  package var reversal: Float = 0.01
  /// Probability that a stroke is cut in two, as if the pen had lost contact.
  package var interruption: Float = 0.08
  /// Probability that a line has few points: one for each tenth to four tenths of a line height.
  @LaterSetting package var sparse: Float = 0
  /// Probability that the points of a line are rounded to a grid of 16 to 48 steps per line height.
  @LaterSetting package var coarse: Float = 0
  /// Standard deviation of the spacing of the points.
  package var spacing: Float = 0.1
  /// Standard deviation of the line's vertical position, in line heights.
  package var shift: Float = 0.08
  /// Steps of all masks divided by the steps of the line, on average
  /// (``forEachMask(steps:stepLength:using:_:)``). Somewhat fewer steps are masked, because masks
  /// may overlap and end with the line.
  package var maskedShare: Float = 0.08
  /// The longest run of masked steps, in line heights along the ink.
  package var maskLength: Float = 2
  /// Standard deviation of the scale of the writing area's height.
  package var areaScale: Float = 0.15
  /// Standard deviation of the writing area's vertical place, as a share of its height.
  package var areaShift: Float = 0.05
  /// Probability that the writing area is two to three lines high.
  package var areaTall: Float = 0.1
  /// Probability that the writing area is withheld.
  package var areaDrop: Float = 0.5

  /// Makes the default augmentation.
  public init() {}

  /// All of the settings above.
  package var values: [Float] {
    [
      shear, rotation, scale, stretch, elastic, strokeShift, tremor, smallStrokeDrop, reversal,
      interruption, sparse, coarse, spacing, shift, maskedShare, maskLength, areaScale, areaShift,
      areaTall, areaDrop,
    ]
  }

  /// Changes a line in place and returns the factor on the spacing of its points. O(points).
  package func apply(
    to line: inout NormalizedLine, using generator: inout SeededGenerator
  ) -> Float {
    line.trajectory.interruptStrokes(probability: interruption, using: &generator)
    disturbStrokes(&line, using: &generator)
    if elastic > 0 { bend(&line.trajectory, using: &generator) }
    transform(&line.trajectory, using: &generator)
    coarsen(&line, using: &generator)
    disturb(&line.area, using: &generator)
    return max(0.5, 1 + spacing * generator.normal())
  }

  /// Draws the runs of steps whose features are withheld, so that the network learns to read them
  /// from their surroundings: time masking (Park et al. 2019, SpecAugment). Runs may overlap.
  ///
  /// - Parameters:
  ///   - steps: The number of steps of the line.
  ///   - stepLength: The distance between steps, in line heights.
  ///   - generator: The source of random numbers.
  ///   - body: Called with each run.
  public func forEachMask(
    steps: Int, stepLength: Float, using generator: inout SeededGenerator,
    _ body: (Range<Int>) -> Void
  ) {
    // Steps of a single point have no length.
    guard maskedShare > 0, steps > 0, stepLength > 0 else { return }
    let longest = max(1, Int(min(maskLength / stepLength, 1e6).rounded()))
    let expected = 2 * maskedShare * Float(steps) / Float(longest + 1)
    for _ in 0..<Int(expected + generator.uniform()) {
      let first = generator.index(below: steps)
      body(first..<min(steps, first + 1 + generator.index(below: longest)))
    }
  }

  private func disturbStrokes(
    _ line: inout NormalizedLine, using generator: inout SeededGenerator
  ) {
    for stroke in line.trajectory.strokeEnds.indices {
      let range = line.trajectory.stroke(stroke)
      let (dx, dy) = (strokeShift * generator.normal(), strokeShift * generator.normal())
      for point in range {
        // The sum of two uniform numbers is close enough to normal for a tremor.
        let (jx, jy) = (
          generator.uniform() + generator.uniform() - 1,
          generator.uniform() + generator.uniform() - 1
        )
        line.trajectory.x[point] += dx + 2.4 * tremor * jx
        line.trajectory.y[point] += dy + 2.4 * tremor * jy
      }
      if generator.uniform() < reversal {
        line.reverse(stroke: stroke)
      }
    }
    dropSmallStrokes(&line, using: &generator)
  }

  /// Drops dots and other small strokes of lines of more than four strokes, but never the last
  /// stroke that is left.
  private func dropSmallStrokes(
    _ line: inout NormalizedLine, using generator: inout SeededGenerator
  ) {
    guard smallStrokeDrop > 0, line.trajectory.strokeEnds.count > 4 else { return }
    for stroke in line.trajectory.strokeEnds.indices.reversed()
    where generator.uniform() < smallStrokeDrop {
      let range = line.trajectory.stroke(stroke)
      let xs = line.trajectory.x[range]
      let ys = line.trajectory.y[range]
      guard let left = xs.min(), let right = xs.max(), let top = ys.min(), let bottom = ys.max(),
        max(right - left, bottom - top) < 0.2, line.trajectory.strokeEnds.count > 1
      else { continue }
      line.removeStroke(stroke)
    }
  }

  /// Bends a line by two waves for each coordinate, one to three line heights long.
  private func bend(_ trajectory: inout Trajectory, using generator: inout SeededGenerator) {
    let amplitude = elastic * 1.4 * generator.uniform()
    for _ in 0..<2 {
      let frequency = 2 * Float.pi / generator.uniform(1...3.5)
      let (phaseX, phaseY) = (generator.uniform(0...6.283), generator.uniform(0...6.283))
      let (ax, ay) = (amplitude * generator.normal(), amplitude * generator.normal())
      for point in trajectory.x.indices {
        let angle = frequency * trajectory.x[point]
        trajectory.x[point] += ax * sine(angle + phaseX)
        trajectory.y[point] += ay * sine(angle + phaseY)
      }
    }
  }

  private func transform(_ trajectory: inout Trajectory, using generator: inout SeededGenerator) {
    let slant = shear * generator.normal()
    let angle = rotation * generator.normal()
    let both = max(0.5, 1 + scale * generator.normal())
    let wide = both * max(0.5, 1 + stretch * generator.normal())
    trajectory.apply(
      a: wide, b: wide * slant, c: both * angle / max(1, (trajectory.x.last ?? 0) / 8), d: both)
    let offset = shift * generator.normal()
    for point in trajectory.y.indices { trajectory.y[point] += offset }
  }

  /// Leaves the points that a slow or coarse device would give.
  private func coarsen(_ line: inout NormalizedLine, using generator: inout SeededGenerator) {
    let isSparse = sparse > 0 && generator.uniform() < sparse
    let isCoarse = coarse > 0 && generator.uniform() < coarse
    guard isSparse || isCoarse else { return }
    line.coarsen(
      gap: isSparse ? generator.uniform(0.1...0.4) : 0,
      step: isCoarse ? 1 / generator.uniform(16...48) : 0)
  }

  private func disturb(_ area: inout LocalArea?, using generator: inout SeededGenerator) {
    let isDropped = generator.uniform() < areaDrop
    guard let known = area, !isDropped else {
      area = nil
      return
    }
    var height = known.height * max(0.3, 1 + areaScale * generator.normal())
    var center = known.top + known.height / 2 + areaShift * known.height * generator.normal()
    if generator.uniform() < areaTall {
      let tall = height * generator.uniform(2...3)
      center += (tall - height) * generator.uniform(-0.5...0.5)
      height = tall
    }
    area = LocalArea(top: center - height / 2, height: height)
  }
}
