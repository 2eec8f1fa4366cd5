extension BackoffAutomaton {
  /// Sets the backoff weights so that the probabilities of every state sum to one.
  ///
  /// The mass that a state's arcs leave is shared by the symbols without an arc in proportion to
  /// the shorter context. After quantisation the arcs may take more than they should; the mass
  /// left stays within a factor of two of what `exact` probabilities leave.
  ///
  /// - Parameter exact: The probabilities of the arcs before quantisation.
  mutating func normalize(exact: [Float]) {
    var shorter = [Float](repeating: 0, count: table.count)
    for state in 1..<max(1, stateCount) {
      fill(&shorter, Int(backoff[state]))
      var left = 1.0
      var leftExactly = 1.0
      for arc in arcs(of: state) {
        left -= Double(probabilities[arc])
        leftExactly -= Double(exact[arc])
        shorter[Int(symbols[arc])] = 0
      }
      leftExactly = max(leftExactly, 1e-7)
      let mass = min(max(left, leftExactly / 2), leftExactly * 2)
      let free = shorter.reduce(0.0) { $0 + Double($1) }
      weight[state] = free > 0 ? Float(mass / free) : 1
    }
  }

  /// The arcs of a state.
  @inline(__always)
  func arcs(of state: Int) -> Range<Int> {
    Int(arcStart[state])..<Int(arcStart[state + 1])
  }

  /// The probabilities of all symbols in a state. The weights of it and the shorter contexts must
  /// be set.
  private func fill(_ values: inout [Float], _ state: Int) {
    // From the empty context to the longest, each with the product of the weights above it.
    var factor: Float = 1
    var chain: [(state: Int, factor: Float)] = []
    var current = state
    while current != 0 {
      chain.append((current, factor))
      factor *= weight[current]
      current = Int(backoff[current])
    }
    chain.append((0, factor))
    for (state, factor) in chain.reversed() {
      for arc in arcs(of: state) {
        values[Int(symbols[arc])] = factor * probabilities[arc]
      }
    }
  }
}
