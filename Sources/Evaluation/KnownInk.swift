/// What a model that is scored knows of the ink already: figures of such ink are better than those of
/// new ink.
public enum KnownInk: String, Codable, Hashable, Sendable, CaseIterable {
  /// It is what the model learned from.
  case training
  /// It is what training chose the model by, and what its confidences were fitted to.
  case validation
  /// The model was trained on a part of this data, and no part is named.
  case whole

  /// What to say of it on a page.
  package var sentence: String { text.prefix(1).uppercased() + text.dropFirst() }

  /// What to say of it, without a full stop.
  public var text: String {
    switch self {
    case .training:
      "the model learned this ink: its figures tell nothing of new ink; add split=test"
    case .validation:
      "training chose the model by this ink: its figures are better than those of new ink; add "
        + "split=test"
    case .whole:
      "the model was trained on a part of this data, and all of it is scored: add split=test"
    }
  }
}
