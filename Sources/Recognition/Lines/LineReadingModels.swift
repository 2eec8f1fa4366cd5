import LanguageModels
import Networks

/// The models that lines are read with. Recognisers that differ in what may be read share them.
struct LineReadingModels: Sendable {
  /// Tells symbols from ink.
  var line: LineModel
  /// Its weights for mixed precision, packed once for all threads; nil where products are in single
  /// precision.
  var weights: PackedWeights?
  /// Weighs texts while they are searched.
  var language: LanguageModel?
  /// Orders the best readings anew.
  var recurrent: RecurrentLanguageModel?
  /// Has its say where an ink may be one character.
  var character: GlyphModel?
}
