/// How a line of ink becomes a sequence of numbers. A value saved in the model.
///
/// The ink is sheared level, scaled so that one unit is the height of its line of writing, and
/// resampled along its strokes; each point becomes one step, or each of the cubic Bézier curves
/// that are fitted to the points (Carbune et al. 2020).
public struct LinePipeline: Hashable, Codable, Sendable {
  /// Distance between points, in line heights.
  public var spacing: Float
  /// The farthest that a point may lie from its curve, in line heights; nil where steps are points.
  public var curveError: Double?
  /// The most points; a longer ink gets a wider spacing, and of one with more than half as many
  /// strokes the last are not read. Each lift of the pen may add a step where steps are curves.
  public var maximumSteps: Int

  /// Makes a pipeline.
  public init(spacing: Float = 0.1, maximumSteps: Int = 8192) {
    self.spacing = spacing
    self.maximumSteps = maximumSteps
  }

  /// C: numbers of each step.
  public var channels: Int { curveError == nil ? 13 : 20 }
}
