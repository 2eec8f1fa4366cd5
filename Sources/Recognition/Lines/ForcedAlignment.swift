import Foundation
import Networks

/// The time steps at which a known text was most likely written: the best single path through the
/// network's output for the text (Viterbi).
///
/// Reuses its memory.
package struct ForcedAlignment {
  package init() {}

  /// The class of each state: even states are blanks, odd ones labels.
  private var classes: [Int] = []
  private var scores: [Float] = []
  /// The number of states that each best path advanced, [T, states], four to a byte.
  private var moves: [UInt8] = []
  /// The states that are followed: those at most ``margin`` below the best of their time step.
  private var band = 0..<0
  /// The best score of a state that is not followed any more. A path gains nothing later, so the best
  /// one is found if it scores more than that.
  private var lost = -Float.infinity
  private static let margin: Float = 60

  /// The time steps of each label, or nil if no path exists. O(T L).
  ///
  /// - Parameters:
  ///   - output: Log-probabilities [T, K].
  ///   - labels: Classes 1 ..< K.
  package mutating func align(
    _ output: UnsafePointer<Float>, steps: Int, classes count: Int, labels: [Int32]
  ) -> [Range<Int>]? {
    guard !labels.isEmpty else { return [] }
    let states = 2 * labels.count + 1
    classes.removeAll(keepingCapacity: true)
    for label in labels { classes += [0, Int(label)] }
    classes.append(0)
    scores.removeAll(keepingCapacity: true)
    scores.append(contentsOf: repeatElement(-.infinity, count: states))
    let bytes = steps * Self.bytes(states)
    if moves.count < bytes {
      moves.append(contentsOf: repeatElement(0, count: bytes - moves.count))
    }
    if !follow(output, steps, count, states, margin: Self.margin) {
      for state in scores.indices { scores[state] = -.infinity }
      _ = follow(output, steps, count, states, margin: .infinity)
    }
    return trace(steps, states, labels.count)
  }

  /// The largest probability of each label within its time steps.
  static func certainties(
    _ output: UnsafePointer<Float>, classes count: Int, labels: [Int32], at ranges: [Range<Int>]
  ) -> [Float] {
    zip(labels, ranges).map { label, range in
      exp(range.reduce(-.infinity) { max($0, output[$1 * count + Int(label)]) })
    }
  }

  /// Scores the states; returns false if a state that was not followed may be on the best path.
  private mutating func follow(
    _ output: UnsafePointer<Float>, _ steps: Int, _ count: Int, _ states: Int, margin: Float
  ) -> Bool {
    (band, lost) = (0..<min(2, states), -.infinity)
    for step in 0..<steps {
      advance(output + step * count, step, states, margin)
    }
    return max(scores[states - 1], scores[states - 2]) >= lost
  }

  /// Advances by a time step, from the last state of the band down, so that the scores of the
  /// previous step are still available.
  private mutating func advance(
    _ row: UnsafePointer<Float>, _ step: Int, _ states: Int, _ margin: Float
  ) {
    let width = Self.bytes(states)
    var (band, lost) = (band, lost)
    scores.withUnsafeMutableBufferPointer { scores in
      moves.withUnsafeMutableBufferPointer { moves in
        classes.withUnsafeBufferPointer { classes in
          let moves = UnsafeMutableBufferPointer(
            rebasing: moves[step * width..<(step + 1) * width])
          moves.update(repeating: 0)
          guard step > 0 else {
            for state in band { scores[state] = row[classes[state]] }
            return
          }
          var top = -Float.infinity
          let end = min(states, band.upperBound + 2)
          for state in stride(from: end - 1, through: band.lowerBound, by: -1) {
            var (best, move) = (scores[state], UInt8(0))
            if state > 0, scores[state - 1] > best { (best, move) = (scores[state - 1], 1) }
            if state > 2, classes[state] > 0, classes[state] != classes[state - 2],
              scores[state - 2] > best
            {
              (best, move) = (scores[state - 2], 2)
            }
            best += row[classes[state]]
            scores[state] = best
            top = max(top, best)
            moves[state / 4] |= move << UInt8(state % 4 * 2)
          }
          var (low, high) = (band.lowerBound, end)
          while high - low > 1, scores[low] < top - margin {
            lost = max(lost, scores[low])
            scores[low] = -.infinity
            low += 1
          }
          while high - low > 1, scores[high - 1] < top - margin {
            lost = max(lost, scores[high - 1])
            scores[high - 1] = -.infinity
            high -= 1
          }
          band = low..<high
        }
      }
    }
    (self.band, self.lost) = (band, lost)
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
      let byte = moves[step * Self.bytes(states) + state / 4]
      state -= Int(byte >> UInt8(state % 4 * 2) & 3)
    }
    return ranges
  }

  /// The bytes of the moves of one time step.
  private static func bytes(_ states: Int) -> Int { (states + 3) / 4 }
}
