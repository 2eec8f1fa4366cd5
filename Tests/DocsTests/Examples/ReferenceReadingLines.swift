// swift-format-ignore-file
// The examples of Sources/Recognition/Recognition.docc/ReadingLines.md, written by scripts/doc-examples: change the page.

import DuctusKit
import Foundation

func exampleReferenceReadingLines1(_ bundle: URL) async throws {
  let english = try LanguageModelFile(contentsOf: "english.ngram")
  let model = try LineModel(contentsOf: bundle)
  let recognizer = try LineRecognizer(
    model: model, languageModel: english.model, configuration: model.decoding[english.sha256])
  _ = english
  _ = model
  _ = recognizer
}

func exampleReferenceReadingLines2(_ area: WritingArea, _ ink: Ink, _ recognizer: LineRecognizer) async throws {
  let context = RecognitionContext(preContext: "Dear ", writingArea: area)
  let result = try recognizer.recognize(ink, context: context)
  _ = context
  _ = result
}

func exampleReferenceReadingLines3(_ models: any ModelProvider) async throws {
  let options = DigitalInkRecognizer.Options(
    model: "en-US", alphabet: try Alphabet(pattern: "\\p{Nd}.,-"))
  let numbers = DigitalInkRecognizer(options: options, provider: models)
  _ = options
  _ = numbers
}
