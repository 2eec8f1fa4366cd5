import Features
import Networks

/// Encodes lines and writes them into a network's input, longest first. Not thread-safe; reuses its
/// memory.
package struct LineBatch {
  /// The given indices, in the order of the network's sequences.
  private(set) var order: [Int] = []
  private let pipeline: LinePipeline
  private var encoders: [LineEncoder] = []
  private var count = 0
  private var indices: [Int] = []
  /// The lines in the order of the network's sequences.
  private var places: [Int] = []
  /// Their steps.
  private var lengths: [Int] = []

  package init(_ pipeline: LinePipeline) {
    self.pipeline = pipeline
  }

  mutating func removeAll() {
    count = 0
    indices.removeAll(keepingCapacity: true)
  }

  /// Encodes a line with at least one point. `mask` may mask some of its steps.
  package mutating func append(
    _ line: NormalizedLine, index: Int, spacing: Float = 1,
    mask: (inout LineEncoder) -> Void = { _ in }
  ) {
    if encoders.count == count { encoders.append(LineEncoder(pipeline)) }
    encoders[count].encode(line, spacing: spacing)
    mask(&encoders[count])
    indices.append(index)
    count += 1
  }

  /// Sets the lengths of the workspace's sequences and writes its input.
  package mutating func load(into workspace: SequenceNetwork.Workspace) {
    sortPlaces()
    order.removeAll(keepingCapacity: true)
    lengths.removeAll(keepingCapacity: true)
    for place in places {
      order.append(indices[place])
      lengths.append(encoders[place].steps)
    }
    workspace.sequences.set(lengths: lengths)
    let input = workspace.input
    let channels = pipeline.channels
    for (sequence, place) in places.enumerated() {
      encoders[place].values.withUnsafeBufferPointer { values in
        guard let base = values.baseAddress else { return }
        for step in 0..<encoders[place].steps {
          let row = workspace.sequences.row(sequence: sequence, step: step)
          (input + row * channels).update(from: base + step * channels, count: channels)
        }
      }
    }
  }

  /// Sorts the longest first. Of equal lengths, the earlier is first, because the result must not
  /// depend on the sort algorithm.
  private mutating func sortPlaces() {
    places.removeAll(keepingCapacity: true)
    places.append(contentsOf: 0..<count)
    places.sort { [encoders] in (encoders[$1].steps, $0) < (encoders[$0].steps, $1) }
  }
}
