import Features
import LinearAlgebra
import Networks
import Recognition

extension LineModel {
  /// Replaces the weights of a network of the same layers by this model's. Those of the last layer
  /// go symbol by symbol, so that a symbol which the model does not know keeps what it has.
  ///
  /// - Parameters:
  ///   - labels: The symbols of the other network.
  ///   - pipeline: Its features.
  /// - Returns: whether the layers are the same, but for dropout; else nothing was changed.
  func copyWeights(
    to network: SequenceNetwork, _ target: AlignedBuffer, labels symbols: [String],
    pipeline: LinePipeline
  ) -> Bool {
    let (own, other) = (self.network.architecture, network.architecture)
    guard pipeline == self.pipeline,
      own.layers.filter(\.isLearned) == other.layers.filter(\.isLearned)
    else { return false }
    var known: [String: Int] = [:]
    for (index, label) in labels.enumerated() { known[label] = index + 1 }
    // For each class its class in this model; the blank is class 0 in both.
    let classes = [0] + symbols.map { known[$0] }
    let last = "layers.\(other.layers.count)."
    for (from, into) in zip(self.network.parameters, network.parameters) {
      let (source, place) = (parameters.pointer + from.offset, target.pointer + into.offset)
      if into.name.hasPrefix(last) {
        // Weights and biases have the classes as their last dimension.
        for row in 0..<(into.count / other.classes) {
          for (label, known) in classes.enumerated() {
            if let known { place[row * other.classes + label] = source[row * own.classes + known] }
          }
        }
      } else {
        place.update(from: source, count: into.count)
      }
    }
    return true
  }
}

extension PackedLayerSpecification {
  /// Whether the layer may have weights.
  fileprivate var isLearned: Bool {
    if case .dropout = self { false } else { true }
  }
}
