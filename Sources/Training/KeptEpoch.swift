/// Whose weights training ends with, each epoch's averaged ones.
public enum KeptEpoch: String, CaseIterable, Hashable, Codable, Sendable {
  /// The best on the validation data, of equal ones the later.
  case best
  /// The last: where the validation data is of another kind than what is to be learned. Training
  /// then ends at no score before its end.
  case last
}
