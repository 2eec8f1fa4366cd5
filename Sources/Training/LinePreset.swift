/// Named configurations of line training.
public enum LinePreset: String, CaseIterable, Sendable {
  /// For machines where the base preset is too slow: at most 1 MB.
  case small
  /// What is used unless another is named: at most 4 MB.
  case base

  /// The configuration.
  public var configuration: LineTrainingConfiguration {
    var result = LineTrainingConfiguration()
    if self == .small {
      result.layers = .small
      // A network that is too small to learn lines by heart needs to see all of them.
      result.augmentation.maskedShare = 0
    }
    return result
  }
}
