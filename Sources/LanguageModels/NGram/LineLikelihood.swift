/// ln p of the characters of a line, one after the other, by a model in either form.
///
///     var likelihood = LineLikelihood(model)
///     let sum = "The quick".unicodeScalars.reduce(0) { $0 + likelihood.advance($1) }
package struct LineLikelihood: Sendable {
  // One of the two models, and the place in it.
  private var expanded: (model: LanguageModel, state: LanguageModel.State)?
  private let packed: PackedLanguageModel?
  private var position = PackedLanguageModel.Position()

  /// Begins a line of a model.
  package init(_ model: LanguageModel) {
    (expanded, packed) = ((model, model.startOfLine), nil)
  }

  /// Begins a line of a model that is not expanded. The values are the same.
  package init(_ model: PackedLanguageModel) {
    (packed, position) = (model, model.startOfLine)
  }

  /// Returns ln p of the next character.
  package mutating func advance(_ scalar: Unicode.Scalar) -> Float {
    if let packed { return packed.advance(&position, packed.symbols.symbol(of: scalar)) }
    guard let (model, state) = expanded else { return 0 }
    let step = model.advance(state, model.symbols.symbol(of: scalar))
    expanded?.state = step.state
    return step.logProbability
  }
}
