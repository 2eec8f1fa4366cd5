import Foundation
import Networks

/// The time steps at which a known text was most likely written: the best single path through the
/// network's output for the text (Viterbi).
///
/// Reuses its memory.
package struct ForcedAlignment {
  package init() {}

  /// The score of each state, [2L + 1]: even states are blanks, state 2l + 1 is label l.
  private var scores: [Float] = []
  /// For each label whether the path may come from the label before it, without a blank.
  private var follows: [Bool] = []
  /// The numbers of states that the best paths advanced, [T, L]: to the label in two bits, to the
  /// blank after it in the third.
  private var moves: [UInt8] = []
  /// The labels that are followed: those with a state at most ``margin`` below the best of their time
  /// step.
  private var band = 0..<0
  /// The best score of a state that is not followed any more. A path gains nothing later, so the best
  /// one is found if it scores more than that.
  private var lost = -Float.infinity
  private static let margin: Float = 30

  /// The time steps of each label, or nil if no path exists. O(T L).
  ///
  /// - Parameters:
  ///   - output: Log-probabilities [T, K].
  ///   - labels: Classes 1 ..< K.
  package mutating func align(
    _ output: UnsafePointer<Float>, steps: Int, classes count: Int, labels: [Int32]
  ) -> [Range<Int>]? {
    guard !labels.isEmpty else { return [] }
    scores.removeAll(keepingCapacity: true)
    scores.append(contentsOf: repeatElement(-.infinity, count: 2 * labels.count + 1))
    follows.removeAll(keepingCapacity: true)
    follows.append(false)
    follows.append(contentsOf: zip(labels, labels.dropFirst()).lazy.map { $0 != $1 })
    let bytes = steps * labels.count
    if moves.count < bytes {
      moves.append(contentsOf: repeatElement(0, count: bytes - moves.count))
    }
    if !follow(output, steps, count, labels, margin: Self.margin) {
      for state in scores.indices { scores[state] = -.infinity }
      _ = follow(output, steps, count, labels, margin: .infinity)
    }
    return trace(steps, labels.count)
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
    _ output: UnsafePointer<Float>, _ steps: Int, _ count: Int, _ labels: [Int32], margin: Float
  ) -> Bool {
    guard steps > 0 else { return true }
    (band, lost) = (0..<1, -.infinity)
    (scores[0], scores[1]) = (output[0], output[Int(labels[0])])
    labels.withUnsafeBufferPointer { labels in
      for step in 1..<steps { advance(output + step * count, step, labels, margin) }
    }
    return max(scores[scores.count - 1], scores[scores.count - 2]) >= lost
  }

  /// Advances by a time step, from the last label of the band down, so that the scores of the
  /// previous step are still available.
  private mutating func advance(
    _ row: UnsafePointer<Float>, _ step: Int, _ labels: UnsafeBufferPointer<Int32>,
    _ margin: Float
  ) {
    var (low, high) = (band.lowerBound, min(labels.count, band.upperBound + 1))
    var lost = lost
    scores.withUnsafeMutableBufferPointer { scores in
      moves.withUnsafeMutableBufferPointer { moves in
        follows.withUnsafeBufferPointer { follows in
          let moves = UnsafeMutableBufferPointer(
            rebasing: moves[step * labels.count..<(step + 1) * labels.count])
          var top = -Float.infinity
          for label in stride(from: high - 1, through: low, by: -1) {
            let (before, own, blank) = (
              scores[2 * label], scores[2 * label + 1], scores[2 * label + 2]
            )
            let after = max(own, blank) + row[0]
            var (best, move) = own >= before ? (own, UInt8(0)) : (before, 1)
            if follows[label], scores[2 * label - 1] > best {
              (best, move) = (scores[2 * label - 1], 2)
            }
            best += row[Int(labels[label])]
            (scores[2 * label + 1], scores[2 * label + 2]) = (best, after)
            moves[label] = own > blank ? move | 4 : move
            top = max(top, best, after)
          }
          scores[0] += row[0]
          top = max(top, scores[0])
          while high - low > 1, drop(low) { low += 1 }
          while high - low > 1, drop(high - 1) { high -= 1 }

          /// Follows a label no more if it is too far below the best.
          func drop(_ label: Int) -> Bool {
            let score = max(scores[2 * label + 1], scores[2 * label + 2])
            guard score < top - margin else { return false }
            lost = max(lost, score)
            (scores[2 * label + 1], scores[2 * label + 2]) = (-.infinity, -.infinity)
            return true
          }
        }
      }
    }
    (band, self.lost) = (low..<high, lost)
  }

  private func trace(_ steps: Int, _ count: Int) -> [Range<Int>]? {
    guard steps > 0 else { return nil }
    var state = 2 * count
    if scores[state - 1] > scores[state] { state -= 1 }
    guard scores[state] > -.infinity else { return nil }
    var ranges = [Range<Int>](repeating: 0..<0, count: count)
    for step in (0..<steps).reversed() {
      if state % 2 == 1 {
        let label = state / 2
        ranges[label] = step..<(ranges[label].isEmpty ? step + 1 : ranges[label].upperBound)
      }
      // Nothing precedes the first time step and the first blank.
      guard step > 0, state > 0 else { continue }
      let move = moves[step * count + (state - 1) / 2]
      state -= Int(state % 2 == 1 ? move & 3 : move >> 2)
    }
    return ranges
  }
}
