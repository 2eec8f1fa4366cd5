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
  private let batches: MemoryPool<Memory>
  /// The number of inks that the network reads at once. 8 to 32 take the same time for each ink.
  private static let batch = 16

  /// Makes a classifier of a model in memory.
  public init(model: GlyphModel) {
    self.model = model
    memories = MemoryPool { Memory(model, batch: 1) }
    batches = MemoryPool { Memory(model, batch: Self.batch) }
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
      try memory.load(ink, context.writingArea, model, row: 0)
      memory.forward(model, rows: 1)
      return memory.result(model, row: 0, maximumCandidates, among: allowed)
    }
  }

  /// The logarithms of the probabilities of all labels, in their order; minus infinity for ink
  /// without points.
  ///
  /// - Throws: As ``recognize(_:context:maximumCandidates:)``.
  func logProbabilities(of ink: Ink, _ context: RecognitionContext) throws -> [Double] {
    guard !ink.isEmpty else {
      try ink.validate()
      return [Double](repeating: -.infinity, count: model.labels.count)
    }
    return try memories.withMemory { memory in
      try memory.load(ink, context.writingArea, model, row: 0)
      memory.forward(model, rows: 1)
      return memory.logProbabilities(model, row: 0)
    }
  }

  /// An ink that is not empty, to be read with others.
  struct Item {
    var ink: Ink
    var area: WritingArea?
    /// The indices of the labels that it may have; nil for all.
    var allowed: [Int]?
  }

  /// The candidates of many inks, in the order of the inks. The network reads several at once, in
  /// less time than one after the other.
  ///
  /// - Throws: `InkError.nonFiniteCoordinate(stroke:point:)`, and `CancellationError` if the task is
  ///   cancelled.
  func recognize(_ items: [Item], maximumCandidates: Int) throws -> [RecognitionResult] {
    try batches.withMemory { memory in
      var results: [RecognitionResult] = []
      results.reserveCapacity(items.count)
      for start in stride(from: 0, to: items.count, by: Self.batch) {
        try Task.checkCancellation()
        let part = items[start..<min(start + Self.batch, items.count)]
        for (row, item) in part.enumerated() {
          try memory.load(item.ink, item.area, model, row: row)
        }
        memory.forward(model, rows: part.count)
        for (row, item) in part.enumerated() {
          results.append(memory.result(model, row: row, maximumCandidates, among: item.allowed))
        }
      }
      return results
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
  private var trajectory = Trajectory()
  private var extractor: FeatureExtractor
  private let input: GlyphInput
  private let workspace: GlyphNetwork.Workspace
  private var order: [Int] = []
  private var scores: [Float]
  /// The logarithm of the sum of the exponentials of the scores.
  private var normalizer: Float = 0
  /// The most candidates that are found by insertion.
  private static let few = 32

  /// The logits of the inks that were read last, [B, K].
  private var logits: UnsafePointer<Float>?

  init(_ model: GlyphModel, batch: Int) {
    extractor = FeatureExtractor(model.pipeline)
    input = GlyphInput(model.network.architecture, batch: batch)
    workspace = model.network.makeWorkspace(batch: batch)
    scores = [Float](repeating: 0, count: model.labels.count)
  }

  /// Puts the features of an ink into a row of the input.
  func load(_ ink: Ink, _ area: WritingArea?, _ model: GlyphModel, row: Int) throws {
    try trajectory.load(ink.withoutCopies)
    let architecture = model.network.architecture
    extractor.extract(
      trajectory,
      area: (model.usesWritingArea ? area : nil).map { LocalArea($0, in: trajectory.frame) },
      sequence: input.sequence.pointer + row * architecture.sequence.count,
      maps: input.maps.pointer + row * architecture.maps,
      globals: input.globals.pointer + row * architecture.globals)
  }

  /// Runs the network on the first rows.
  func forward(_ model: GlyphModel, rows: Int) {
    logits = model.network.forward(
      input, batch: rows, workspace: workspace,
      context: LayerContext(parameters: model.parameters.pointer))
  }

  /// The candidates of a row.
  func result(
    _ model: GlyphModel, row: Int, _ maximumCandidates: Int, among allowed: [Int]?
  ) -> RecognitionResult {
    guard let logits = logits.map({ $0 + row * scores.count }) else {
      return RecognitionResult(candidates: [])
    }
    let maximumCandidates = max(1, maximumCandidates)
    normalize(logits, model, among: allowed)
    selectBest(min(maximumCandidates, allowed?.count ?? scores.count))
    return RecognitionResult(
      candidates: order.map {
        RecognitionCandidate(
          text: model.labels[$0], score: Double(min(0, scores[$0] - normalizer)))
      })
  }

  /// The logarithms of the probabilities of a row.
  func logProbabilities(_ model: GlyphModel, row: Int) -> [Double] {
    guard let logits = logits.map({ $0 + row * scores.count }) else { return [] }
    normalize(logits, model, among: nil)
    return scores.map { Double(min(0, $0 - normalizer)) }
  }

  /// Sets the scores, whose probabilities are relative to the normaliser.
  private func normalize(
    _ logits: UnsafePointer<Float>, _ model: GlyphModel, among allowed: [Int]?
  ) {
    let inverse = Float(1 / model.temperature)
    if let allowed {
      for label in scores.indices { scores[label] = -.infinity }
      for label in allowed { scores[label] = logits[label] * inverse }
    } else {
      for label in scores.indices { scores[label] = logits[label] * inverse }
    }
    let largest = scores.max() ?? 0
    normalizer = largest + log(scores.reduce(0) { $0 + exp($1 - largest) })
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
