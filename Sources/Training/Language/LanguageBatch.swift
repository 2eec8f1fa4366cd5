import Networks

/// Passages in a network's input. Not thread-safe; keeps its memory.
struct LanguageBatch {
  /// What is to be foretold, in the order of the network's rows.
  private(set) var targets: [Int32] = []
  private var order: [LanguageTrainingSet.Passage] = []

  /// Sets the lengths of the workspace's sequences and writes its input.
  mutating func load(
    _ passages: some Sequence<LanguageTrainingSet.Passage>, of set: LanguageTrainingSet,
    into workspace: SequenceNetwork.Workspace
  ) {
    order.removeAll(keepingCapacity: true)
    order.append(contentsOf: passages)
    order.sort { ($1.steps, $0.range.lowerBound) < ($0.steps, $1.range.lowerBound) }
    let sequences = workspace.sequences
    sequences.set(lengths: order.lazy.map(\.steps))
    let (input, channels) = (workspace.input, set.table.count)
    input.update(repeating: 0, count: sequences.rows * channels)
    targets.removeAll(keepingCapacity: true)
    for step in 0..<sequences.steps {
      for sequence in 0..<sequences.active(at: step) {
        let passage = order[sequence]
        let row = sequences.row(sequence: sequence, step: step)
        input[row * channels + Int(set.input(passage, step: step))] = 1
        targets.append(Int32(set.target(passage, step: step)))
      }
    }
  }
}
