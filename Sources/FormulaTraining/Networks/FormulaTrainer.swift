import Files
import Formulas
import Foundation
import InkCore
import Recognition

/// Trains the networks of a formula model for groups, relations and classes in context. The glyph
/// models of symbols are trained before, on ``SymbolSamples``.
///
/// Each formula comes with a glyph model that was trained on other ink: on ink that a glyph model has learned,
/// its answers are better than on new ink.
package struct FormulaTrainer: Sendable {
  /// The settings.
  package struct Configuration: Sendable {
    /// The random seed.
    package var seed: UInt64 = 1
    /// The passes over the formulas for groups.
    package var groupEpochs = 7
    /// The passes over the formulas for relations.
    package var relationEpochs = 8
    /// The passes over the formulas for classes.
    package var labelEpochs = 10

    /// Makes the default settings.
    package init() {}
  }

  /// Formulas with a glyph model that was not trained on them.
  package struct Fold: Sendable {
    /// The glyph model.
    package var symbols: GlyphModel
    /// The formulas.
    package var formulas: [LabeledFormula]

    /// Makes a fold.
    package init(symbols: GlyphModel, formulas: [LabeledFormula]) {
      self.symbols = symbols
      self.formulas = formulas
    }
  }

  private let configuration: Configuration
  private let symbols: GlyphModel
  private let kinds: SymbolKinds
  private let classes: Int
  private let noneIndex: Int
  private let workers: WorkerPool
  private let report: @Sendable (String) -> Void

  /// Makes a trainer.
  ///
  /// - Parameters:
  ///   - symbols: The glyph model of the result.
  ///   - workers: The threads; the result does not depend on it.
  ///   - report: Gets a line about each pass.
  /// - Throws: ``FormulaError/malformedModel(path:what:)`` if the glyph model lacks the class of
  ///   groups that are not symbols.
  package init(
    symbols: GlyphModel, _ configuration: Configuration = Configuration(), workers: Int = 1,
    report: @escaping @Sendable (String) -> Void = { _ in }
  ) throws(FormulaError) {
    let classifier = try SymbolClassifier(checking: symbols)
    self.configuration = configuration
    self.symbols = symbols
    self.workers = WorkerPool(count: workers)
    self.report = report
    classes = classifier.classes
    noneIndex = classifier.noneIndex
    kinds = SymbolKinds(labels: symbols.labels)
  }

  /// Trains all networks.
  ///
  /// - Parameter folds: Formulas, each with a glyph model of the same classes that did not see
  ///   them.
  /// - Throws: ``FormulaError/noFormulas(found:)`` if none has groups and a structure, or
  ///   ``FormulaError/malformedModel(path:what:)`` if the classes of a fold are others.
  package func train(on folds: [Fold]) throws(FormulaError) -> FormulaModel {
    var samples: [Sample] = []
    for fold in folds {
      guard fold.symbols.labels == symbols.labels else {
        throw .malformedModel(
          path: "fold", what: "expected the classes of the glyph model, found others")
      }
      samples += prepared(fold.formulas, try SymbolClassifier(checking: fold.symbols))
    }
    guard !samples.isEmpty else {
      throw .noFormulas(found: folds.reduce(0) { $0 + $1.formulas.count })
    }
    var networks = FormulaModel.networks(classes: classes, seed: configuration.seed)
    trainGroups(samples, &networks.groups)
    trainRelations(samples, &networks.relations)
    var model = FormulaModel(
      symbols: symbols, groupNetwork: networks.groups,
      relationNetwork: networks.relations, labelNetwork: networks.labels)
    try trainLabels(samples, &model)
    return model
  }

  /// A formula whose symbols the glyph model knows, with what a glyph model reads in it.
  private struct Sample: Sendable {
    var ink: FormulaInk
    var groups: [[Int]]
    var labels: [Int]
    var links: [SymbolLayout.Link?]
    var candidates: ClassifiedGroups
    /// The log-probabilities of the classes of each true group.
    var scores: [[Float]]
    /// The best class of each true group.
    var read: [Int]
  }

  private func prepared(
    _ formulas: [LabeledFormula], _ classifier: SymbolClassifier
  ) -> [Sample] {
    let indices = Dictionary(
      symbols.labels.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    return workers.map(formulas.count) { index -> Sample? in
      let formula = formulas[index]
      guard let layout = formula.layout, let ink = try? FormulaInk(formula.ink) else { return nil }
      let labels = layout.symbols.compactMap { indices[$0.label] }
      guard labels.count == layout.symbols.count, !labels.isEmpty else { return nil }
      let groups = layout.symbols.map(\.strokes)
      let scores = classifier.labelScores(of: groups, in: ink)
      return Sample(
        ink: ink, groups: groups, labels: labels, links: layout.links,
        candidates: ClassifiedGroups(GroupHypotheses(ink), ink, classifier), scores: scores,
        read: scores.map { row in row.indices.max { row[$0] < row[$1] } ?? 0 })
    }.compactMap(\.self)
  }

  // MARK: - Groups

  private struct GroupSample {
    var input: Perceptron.Input
    var lattice: StrokeLattice
    var truth: [Int]
  }

  private func trainGroups(_ samples: [Sample], _ network: inout Perceptron) {
    var prepared: [GroupSample] = []
    for sample in samples {
      // Strokes without a symbol would have no place in a segmentation.
      guard sample.groups.reduce(0, { $0 + $1.count }) == sample.ink.strokes.count else { continue }
      let groups = sample.candidates
      let allowed = FormulaReader.allowed(groups)
      let truth = sample.groups.compactMap { groups.indices[$0] }.filter { allowed[$0] }
      guard truth.count == sample.groups.count else { continue }
      let lattice = StrokeLattice(
        groups.groups, isAllowed: allowed, strokes: sample.ink.strokes.count)
      prepared.append(
        GroupSample(
          input: GroupFeatures.input(groups, sample.ink), lattice: lattice, truth: truth))
    }
    report(
      "groups: \(prepared.count) of \(samples.count) formulas have their truth among the groups")
    optimize(
      &network, "groups", samples: prepared, epochs: configuration.groupEpochs, rate: 3e-3
    ) { network, sample, gradient in
      let activations = network.forward(sample.input)
      let scores = activations.outputs
      let (logSum, probabilities) = sample.lattice.marginals(
        scores: scores, groups: sample.input.rows)
      var output = probabilities
      for index in sample.truth { output[index] -= 1 }
      network.backward(sample.input, activations, output, into: &gradient)
      return logSum - sample.truth.reduce(0) { $0 + scores[$1] }
    }
  }

  // MARK: - Relations

  private func trainRelations(_ samples: [Sample], _ network: inout Perceptron) {
    var generator = SeededGenerator(seed: configuration.seed, 5)
    optimize(
      &network, "relations", samples: samples, epochs: configuration.relationEpochs, rate: 3e-3
    ) { network, sample, gradient in
      // The network meets the classes that the glyph model reads as often as the true ones.
      let labels = generator.uniform() < 0.5 ? sample.labels : sample.read
      let symbols = PlacedSymbols(sample.groups, labels: labels, in: sample.ink, kinds: kinds)
      let input = RelationFeatures.input(symbols, classes: classes)
      let activations = network.forward(input)
      let (loss, output) = Self.relationLoss(activations.outputs, sample.links)
      network.backward(input, activations, output, into: &gradient)
      return loss
    }
  }

  /// The cross-entropy of every symbol's choice, and the gradient of the outputs.
  private static func relationLoss(
    _ outputs: [Float], _ links: [SymbolLayout.Link?]
  ) -> (loss: Float, gradient: [Float]) {
    let width = RelationFeatures.outputs
    let count = links.count
    var gradient = [Float](repeating: 0, count: outputs.count)
    var loss: Float = 0
    for (child, choices) in RelationScores.choices(outputs, count: count).enumerated() {
      for choice in choices {
        let isTrue = choice.link == links[child]
        if isTrue { loss -= choice.score }
        let place =
          choice.link.map {
            RelationFeatures.row(child: child, parent: $0.parent, count: count) * width
              + $0.relation.rawValue
          } ?? child * count * width + RelationFeatures.rootOutput
        gradient[place] = exp(choice.score) - (isTrue ? 1 : 0)
      }
    }
    return (loss, gradient)
  }

  // MARK: - Classes in context

  private func trainLabels(
    _ samples: [Sample], _ model: inout FormulaModel
  ) throws(FormulaError) {
    let reader = try FormulaReader(model)
    // The structure is the one that is read, as later.
    let links = workers.map(samples.count) { index in
      reader.structure(
        of: PlacedSymbols(
          samples[index].groups, labels: samples[index].read, in: samples[index].ink,
          kinds: kinds)
      ).links
    }
    var generator = SeededGenerator(seed: configuration.seed, 6)
    let indices = Array(samples.indices)
    var network = model.labelNetwork
    optimize(
      &network, "classes", samples: indices, epochs: configuration.labelEpochs, rate: 2e-3,
      decay: 0.1
    ) { network, index, gradient in
      let sample = samples[index]
      // Neighbours are read wrongly by chance, as they are in use.
      let labels = sample.labels.indices.map {
        generator.uniform() < 0.5 ? sample.labels[$0] : sample.read[$0]
      }
      let symbols = PlacedSymbols(sample.groups, labels: labels, in: sample.ink, kinds: kinds)
      let input = LabelFeatures.input(
        symbols, links[index], scores: sample.scores, classes: classes)
      let activations = network.forward(input)
      let corrected = LabelFeatures.corrected(sample.scores, activations.outputs)
      var loss: Float = 0
      var output: [Float] = []
      for (row, truth) in zip(corrected, sample.labels) {
        loss -= row[truth]
        output += row.enumerated().map { exp($0.element) - ($0.offset == truth ? 1 : 0) }
      }
      network.backward(input, activations, output, into: &gradient)
      return loss
    }
    model.labelNetwork = network
  }

  // MARK: - Optimisation

  /// The formulas of one step.
  private static let batch = 8

  private func optimize<Value>(
    _ network: inout Perceptron, _ name: String, samples: [Value], epochs: Int, rate: Float,
    decay: Float = 0.01,
    _ body: (_ network: Perceptron, _ sample: Value, _ gradient: inout [Float]) -> Float
  ) {
    guard !samples.isEmpty else { return }
    let steps = epochs * ((samples.count + Self.batch - 1) / Self.batch)
    var optimizer = PerceptronOptimizer(network, steps: steps, rate: rate, decay: decay)
    var gradient = [Float](repeating: 0, count: network.parameters.count)
    for epoch in 0..<epochs {
      var generator = SeededGenerator(seed: configuration.seed, 7, UInt64(epoch))
      var order = Array(samples.indices)
      for index in stride(from: order.count - 1, to: 0, by: -1) {
        order.swapAt(index, generator.index(below: index + 1))
      }
      var loss = 0.0
      for (count, index) in order.enumerated() {
        loss += Double(body(network, samples[index], &gradient))
        if (count + 1) % Self.batch == 0 || count + 1 == order.count {
          for place in gradient.indices { gradient[place] /= Float(Self.batch) }
          optimizer.apply(&gradient, to: &network)
        }
      }
      report("\(name), pass \(epoch + 1)/\(epochs): loss \(loss / Double(samples.count))")
    }
  }
}
