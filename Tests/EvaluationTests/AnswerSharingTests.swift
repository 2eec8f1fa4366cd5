import Evaluation
import Foundation
import InkCore
import InkDatasets
import InkFormats
import Recognition
import TestSamples
import Testing

@Suite("Readings that are shared by ranks")
struct AnswerSharingTests {
  private let recognizer = TableRecognizer(
    labels: ["a", "b", "c"],
    answers: [
      1: [("a", 0.9), ("b", 0.05)], 2: [("b", 0.6), ("a", 0.3), ("c", 0.1)], 3: [("c", 1.0 / 3)],
      4: [],
    ], refuses: [5])

  /// Writes inks of one to five points, and runs the body with their data.
  private func withData(_ body: ([DataSpecification]) throws -> Void) throws {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("sharing-\(UUID().uuidString).jsonl")
    defer { try? FileManager.default.removeItem(at: url) }
    let writer = try InkJSONLinesWriter(path: url.path)
    for index in 0..<23 {
      let points = (0...index % 5).map { StrokePoint(x: Double($0), y: 0) }
      try writer.write(
        LabeledInk(
          ink: Ink(strokes: [Stroke(points: points)]), label: ["a", "b", "c"][index % 3],
          writer: "w\(index % 4)"))
    }
    try writer.finish()
    try body([DataSpecification(parsing: "ink:\(url.path)")])
  }

  @Test("The report of any number of ranks is that of one process", arguments: [1, 2, 3, 8, 30])
  func sameReport(count: Int) throws {
    try withData { data in
      let alone = try GlyphEvaluation(recognizer, on: data)
      var answers: [[AnswerSharing.Answer]] = []
      var read = 0
      for rank in 0..<count {
        let sharing = AnswerSharing(rank: rank, count: count)
        _ = try GlyphEvaluation(SharedRecognizer(recognizer, sharing), on: data)
        answers.append(sharing.own)
        read += sharing.own.count
      }
      // Every ink was read once.
      #expect(read == 23)
      let sharing = AnswerSharing(rank: 0, count: count)
      sharing.replay(answers)
      var kept: [Prediction] = []
      var expected: [Prediction] = []
      let together = try GlyphEvaluation(
        SharedRecognizer(recognizer, sharing), on: data, keep: { kept.append($0) })
      _ = try GlyphEvaluation(recognizer, on: data, keep: { expected.append($0) })
      #expect(kept == expected)
      #expect(together.rejected == alone.rejected && together.dataHash == alone.dataHash)
      #expect(together.interval() == alone.interval())
      #expect(together.confusion.labelStatistics() == alone.confusion.labelStatistics())
    }
  }

  @Test("Candidates keep the bits of their scores, and words their confidences")
  func bits() throws {
    let sharing = AnswerSharing(rank: 0, count: 1)
    var candidate = RecognitionCandidate(text: "ab \"c\"", score: -Double.pi / 7)
    candidate.words = [RecognizedWord(text: "ab", characters: 0..<2, confidence: 1.0 / 3)]
    let result = RecognitionResult(candidates: [candidate], language: "de")
    let fixed = FixedRecognizer(result: result)
    let ink = Ink(strokes: [Stroke(points: [StrokePoint(x: 0, y: 0)])])
    _ = try SharedRecognizer(fixed, sharing).recognize(ink)
    let own = sharing.own
    sharing.replay([own])
    let replayed = try SharedRecognizer(fixed, sharing).recognize(ink)
    #expect(replayed.candidates.map(\.score) == [candidate.score])
    #expect(replayed.candidates.map(\.text) == [candidate.text])
    #expect(replayed.candidates.first?.words.map(\.confidence) == [1.0 / 3])
    #expect(replayed.language == "de")
    // The time is that of the reading.
    #expect(sharing.lastSeconds != nil)
    // More inks than answers: an empty one.
    #expect(try SharedRecognizer(fixed, sharing).recognize(ink).candidates.isEmpty)
  }

  private struct FixedRecognizer: Recognizer {
    var result: RecognitionResult
    var labels: [String]? { nil }

    func recognize(
      _ ink: Ink, context: RecognitionContext, maximumCandidates: Int
    ) throws -> RecognitionResult { result }
  }
}
