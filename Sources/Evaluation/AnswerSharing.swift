import Files
import Foundation
import InkCore
import Recognition

/// Divides the readings of an evaluation among several processes, called ranks.
///
/// Every rank runs the whole evaluation, whose sequence of inks must not depend on the answers. Rank r of
/// n reads every n-th ink from the r-th on, and gets empty answers for the others. One rank then gets
/// all answers and runs the evaluation once more with them, so that the report is that of one process.
/// Thread-safe, but answers are in the order of the calls, so that one thread reads.
package final class AnswerSharing: Sendable {
  /// An answer to one ink, as ranks send it.
  package struct Answer: Codable, Hashable, Sendable {
    /// The answer in the protocol of `ductus recognize -`, with all spans.
    var json: Data
    /// The seconds of the reading.
    var seconds: Double
    /// The seconds of features, network and decoding; empty if they are not known.
    var stages: [Double]
  }

  private enum Phase {
    /// The answers of this rank so far.
    case reading(rank: Int, count: Int, own: [Answer])
    /// The answers of all ranks, in the order of the inks.
    case replaying([Answer])
  }

  private struct State {
    var phase: Phase
    /// The number of inks so far.
    var calls = 0
    /// The seconds of the last answer that was replayed.
    var lastSeconds: Double?
  }

  private let state: Guarded<State>

  /// Begins the reading of one rank.
  ///
  /// - Parameters:
  ///   - rank: This rank, from 0.
  ///   - count: The number of ranks.
  package init(rank: Int, count: Int) {
    state = Guarded(State(phase: .reading(rank: rank, count: max(1, count), own: [])))
  }

  /// The answers of this rank, in the order of its inks.
  package var own: [Answer] {
    state.withLock { state in
      if case .reading(_, _, let own) = state.phase { own } else { [] }
    }
  }

  /// Ends reading: from now on the answers of all ranks are given.
  ///
  /// - Parameter answers: The answers of each rank.
  package func replay(_ answers: [[Answer]]) {
    let total = answers.reduce(0) { $0 + $1.count }
    // Ink i was read by rank i mod n.
    let ordered = (0..<total).compactMap { index -> Answer? in
      let (own, place) = (answers[index % answers.count], index / answers.count)
      return own.indices.contains(place) ? own[place] : nil
    }
    state.withLock { $0 = State(phase: .replaying(ordered)) }
  }

  /// The seconds that the last answer took where it was read; nil while this rank reads.
  package var lastSeconds: Double? { state.withLock(\.lastSeconds) }

  /// Reads an ink, if it is one of this rank, or gives the answer of the rank that read it.
  ///
  /// - Parameters:
  ///   - timings: The times of the stages.
  ///   - read: Reads the ink; nil if it is refused.
  /// - Returns: Nil if the ink was refused; an empty result for an ink of another rank.
  func answer(
    _ timings: inout LineTimings, _ read: (inout LineTimings) throws -> RecognitionResult?
  ) throws -> RecognitionResult? {
    let recorded: (isForeign: Bool, answer: Answer?) = state.withLock { state in
      let index = state.calls
      state.calls += 1
      switch state.phase {
      case .reading(let rank, let count, _): return (index % count != rank, nil)
      case .replaying(let answers):
        let answer = answers.indices.contains(index) ? answers[index] : nil
        state.lastSeconds = answer?.seconds
        return (answer == nil, answer)
      }
    }
    if recorded.isForeign { return RecognitionResult(candidates: []) }
    if let answer = recorded.answer { return try result(of: answer, &timings) }
    let start = ContinuousClock.now
    let result = try read(&timings)
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    let answer = Answer(
      json: Data(Self.json(of: result)), seconds: seconds,
      stages: [timings.features, timings.network, timings.decoding].map { $0 / .seconds(1) })
    state.withLock { state in
      guard case .reading(let rank, let count, var own) = state.phase else { return }
      // The array is not copied.
      state.phase = .replaying([])
      own.append(answer)
      state.phase = .reading(rank: rank, count: count, own: own)
    }
    return result
  }

  private static func json(of result: RecognitionResult?) -> [UInt8] {
    guard let result else {
      return RecognitionAnswer(id: nil, .failure(ExchangeError(.failed, "refused"))).json
    }
    return RecognitionAnswer(
      id: nil,
      .reading(.init(model: "", result: result, lines: result.lines, includesSpans: true))
    ).json
  }

  private func result(of answer: Answer, _ timings: inout LineTimings) throws -> RecognitionResult?
  {
    if answer.stages.count == 3 {
      timings.features = .seconds(answer.stages[0])
      timings.network = .seconds(answer.stages[1])
      timings.decoding = .seconds(answer.stages[2])
    }
    switch try RecognitionAnswer(parsing: [UInt8](answer.json)).content {
    case .failure: return nil
    case .reading(let reading): return reading.result
    }
  }
}

/// A recogniser whose inks are shared among ranks.
package struct SharedRecognizer: Recognizer {
  private let recognizer: any Recognizer
  /// The division of the inks.
  package let sharing: AnswerSharing

  /// Shares the inks of a recogniser.
  package init(_ recognizer: any Recognizer, _ sharing: AnswerSharing) {
    (self.recognizer, self.sharing) = (recognizer, sharing)
  }

  package var labels: [String]? { recognizer.labels }

  package var direction: WritingDirection { recognizer.direction }

  package func recognize(
    _ ink: Ink, context: RecognitionContext, maximumCandidates: Int
  ) throws -> RecognitionResult {
    var timings = LineTimings()
    let result = try sharing.answer(&timings) { _ in
      do {
        return try recognizer.recognize(
          ink, context: context, maximumCandidates: maximumCandidates)
      } catch let fault as any RecognizerFault {
        throw fault
      } catch {
        return nil
      }
    }
    guard let result else { throw RefusedInk() }
    return result
  }

  /// The rank that read the ink refused it.
  private struct RefusedInk: Error {}
}
