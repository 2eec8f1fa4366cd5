import LinearAlgebra

extension GlyphNetwork {
  /// Returns a network that computes the same with fewer operations: batch normalisation is folded
  /// into the previous layer, dropout is removed. For recognition only.
  ///
  /// - Returns: the network and its parameter buffer. O(parameters).
  package func folded(_ buffer: AlignedBuffer) -> (network: GlyphNetwork, parameters: AlignedBuffer)
  {
    let network = GlyphNetwork(unchecked: architecture.folded)
    let target = AlignedBuffer(count: network.parameterCount)
    for (old, new) in [
      (trunk, network.trunk), (side, network.side), (context, network.context),
      (head, network.head),
    ] {
      old.fold(buffer, into: new, target)
    }
    return (network, target)
  }
}

extension GlyphArchitecture {
  /// The layers of the folded network.
  var folded: GlyphArchitecture {
    var folded = self
    folded.trunk = foldedSpecification(trunk)
    folded.side = foldedSpecification(side)
    folded.context = foldedSpecification(context)
    folded.head = foldedSpecification(head)
    return folded
  }
}

/// Batch normalisation after a convolution or dense layer without ReLU becomes that layer's bias.
/// Other normalisations stay.
private func foldedSpecification(_ layers: [LayerSpecification]) -> [LayerSpecification] {
  var result: [LayerSpecification] = []
  for layer in layers {
    switch (layer, result.last) {
    case (.dropout, _):
      continue
    case (.batchNormalization(let relu), .convolution(let channels, let kernel, _, false)):
      result[result.count - 1] = .convolution(
        channels: channels, kernel: kernel, bias: true, relu: relu)
    case (.batchNormalization(let relu), .dense(let units, _, false)):
      result[result.count - 1] = .dense(units: units, bias: true, relu: relu)
    default:
      result.append(layer)
    }
  }
  return result
}

extension Sequential {
  fileprivate func fold(
    _ source: AlignedBuffer, into folded: Sequential, _ target: AlignedBuffer
  ) {
    var position = -1
    var open: Product?  // A product before its ReLU.
    for layer in layers {
      if layer is Dropout { continue }
      if let normalization = layer as? BatchNormalization, let product = open {
        product.absorb(normalization, from: source, in: target)
        if normalization.relu { open = nil }
        continue
      }
      position += 1
      copy(layer, to: folded.layers[position], source, target)
      open = Product(layer).flatMap { $0.relu ? nil : Product(folded.layers[position]) }
    }
  }

  private func copy(
    _ layer: any Layer, to folded: any Layer, _ source: AlignedBuffer, _ target: AlignedBuffer
  ) {
    if let old = Product(layer), let new = Product(folded) {
      copy(old.weight, new.weight, source, target)
      if let from = old.bias, let to = new.bias { copy(from, to, source, target) }
    } else if let old = layer as? BatchNormalization, let new = folded as? BatchNormalization {
      copy(old.scale, new.scale, source, target)
      copy(old.shift, new.shift, source, target)
      copy(old.mean, new.mean, source, target)
      copy(old.variance, new.variance, source, target)
    }
  }

  private func copy(
    _ from: Parameter, _ to: Parameter, _ source: AlignedBuffer, _ target: AlignedBuffer
  ) {
    (target.pointer + to.offset).update(from: source.pointer + from.offset, count: from.count)
  }
}

/// The parameters of a layer that is a matrix product: W [rows, columns] and optionally b
/// [columns].
struct Product {
  let weight: Parameter
  let bias: Parameter?
  let relu: Bool

  init?(_ layer: any Layer) {
    switch layer {
    case let layer as Convolution: (weight, bias, relu) = (layer.weight, layer.bias, layer.relu)
    case let layer as Dense: (weight, bias, relu) = (layer.weight, layer.bias, layer.relu)
    default: return nil
    }
  }

  /// γ (x W + b - μ) / σ + β  =  x (W γ / σ) + (β + (b - μ) γ / σ)
  func absorb(
    _ normalization: BatchNormalization, from source: AlignedBuffer, in target: AlignedBuffer
  ) {
    guard let bias else { return }
    let columns = bias.count
    for column in 0..<columns {
      let variance = source.pointer[normalization.variance.offset + column]
      let factor =
        source.pointer[normalization.scale.offset + column]
        / (variance + BatchNormalization.epsilon).squareRoot()
      var index = weight.offset + column
      while index < weight.offset + weight.count {
        target.pointer[index] *= factor
        index += columns
      }
      let old = target.pointer[bias.offset + column]
      let mean = source.pointer[normalization.mean.offset + column]
      target.pointer[bias.offset + column] =
        source.pointer[normalization.shift.offset + column] + (old - mean) * factor
    }
  }
}
