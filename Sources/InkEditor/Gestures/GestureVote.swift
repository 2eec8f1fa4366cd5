import Foundation
import InkCore
import Recognition

/// The opinion of the model of gestures about the form of a stroke. It does not depend on the
/// content below, so it is one vote beside geometry and content.
struct GestureVote: Hashable, Sendable {
  /// A label of the model that the rules ask for.
  enum Label: String, Hashable, Sendable, CaseIterable {
    /// Two legs with a tip between them.
    case caret
    /// An upright line, whether it inserts or joins.
    case insert
    /// An arch.
    case join
    case scratchOut = "scratch-out"
    case strikeThrough = "strike-through"
    case surround
    /// A check mark, which is ink.
    case tick
    case underline
    case writing
  }

  /// The best label; nil if it is none that the rules know.
  var best: Label?
  /// The probabilities of the labels, 0 ... 1. Labels that the model has not named have none.
  var shares: [Label: Double] = [:]

  /// Makes a vote of the candidates of a model.
  init(_ candidates: [RecognitionCandidate]) {
    best = candidates.first.flatMap { Label(rawValue: $0.text) }
    for candidate in candidates {
      if let label = Label(rawValue: candidate.text) { shares[label] = exp(candidate.score) }
    }
  }

  /// The probability of a label.
  func share(_ label: Label) -> Double { shares[label] ?? 0 }

  /// The vote in words, for those who ask why.
  var text: String {
    guard let best else { return "model: a label that is no gesture" }
    return "model: \(best.rawValue) \(String(format: "%.2f", share(best)))"
  }
}

/// A stroke about which the model of gestures is asked before it becomes ink.
struct GestureQuestion: Sendable {
  /// The item of the stroke.
  var item: Int
  /// The name of the model.
  var model: String
  var points: [StrokePoint]
}

extension Editor {
  /// Asks the model of gestures about a stroke that is about to end, and keeps its vote. Do not
  /// call under the lock.
  ///
  /// - Parameter question: Returns the question; nil if the stroke is none or cannot be a gesture.
  func askGestureModel(_ question: (inout EditorState) -> GestureQuestion?) {
    guard let question = read({ question(&$0) }), let vote = vote(on: question) else { return }
    read { $0.votes[question.item] = vote }
  }

  /// Returns the vote of the model of gestures; nil without a model, and for strokes that cannot be
  /// gestures by their shape. Do not call under the lock.
  func vote(on question: GestureQuestion) -> GestureVote? {
    guard let shape = GestureShape(question.points), shape.mayBeGesture || shape.bend != nil
    else { return nil }
    let ink = Ink(strokes: [
      Stroke(points: question.points.filter { $0.x.isFinite && $0.y.isFinite })
    ])
    return Self.calling {
      guard let recognizer = engine.gestureRecognizer(question.model),
        let result = try? recognizer.recognize(
          ink, context: RecognitionContext(), maximumCandidates: GestureVote.Label.allCases.count)
      else { return nil }
      return GestureVote(result.candidates)
    }
  }

  /// Opens the model of gestures on a thread of the engine, so that the first gesture does not wait
  /// for it.
  func openGestureModel() {
    guard let model = read({ $0.gestureModel }) else { return }
    engine.work.run { [engine] in
      _ = Self.calling { engine.gestureRecognizer(model) }
    }
  }
}

extension EditorState {
  /// The name of the model that votes; nil if there are no gestures, or the name is empty.
  var gestureModel: String? {
    mutating get {
      guard let document, boolean("gesture.enable"), !gestureKinds(document).isEmpty else {
        return nil
      }
      let name = string("gesture.configuration")
      return name.isEmpty ? nil : name
    }
  }

  /// Returns the question about the stroke of a pointer or a pen, whose last sample is added.
  mutating func gestureQuestion(of index: Int?, last: StrokePoint? = nil) -> GestureQuestion? {
    guard let index, let document, !document.isEmpty, input.strokes[index].tool == .pen,
      !input.strokes[index].isPalm, let model = gestureModel
    else { return nil }
    let stroke = input.strokes[index]
    return GestureQuestion(
      item: stroke.item, model: model, points: stroke.inkPoints + (last.map { [$0] } ?? []))
  }
}

extension Engine {
  /// Returns the model of gestures, or nil if it is not at hand. A model that could not be opened
  /// is looked for again when models change. Do not call under a lock.
  func gestureRecognizer(_ name: String) -> (any Recognizer)? {
    guard missingGestures.withLock({ !$0.contains(name) }) else { return nil }
    if let recognizer = try? gestures.reader(
      name, open: { () throws(any Error) in try models.gestureRecognizer(name: name) })
    {
      return recognizer
    }
    missingGestures.withLock { _ = $0.insert(name) }
    return nil
  }
}
