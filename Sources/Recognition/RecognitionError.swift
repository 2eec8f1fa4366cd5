/// Why a recogniser cannot be made as asked.
public enum RecognitionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The model can write none of the characters of the alphabet.
  case emptyAlphabet

  /// What happened, and what to do.
  public var description: String {
    switch self {
    case .emptyAlphabet:
      "alphabet: expected at least one character that the model can write, found none; widen the "
        + "alphabet or use a model that knows its characters"
    }
  }
}
