import Foundation

/// Selects the n-grams of a trie to keep, so that a model of a given size loses little.
///
/// The loss of an n-gram is the relative entropy between the model with it and the model without
/// it, with the backoff weight recomputed: Stolcke, "Entropy-based pruning of backoff language
/// models", DARPA Broadcast News Workshop (1998). Contexts are weighted by their frequency, because
/// Kneser-Ney probabilities of shorter n-grams are not probabilities of contexts. An n-gram stays
/// as long as one that begins with it, and so has the greatest of their losses.
struct EntropyPruning {
  /// The losses in nats per symbol of the training text, by length and index.
  private let losses: [[Float]]
  private let trie: NGramTrie

  /// Computes the losses. O(n-grams) time; 4 bytes per n-gram.
  init(_ trie: NGramTrie) {
    self.trie = trie
    var losses = trie.levels.map { [Float](repeating: .infinity, count: $0.count) }
    for length in (2...trie.order).reversed() {
      losses[length].withUnsafeMutableBufferPointer { Self.fill($0, trie, length) }
      guard length < trie.order else { continue }
      let (level, longer) = (trie.levels[length], losses[length + 1])
      for index in 0..<level.count {
        for child in level.children(index) {
          losses[length][index] = max(losses[length][index], longer[child])
        }
      }
    }
    self.losses = losses
  }

  private static func fill(
    _ losses: UnsafeMutableBufferPointer<Float>, _ trie: NGramTrie, _ length: Int
  ) {
    let (contexts, level) = (trie.levels[length - 1], trie.levels[length])
    let shorter = trie.levels[length - 1].probability
    let total = Double(trie.levels[0].raw[0])
    for context in 0..<contexts.count {
      let children = contexts.children(context)
      guard !children.isEmpty else { continue }
      var (left, free) = (1.0, 1.0)
      for child in children {
        left -= Double(level.probability[child])
        free -= Double(shorter[Int(level.suffix[child])])
      }
      let weight = Double(contexts.backoff[context])
      // Both are small differences; their quotient is more accurate.
      free = max(free, 1e-6)
      left = max(left, weight * free)
      let share = Double(contexts.raw[context]) / total
      for child in children {
        let probability = Double(level.probability[child])
        let lower = Double(shorter[Int(level.suffix[child])])
        let newWeight = log((left + probability) / (free + lower))
        let loss =
          probability * (log(probability) - log(lower) - newWeight)
          + left * (log(left / free) - newWeight)
        losses[child] = Float(max(0, share * loss))
      }
    }
  }

  /// Finds the greatest loss to accept so that a model takes at most `maximumBytes`.
  ///
  /// - Parameter bytes: The length of a model with these counts of arcs and states.
  /// - Returns: The threshold; n-grams with a greater loss stay. Nil if even the shortest n-grams
  ///   do not fit.
  func threshold(maximumBytes: Int, bytes: (Int, Int) -> Int) -> Float? {
    // Positive floats are ordered like their bits; 16 of them are within 1 %.
    var arcs = [Int](repeating: 0, count: 1 << 16)
    var states = arcs
    for length in 1...trie.order {
      for loss in losses[length] { arcs[Int(loss.bitPattern >> 16)] += 1 }
      guard length < trie.order else { continue }
      let (level, longer) = (trie.levels[length], losses[length + 1])
      for index in 0..<level.count {
        let children = level.children(index)
        guard !children.isEmpty else { continue }
        var most: Float = 0
        for child in children { most = max(most, longer[child]) }
        states[Int(most.bitPattern >> 16)] += 1
      }
    }
    var (arcCount, stateCount) = (trie.table.count, 1)
    for bucket in arcs.indices.reversed() {
      arcCount += arcs[bucket]
      stateCount += states[bucket]
      guard bytes(arcCount, stateCount) > maximumBytes else { continue }
      let threshold = Float(bitPattern: UInt32(bucket) << 16 | 0xFFFF)
      return threshold.isFinite ? threshold : nil
    }
    return -1
  }

  /// Removes the n-grams whose loss is not above a threshold.
  func prune(below threshold: Float) {
    for length in 2...trie.order {
      for (index, loss) in losses[length].enumerated() {
        trie.levels[length].isKept[index] = loss > threshold
      }
    }
  }
}
