import InkDatasets
import Recognition

extension LineModel {
  /// The number of lines that a new model is tuned on.
  private static let tuningLines = 300

  /// Tunes the decoder of a new model: its confidences without a language model, and everything
  /// with the language models that its bundle keeps. Previous values are removed. Tune for other
  /// language models with ``DecoderTuner``.
  ///
  ///     var model = try trainer.train()
  ///     try model.tune(on: validation)
  ///
  /// - Parameters:
  ///   - data: The validation data, of which up to 300 lines are used.
  ///   - companions: The language models of the bundle; nil for none.
  /// - Throws: `DataError` or `InkFormatError` if data cannot be opened.
  public mutating func tune(
    on data: [DataSpecification], with companions: LineCompanions? = nil
  ) throws {
    decoding = [:]
    let plain = try DecoderTuner(model: self, data: data, limit: Self.tuningLines)
    decoding[DecoderConfiguration.withoutModel] = try plain.tune().configuration
    if let companions, let key = companions.decodingKey {
      let tuner = plain.with(
        companions.language?.model, recurrent: companions.recurrent?.model)
      decoding[key] = try tuner.tune().configuration
    }
  }
}
