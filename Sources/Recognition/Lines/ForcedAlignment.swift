import Networks

/// The time steps at which a known text was most likely written: the best single path through the
/// network's output that reads as the text (Viterbi).
///
/// Not thread-safe; keeps its memory.
struct ForcedAlignment {
  private var scores: [Float] = []
  private var moves: [UInt8] = []

  /// For each label the time steps it was read at, or nil where no path exists. O(T L).
  ///
  /// - Parameters:
  ///   - output: Log-probabilities [T, K].
  ///   - labels: Classes 1 ..< K.
  mutating func align(
    _ output: UnsafePointer<Float>, steps: Int, classes: Int, labels: [Int32]
  ) -> [Range<Int>]? {
    guard !labels.isEmpty else { return [] }
    let states = 2 * labels.count + 1
    scores.removeAll(keepingCapacity: true)
    scores.append(contentsOf: repeatElement(-.infinity, count: states))
    moves.removeAll(keepingCapacity: true)
    moves.append(contentsOf: repeatElement(0, count: steps * states))
    for step in 0..<steps {
      let row = output + step * classes
      // From the last state down, so that the scores of the step before are still there.
      for state in stride(from: min(states - 1, 2 * step + 1), through: 0, by: -1) {
        let label = state % 2 == 1 ? labels[state / 2] : 0
        var best = step == 0 ? (state < 2 ? 0 : -Float.infinity) : scores[state]
        var move: UInt8 = 0
        if step > 0, state > 0, scores[state - 1] > best {
          best = scores[state - 1]
          move = 1
        }
        if step > 0, state > 2, label > 0, labels[state / 2 - 1] != label,
          scores[state - 2] > best
        {
          best = scores[state - 2]
          move = 2
        }
        scores[state] = best + row[Int(label)]
        moves[step * states + state] = move
      }
    }
    return trace(steps, states, labels.count)
  }

  private func trace(_ steps: Int, _ states: Int, _ count: Int) -> [Range<Int>]? {
    guard steps > 0 else { return nil }
    var state = states - 1
    if scores[states - 2] > scores[state] { state = states - 2 }
    guard scores[state] > -.infinity else { return nil }
    var ranges = [Range<Int>](repeating: 0..<0, count: count)
    for step in (0..<steps).reversed() {
      if state % 2 == 1 {
        let label = state / 2
        ranges[label] = step..<(ranges[label].isEmpty ? step + 1 : ranges[label].upperBound)
      }
      state -= Int(moves[step * states + state])
    }
    return ranges
  }
}
