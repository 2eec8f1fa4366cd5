import Files
import Formulas
import Foundation
import InkCore
import Recognition
import Training

/// Trains the networks of a formula model for groups, relations, relations in context and classes in
/// context. The glyph models of symbols are trained before, on ``SymbolSamples``.
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
    /// The passes over the formulas for relations, and for relations in context.
    package var relationEpochs = 8
    /// The passes for the relations of a fold, whose structure relations in context learn from.
    package var foldEpochs = 4
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
  private let start: FormulaModel?
  private let stages: TrainingStages?
  private let observer: (any FormulaTrainingObserver)?
  /// The learning rates of a run that goes on from a model, as a share of those of fresh weights.
  private static let startRate: Float = 0.3

  /// Makes a trainer.
  ///
  /// - Parameters:
  ///   - symbols: The glyph model of the result.
  ///   - start: The model whose networks training goes on from; nil for fresh weights.
  ///   - workers: The threads; the result does not depend on it.
  ///   - stages: Keeps the networks that are finished; nil for none.
  ///   - observer: Gets a line about each pass, and can stop the training.
  /// - Throws: ``FormulaError/malformedModel(path:what:)`` if the glyph model lacks the class of
  ///   groups that are not symbols.
  package init(
    symbols: GlyphModel, _ configuration: Configuration = Configuration(),
    start: FormulaModel? = nil, workers: Int = 1, stages: TrainingStages? = nil,
    observer: (any FormulaTrainingObserver)? = nil
  ) throws(FormulaError) {
    let classifier = try SymbolClassifier(checking: symbols)
    self.configuration = configuration
    self.symbols = symbols
    self.workers = WorkerPool(count: workers)
    (self.start, self.stages, self.observer) = (start, stages, observer)
    classes = classifier.classes
    noneIndex = classifier.noneIndex
    kinds = SymbolKinds(labels: symbols.labels)
  }

  /// Trains all networks.
  ///
  /// - Parameter folds: Formulas, each with a glyph model of the same classes that did not see
  ///   them.
  /// - Throws: ``FormulaError/noFormulas(found:)`` if none has groups and a structure,
  ///   ``FormulaError/malformedModel(path:what:)`` if the classes of a fold are others, or
  ///   `TrainingError.interrupted(epoch:step:)`.
  package func train(on folds: [Fold]) throws -> FormulaModel {
    var samples: [Sample] = []
    for (index, fold) in folds.enumerated() {
      guard fold.symbols.labels == symbols.labels else {
        throw FormulaError.malformedModel(
          path: "fold", what: "expected the classes of the glyph model, found others")
      }
      samples += prepared(fold.formulas, try SymbolClassifier(checking: fold.symbols), fold: index)
    }
    guard !samples.isEmpty else {
      throw FormulaError.noFormulas(found: folds.reduce(0) { $0 + $1.formulas.count })
    }
    let fresh = networks()
    let groups = try kept("groups", fresh.groups) { try trainGroups(samples, &$0) }
    let relations = try kept("relations", fresh.relations) {
      try trainRelations(samples, "relations", configuration.relationEpochs, &$0)
    }
    let context = try kept("context", fresh.context) {
      try trainContext(samples, folds: folds.count, fresh.relations, &$0)
    }
    var model = FormulaModel(
      symbols: symbols, groupNetwork: groups, relationNetwork: relations,
      contextNetwork: context, labelNetwork: fresh.labels)
    model.labelNetwork = try kept("classes", fresh.labels) {
      try trainLabels(samples, FormulaReader(model), &$0)
    }
    return model
  }

  /// The networks before training: those of the model to go on from, or fresh ones.
  private func networks() -> FormulaModel.Networks {
    var networks = FormulaModel.networks(classes: classes, seed: configuration.seed)
    if let start { networks.take(start, labels: symbols.labels) }
    return networks
  }

  /// Trains a network, or takes it from a run before.
  private func kept(
    _ name: String, _ fresh: Perceptron, _ train: (inout Perceptron) throws -> Void
  ) throws -> Perceptron {
    if let known = try stages?.network(name, like: fresh) {
      observer?.note("\(name): from the run before")
      return known
    }
    var network = fresh
    try train(&network)
    try stages?.save(network, name)
    return network
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
    /// The fold that it is in.
    var fold: Int
  }

  private func prepared(
    _ formulas: [LabeledFormula], _ classifier: SymbolClassifier, fold: Int
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
        read: scores.map { row in row.indices.max { row[$0] < row[$1] } ?? 0 }, fold: fold)
    }.compactMap(\.self)
  }

  // MARK: - Groups

  private struct GroupSample: Sendable {
    var input: Perceptron.Input
    var lattice: StrokeLattice
    var truth: [Int]
  }

  private func trainGroups(_ samples: [Sample], _ network: inout Perceptron) throws {
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
    observer?.note(
      "groups: \(prepared.count) of \(samples.count) formulas have their truth among the groups")
    try optimize(
      &network, "groups", samples: prepared, epochs: configuration.groupEpochs, rate: 3e-3
    ) { network, sample, _, gradient in
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

  private func trainRelations(
    _ samples: [Sample], _ name: String, _ epochs: Int, _ network: inout Perceptron
  ) throws {
    try optimize(&network, name, samples: samples, epochs: epochs, rate: 3e-3) {
      [kinds, classes] network, sample, random, gradient in
      // The network meets the classes that the glyph model reads as often as the true ones.
      let labels = random.uniform() < 0.5 ? sample.labels : sample.read
      let symbols = PlacedSymbols(sample.groups, labels: labels, in: sample.ink, kinds: kinds)
      let input = RelationFeatures.input(symbols, classes: classes)
      let activations = network.forward(input)
      let (loss, output) = Self.relationLoss(activations.outputs, sample.links)
      network.backward(input, activations, output, into: &gradient)
      return loss
    }
  }

  /// A formula with the structures that a network found which did not learn from it.
  private struct ContextSample: Sendable {
    var sample: Sample
    /// The structure by the true classes, and by those that the glyph model reads.
    var links: (known: [SymbolLayout.Link?], read: [SymbolLayout.Link?])
  }

  private func trainContext(
    _ samples: [Sample], folds: Int, _ fresh: Perceptron, _ network: inout Perceptron
  ) throws {
    var prepared: [ContextSample] = []
    for fold in 0..<folds {
      let others = samples.filter { $0.fold != fold || folds == 1 }
      let name = "relations-\(fold + 1)"
      let relations = try kept(name, fresh) {
        try trainRelations(others, name, configuration.foldEpochs, &$0)
      }
      let own = samples.filter { $0.fold == fold }
      prepared += workers.map(own.count) { [kinds, classes, relations] index in
        func links(_ labels: [Int]) -> [SymbolLayout.Link?] {
          let symbols = PlacedSymbols(
            own[index].groups, labels: labels, in: own[index].ink, kinds: kinds)
          let input = RelationFeatures.input(symbols, classes: classes)
          return StructureSearch(
            RelationScores.choices(
              relations.forward(input).outputs, count: symbols.groups.count)
          ).best().links
        }
        return ContextSample(
          sample: own[index], links: (links(own[index].labels), links(own[index].read)))
      }
    }
    try optimize(
      &network, "context", samples: prepared, epochs: configuration.relationEpochs, rate: 3e-3
    ) { [kinds, classes] network, item, random, gradient in
      let sample = item.sample
      let isKnown = random.uniform() < 0.5
      let symbols = PlacedSymbols(
        sample.groups, labels: isKnown ? sample.labels : sample.read, in: sample.ink, kinds: kinds)
      let input = RelationContext.input(
        RelationFeatures.input(symbols, classes: classes), symbols,
        isKnown ? item.links.known : item.links.read, classes: classes)
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
    _ samples: [Sample], _ reader: FormulaReader, _ network: inout Perceptron
  ) throws {
    // The structure is the one that is read, as later.
    let prepared = workers.map(samples.count) { [kinds] index in
      ContextSample(
        sample: samples[index],
        links: (
          [],
          reader.structure(
            of: PlacedSymbols(
              samples[index].groups, labels: samples[index].read, in: samples[index].ink,
              kinds: kinds)
          ).links
        ))
    }
    try optimize(
      &network, "classes", samples: prepared, epochs: configuration.labelEpochs, rate: 2e-3,
      decay: 0.1
    ) { [kinds, classes] network, item, random, gradient in
      let sample = item.sample
      // Neighbours are read wrongly by chance, as they are in use.
      var labels = sample.read
      for index in labels.indices where random.uniform() < 0.5 {
        labels[index] = sample.labels[index]
      }
      let symbols = PlacedSymbols(sample.groups, labels: labels, in: sample.ink, kinds: kinds)
      let input = LabelFeatures.input(
        symbols, item.links.read, scores: sample.scores, classes: classes)
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
  }

  // MARK: - Optimisation

  /// The formulas of one step.
  private static let batch = 8

  /// Trains a network.
  ///
  /// - Parameter body: Adds the gradient of a sample, and returns its loss. Its random numbers belong to
  ///   the sample and the pass.
  private func optimize<Value: Sendable>(
    _ network: inout Perceptron, _ name: String, samples: [Value], epochs: Int, rate: Float,
    decay: Float = 0.01,
    _ body:
      @escaping @Sendable (
        _ network: Perceptron, _ sample: Value, _ random: inout SeededGenerator,
        _ gradient: inout [Float]
      ) -> Float
  ) throws {
    guard !samples.isEmpty else { return }
    let steps = epochs * ((samples.count + Self.batch - 1) / Self.batch)
    var optimizer = PerceptronOptimizer(
      network, steps: steps, rate: start == nil ? rate : Self.startRate * rate, decay: decay)
    let seed = configuration.seed
    var gradient = [Float](repeating: 0, count: network.parameters.count)
    for epoch in 0..<epochs {
      var generator = SeededGenerator(seed: seed, 7, UInt64(epoch))
      var order = Array(samples.indices)
      for index in stride(from: order.count - 1, to: 0, by: -1) {
        order.swapAt(index, generator.index(below: index + 1))
      }
      var loss = 0.0
      for first in stride(from: 0, to: order.count, by: Self.batch) {
        let part = Array(order[first..<min(first + Self.batch, order.count)])
        let results = workers.map(part.count) { [network] place -> (Float, [Float]) in
          var own = [Float](repeating: 0, count: network.parameters.count)
          var random = SeededGenerator(seed: seed, 5, UInt64(epoch), UInt64(part[place]))
          let loss = body(network, samples[part[place]], &random, &own)
          return (loss, own)
        }
        // The sum does not depend on the number of threads.
        for (value, own) in results {
          loss += Double(value)
          for place in gradient.indices { gradient[place] += own[place] / Float(Self.batch) }
        }
        optimizer.apply(&gradient, to: &network)
        if observer?.shouldStop == true {
          throw TrainingError.interrupted(epoch: epoch, step: first / Self.batch)
        }
      }
      observer?.note("\(name), pass \(epoch + 1)/\(epochs): loss \(loss / Double(samples.count))")
    }
  }
}
