import ModelFormat

/// Names of one language or of two, such as `de,en`.
package enum LanguagePairs {
  /// Opens the recogniser of a name.
  ///
  /// - Parameters:
  ///   - name: A name, or two with a comma between them.
  ///   - open: Opens one name.
  /// - Throws: The errors of `open` and of ``LineRecognizer/paired(with:)``, and
  ///   ``RecognitionError/malformedLanguageTag(_:)`` for more than two names.
  package static func recognizer(
    _ name: String, open: (String) throws -> any Recognizer
  ) throws -> any Recognizer {
    let names = name.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    switch names.count {
    case 1: return try open(name)
    case 2:
      let (first, second) = (try open(names[0]), try open(names[1]))
      guard let first = first as? LineRecognizer, let second = second as? LineRecognizer else {
        throw RecognitionError.unlikeLanguages(names[0], names[1])
      }
      return try first.paired(with: second)
    default: throw RecognitionError.malformedLanguageTag(name)
    }
  }
}

extension ModelProvider {
  /// Opens the model for a name; see ``model(for:kind:)``. Two languages with a comma between them,
  /// such as `de,en`, give a recogniser of texts in both; see ``LineRecognizer/paired(with:)``.
  ///
  /// - Throws: ``RecognitionError/modelNotDownloaded(_:)`` if there is no such model, and the
  ///   errors of ``model(for:kind:)`` and ``openRecognizer(identifier:)``.
  public func recognizer(
    for name: String, kind: ModelManifest.Kind? = nil
  ) throws -> any Recognizer {
    try LanguagePairs.recognizer(name) { name in
      guard let model = try model(for: name, kind: kind) else {
        throw RecognitionError.modelNotDownloaded(name)
      }
      return try openRecognizer(identifier: model.identifier)
    }
  }
}
