import Files
import Formulas
import Foundation
import Recognition

/// Chooses the weights of a reading's score, on formulas that no part of the model has seen.
package enum FormulaTuner {
  /// The values tried for each weight, relative to the weight of the groups.
  private static let steps: [Float] = [0.25, 0.5, 1, 1.5, 2, 3, 4, 6, 8]
  private static let faults: [Float] = [0, 0.5, 1, 2, 3, 5, 8]

  /// The parts of a candidate's score.
  private struct Parts: Sendable {
    var score: FormulaCandidate.Parts
    var isRight: Bool
  }

  /// Sets the weights with the most formulas read right, and the temperature with the best
  /// likelihood of the right candidates.
  ///
  /// - Throws: ``FormulaError/malformedModel(path:what:)``.
  package static func tune(
    _ model: inout FormulaModel, on records: [LabeledFormula], workers: Int
  ) throws(FormulaError) {
    let reader = try FormulaReader(model)
    let lists = WorkerPool(count: workers).map(records.count) { index -> [Parts] in
      let truth = NormalForm.of(latex: records[index].latex)
      let readings = (try? reader.readPlain(records[index].ink, maximumCandidates: 100)) ?? []
      return readings.map {
        Parts(
          score: $0.parts, isRight: NormalForm.of(latex: $0.latex) == truth)
      }
    }.filter { list in list.contains { $0.isRight } }
    guard !lists.isEmpty else { return }
    var best = (count: -1, weights: model.weights)
    for labels in steps {
      for relations in steps {
        for faults in Self.faults {
          var weights = FormulaModel.Weights()
          weights.labels = labels
          weights.relations = relations
          weights.faults = faults
          let count = lists.count { isBestRight($0, weights) }
          if count > best.count { best = (count, weights) }
        }
      }
    }
    model.weights = best.weights
    model.weights.temperature = temperature(lists, best.weights)
  }

  private static func isBestRight(_ list: [Parts], _ weights: FormulaModel.Weights) -> Bool {
    list.max { weights.score(of: $0.score) < weights.score(of: $1.score) }?.isRight ?? false
  }

  private static func temperature(
    _ lists: [[Parts]], _ weights: FormulaModel.Weights
  ) -> Float {
    let values: [Float] = [0.5, 0.7, 1, 1.4, 2, 2.8, 4, 5.6, 8]
    func loss(_ temperature: Float) -> Double {
      lists.reduce(0) { sum, list in
        let scores = list.map { Double(weights.score(of: $0.score) / temperature) }
        let largest = scores.max() ?? 0
        let all = scores.reduce(0) { $0 + exp($1 - largest) }
        let right = zip(list, scores).reduce(0) { $0 + ($1.0.isRight ? exp($1.1 - largest) : 0) }
        return sum - log(max(right / all, 1e-12))
      }
    }
    return values.min { loss($0) < loss($1) } ?? 1
  }
}
