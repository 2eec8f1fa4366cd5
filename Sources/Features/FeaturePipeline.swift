import Foundation
import InkCore

/// Converts a pen trajectory to network input. The pipeline is saved inside the model, so that
/// recognition computes the same features as training.
public struct FeaturePipeline: Hashable, Codable, Sendable {
  /// One step that changes the trajectory before it is encoded.
  ///
  /// Lengths are in the trajectory's frame: 1 is the larger side of the original ink.
  @usableFromInline package enum Step: Hashable, Codable, Sendable {
    /// Drops points closer than `distance` to the previous one.
    case removeDuplicates(distance: Float)
    /// Drops single points that jump out and back by more than `leg`.
    case removeSpikes(leg: Float)
    /// Places points every `spacing` along each stroke, at most `limit`.
    case resampleByDistance(spacing: Float, limit: Int)
    /// Places points every `interval` milliseconds, at most `limit`; by distance if times are
    /// missing.
    case resampleByTime(interval: Float, limit: Int)
    /// Applies a [1 2 1] / 4 filter along each stroke `passes` times.
    case smooth(passes: Int)
    /// Shears the ink upright, by at most `limit` dx per dy.
    case removeSlant(limit: Float)
    /// Centres the ink's own box on 0 and scales its larger side to 1.
    case normalizeByBox
    /// Moves the centre line of the writing area to y = 0 and scales its height to 1; x is centred
    /// on the ink. Uses the box if no area is known.
    case normalizeByArea
  }

  /// The conversion of the trajectory to a sequence [T, C].
  @usableFromInline package enum Encoding: Hashable, Codable, Sendable {
    /// Equidistant points.
    case points(PointEncoding)
    /// Piecewise cubic Bézier curves.
    case curves(CurveEncoding)
  }

  private enum CodingKeys: String, CodingKey {
    case steps, encoding, maps
  }

  /// The steps that change the trajectory, in order.
  package var steps: [Step]
  /// The conversion to a sequence.
  package var encoding: Encoding
  /// Order-free features, or nil for none.
  package var maps: DirectionMaps?

  /// Makes a pipeline.
  @usableFromInline package init(steps: [Step], encoding: Encoding, maps: DirectionMaps?) {
    self.steps = steps
    self.encoding = encoding
    self.maps = maps
  }

  /// T of the sequence.
  @usableFromInline package var sequenceSteps: Int {
    switch encoding {
    case .points(let encoding): encoding.count
    case .curves(let encoding): encoding.limit
    }
  }

  /// C of the sequence.
  @usableFromInline package var sequenceChannels: Int {
    switch encoding {
    case .points: PointEncoding.channels
    case .curves: CurveEncoding.channels
    }
  }

  /// Number of order-free features.
  @usableFromInline package var mapCount: Int { maps?.count ?? 0 }

  /// Number of features of the whole ink.
  @usableFromInline package var globalCount: Int { PlacementFeatures.count }
}

extension FeaturePipeline {
  /// The most points of a step and the most steps of an encoding.
  static let maximumPoints = 1 << 16

  /// Decodes a pipeline; throws if it cannot be applied.
  ///
  /// - Throws: `DecodingError`, or ``FeatureError`` naming the member.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      steps: try container.decode([Step].self, forKey: .steps),
      encoding: try container.decode(Encoding.self, forKey: .encoding),
      maps: try container.decodeIfPresent(DirectionMaps.self, forKey: .maps))
    try check()
  }

  /// Checks that the pipeline can be applied; otherwise applying it may trap.
  ///
  /// - Throws: ``FeatureError`` naming the first such member.
  package func check() throws(FeatureError) {
    guard (1...Self.maximumPoints).contains(sequenceSteps) else {
      throw FeatureError(
        what: "encoding", expected: "1 to \(Self.maximumPoints) steps", found: "\(sequenceSteps)")
    }
    if case .curves(let curves) = encoding, !(curves.maximumError > 0) {
      throw FeatureError(
        what: "encoding", expected: "an error bound above 0", found: "\(curves.maximumError)")
    }
    if let maps, !(2...64).contains(maps.grid) {
      throw FeatureError(
        what: "direction maps", expected: "a grid of 2 to 64 cells", found: "\(maps.grid)")
    }
    for (index, step) in steps.enumerated() where !step.isSound {
      throw FeatureError(
        what: "step \(index)", expected: "values in their ranges", found: "others")
    }
  }
}

extension FeaturePipeline.Step {
  fileprivate var isSound: Bool {
    switch self {
    case .removeDuplicates(let distance): distance >= 0 && distance.isFinite
    case .removeSpikes(let leg): leg >= 0 && leg.isFinite
    case .resampleByDistance(let spacing, let limit):
      spacing > 0 && spacing.isFinite && (1...FeaturePipeline.maximumPoints).contains(limit)
    case .resampleByTime(let interval, let limit):
      interval > 0 && interval.isFinite && (1...FeaturePipeline.maximumPoints).contains(limit)
    case .smooth(let passes): (0...64).contains(passes)
    case .removeSlant(let limit): limit >= 0 && limit.isFinite
    case .normalizeByBox, .normalizeByArea: true
    }
  }
}

