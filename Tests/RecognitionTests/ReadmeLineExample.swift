import DuctusKit
import Foundation

/// Contains the lines of the README; this package has no file `english.ngram`.
func readLine(_ ink: Ink, with bundle: URL) throws {
  let english = try LanguageModelFile(contentsOf: "english.ngram")
  let model = try LineModel(contentsOf: bundle)
  let recognizer = try LineRecognizer(
    model: model, languageModel: english.model, configuration: model.decoding[english.sha256])
  let result = try recognizer.recognize(ink, context: RecognitionContext(preContext: "hello"))
  for word in result.candidates.first?.words ?? [] { print(word.text, word.confidence) }
}
