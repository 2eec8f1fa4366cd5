/// The model that pages are read with, as its user named it.
public struct ReadingChoice: Hashable, Sendable {
  /// The name or the path of the model; nil for the default.
  public var model: String?
  /// The language that selects the model; nil for the best one.
  public var language: String?

  /// Makes a choice.
  public init(model: String? = nil, language: String? = nil) {
    (self.model, self.language) = (model, language)
  }
}
