import IntensityText
import LanguageModels
import Recognition

/// The completions of a language model as suggestions for a keyboard, the likeliest first.
public struct LanguageSuggestions: SuggestionSource {
  private let model: LanguageModel

  /// Makes the suggestions of a model.
  public init(_ model: LanguageModel) { self.model = model }

  /// Returns words that begin with the beginning, in the order of their probability.
  public func completions(of beginning: String, after text: String, limit: Int) -> [String] {
    model.completions(of: beginning, after: text, limit: limit).map(\.text)
  }
}

extension LineRecognizer: SuggestionSource {}
