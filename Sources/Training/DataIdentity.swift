/// The data of a training run, by SHA-256 of its records.
public struct DataIdentity: Hashable, Codable, Sendable {
  /// Of the training records, hexadecimal.
  public var training: String
  /// Of the validation records, hexadecimal.
  public var validation: String

  /// Makes an identity.
  public init(training: String, validation: String) {
    self.training = training
    self.validation = validation
  }
}
