import Features
import Formulas
import Foundation
import InkCore
import LinearAlgebra
import Networks

/// Classifies groups of strokes in batches with a glyph model. One class of the model, `\none`,
/// means that the group is not one symbol.
package struct SymbolClassifier: Sendable {
  /// The label of groups that are not one symbol.
  package static let none = #"\none"#

  package let model: GlyphModel
  /// The index of ``none`` among the labels.
  package let noneIndex: Int
  private static let batch = 32

  /// Makes a classifier; nil if the model lacks the class ``none``.
  package init?(_ model: GlyphModel) {
    guard let none = model.labels.firstIndex(of: Self.none) else { return nil }
    self.model = model
    noneIndex = none
  }

  /// Makes a classifier.
  ///
  /// - Throws: ``FormulaError/malformedModel(path:what:)`` if the model lacks the class ``none``.
  package init(checking model: GlyphModel) throws(FormulaError) {
    guard let classifier = SymbolClassifier(model) else {
      throw .malformedModel(
        path: "symbols", what: "expected the class \(Self.none), found none")
    }
    self = classifier
  }

  /// The number of classes, K.
  package var classes: Int { model.labels.count }

  /// The log-probabilities of groups, [N, K]. A stroke that is known has its class, and no group with
  /// another one is a symbol.
  package func logProbabilities(of groups: [[Int]], in ink: FormulaInk) -> [Float] {
    var result = readProbabilities(of: groups, in: ink)
    guard !ink.known.isEmpty else { return result }
    for (index, group) in groups.enumerated() {
      guard let label = group.lazy.compactMap({ ink.known[$0] }).first else { continue }
      let known = group.count > 1 ? noneIndex : place(of: label)
      for place in 0..<classes { result[index * classes + place] = place == known ? 0 : -20 }
    }
    return result
  }

  /// The class of a label. One that the model does not have is taken for a capital, which may be wherever
  /// any symbol may.
  private func place(of label: String) -> Int {
    model.labels.firstIndex(of: label) ?? model.labels.firstIndex(of: "A") ?? 0
  }

  private func readProbabilities(of groups: [[Int]], in ink: FormulaInk) -> [Float] {
    let network = model.network
    let architecture = network.architecture
    var extractor = FeatureExtractor(model.pipeline)
    let input = GlyphInput(architecture, batch: Self.batch)
    let workspace = network.makeWorkspace(batch: Self.batch)
    let context = LayerContext(parameters: model.parameters.pointer)
    var result: [Float] = []
    result.reserveCapacity(groups.count * classes)
    var trajectory = Trajectory()
    for start in stride(from: 0, to: groups.count, by: Self.batch) {
      let part = groups[start..<min(start + Self.batch, groups.count)]
      for (row, group) in part.enumerated() {
        // Coordinates were checked when the ink was measured.
        try? trajectory.load(ink.ink(of: group))
        extractor.extract(
          trajectory,
          area: Self.area(of: group, in: ink).map { LocalArea($0, in: trajectory.frame) },
          sequence: input.sequence.pointer + row * architecture.sequence.count,
          maps: input.maps.pointer + row * architecture.maps,
          globals: input.globals.pointer + row * architecture.globals)
      }
      let logits = network.forward(input, batch: part.count, workspace: workspace, context: context)
      appendLogSoftmax(logits, rows: part.count, to: &result)
    }
    return result
  }

  /// The log-probabilities of the classes of groups, given that each is a symbol; ``none`` gets -20.
  package func labelScores(of groups: [[Int]], in ink: FormulaInk) -> [[Float]] {
    let scores = logProbabilities(of: groups, in: ink)
    return groups.indices.map { index in
      Self.labelScores(scores[(index * classes)..<((index + 1) * classes)], noneIndex)
    }
  }

  /// The log-probabilities of the classes without the one at `none`.
  package static func labelScores(_ row: ArraySlice<Float>, _ none: Int) -> [Float] {
    let rest = log(max(1 - exp(row[row.startIndex + none]), 1e-6))
    return row.enumerated().map { $0.offset == none ? -20 : max($0.element - rest, -20) }
  }

  /// The area as tall as a typical stroke of the formula, around the middle of the group: it tells
  /// the network the size of the group.
  package static func area(of group: [Int], in ink: FormulaInk) -> WritingArea? {
    let box = ink.box(of: group)
    return try? WritingArea(
      x: box.minX, y: box.midY - ink.unit / 2, width: max(box.width, ink.unit), height: ink.unit)
  }

  private func appendLogSoftmax(
    _ logits: UnsafePointer<Float>, rows: Int, to result: inout [Float]
  ) {
    let scale = Float(1 / model.temperature)
    for row in 0..<rows {
      let values = (0..<classes).map { logits[row * classes + $0] * scale }
      let largest = values.max() ?? 0
      let normalizer = largest + log(values.reduce(0) { $0 + exp($1 - largest) })
      for value in values { result.append(max(value - normalizer, -20)) }
    }
  }
}
