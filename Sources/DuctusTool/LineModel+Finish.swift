import Evaluation
import InkDatasets
import Recognition

extension LineModel {
  /// Finds what the search is to use with a new model, and scores its greedy reading: its confidences
  /// without a language model, and all of it with the language model that the bundle keeps. Other
  /// language models are for `ductus tune decoder`.
  mutating func finish(
    with language: ChosenLanguageModel? = nil, on validation: [DataSpecification]
  ) throws -> ValidationFigures {
    let lines = 300
    decoding = [:]
    let plain = try DecoderTuner(model: self, language: nil, data: validation, limit: lines)
    decoding[DecoderConfiguration.withoutModel] = try plain.tune().configuration
    if let language {
      let tuner = try DecoderTuner(
        model: self, language: language.model, recurrent: language.recurrent, data: validation,
        limit: lines)
      decoding[language.key] = try tuner.tune().configuration
    }
    let evaluation = try LineEvaluation(
      LineRecognizer(model: self), on: validation, reading: .greedy)
    return ValidationFigures(
      metrics: [
        ("cer", evaluation.errors.characterErrorRate), ("wer", evaluation.errors.wordErrorRate),
      ], dataHash: evaluation.dataHash, options: ["--greedy"],
      headline: evaluation.errors.characterErrorRate.map {
        ("validation character error rate, greedy", $0)
      })
  }
}
