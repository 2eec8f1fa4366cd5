import Foundation
import InkCore
import InkEditor
import InkFormats
import Recognition
import TestSamples

/// A recogniser that does what a test says.
struct ScriptedReader: Recognizer {
  var labels: [String]? { nil }
  let body: @Sendable (Ink) throws -> RecognitionResult

  func recognize(
    _ ink: Ink, context: RecognitionContext, maximumCandidates: Int
  ) throws -> RecognitionResult { try body(ink) }
}

/// Models of a test, which counts how often shapes are opened.
final class CountedModels: EditorModels, @unchecked Sendable {
  // Unchecked because the lock guards the members.
  private let lock = NSLock()
  let loaded = LoadedModels()
  private var count = 0
  private var action: @Sendable () -> Void = {}

  init() {
    loaded.declare(bundle: "en_US")
    loaded.setText(FakeReader(), bundle: "en_US")
    loaded.setShapes(FakeShapes())
  }

  var shapeOpenings: Int { lock.withLock { count } }
  func whenShapesAreOpened(_ action: @escaping @Sendable () -> Void) {
    lock.withLock { self.action = action }
  }

  func configuration(bundle: String, name: String) -> ConfigurationLookup {
    loaded.configuration(bundle: bundle, name: name)
  }

  func textRecognizer(bundle: String, name: String) throws -> any Recognizer {
    try loaded.textRecognizer(bundle: bundle, name: name)
  }

  func shapeRecognizer(name: String) throws -> any Recognizer {
    let action = lock.withLock { () -> @Sendable () -> Void in
      count += 1
      return self.action
    }
    action()
    return try loaded.shapeRecognizer(name: name)
  }
}

/// Every item that a JIIX document has ink of.
func items(inJIIX block: JIIXBlock) -> Set<String> {
  var result = Set((block.items ?? []).compactMap(\.id))
  for word in block.words ?? [] { result.formUnion((word.items ?? []).compactMap(\.id)) }
  for element in block.elements ?? [] { result.formUnion(items(inJIIX: element)) }
  return result
}
