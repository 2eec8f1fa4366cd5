import Features
import Networks

/// Encodes lines and puts them into a network's input, longest first. Not thread-safe; keeps its
/// memory.
struct LineBatch {
  /// The indices given, in the order of the network's sequences.
  private(set) var order: [Int] = []
  private let pipeline: LinePipeline
  private var encoders: [LineEncoder] = []
  private var count = 0
  private var indices: [Int] = []

  init(_ pipeline: LinePipeline) {
    self.pipeline = pipeline
  }

  mutating func removeAll() {
    count = 0
    indices.removeAll(keepingCapacity: true)
  }

  /// Encodes a line with at least one point. `masks` gives the runs of its steps to be masked.
  mutating func append(
    _ line: NormalizedLine, index: Int, spacing: Float = 1,
    masks: (_ steps: Int) -> [Range<Int>] = { _ in [] }
  ) {
    if encoders.count == count { encoders.append(LineEncoder(pipeline)) }
    encoders[count].encode(line, spacing: spacing)
    for mask in masks(encoders[count].steps) { encoders[count].mask(mask) }
    indices.append(index)
    count += 1
  }

  /// Sets the lengths of the workspace's sequences and writes its input.
  mutating func load(into workspace: LineNetwork.Workspace) {
    // Of equal lengths the earlier first: the order must not depend on the sort.
    let places = (0..<count).sorted {
      (encoders[$1].steps, $0) < (encoders[$0].steps, $1)
    }
    order = places.map { indices[$0] }
    workspace.sequences.set(lengths: places.map { encoders[$0].steps })
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
}
