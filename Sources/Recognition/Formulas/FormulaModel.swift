import Formulas
import Foundation
import ModelFormat
import SafeTensors

/// A trained formula model: a glyph model of symbols, and small networks for the groups of strokes, the
/// relations of symbols alone and in the context of a first structure, and the classes of symbols in
/// their context.
///
/// Its bundle has the network of the glyph model and a second part.
public struct FormulaModel: Sendable {
  /// The weights of the parts of a reading's score.
  package struct Weights: Hashable, Codable, Sendable {
    /// The weight of the groups' log-probability.
    package var groups: Float = 1
    /// The weight of the symbols' log-probabilities.
    package var labels: Float = 1
    /// The weight of the relations' log-probabilities.
    package var relations: Float = 1
    /// The loss of a place that breaks the rules of formulas.
    package var faults: Float = 1
    /// The divisor of scores before they become probabilities of candidates.
    package var temperature: Float = 1

    /// Makes the weights before tuning.
    package init() {}

    /// The weighted sum of the parts.
    package func score(of parts: FormulaCandidate.Parts) -> Float {
      groups * parts.groups + labels * parts.labels + relations * parts.relations
        - faults * parts.faults
    }
  }

  /// The glyph model; one of its classes means that a group is not one symbol.
  package var symbols: GlyphModel
  /// Scores groups of strokes.
  package var groupNetwork: Perceptron
  /// Scores relations of symbols.
  package var relationNetwork: Perceptron
  /// Scores relations again, with the structure that the first scores give; nil for models of the first
  /// version.
  package var contextNetwork: Perceptron?
  /// Corrects classes.
  package var labelNetwork: Perceptron
  /// The weights of the scores.
  package var weights = Weights()

  /// The identifier of the model that ships.
  package static let shippedIdentifier = "formulas"
  /// The name of the second part of a bundle, and its role.
  package static let partName = "formulas.safetensors"
  package static let role = "formulas"
  private static let metadataKey = "ductus.formulas"

  private struct Description: Codable {
    var version = 2
    var groups: Perceptron.Shape
    var relations: Perceptron.Shape
    /// Nil in the first version.
    var context: Perceptron.Shape?
    var labels: Perceptron.Shape
    var weights: Weights
  }

  package init(
    symbols: GlyphModel, groupNetwork: Perceptron, relationNetwork: Perceptron,
    contextNetwork: Perceptron?, labelNetwork: Perceptron
  ) {
    self.symbols = symbols
    self.groupNetwork = groupNetwork
    self.relationNetwork = relationNetwork
    self.contextNetwork = contextNetwork
    self.labelNetwork = labelNetwork
  }

  /// Fresh networks, or those of a model.
  package struct Networks: Sendable {
    package var groups, relations, context, labels: Perceptron
  }

  /// Returns fresh networks for a number of classes.
  package static func networks(classes: Int, seed: UInt64) -> Networks {
    Networks(
      groups: Perceptron(
        .init(
          dense: GroupFeatures.count, classes: [classes + 1, classes + 1, classes + 1],
          embedding: 8, hidden: [64, 32], outputs: 1), seed: seed),
      relations: Perceptron(
        .init(
          dense: RelationFeatures.count, classes: [classes + 1, classes + 1], embedding: 12,
          hidden: [96, 48], outputs: RelationFeatures.outputs), seed: seed + 1),
      context: Perceptron(
        .init(
          dense: RelationContext.count, classes: RelationContext.classCounts(classes),
          embedding: 12, hidden: [96, 48], outputs: RelationFeatures.outputs), seed: seed + 3),
      labels: Perceptron(
        .init(
          dense: LabelFeatures.count(classes), classes: LabelFeatures.classCounts(classes),
          embedding: 16, hidden: [128], outputs: classes), seed: seed + 2))
  }

  /// Opens a bundle folder.
  ///
  /// - Throws: `ModelFormatError`, `SafeTensorsError` or ``ModelError``.
  public init(contentsOf url: URL) throws {
    try self.init(bundle: ModelBundle.open(url))
  }

  /// Makes a model from an open bundle.
  ///
  /// - Throws: `ModelFormatError`, `SafeTensorsError` or ``ModelError``.
  public init(bundle: ModelBundle) throws {
    let path = bundle.url.path
    guard bundle.manifest.kind == .formula else {
      throw ModelError.unsupportedKind(
        path: path, expected: ModelManifest.Kind.formula.rawValue,
        found: bundle.manifest.kind.rawValue)
    }
    guard let part = bundle.manifest.part(role: Self.role) else {
      throw ModelError.missingPart(path: path, part: Self.partName)
    }
    let tensors = try SafeTensors(bytes: bundle.data(for: part.name))
    guard let text = tensors.metadata[Self.metadataKey],
      let description = try? JSONDecoder().decode(Description.self, from: Data(text.utf8)),
      (1...2).contains(description.version),
      (description.version == 2) == (description.context != nil)
    else {
      throw ModelError.malformed(
        path: path, what: "formulas", expected: "a description of this version", found: "another")
    }
    symbols = try GlyphModel(bundle: bundle, kind: .formula)
    let classes = symbols.labels.count
    let fresh = Self.networks(classes: classes, seed: 1)
    func network(_ name: String, _ shape: Perceptron.Shape, _ expected: Perceptron.Shape) throws
      -> Perceptron
    {
      guard shape == expected, let values = tensors[name]?.values,
        let network = Perceptron(shape, parameters: values)
      else {
        throw ModelError.malformed(
          path: path, what: "network \(name)", expected: "the sizes of this version",
          found: "others")
      }
      return network
    }
    groupNetwork = try network("groups", description.groups, fresh.groups.shape)
    relationNetwork = try network("relations", description.relations, fresh.relations.shape)
    contextNetwork = try description.context.map {
      try network("context", $0, fresh.context.shape)
    }
    labelNetwork = try network("labels", description.labels, fresh.labels.shape)
    weights = description.weights
    guard SymbolClassifier(symbols) != nil else {
      throw ModelError.malformed(
        path: path, what: "classes", expected: SymbolClassifier.none, found: "none of them")
    }
  }

  /// A manifest with a name and nothing else.
  package func manifest(named name: String) -> ModelManifest {
    ModelManifest(
      kind: .formula, identifier: name, name: name, labels: [], data: [], architecture: .null,
      features: .null)
  }

  /// Makes the bundle of this model, with weights in half precision, ready to be written.
  ///
  /// - Parameter manifest: The manifest, of which labels and network are replaced.
  /// - Throws: `ModelFormatError` or `SafeTensorsError`.
  package func bundle(_ manifest: ModelManifest) throws -> ModelBundleWriter {
    var writer = try symbols.bundle(manifest)
    writer.change { $0.kind = .formula }
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let description = Description(
      version: contextNetwork == nil ? 1 : 2, groups: groupNetwork.shape,
      relations: relationNetwork.shape, context: contextNetwork?.shape,
      labels: labelNetwork.shape, weights: weights)
    let networks =
      [("groups", groupNetwork), ("labels", labelNetwork), ("relations", relationNetwork)]
      + (contextNetwork.map { [("context", $0)] } ?? [])
    let part = try SafeTensors(
      tensors: networks.map { name, network in
        SafeTensors.Tensor(
          name: name, dataType: .float16, shape: [network.parameters.count],
          values: network.parameters)
      },
      metadata: [
        Self.metadataKey: String(decoding: try encoder.encode(description), as: UTF8.self)
      ]
    ).serialized()
    try writer.add(part: Self.partName, role: Self.role, data: part)
    return writer
  }
}
