/// The scored model's previous knowledge of the ink. Figures on known ink are better than on new
/// ink.
public enum KnownInk: String, Codable, Hashable, Sendable, CaseIterable {
  /// The model was trained on it.
  case training
  /// Training used it to choose the model and to fit its confidences.
  case validation
  /// The model was trained on a part of this data, and all of it is scored.
  case whole

  /// The warning as a sentence on a page.
  package var sentence: String { text.prefix(1).uppercased() + text.dropFirst() }

  /// The warning, without a full stop.
  public var text: String {
    switch self {
    case .training:
      "the model was trained on this ink, so the figures do not measure new ink; add split=test"
    case .validation:
      "training chose the model by this ink, so the figures are too good for new ink; add "
        + "split=test"
    case .whole:
      "all of this data is scored, but the model was trained on a part of it; add split=test"
    }
  }
}
