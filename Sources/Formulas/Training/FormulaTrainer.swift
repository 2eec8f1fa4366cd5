import Foundation
import InkCore
import Recognition

/// Trains the networks of a formula model for groups, relations and classes in context. The glyph
/// model of symbols is trained before, on ``SymbolSamples``.
///
/// The formulas for groups and classes must be others than those of the glyph model: on ink that it
/// has learned, its answers are better than on new ink. Relations are trained on all.
public struct FormulaTrainer {
  /// The settings.
  public struct Configuration: Sendable {
    /// The random seed.
    public var seed: UInt64 = 1
    /// The passes over the formulas for groups.
    public var groupEpochs = 12
    /// The passes over the formulas for relations.
    public var relationEpochs = 8
    /// The passes over the formulas for classes.
    public var labelEpochs = 10

    /// Makes the default settings.
    public init() {}
  }

  private let configuration: Configuration
  private let classifier: SymbolClassifier
  private let kinds: SymbolKinds
  private let classIndices: [String: Int]
  private let report: (String) -> Void

  /// Makes a trainer.
  ///
  /// - Parameters:
  ///   - symbols: The glyph model.
  ///   - report: Gets a line about each pass.
  /// - Throws: ``FormulaError/malformedModel(path:what:)`` if the glyph model lacks the class of
  ///   groups that are not symbols.
  public init(
    symbols: GlyphModel, _ configuration: Configuration = Configuration(),
    report: @escaping (String) -> Void = { _ in }
  ) throws(FormulaError) {
    guard let classifier = SymbolClassifier(symbols) else {
      throw .malformedModel(
        path: "symbols", what: "expected the class \(SymbolClassifier.none), found none")
    }
    self.configuration = configuration
    self.classifier = classifier
    self.report = report
    kinds = SymbolKinds(labels: symbols.labels)
    classIndices = Dictionary(
      symbols.labels.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Trains all networks.
  ///
  /// - Parameters:
  ///   - formulas: Formulas that the glyph model has not seen.
  ///   - known: Formulas that it was trained on; only their structure is used.
  /// - Throws: ``FormulaError/noFormulas(found:)`` if none has groups and a structure.
  public func train(
    on formulas: [LabeledFormula], known: [LabeledFormula]
  ) throws(FormulaError) -> FormulaModel {
    let fresh = prepared(formulas)
    guard !fresh.isEmpty else { throw .noFormulas(found: formulas.count) }
    var networks = FormulaModel.networks(classes: classifier.classes, seed: configuration.seed)
    trainGroups(fresh, &networks.groups)
    trainRelations(fresh + prepared(known), &networks.relations)
    var model = FormulaModel(
      symbols: classifier.model, groupNetwork: networks.groups,
      relationNetwork: networks.relations, labelNetwork: networks.labels)
    try trainLabels(fresh, &model)
    return model
  }

  /// A formula whose symbols the glyph model knows.
  private struct Sample {
    var ink: FormulaInk
    var groups: [[Int]]
    var labels: [Int]
    var links: [SymbolLayout.Link?]
  }

  private func prepared(_ formulas: [LabeledFormula]) -> [Sample] {
    formulas.compactMap { formula in
      guard let layout = formula.layout, let ink = try? FormulaInk(formula.ink) else { return nil }
      let labels = layout.symbols.compactMap { classIndices[$0.label] }
      guard labels.count == layout.symbols.count, !labels.isEmpty else { return nil }
      return Sample(
        ink: ink, groups: layout.symbols.map(\.strokes), labels: labels, links: layout.links)
    }
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
      let groups = ClassifiedGroups(GroupHypotheses(sample.ink), sample.ink, classifier)
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
    // The network meets the classes that the glyph model reads as often as the true ones.
    let read = samples.map { sample -> [Int] in
      let scores = classifier.logProbabilities(of: sample.groups, in: sample.ink)
      return sample.groups.indices.map { index in
        (0..<classifier.classes).filter { $0 != classifier.noneIndex }.max {
          scores[index * classifier.classes + $0] < scores[index * classifier.classes + $1]
        } ?? 0
      }
    }
    var generator = SeededGenerator(seed: configuration.seed, 5)
    let pairs = Array(zip(samples, read))
    optimize(
      &network, "relations", samples: pairs, epochs: configuration.relationEpochs, rate: 3e-3
    ) { network, pair, gradient in
      let (sample, read) = pair
      let labels = generator.uniform() < 0.5 ? sample.labels : read
      let symbols = PlacedSymbols(sample.groups, labels: labels, in: sample.ink, kinds: kinds)
      let input = RelationFeatures.input(symbols, classes: classifier.classes)
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
    let classes = classifier.classes
    let reader = try FormulaReader(model)
    let scores = samples.map { sample -> [[Float]] in
      let rows = classifier.logProbabilities(of: sample.groups, in: sample.ink)
      return sample.groups.indices.map { index in
        var row = Array(rows[(index * classes)..<((index + 1) * classes)])
        let rest = log(max(1 - exp(row[classifier.noneIndex]), 1e-6))
        row[classifier.noneIndex] = -20
        return row.map { max($0 - rest, -20) }
      }
    }
    let read = zip(samples, scores).map { sample, scores -> [Int] in
      sample.groups.indices.map { index in
        scores[index].indices.max { scores[index][$0] < scores[index][$1] } ?? 0
      }
    }
    // The structure is the one that is read, as later.
    let links = zip(samples, read).map { sample, read in
      reader.structure(
        of: PlacedSymbols(sample.groups, labels: read, in: sample.ink, kinds: kinds)
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
        generator.uniform() < 0.5 ? sample.labels[$0] : read[index][$0]
      }
      let symbols = PlacedSymbols(sample.groups, labels: labels, in: sample.ink, kinds: kinds)
      let input = LabelFeatures.input(
        symbols, links[index], scores: scores[index], classes: classes)
      let activations = network.forward(input)
      let corrected = LabelFeatures.corrected(scores[index], activations.outputs)
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
