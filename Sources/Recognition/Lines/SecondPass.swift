/// What speaks for a reading of the search where a recurrent language model has its say.
package struct ReadingEvidence: Sendable {
  /// The classes of the reading.
  var labels: [Int32]
  /// Its score in the search.
  var score: Float
  /// Natural logarithm of its probability by the language model of the search.
  var languageModel: Float
  /// By the recurrent language model.
  var recurrent: Float
  /// Characters, spaces included.
  var characters: Int
  var spaces: Int
}

extension DecoderConfiguration {
  /// The score of a reading after the second pass: what the search counted of the language is taken back
  /// and counted anew.
  package func score(of reading: ReadingEvidence, with rescoring: Rescoring) -> Float {
    reading.score + rescoring.recurrentWeight * reading.recurrent
      + (rescoring.languageModelWeight - languageModelWeight) * reading.languageModel
      + (rescoring.characterBonus - characterBonus) * Float(reading.characters)
      + (rescoring.wordBonus - wordBonus) * Float(reading.spaces)
  }
}
