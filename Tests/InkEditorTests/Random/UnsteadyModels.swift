import Foundation
import InkCore
import InkEditor
import Recognition
import TestSamples

/// Models that are missing, late, failing or wrong as the operations say.
final class UnsteadyModels: EditorModels, @unchecked Sendable {
  // Unchecked because the lock guards the states.
  private let lock = NSLock()
  private var states = (text: State.works, shapes: State.works)
  private let reader = FakeReader(keepsLog: false)

  typealias State = EditorOperation.ModelState

  struct Fault: Error {}

  func set(text: State, shapes: State) { lock.withLock { states = (text, shapes) } }

  func configuration(bundle: String, name: String) -> ConfigurationLookup { .found }

  func textRecognizer(bundle: String, name: String) throws -> any Recognizer {
    if lock.withLock({ states.text }) == .missing { throw MissingModel(name: name) }
    return Unsteady(models: self, isText: true)
  }

  func shapeRecognizer(name: String) throws -> any Recognizer {
    if lock.withLock({ states.shapes }) == .missing { throw MissingModel(name: name) }
    return Unsteady(models: self, isText: false)
  }

  private struct Unsteady: Recognizer {
    let models: UnsteadyModels
    let isText: Bool

    var labels: [String]? { isText ? nil : FakeShapes().labels }

    func recognize(
      _ ink: Ink, context: RecognitionContext, maximumCandidates: Int
    ) throws -> RecognitionResult {
      let recognizer: any Recognizer = isText ? models.reader : FakeShapes()
      let result = try recognizer.recognize(
        ink, context: context, maximumCandidates: maximumCandidates)
      switch models.lock.withLock({ isText ? models.states.text : models.states.shapes }) {
      case .works, .missing: return result
      case .late:
        usleep(1000)
        return result
      case .fails: throw Fault()
      case .readsNothing: return RecognitionResult(candidates: [])
      case .garbles: return Self.garbled(result)
      }
    }

    /// A result with parts, scores and texts that no recogniser should return.
    private static func garbled(_ result: RecognitionResult) -> RecognitionResult {
      RecognitionResult(
        candidates: result.candidates.flatMap { candidate in
          [
            RecognitionCandidate(
              text: candidate.text, score: .nan,
              characters: candidate.characters.map { character in
                CharacterInk(
                  parts: character.parts.map {
                    .init(stroke: $0.stroke + 1, points: 0..<$0.points.upperBound + 7)
                  })
              }),
            RecognitionCandidate(text: "", score: .infinity),
            RecognitionCandidate(
              text: " " + candidate.text, score: -.infinity,
              characters: [CharacterInk(parts: [.init(stroke: -1, points: -3..<2)])]),
          ]
        })
    }
  }
}
