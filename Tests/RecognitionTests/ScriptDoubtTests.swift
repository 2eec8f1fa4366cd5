import Files
import InkCore
import Recognition
import Testing

/// When other scripts are read, which takes ten times as long.
@Suite("Doubts about the script")
struct ScriptDoubtTests {
  /// A reading of an ink of 30 strokes by the network and the language of the usual script.
  struct Reading: Sendable, CustomTestStringConvertible {
    var mean: Double
    var characters: Int
    var certainty: Float?
    var text = "text"
    var isInDoubt: Bool

    var testDescription: String {
      "\(text): mean \(mean), \(characters) characters, "
        + "certainty \(certainty.map { "\($0)" } ?? "unknown")"
    }
  }

  @Test(
    "Other scripts are read if no language explains the text, unless the network is sure of it",
    arguments: [
      // A text of the language, and labels of a diagram.
      Reading(mean: -1.8, characters: 40, certainty: 0.8, isInDoubt: false),
      Reading(mean: -2.6, characters: 40, certainty: 0.92, isInDoubt: false),
      // Letters that the network doubts, too few of them, and a text that is too improbable.
      Reading(mean: -2.6, characters: 40, certainty: 0.84, isInDoubt: true),
      Reading(mean: -2.6, characters: 12, certainty: 0.92, isInDoubt: true),
      Reading(mean: -3.9, characters: 40, certainty: 0.92, isInDoubt: true),
      Reading(mean: -2.6, characters: 40, certainty: nil, isInDoubt: true),
      // A drawing in which a few letters were read.
      Reading(mean: -1.8, characters: 3, certainty: 0.99, isInDoubt: true),
      // A number, one that is doubtful, one with a letter, and a drawing with a digit.
      Reading(mean: -9, characters: 0, certainty: 0.98, text: "17.3.1998", isInDoubt: false),
      Reading(mean: -9, characters: 0, certainty: 0.93, text: "80370737", isInDoubt: true),
      Reading(mean: -9, characters: 0, certainty: 0.98, text: "8037O737", isInDoubt: true),
      Reading(mean: -9, characters: 0, certainty: 0.98, text: "17", isInDoubt: true),
    ])
  func doubt(_ reading: Reading) throws {
    let candidate = RecognitionCandidate(text: reading.text, score: 0)
    let result = RecognitionResult(candidates: [candidate])
    let usual = FixedReader(
      ExplainedResult(
        result: result, mean: reading.mean, characters: reading.characters,
        certainty: reading.certainty))
    let other = FixedReader(ExplainedResult(result: result, mean: -9, characters: 1))
    let asked = Guarded(0)
    let recognizer = ScriptRecognizer(
      usual,
      inDoubt: {
        asked.withLock { $0 += 1 }
        return [other]
      })
    let ink = Ink(strokes: (0..<30).map { Stroke(points: [StrokePoint(x: Double($0), y: 0)]) })
    _ = try recognizer.recognize(ink)
    #expect(asked.withLock { $0 } == (reading.isInDoubt ? 1 : 0))
  }
}

/// Reads every ink the same.
private final class FixedReader: ScriptReader {
  let reading: ExplainedResult
  var labels: [String]? { nil }

  init(_ reading: ExplainedResult) { self.reading = reading }

  func recognize(
    _ ink: Ink, context: RecognitionContext, maximumCandidates: Int
  ) throws -> RecognitionResult { reading.result }

  func explained(
    _ ink: Ink, context: RecognitionContext, maximumCandidates: Int, leastCharacters: Int
  ) throws -> ExplainedResult { reading }
}
