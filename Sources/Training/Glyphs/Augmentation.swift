import Features
import InkCore

/// Random changes to a training ink that keep its label valid. Saved with the training state.
public struct Augmentation: Hashable, Codable, Sendable {
  /// Standard deviation of the rotation, radians.
  package var rotation: Float = 0.10
  /// Standard deviation of the shear, dx per dy.
  package var shear: Float = 0.15
  /// Standard deviation of the horizontal and of the vertical scale around 1.
  package var scale: Float = 0.10
  /// Root mean square displacement of the elastic distortion, as a share of the ink's size.
  package var elastic: Float = 0.06
  /// Standard deviation of each stroke's displacement relative to the others.
  package var strokeShift: Float = 0.06
  /// Probability that a stroke is drawn backwards.
  package var reversal: Float = 0.02
  /// Probability that two neighbouring strokes are exchanged.
  package var exchange: Float = 0.03
  /// Probability that a stroke is cut in two, as if the pen had lost contact.
  package var interruption: Float = 0
  /// Probability that an ink has few points: one for each twentieth to quarter of its larger side.
  @LaterSetting package var sparse: Float = 0
  /// Probability that the points of an ink are rounded to a grid of 12 to 48 steps per larger side.
  @LaterSetting package var coarse: Float = 0
  /// Standard deviation of the scale of the writing area's height.
  package var areaScale: Float = 0.12
  /// Standard deviation of the writing area's vertical place, as a share of its height.
  package var areaShift: Float = 0.05
  /// Probability that the writing area is withheld.
  package var areaDrop: Float = 0.4
  /// Standard deviation of the scale of the times.
  package var speed: Float = 0.15
  /// Probability that all times are withheld.
  package var timeDrop: Float = 0.3

  /// Makes the default augmentation.
  public init() {}

  /// All of the settings above.
  package var values: [Float] {
    [
      rotation, shear, scale, elastic, strokeShift, reversal, exchange, interruption, sparse,
      coarse, areaScale, areaShift, areaDrop, speed, timeDrop,
    ]
  }

  /// No change at all.
  public static let none: Augmentation = {
    var result = Augmentation()
    result.rotation = 0
    result.shear = 0
    result.scale = 0
    result.elastic = 0
    result.strokeShift = 0
    result.reversal = 0
    result.exchange = 0
    result.interruption = 0
    result.sparse = 0
    result.coarse = 0
    result.areaScale = 0
    result.areaShift = 0
    result.areaDrop = 0
    result.speed = 0
    result.timeDrop = 0
    return result
  }()

  /// Changes one ink in place. O(points).
  package func apply(
    to trajectory: inout Trajectory, area: inout LocalArea?,
    using generator: inout SeededGenerator
  ) {
    distort(&trajectory, using: &generator)
    retime(&trajectory, using: &generator)
    trajectory.interruptStrokes(probability: interruption, using: &generator)
    reorder(&trajectory, using: &generator)
    coarsen(&trajectory, using: &generator)
    disturb(&area, using: &generator)
  }

  private func distort(_ trajectory: inout Trajectory, using generator: inout SeededGenerator) {
    if strokeShift > 0, trajectory.strokeEnds.count > 1 {
      for stroke in trajectory.strokeEnds.indices {
        trajectory.shift(
          stroke: stroke, dx: strokeShift * generator.normal(), dy: strokeShift * generator.normal()
        )
      }
    }
    if elastic > 0 {
      trajectory.apply(
        ElasticField(amplitude: elastic * 2 * generator.uniform(), using: &generator))
    }
    let angle = rotation * generator.normal()
    let slant = shear * generator.normal()
    let scaleX = 1 + max(-0.6, min(1.5, scale * generator.normal()))
    let scaleY = 1 + max(-0.6, min(1.5, scale * generator.normal()))
    // Rotation by the small-angle form keeps lengths to second order. Shear and scale follow.
    let (cosine, sine) = (1 - angle * angle / 2, angle)
    trajectory.apply(
      a: scaleX * (cosine + slant * sine), b: scaleX * (slant * cosine - sine),
      c: scaleY * sine, d: scaleY * cosine)
  }

  private func retime(_ trajectory: inout Trajectory, using generator: inout SeededGenerator) {
    let isDropped = generator.uniform() < timeDrop
    let factor = isDropped ? .nan : 1 + max(-0.6, min(1.5, speed * generator.normal()))
    for index in trajectory.time.indices { trajectory.time[index] *= factor }
  }

  private func reorder(_ trajectory: inout Trajectory, using generator: inout SeededGenerator) {
    for stroke in trajectory.strokeEnds.indices {
      if generator.uniform() < reversal { trajectory.reverse(stroke: stroke) }
      if stroke > 0, generator.uniform() < exchange { trajectory.exchangeStrokes(stroke - 1) }
    }
  }

  /// Leaves the points that a slow or coarse device would give. Probability 0 draws no random number.
  private func coarsen(_ trajectory: inout Trajectory, using generator: inout SeededGenerator) {
    let isSparse = sparse > 0 && generator.uniform() < sparse
    let isCoarse = coarse > 0 && generator.uniform() < coarse
    guard isSparse || isCoarse else { return }
    trajectory.coarsen(
      gap: isSparse ? generator.uniform(0.05...0.25) : 0,
      step: isCoarse ? 1 / generator.uniform(12...48) : 0)
  }

  private func disturb(_ area: inout LocalArea?, using generator: inout SeededGenerator) {
    let isDropped = generator.uniform() < areaDrop
    guard let known = area, !isDropped else {
      area = nil
      return
    }
    let height = known.height * (1 + max(-0.7, min(2, areaScale * generator.normal())))
    let center = known.top + known.height / 2 + areaShift * known.height * generator.normal()
    area = LocalArea(top: center - height / 2, height: height)
  }
}
