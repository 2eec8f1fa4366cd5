import ModelFormat

/// The model, the language and the limits with which ink is read: what a ``ModelLibrary`` makes a
/// recogniser from.
///
///     var german = ReadingSpecification(language: "de")
///     german.options.alphabet = try Alphabet(pattern: "\\p{Letter}")
///     let recognizer = try library.reader(for: german)
public struct ReadingSpecification: Sendable {
  /// The identifier of a model, a language, two languages with a comma between them, or a path if
  /// the library takes paths. Nil for the model of ``language``.
  public var model: String?
  /// A language or two, if no model is named. Nil for the default of the library.
  public var language: String?
  /// The kind of model, or nil for any. For a language, line models are preferred.
  public var kind: ModelManifest.Kind?
  /// The alphabet, the vocabulary and the language models. The defaults use everything in the
  /// bundle.
  public var options = ReadingOptions()

  /// Makes a specification; without a name, ink is read with the default model of the library.
  public init(model: String? = nil, language: String? = nil, kind: ModelManifest.Kind? = nil) {
    self.model = model
    self.language = language
    self.kind = kind
  }
}

/// A recogniser that a library made, and what is known about it.
package struct ModelReader: Sendable {
  /// The identifier of the model; of two languages both, with a comma between them.
  package var model: String
  /// The recogniser.
  package var recognizer: any Recognizer
  /// False if the line model was not tuned for the language models it reads with.
  package var isTuned = true

  /// True if the answers are texts of lines.
  package var readsLines: Bool {
    recognizer is LineRecognizer || recognizer is MultilingualRecognizer
      || recognizer is ScriptRecognizer || recognizer is CharacterLineRecognizer
  }

  /// True if the answers may be formulas: an outside program decides itself.
  package var readsFormulas: Bool { !readsLines && !(recognizer is GlyphClassifier) }
}