/// Applies a pipeline to one ink after another and reuses its memory. Not thread-safe: use one per
/// thread.
package struct FeatureExtractor: Sendable {
  /// The pipeline.
  package let pipeline: FeaturePipeline
  private var current = Trajectory()
  private var spare = Trajectory()
  private var sharing = ResamplingScratch()
  private var fitter = CurveFitter()

  /// Makes an extractor.
  package init(_ pipeline: FeaturePipeline) {
    self.pipeline = pipeline
  }

  /// Encodes one trajectory: sequence [T, C], maps [M], globals [G]. Every number is finite.
  ///
  /// Allocates nothing once its memory has grown to the longest ink seen. O(points).
  ///
  /// - Parameter area: the writing area in the trajectory's frame, or nil.
  package mutating func extract(
    _ trajectory: Trajectory, area: LocalArea?, sequence: UnsafeMutablePointer<Float>,
    maps: UnsafeMutablePointer<Float>, globals: UnsafeMutablePointer<Float>
  ) {
    trajectory.copy(into: &current)
    PlacementFeatures.encode(current, area: area, into: globals)
    for step in pipeline.steps { apply(step, area: area) }
    switch pipeline.encoding {
    case .points(let encoding):
      current.resample(total: encoding.count, into: &spare, scratch: &sharing)
      encoding.encode(spare, into: sequence)
      pipeline.maps?.encode(spare, into: maps)
    case .curves(let encoding):
      encoding.encode(current, into: sequence, fitter: &fitter)
      if let directionMaps = pipeline.maps {
        current.resample(total: 64, into: &spare, scratch: &sharing)
        directionMaps.encode(spare, into: maps)
      }
    }
  }

  private mutating func apply(_ step: FeaturePipeline.Step, area: LocalArea?) {
    switch step {
    case .removeDuplicates(let distance):
      current.removeDuplicates(distance: distance, into: &spare)
      swap(&current, &spare)
    case .removeSpikes(let leg):
      current.removeSpikes(leg: leg, into: &spare)
      swap(&current, &spare)
    case .resampleByDistance(let spacing, let limit):
      current.resample(spacing: spacing, limit: limit, into: &spare)
      swap(&current, &spare)
    case .resampleByTime(let interval, let limit):
      current.resample(interval: interval, limit: limit, into: &spare)
      swap(&current, &spare)
    case .smooth(let passes):
      current.divideLongSegments(into: &spare)
      swap(&current, &spare)
      current.smooth(passes: passes)
    case .removeSlant(let limit):
      current.removeSlant(limit: limit)
    case .normalizeByBox:
      current.normalizeByBox()
    case .normalizeByArea:
      current.normalize(by: area)
    }
  }
}

extension Trajectory {
  /// Centres the box on 0 and scales its larger side to 1; a single point goes to 0.
  package mutating func normalizeByBox() {
    guard let box = bounds else { return }
    let size = max(box.maxX - box.minX, box.maxY - box.minY)
    place(
      centerX: (box.minX + box.maxX) / 2, centerY: (box.minY + box.maxY) / 2,
      scale: size > 1e-12 ? 1 / size : 1)
  }

  /// Centres x on the box and y on the area's centre line, and scales the area's height to 1.
  /// Bounds the result to ±4. Uses the box if there is no area.
  package mutating func normalize(by area: LocalArea?) {
    guard let area, let box = bounds else {
      normalizeByBox()
      return
    }
    place(
      centerX: (box.minX + box.maxX) / 2, centerY: area.top + area.height / 2,
      scale: 1 / area.height)
    for index in x.indices {
      x[index] = min(4, max(-4, x[index]))
      y[index] = min(4, max(-4, y[index]))
    }
  }

  private mutating func place(centerX: Float, centerY: Float, scale: Float) {
    for index in x.indices {
      x[index] = (x[index] - centerX) * scale
      y[index] = (y[index] - centerY) * scale
    }
  }
}

/// An error in a description of features: it cannot be applied.
public struct FeatureError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The member that is wrong.
  package var what: String
  /// The expected value.
  package var expected: String
  /// The value found.
  package var found: String

  /// Makes an error.
  package init(what: String, expected: String, found: String) {
    self.what = what
    self.expected = expected
    self.found = found
  }

  /// The message: what is wrong, what was expected, what was found.
  public var description: String { "\(what): expected \(expected), found \(found)" }
}

extension FeatureError: LocalizedError {
  /// The text of `localizedDescription`: ``description``.
  public var errorDescription: String? { description }
}
