import Features
import Foundation
import InkCore
import LinearAlgebra
import Networks

/// Recognises one ink as one label: characters, digits, shapes, gestures, symbols.
///
/// Thread-safe. Each thread that recognises at the same moment uses memory of its own, which is
/// kept for the next; a call allocates nothing but its result once that memory has grown to the
/// longest ink seen.
public final class GlyphClassifier: Recognizer, @unchecked Sendable {
  // Unchecked because the idle memories are guarded by the lock and each is used by one call.

  /// The model in use.
  public let model: GlyphModel
  private let lock = NSLock()
  private var idle: [Memory] = []

  /// Makes a classifier of a model in memory.
  public init(model: GlyphModel) {
    self.model = model
  }

  /// The model's labels.
  public var labels: [String]? { model.labels }

  /// The calibrated candidates of one ink.
  ///
  /// The writing area is used where the context has one, but not by models of shapes and drawings;
  /// the text before the ink is not.
  ///
  /// - Throws: ``InkError/nonFiniteCoordinate(stroke:point:)``.
  public func recognize(
    _ ink: Ink, context: RecognitionContext, maximumCandidates: Int
  ) throws -> RecognitionResult {
    guard !ink.isEmpty else {
      try ink.validate()
      return RecognitionResult(candidates: [])
    }
    let memory = takeMemory()
    defer { giveBack(memory) }
    try memory.trajectory.load(ink)
    let area = (model.usesWritingArea ? context.writingArea : nil).map {
      LocalArea($0, in: memory.trajectory.frame)
    }
    return memory.classify(model, area: area, maximumCandidates: max(1, maximumCandidates))
  }

  private func takeMemory() -> Memory {
    lock.lock()
    defer { lock.unlock() }
    return idle.popLast() ?? Memory(model)
  }

  private func giveBack(_ memory: Memory) {
    lock.lock()
    defer { lock.unlock() }
    idle.append(memory)
  }
}

/// What one recognition at a time needs.
private final class Memory {
  var trajectory = Trajectory()
  private var extractor: FeatureExtractor
  private let input: GlyphInput
  private let workspace: GlyphNetwork.Workspace
  private var order: [Int] = []
  private var scores: [Float]

  init(_ model: GlyphModel) {
    extractor = FeatureExtractor(model.pipeline)
    input = GlyphInput(model.network.architecture, batch: 1)
    workspace = model.network.makeWorkspace(batch: 1)
    scores = [Float](repeating: 0, count: model.labels.count)
  }

  func classify(
    _ model: GlyphModel, area: LocalArea?, maximumCandidates: Int
  ) -> RecognitionResult {
    extractor.extract(
      trajectory, area: area, sequence: input.sequence.pointer, maps: input.maps.pointer,
      globals: input.globals.pointer)
    let logits = model.network.forward(
      input, batch: 1, workspace: workspace,
      context: LayerContext(parameters: model.parameters.pointer))
    let inverse = Float(1 / model.temperature)
    for label in scores.indices { scores[label] = logits[label] * inverse }
    let largest = scores.max() ?? 0
    let normalizer = largest + log(scores.reduce(0) { $0 + exp($1 - largest) })
    selectBest(maximumCandidates)
    return RecognitionResult(
      candidates: order.map {
        RecognitionCandidate(
          text: model.labels[$0], score: Double(min(0, scores[$0] - normalizer)))
      })
  }

  /// Fills `order` with the indices of the best scores, best first; O(labels x count).
  private func selectBest(_ count: Int) {
    order.removeAll(keepingCapacity: true)
    for label in scores.indices {
      if order.count == count, let last = order.last, scores[label] <= scores[last] { continue }
      var place = order.count
      while place > 0, scores[order[place - 1]] < scores[label] { place -= 1 }
      order.insert(label, at: place)
      if order.count > count { order.removeLast() }
    }
  }
}
