import DuctusKit
import Foundation

/// The README's lines stand in here as they are; `english.ngram` is no file of this package.
func readLine(_ ink: Ink, with bundle: URL) throws {
  let english = try LanguageModelFile(contentsOf: "english.ngram")
  let model = try LineModel(contentsOf: bundle)
  let recognizer = try LineRecognizer(
    model: model, languageModel: english.model, configuration: model.decoding[english.sha256])
  let result = try recognizer.recognize(ink, context: RecognitionContext(preContext: "hello"))
  for word in result.candidates.first?.words ?? [] { print(word.text, word.confidence) }
}
