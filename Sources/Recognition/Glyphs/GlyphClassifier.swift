import Features
import Foundation
import InkCore
import LinearAlgebra
import Networks

/// Recognises one ink as one label: characters, digits, shapes, gestures, symbols.
///
/// Thread-safe. Concurrent calls use separate memories, which are reused. A call allocates nothing
/// but its result once that memory has grown to the longest ink.
///
///     let classifier = try GlyphClassifier(contentsOf: URL(fileURLWithPath: "mine.ductus"))
///     let result = try classifier.recognize(ink)
///     print(result.candidates.first?.text ?? "nothing to read")
public final class GlyphClassifier: Recognizer {
  /// The model in use.
  public let model: GlyphModel
  private let memories: MemoryPool<Memory>

  /// Makes a classifier of a model in memory.
  public init(model: GlyphModel) {
    self.model = model
    memories = MemoryPool { Memory(model) }
  }

  /// The model's labels.
  public var labels: [String]? { model.labels }

  /// The calibrated candidates of one ink.
  ///
  /// A stroke that is stored twice is read once. The writing area of the context is used if there is one, except by models of shapes and
  /// drawings. The text before the ink is not used.
  ///
  /// - Throws: `InkError.nonFiniteCoordinate(stroke:point:)`.
  public func recognize(
    _ ink: Ink, context: RecognitionContext, maximumCandidates: Int
  ) throws -> RecognitionResult {
    try recognize(ink, context: context, maximumCandidates: maximumCandidates, among: nil)
  }

  /// The same among some of the labels, by their indices: their probabilities have a sum of 1. Nil
  /// for all labels.
  ///
  /// - Throws: As ``recognize(_:context:maximumCandidates:)``.
  func recognize(
    _ ink: Ink, context: RecognitionContext, maximumCandidates: Int, among allowed: [Int]?
  ) throws -> RecognitionResult {
    guard !ink.isEmpty else {
      try ink.validate()
      return RecognitionResult(candidates: [])
    }
    return try memories.withMemory { memory in
      try memory.trajectory.load(ink.withoutCopies)
      let area = (model.usesWritingArea ? context.writingArea : nil).map {
        LocalArea($0, in: memory.trajectory.frame)
      }
      return memory.classify(
        model, area: area, maximumCandidates: max(1, maximumCandidates), among: allowed)
    }
  }
}

extension Ink {
  /// The ink without strokes that have the same points as an earlier one. O(strokes²).
  fileprivate var withoutCopies: Ink {
    let copies = strokes.indices.filter { index in
      let points = strokes[index].points
      return strokes[..<index].contains { earlier in
        earlier.points.first?.x == points.first?.x && earlier.points.first?.y == points.first?.y
          && earlier.points.count == points.count
          && zip(earlier.points, points).allSatisfy { $0.x == $1.x && $0.y == $1.y }
      }
    }
    guard !copies.isEmpty else { return self }
    return Ink(strokes: strokes.indices.filter { !copies.contains($0) }.map { strokes[$0] })
  }
}

/// The memory of one recognition at a time.
private final class Memory {
  var trajectory = Trajectory()
  private var extractor: FeatureExtractor
  private let input: GlyphInput
  private let workspace: GlyphNetwork.Workspace
  private var order: [Int] = []
  private var scores: [Float]
  /// The most candidates that are found by insertion.
  private static let few = 32

  init(_ model: GlyphModel) {
    extractor = FeatureExtractor(model.pipeline)
    input = GlyphInput(model.network.architecture, batch: 1)
    workspace = model.network.makeWorkspace(batch: 1)
    scores = [Float](repeating: 0, count: model.labels.count)
  }

  func classify(
    _ model: GlyphModel, area: LocalArea?, maximumCandidates: Int, among allowed: [Int]?
  ) -> RecognitionResult {
    extractor.extract(
      trajectory, area: area, sequence: input.sequence.pointer, maps: input.maps.pointer,
      globals: input.globals.pointer)
    let logits = model.network.forward(
      input, batch: 1, workspace: workspace,
      context: LayerContext(parameters: model.parameters.pointer))
    let inverse = Float(1 / model.temperature)
    if let allowed {
      for label in scores.indices { scores[label] = -.infinity }
      for label in allowed { scores[label] = logits[label] * inverse }
    } else {
      for label in scores.indices { scores[label] = logits[label] * inverse }
    }
    let largest = scores.max() ?? 0
    let normalizer = largest + log(scores.reduce(0) { $0 + exp($1 - largest) })
    selectBest(min(maximumCandidates, allowed?.count ?? scores.count))
    return RecognitionResult(
      candidates: order.map {
        RecognitionCandidate(
          text: model.labels[$0], score: Double(min(0, scores[$0] - normalizer)))
      })
  }

  /// Fills `order` with the indices of the best scores, best first. O(labels · count) for a few, and
  /// O(labels · log labels) for many.
  private func selectBest(_ count: Int) {
    order.removeAll(keepingCapacity: true)
    guard count <= Self.few else {
      order.append(contentsOf: scores.indices)
      order.sort { (scores[$1], $0) < (scores[$0], $1) }
      order.removeLast(max(0, order.count - count))
      return
    }
    for label in scores.indices {
      if order.count == count, let last = order.last, scores[label] <= scores[last] { continue }
      var place = order.count
      while place > 0, scores[order[place - 1]] < scores[label] { place -= 1 }
      order.insert(label, at: place)
      if order.count > count { order.removeLast() }
    }
  }
}
