extension Perceptron {
  /// The places of another network for the places of this one; nil for a new one.
  package struct Sources: Sendable {
    /// The dense inputs.
    package var dense: [Int?]
    /// The values of each class input.
    package var classes: [[Int?]]
    /// The outputs.
    package var outputs: [Int?]

    /// Makes sources.
    package init(dense: [Int?], classes: [[Int?]], outputs: [Int?]) {
      (self.dense, self.classes, self.outputs) = (dense, classes, outputs)
    }
  }

  /// Takes the weights of a network with other inputs, classes and outputs. The hidden layers ignore new
  /// dense inputs at first; new classes and outputs keep their weights.
  ///
  /// - Returns: False if the hidden layers or the embeddings differ; then nothing was changed.
  package mutating func take(_ other: Perceptron, _ sources: Sources) -> Bool {
    let (own, known) = (shape, other.shape)
    guard own.hidden == known.hidden, own.embedding == known.embedding, !own.hidden.isEmpty,
      own.classes.count == known.classes.count, sources.dense.count == own.dense,
      sources.classes.map(\.count) == own.classes, sources.outputs.count == own.outputs
    else { return false }
    var (place, from) = (0, 0)
    for (index, table) in sources.classes.enumerated() {
      for (row, source) in table.enumerated() {
        guard let source else { continue }
        for column in 0..<own.embedding {
          parameters[place + row * own.embedding + column] =
            other.parameters[from + source * own.embedding + column]
        }
      }
      place += own.classes[index] * own.embedding
      from += known.classes[index] * own.embedding
    }
    let embedded = own.classes.count * own.embedding
    let inputs = sources.dense + (0..<embedded).map { known.dense + $0 }
    for layer in 1..<own.widths.count {
      let isLast = layer == own.widths.count - 1
      let columns = layer == 1 ? inputs : (0..<own.widths[layer - 1]).map { $0 }
      let rows = isLast ? sources.outputs : (0..<own.widths[layer]).map { $0 }
      let width = known.widths[layer - 1]
      let biases = (place + rows.count * columns.count, from + known.widths[layer] * width)
      for (row, source) in rows.enumerated() {
        guard let source else { continue }
        for (column, input) in columns.enumerated() {
          parameters[place + row * columns.count + column] =
            input.map { other.parameters[from + source * width + $0] } ?? 0
        }
        parameters[biases.0 + row] = other.parameters[biases.1 + source]
      }
      place = biases.0 + rows.count
      from = biases.1 + known.widths[layer]
    }
    return true
  }
}
