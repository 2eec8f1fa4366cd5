import Features

/// Named configurations of glyph training.
public enum GlyphPreset: String, CaseIterable, Sendable {
  /// Half the operations of `standard`.
  case small
  /// What is used unless another is named.
  case standard

  /// The configuration.
  public var configuration: GlyphTrainingConfiguration {
    var result = GlyphTrainingConfiguration()
    if self == .small {
      result.layers = .small
      result.pipeline.encoding = .points(PointEncoding(count: 32))
      result.pipeline.maps = DirectionMaps(grid: 6)
    }
    return result
  }
}
