import LinearAlgebra
import Networks
import Recognition

extension LineModel {
  /// Replaces the weights of a network of the same layers by this model's; those of the last layer
  /// symbol by symbol, so that a symbol which the model does not know keeps what it has.
  ///
  /// - Parameter labels: The symbols of the other network.
  /// - Returns: whether the layers are the same; else nothing was changed.
  func copyWeights(
    to network: LineNetwork, _ target: AlignedBuffer, labels symbols: [String]
  ) -> Bool {
    let architecture = self.network.architecture
    guard architecture.layers == network.architecture.layers,
      architecture.channels == network.architecture.channels
    else { return false }
    var known: [String: Int] = [:]
    for (index, label) in labels.enumerated() { known[label] = index + 1 }
    // For each class its class in this model; the blank is class 0 in both.
    let sources = [0] + symbols.map { known[$0] }
    // Weights and biases of the last layer have the classes as their last dimension.
    let last = "layers.\(architecture.layers.count)."
    for (own, other) in zip(self.network.parameters, network.parameters) {
      let from = parameters.pointer + own.offset
      let into = target.pointer + other.offset
      guard other.name.hasPrefix(last) else {
        into.update(from: from, count: other.count)
        continue
      }
      let (width, otherWidth) = (architecture.classes, network.architecture.classes)
      for row in 0..<(other.count / otherWidth) {
        for (label, source) in sources.enumerated() {
          if let source { into[row * otherWidth + label] = from[row * width + source] }
        }
      }
    }
    return true
  }
}
