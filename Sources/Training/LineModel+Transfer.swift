import Features
import LinearAlgebra
import Networks
import Recognition

extension LineModel {
  /// Replaces the weights of a network of the same layers by this model's. Those of the last layer
  /// go symbol by symbol, so that a symbol which the model does not know keeps what it has. Those of
  /// a convolution at the beginning go feature by feature, so that a network can do without the ink
  /// around each point (``Features/LinePipeline/surroundings``), which the model knows last.
  ///
  /// - Parameters:
  ///   - labels: The symbols of the other network.
  ///   - pipeline: Its features.
  /// - Returns: whether the layers are the same, but for rates of dropout; else nothing was changed.
  func copyWeights(
    to network: SequenceNetwork, _ target: AlignedBuffer, labels symbols: [String],
    pipeline: LinePipeline
  ) -> Bool {
    let (own, other) = (self.network.architecture, network.architecture)
    guard own.layers.map(\.withoutRate) == other.layers.map(\.withoutRate), canDo(with: pipeline)
    else { return false }
    var known: [String: Int] = [:]
    for (index, label) in labels.enumerated() { known[label] = index + 1 }
    // For each class its class in this model; the blank is class 0 in both.
    let classes = [0] + symbols.map { known[$0] }
    let last = "layers.\(own.layers.count)."
    for (from, into) in zip(self.network.parameters, network.parameters) {
      let (source, place) = (parameters.pointer + from.offset, target.pointer + into.offset)
      if into.name.hasPrefix(last) {
        // Weights and biases have the classes as their last dimension.
        for row in 0..<(into.count / other.classes) {
          for (label, known) in classes.enumerated() {
            if let known { place[row * other.classes + label] = source[row * own.classes + known] }
          }
        }
      } else if into.count < from.count {
        // [K·C, C'] with the kernel outermost: of each step of the kernel the first rows.
        let outputs = into.shape[1]
        let (kept, all) = (other.channels * outputs, own.channels * outputs)
        for step in 0..<(into.count / kept) {
          (place + step * kept).update(from: source + step * all, count: kept)
        }
      } else {
        place.update(from: source, count: into.count)
      }
    }
    return true
  }

  /// Whether features are the model's, or all of them but the surroundings.
  private func canDo(with pipeline: LinePipeline) -> Bool {
    guard pipeline != self.pipeline else { return true }
    var reduced = self.pipeline
    reduced.surroundings = false
    guard case .convolution? = network.architecture.layers.first else { return false }
    return pipeline == reduced
  }
}

extension PackedLayerSpecification {
  /// The layer as far as its weights go: how much dropout there is does not matter to them.
  fileprivate var withoutRate: Self {
    if case .dropout = self { .dropout(rate: 0) } else { self }
  }
}
