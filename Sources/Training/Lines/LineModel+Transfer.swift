import Features
import LinearAlgebra
import Networks
import Recognition

extension LineModel {
  /// Replaces the weights of a network that has the same or wider layers by the weights of this
  /// model. The network may also take means of more time steps. The last layer is copied symbol by
  /// symbol; a symbol that the model does not know keeps its weights.
  ///
  /// Additional channels of a wider layer keep their weights, and the model's own channels ignore
  /// them. Unless layers are normalised or steps are joined, the network computes the same as the
  /// model until it is trained (Chen et al. 2016, Net2Net, but with new units instead of copies).
  ///
  /// - Parameters:
  ///   - labels: The symbols of the other network.
  ///   - pipeline: Its features.
  /// - Returns: true if the layers are the same or wider, whatever their dropout, and no mean is of
  ///   fewer steps; otherwise nothing was changed.
  func copyWeights(
    to network: SequenceNetwork, _ target: AlignedBuffer, labels symbols: [String],
    pipeline: LinePipeline
  ) -> Bool {
    let (architecture, otherArchitecture) = (self.network.architecture, network.architecture)
    let own = architecture.layers.filter(\.isLearned)
    let other = otherArchitecture.layers.filter(\.isLearned)
    // The order of marks and the direction of writing may differ: the channels mean the same, in
    // the reading frame.
    var samePipeline = self.pipeline
    samePipeline.placesMarks = pipeline.placesMarks
    samePipeline.direction = pipeline.direction
    guard pipeline == samePipeline, own.count == other.count,
      zip(own, other).allSatisfy({ $0.isContinued(by: $1) }),
      zip(architecture.pooledSteps, otherArchitecture.pooledSteps)
        .allSatisfy({ $1.isMultiple(of: $0) })
    else { return false }
    var transfer = WeightTransfer(
      from: self.network.parameters, parameters, to: network.parameters, target)
    var channels = WeightTransfer.Sources.identity(pipeline.channels)
    for (layer, wider) in zip(own, other) { transfer.copy(layer, wider, channels: &channels) }
    var known: [String: Int] = [:]
    for (index, label) in labels.enumerated() { known[label] = index + 1 }
    // The blank is class 0 in both networks.
    let classes = WeightTransfer.Sources(
      places: [0] + symbols.map { known[$0] }, count: self.network.architecture.classes)
    transfer.copyNext(rows: channels, columns: classes)
    transfer.copyNext(rows: .identity(1), columns: classes)
    return true
  }
}

/// Copies weights tensor by tensor from one network to one of the same layers or wider ones.
private struct WeightTransfer {
  /// The source of each row or column of a tensor in the smaller tensor.
  struct Sources {
    /// nil for a new row or column.
    var places: [Int?]
    /// The number of rows or columns of the smaller tensor.
    var count: Int

    /// The sources of a wider tensor. The rows or columns of the smaller tensor come first.
    static func widened(_ count: Int, to wider: Int) -> Sources {
      Sources(places: (0..<wider).map { $0 < count ? $0 : nil }, count: count)
    }

    static func identity(_ count: Int) -> Sources { widened(count, to: count) }

    /// The same sources several times in a row.
    func repeated(_ times: Int) -> Sources {
      Sources(
        places: (0..<times).flatMap { block in
          places.map { place in place.map { $0 + block * count } }
        }, count: times * count)
    }
  }

  private let source: UnsafeMutablePointer<Float>
  private let target: UnsafeMutablePointer<Float>
  private var tensors: Zip2Sequence<[Parameter], [Parameter]>.Iterator

  init(
    from own: [Parameter], _ source: AlignedBuffer, to other: [Parameter], _ target: AlignedBuffer
  ) {
    (self.source, self.target) = (source.pointer, target.pointer)
    tensors = zip(own, other).makeIterator()
  }

  /// Copies a layer's tensors. `channels` are the sources of its input, then those of its output.
  mutating func copy(
    _ layer: PackedLayerSpecification, _ wider: PackedLayerSpecification, channels: inout Sources
  ) {
    switch (layer, wider) {
    case (.convolution(let count, let kernel, _), .convolution(let more, _, _)):
      copyDense(channels.repeated(kernel), .widened(count, to: more), outputs: &channels)
    case (.dense(let count), .dense(let more)):
      copyDense(channels, .widened(count, to: more), outputs: &channels)
    case (.bidirectionalLSTM(let count), .bidirectionalLSTM(let more)):
      copyLSTM(.widened(count, to: more), directions: 2, channels: &channels)
    case (.lstm(let count), .lstm(let more)):
      copyLSTM(.widened(count, to: more), directions: 1, channels: &channels)
    case (.layerNormalization, _):
      copyNext(rows: .identity(1), columns: channels)
      copyNext(rows: .identity(1), columns: channels)
    default:
      break
    }
  }

  private mutating func copyDense(_ rows: Sources, _ columns: Sources, outputs: inout Sources) {
    copyNext(rows: rows, columns: columns)
    copyNext(rows: .identity(1), columns: columns)
    outputs = columns
  }

  private mutating func copyLSTM(_ units: Sources, directions: Int, channels: inout Sources) {
    copyNext(rows: channels, columns: units.repeated(4 * directions))
    for _ in 0..<directions { copyNext(rows: units, columns: units.repeated(4)) }
    copyNext(rows: .identity(1), columns: units.repeated(4 * directions))
    channels = units.repeated(directions)
  }

  /// Copies the next tensor. New columns keep their values; in new rows, known columns become 0.
  mutating func copyNext(rows: Sources, columns: Sources) {
    guard let (own, other) = tensors.next() else { return }
    precondition(own.count == rows.count * columns.count, own.name)
    precondition(other.count == rows.places.count * columns.places.count, other.name)
    for (row, sourceRow) in rows.places.enumerated() {
      for (column, sourceColumn) in columns.places.enumerated() {
        guard let sourceColumn else { continue }
        target[other.offset + row * columns.places.count + column] =
          sourceRow.map { source[own.offset + $0 * columns.count + sourceColumn] } ?? 0
      }
    }
  }
}

extension PackedLayerSpecification {
  /// Returns whether another layer is the same or a wider one.
  fileprivate func isContinued(by other: PackedLayerSpecification) -> Bool {
    switch (self, other) {
    case (.convolution(let count, let kernel, let stride), .convolution(let more, let k, let s)):
      count <= more && kernel == k && stride == s
    case (.bidirectionalLSTM(let count), .bidirectionalLSTM(let more)),
      (.lstm(let count), .lstm(let more)), (.dense(let count), .dense(let more)):
      count <= more
    default:
      self == other
    }
  }
}

extension SequenceArchitecture {
  /// For each layer that may have weights, the last one included, the steps that one of its input
  /// steps is the mean of.
  var pooledSteps: [Int] {
    var (result, steps): ([Int], Int) = ([], 1)
    for layer in layers {
      if case .meanPool(let stride) = layer { steps *= stride }
      if layer.isLearned { result.append(steps) }
    }
    return result + [steps]
  }
}
