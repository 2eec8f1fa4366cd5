import LinearAlgebra

/// Training that goes on from a folded network.
extension GlyphNetwork {
  /// Takes the weights of a folded network, so that this one, with its batch normalisation,
  /// computes the same for recognition.
  ///
  /// The statistics of the normalisation are not those of the data: see ``absorb(_:into:)``.
  ///
  /// - Parameters:
  ///   - folded: A network of the same layers; see ``folded(_:)``.
  ///   - source: Its parameters.
  ///   - target: The parameters of this network.
  ///   - classes: The class of the folded network of each class; nil for one that it does not have,
  ///     which keeps its weights.
  /// - Returns: False if the layers differ in more than the number of classes; then nothing was
  ///   changed.
  package func unfold(
    _ folded: GlyphNetwork, _ source: AlignedBuffer, into target: AlignedBuffer, classes: [Int?]
  ) -> Bool {
    guard let width = folded.architecture.classes, classes.count == self.classes else {
      return false
    }
    var own = architecture.folded
    own.head[own.head.count - 1] = folded.architecture.head[folded.architecture.head.count - 1]
    guard own == folded.architecture, classes.allSatisfy({ ($0 ?? 0) < width }),
      let output = head.layers.last.flatMap({ Product($0) }),
      let known = folded.head.layers.last.flatMap({ Product($0) })
    else { return false }
    for (part, other) in [
      (trunk, folded.trunk), (side, folded.side), (context, folded.context), (head, folded.head),
    ] {
      part.unfold(other, source, into: target, except: output)
    }
    output.take(known, source, into: target, columns: classes)
    return true
  }

  /// Exchanges the statistics of the batch normalisation for those of a batch, without a change of
  /// what the network computes for recognition. After as many rounds as there are normalisations
  /// one behind the other, training computes the same, too.
  ///
  /// - Parameters:
  ///   - moments: The gradients of a forward pass in training, which hold the statistics.
  ///   - target: The parameters.
  package func absorb(_ moments: AlignedBuffer, into target: AlignedBuffer) {
    for part in [trunk, side, context, head] {
      for case let layer as BatchNormalization in part.layers {
        layer.absorb(moments, into: target)
      }
    }
  }

  /// The most normalisations one behind the other.
  package var normalizations: Int {
    let counts = [trunk, side, context, head].map { part in
      part.layers.count { $0 is BatchNormalization }
    }
    return counts[..<3].max().map { $0 + counts[3] } ?? 0
  }
}

extension BatchNormalization {
  /// γ (x - μ) / σ + β with another μ and σ.
  fileprivate func absorb(_ moments: AlignedBuffer, into target: AlignedBuffer) {
    let (new, own) = (moments.pointer, target.pointer)
    for channel in 0..<input.channels {
      let deviation = (own[variance.offset + channel] + Self.epsilon).squareRoot()
      let (center, spread) = (new[mean.offset + channel], new[variance.offset + channel])
      let factor = own[scale.offset + channel] / deviation
      own[shift.offset + channel] += factor * (center - own[mean.offset + channel])
      own[scale.offset + channel] = factor * (spread + Self.epsilon).squareRoot()
      own[mean.offset + channel] = center
      own[variance.offset + channel] = spread
    }
  }

  /// x + b: the bias of a product whose normalisation was folded into it.
  fileprivate func becomeBias(
    _ bias: Parameter, _ source: AlignedBuffer, into target: AlignedBuffer
  ) {
    for channel in 0..<input.channels {
      target.pointer[scale.offset + channel] = 1
      target.pointer[shift.offset + channel] = source.pointer[bias.offset + channel]
      target.pointer[mean.offset + channel] = 0
      target.pointer[variance.offset + channel] = 1 - Self.epsilon
    }
  }
}

extension Sequential {
  fileprivate func unfold(
    _ folded: Sequential, _ source: AlignedBuffer, into target: AlignedBuffer,
    except output: Product
  ) {
    let layers = layers.filter { !($0 is Dropout) }
    var position = -1
    var bias: Parameter?  // The folded bias of the layer before, if it is normalised.
    for (index, layer) in layers.enumerated() {
      if let normalization = layer as? BatchNormalization, let known = bias {
        normalization.becomeBias(known, source, into: target)
        bias = nil
        continue
      }
      position += 1
      let other = folded.layers[position]
      if let own = Product(layer), let known = Product(other), own.weight != output.weight {
        let isNormalized = !own.relu && layers[safe: index + 1] is BatchNormalization
        own.take(known, source, into: target, isNormalized: isNormalized)
        bias = isNormalized ? known.bias : nil
      } else if let own = layer as? BatchNormalization, let known = other as? BatchNormalization {
        for (from, to) in [
          (known.scale, own.scale), (known.shift, own.shift), (known.mean, own.mean),
          (known.variance, own.variance),
        ] { target.take(to, from, of: source) }
      }
    }
  }
}

extension Product {
  /// Takes the weights of another product, and its bias unless that belongs to a normalisation.
  fileprivate func take(
    _ other: Product, _ source: AlignedBuffer, into target: AlignedBuffer, isNormalized: Bool
  ) {
    target.take(weight, other.weight, of: source)
    guard let bias else { return }
    (target.pointer + bias.offset).update(repeating: 0, count: bias.count)
    if !isNormalized, let known = other.bias { target.take(bias, known, of: source) }
  }

  /// Takes columns of another product.
  ///
  /// - Parameter columns: The column of the other product for each column; nil for one that stays.
  fileprivate func take(
    _ other: Product, _ source: AlignedBuffer, into target: AlignedBuffer, columns: [Int?]
  ) {
    let width = other.weight.shape.last ?? 0
    for (weights, known) in [(Parameter?, Parameter?)]([(weight, other.weight), (bias, other.bias)])
    {
      guard let weights, let known else { continue }
      for row in 0..<(weights.count / columns.count) {
        for (column, place) in columns.enumerated() {
          guard let place else { continue }
          target.pointer[weights.offset + row * columns.count + column] =
            source.pointer[known.offset + row * width + place]
        }
      }
    }
  }
}

extension AlignedBuffer {
  /// Copies a tensor of another buffer.
  fileprivate func take(_ tensor: Parameter, _ other: Parameter, of source: AlignedBuffer) {
    (pointer + tensor.offset).update(from: source.pointer + other.offset, count: tensor.count)
  }
}

extension Array {
  fileprivate subscript(safe index: Int) -> Element? {
    indices.contains(index) ? self[index] : nil
  }
}
