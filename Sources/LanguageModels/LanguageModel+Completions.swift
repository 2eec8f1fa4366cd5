import Foundation

extension LanguageModel {
  /// The most probable words that begin with a prefix.
  ///
  /// Searches by probability: the words come out most probable first, and none that is more
  /// probable than the last is missing, except those longer than `maximumLength` and where the
  /// search ends at its limit of 20,000 texts. O(texts x (S + log texts)) for S symbols.
  ///
  ///     let words = try model.completions(of: "prob", after: "It is ", limit: 3)
  ///
  /// - Parameters:
  ///   - prefix: The beginning of a word; may be empty.
  ///   - context: The text before it; a space at its end counts. Empty: ``start``.
  ///   - limit: The most words.
  ///   - maximumLength: The most scalars behind the prefix.
  ///   - constraint: What the words, not the context, must be allowed by.
  /// - Throws: ``TextConstraintError/impossiblePrefix(length:)`` where the constraint does not
  ///   allow the prefix.
  public func completions(
    of prefix: String, after context: String = "", limit: Int = 5, maximumLength: Int = 24,
    allowedBy constraint: some TextConstraint
  ) throws(TextConstraintError) -> [Completion] {
    guard let allowed = constraint.state(after: prefix) else {
      throw .impossiblePrefix(length: prefix.unicodeScalars.count)
    }
    var search = CompletionSearch(self, constraint, maximumLength: maximumLength)
    let begin = context.isEmpty ? start : state(after: context)
    search.begin(prefix, prefix.isEmpty ? begin : state(after: prefix, from: begin), allowed)
    return search.best(limit)
  }

  /// The most probable words that begin with a prefix, any words.
  ///
  /// See ``completions(of:after:limit:maximumLength:allowedBy:)``.
  public func completions(
    of prefix: String, after context: String = "", limit: Int = 5, maximumLength: Int = 24
  ) -> [Completion] {
    let words =
      (try? completions(
        of: prefix, after: context, limit: limit, maximumLength: maximumLength,
        allowedBy: AnyText()))
    return words ?? []
  }
}
