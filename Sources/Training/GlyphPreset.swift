import Features

/// Named configurations of glyph training.
public enum GlyphPreset: String, CaseIterable, Sendable {
  /// A quarter of the size of `standard` and a third of its time, and nearly as good: within 0.3 points on
  /// digits and letters, 1.5 on symbols.
  case small
  /// What is used unless another is named.
  case standard
  /// Half as many operations again as `standard`: better by 0.4 points where 94 characters are learned
  /// from forms and from words, and no better from forms alone.
  case large

  /// The configuration.
  public var configuration: GlyphTrainingConfiguration {
    var result = GlyphTrainingConfiguration()
    switch self {
    case .small:
      result.layers = .small
      result.pipeline.encoding = .points(PointEncoding(count: 32))
      result.pipeline.maps = DirectionMaps(grid: 6)
    case .standard:
      break
    case .large:
      result.layers = .large
      // Areas that are up to half too tall are learned too.
      result.augmentation.areaScale = 0.25
      // It has room for letters in pieces, and reads whole ones as well.
      result.augmentation.interruption = 0.08
    }
    return result
  }
}
