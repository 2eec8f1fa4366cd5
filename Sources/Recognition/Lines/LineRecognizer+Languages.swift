import LanguageModels

/// Other languages with the same network.
extension LineRecognizer {
  /// A recogniser of another language. It shares the network's memory with this one, and keeps the
  /// alphabet and the vocabulary.
  ///
  /// - Parameters:
  ///   - language: The n-gram model, or nil for none.
  ///   - rules: The letters and rules, or nil for none.
  ///   - tag: The tag of the language, for the answers.
  ///   - configuration: The decoder hyperparameters; nil for those of the model.
  /// - Throws: The errors of the initialiser.
  package func changed(
    to language: LanguageModel?, rules: LanguageRules?, tag: String?,
    configuration: DecoderConfiguration?
  ) throws(RecognitionError) -> LineRecognizer {
    var models = models
    (models.language, models.rules, models.tag) = (language, rules, tag)
    (models.recurrent, models.second) = (nil, nil)
    return try LineRecognizer(models, configuration, alphabet, vocabulary)
  }

  /// A recogniser of texts in two languages: each word is of one of them. The letters are those of
  /// both. The rules for quotes and spaces are those of this recogniser's language.
  ///
  /// - Parameter other: A recogniser with a language model and the same network.
  /// - Throws: ``RecognitionError/unlikeLanguages(_:_:)`` if one has no language model, or the
  ///   networks differ.
  public func paired(with other: LineRecognizer) throws(RecognitionError) -> LineRecognizer {
    guard models.language != nil, let second = other.models.language,
      model.sharesNetwork(with: other.model)
    else { throw .unlikeLanguages(language ?? "und", other.language ?? "und") }
    var models = models
    models.second = second
    models.recurrent = nil
    models.tag = [language, other.language].map { $0 ?? "und" }.joined(separator: ",")
    if var rules = models.rules, let others = other.models.rules {
      rules.letters = Set(rules.letters + others.letters).sorted()
      rules.rareLetters = rules.rareLetters.filter(others.rareLetters.contains)
      models.rules = rules
    } else {
      // Without rules of a language its letters are not known.
      models.rules?.priors.foreign = 0
    }
    return try LineRecognizer(
      models, configuration.averaged(with: other.configuration), alphabet, vocabulary)
  }
}

extension LineModel {
  /// Returns whether another model has the same symbols and the same network in memory.
  func sharesNetwork(with other: LineModel) -> Bool {
    labels == other.labels && parameters === other.parameters
  }
}

extension DecoderConfiguration {
  /// The configuration for two languages: the mean of the weights. Everything else is that of this
  /// one.
  func averaged(with other: DecoderConfiguration) -> DecoderConfiguration {
    var result = self
    result.rescoring = nil
    result.languageModelWeight = (languageModelWeight + other.languageModelWeight) / 2
    result.characterBonus = (characterBonus + other.characterBonus) / 2
    result.wordBonus = (wordBonus + other.wordBonus) / 2
    return result
  }
}
