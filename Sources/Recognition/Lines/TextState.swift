import LanguageModels

/// What the search has to know of the text of a hypothesis.
struct TextState {
  /// The context of the language model.
  var language = LanguageModel.State()
  /// The place in a word of the vocabulary; nil where the word is not in it.
  var word: LexiconText.State?
}
