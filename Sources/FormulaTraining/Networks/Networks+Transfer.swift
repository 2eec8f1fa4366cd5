import Formulas
import Recognition

extension FormulaModel.Networks {
  /// Takes the weights of a model with other classes. Classes that it does not know keep their weights.
  ///
  /// - Parameters:
  ///   - model: The model. One of the first version has no network of relations in context.
  ///   - labels: The classes of these networks.
  package mutating func take(_ model: FormulaModel, labels: [String]) {
    let known = Dictionary(
      model.symbols.labels.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    let classes: [Int?] = labels.map { known[$0] }
    // The last value of a class input means that there is no symbol.
    let symbols = classes + [model.symbols.labels.count]
    let none = model.symbols.labels.count + 1
    func pairs(_ relations: Int) -> [Int?] {
      (0..<relations).flatMap { relation in symbols.map { $0.map { relation * none + $0 } } }
    }
    func same(_ count: Int, from place: Int = 0) -> [Int?] { (0..<count).map { place + $0 } }
    let relations = FormulaRelation.allCases.count + 1
    func relationSources(_ network: Perceptron, _ classes: [[Int?]]) -> Perceptron.Sources {
      Perceptron.Sources(
        dense: same(network.shape.dense), classes: classes, outputs: same(network.shape.outputs))
    }
    _ = groups.take(
      model.groupNetwork, relationSources(groups, [symbols, symbols, symbols]))
    _ = self.relations.take(
      model.relationNetwork, relationSources(self.relations, [symbols, symbols]))
    if let network = model.contextNetwork {
      _ = context.take(
        network, relationSources(context, [symbols, symbols, pairs(relations)]))
    }
    let sizes = model.symbols.labels.count
    _ = self.labels.take(
      model.labelNetwork,
      Perceptron.Sources(
        dense: classes + same(LabelFeatures.sizes, from: sizes),
        classes: [pairs(relations), symbols, pairs(relations), symbols, symbols],
        outputs: classes))
  }
}
