import Foundation

// Shapes: T time steps, K classes with the blank as class 0.

/// Prefix beam search over the output of a line network (Hannun et al. 2014), with a language model
/// inside the hypotheses.
///
/// Hypotheses are nodes of a tree of prefixes, so that two alignments of one text are one
/// hypothesis. Each keeps the mass of its alignments that end in a blank and of those that end in its
/// last symbol: their probabilities times the factors of language model and bonuses, relative to a
/// scale that all hypotheses share. At each time step only the best symbols are tried, and only if
/// the result can be among the best hypotheses.
///
/// Reuses its memory. Not thread-safe.
package final class BeamDecoder {
  /// A hypothesis with its order: by mass, and for equal masses by age.
  private struct Ranked: BitwiseCopyable {
    var mass: Double
    var node: Int32

    static func > (a: Ranked, b: Ranked) -> Bool {
      a.mass != b.mass ? a.mass > b.mass : a.node < b.node
    }
  }

  /// A class to try at a time step.
  private struct Candidate: BitwiseCopyable {
    var label: Int32
    var value: Float
    var chance: Double
  }

  private var tree = PrefixTree()
  private var beam: [Int32] = []
  private var next: [Int32] = []
  private var shortlist: [Candidate] = []
  private var ranked: [Ranked] = []
  private var chances = SymbolChances()
  /// The logarithm of the mass that counts as one.
  private var scale = 0.0
  /// The part of a mass that does not count.
  private static let negligible = 1e-6
  /// The number of nodes at which unused nodes are removed.
  private static let sweepCount = 30_000

  package init() {}

  /// Decodes the output of the network.
  ///
  /// - Parameters:
  ///   - output: Log-probabilities [T, K].
  ///   - allowed: For each class, true if it may be read; always true for the blank.
  /// - Returns: At most `count` readings, best first.
  /// - Throws: `CancellationError` if the task is cancelled.
  func decode(
    _ output: UnsafePointer<Float>, steps: Int, classes: Int, allowed: [Bool],
    start: DecodingStart, scorer: TextScorer, configuration: DecoderConfiguration, count: Int
  ) throws -> [Reading] {
    // The scorer keeps the language model alive, of which it uses a view.
    defer { withExtendedLifetime(scorer) {} }
    chances.begin(classes: classes, allowed: allowed)
    begin(start, scorer)
    for step in 0..<steps {
      if step % 32 == 0, Task.isCancelled { throw CancellationError() }
      scale += chances.begin(output + step * classes)
      selectSymbols(configuration)
      let best =
        shortlist.isEmpty ? stay() : advance(Int32(step), scorer, configuration)
      rescale(by: best)
      if tree.count > Self.sweepCount { tree.sweep(keeping: &beam) }
    }
    return finish(count, scorer)
  }

  private func begin(_ start: DecodingStart, _ scorer: TextScorer) {
    scale = 0
    beam.removeAll(keepingCapacity: true)
    beam.append(tree.begin(start.state))
    guard let space = start.space else { return }
    // A reading may begin with a space that has no ink.
    guard let node = tree.append(Int32(space), to: 0, scorer) else { return }
    tree[node].blank = tree[node].factor * PrefixTree.factor(start.spaceBonus)
    beam.append(node)
  }

  /// A time step that tries symbols; returns the mass of the best hypothesis.
  private func advance(
    _ step: Int32, _ scorer: TextScorer, _ configuration: DecoderConfiguration
  ) -> Double {
    let margin = exp(-Double(configuration.margin))
    tree.reserve(beam.count * shortlist.count)
    next.removeAll(keepingCapacity: true)
    var (best, worst) = (0.0, Double.infinity)
    let blank = chances[0]
    for index in beam {
      let node = tree.pointer(index)
      node.pointee.step = step
      node.pointee.nextBlank = (node.pointee.blank + node.pointee.symbol) * blank
      node.pointee.nextSymbol = node.pointee.symbol * chances[Int(node.pointee.label)]
      next.append(index)
      let mass = node.pointee.nextBlank + node.pointee.nextSymbol
      best = max(best, mass)
      worst = min(worst, mass)
    }
    // The kept hypotheses are already in the beam. If they fill it, a hypothesis that is not better
    // than the worst of them cannot enter.
    if beam.count < configuration.beam { worst = 0 }
    let floor = max(best * margin, worst)
    // The gain of a symbol from anything but the ink is bounded.
    let largest = max(1, PrefixTree.factor(scorer.largestGain))
    for index in beam {
      let node = tree.pointer(index).pointee
      let total = node.blank + node.symbol
      for candidate in shortlist {
        // The others are less probable. A hypothesis that stays in the beam also takes the little that
        // could not enter it, down to what does not count.
        guard total * candidate.chance * largest > floor * Self.negligible else { break }
        let from = candidate.label == node.label ? node.blank : total
        extend(index, candidate.label, by: from * candidate.chance, floor, largest, step, scorer)
      }
    }
    return prune(configuration.beam, margin)
  }

  /// A time step without symbols to try; returns the mass of the best hypothesis.
  private func stay() -> Double {
    var best = 0.0
    let blank = chances[0]
    for index in beam {
      let node = tree.pointer(index)
      node.pointee.blank = (node.pointee.blank + node.pointee.symbol) * blank
      node.pointee.symbol *= chances[Int(node.pointee.label)]
      best = max(best, node.pointee.blank + node.pointee.symbol)
    }
    return best
  }

  /// Selects the classes to try at a time step, except the blank, best first.
  private func selectSymbols(_ configuration: DecoderConfiguration) {
    shortlist.removeAll(keepingCapacity: true)
    chances.forEach(above: -configuration.symbolMargin) { label, value in
      var place = shortlist.count
      while place > 0, shortlist[place - 1].value < value { place -= 1 }
      guard place < configuration.symbols else { return }
      shortlist.insert(Candidate(label: Int32(label), value: value, chance: 0), at: place)
      if shortlist.count > configuration.symbols { shortlist.removeLast() }
    }
    for place in shortlist.indices {
      shortlist[place].chance = chances[Int(shortlist[place].label)]
    }
  }

  /// Continues the hypothesis with a symbol, unless its mass cannot reach the floor.
  @inline(__always)
  private func extend(
    _ index: Int32, _ label: Int32, by mass: Double, _ floor: Double, _ largest: Double,
    _ step: Int32, _ scorer: TextScorer
  ) {
    let child: Int32
    if let known = tree.child(of: index, label) {
      child = known
    } else {
      guard mass * largest > floor, let new = tree.append(label, to: index, scorer) else { return }
      child = new
    }
    let node = tree.pointer(child)
    let gained = mass * node.pointee.factor
    guard node.pointee.step == step || gained > floor else { return }
    if node.pointee.step != step {
      node.pointee.step = step
      node.pointee.nextBlank = 0
      node.pointee.nextSymbol = 0
      next.append(child)
    }
    node.pointee.nextSymbol += gained
  }

  /// Keeps the best hypotheses, and makes their next masses the current ones. Returns the best mass.
  private func prune(_ count: Int, _ margin: Double) -> Double {
    ranked.removeAll(keepingCapacity: true)
    var best = 0.0
    for index in next {
      let node = tree.pointer(index)
      let mass = node.pointee.nextBlank + node.pointee.nextSymbol
      best = max(best, mass)
      ranked.append(Ranked(mass: mass, node: index))
    }
    let floor = best * margin
    ranked.removeAll { $0.mass < floor }
    keepBest(count)
    for index in beam {
      let node = tree.pointer(index)
      (node.pointee.blank, node.pointee.symbol) = (0, 0)
    }
    beam.removeAll(keepingCapacity: true)
    for entry in ranked {
      let node = tree.pointer(entry.node)
      (node.pointee.blank, node.pointee.symbol) = (node.pointee.nextBlank, node.pointee.nextSymbol)
      beam.append(entry.node)
    }
    return best
  }

  /// Keeps the best `count` of the ranked hypotheses, in any order (quickselect). O(n) on average.
  private func keepBest(_ count: Int) {
    guard ranked.count > count else { return }
    let total = ranked.count
    ranked.withUnsafeMutableBufferPointer { ranked in
      var (low, high) = (0, total - 1)
      while low < high {
        let pivot = ranked[(low + high) / 2]
        var (left, right) = (low, high)
        while left <= right {
          while ranked[left] > pivot { left += 1 }
          while pivot > ranked[right] { right -= 1 }
          if left <= right {
            ranked.swapAt(left, right)
            left += 1
            right -= 1
          }
        }
        if count <= right {
          high = right
        } else if count >= left {
          low = left
        } else {
          break
        }
      }
    }
    ranked.removeLast(total - count)
  }

  /// Makes the best mass one before masses become too small or too large for the format.
  private func rescale(by best: Double) {
    guard best > 0, best < 1e-60 || best > 1e60 else { return }
    let factor = 1 / best
    for index in beam {
      let node = tree.pointer(index)
      node.pointee.blank *= factor
      node.pointee.symbol *= factor
    }
    scale += log(best)
  }

  private func finish(_ count: Int, _ scorer: TextScorer) -> [Reading] {
    let ended = beam.compactMap { index -> (score: Float, node: Int32)? in
      let mass = tree[index].blank + tree[index].symbol
      return scorer.end(tree.state(of: index)).map { (Float(log(mass) + scale) + $0, index) }
    }
    let sorted = ended.sorted { $0.score != $1.score ? $0.score > $1.score : $0.node < $1.node }
    return sorted.prefix(count).map {
      Reading(labels: tree.labels(to: $0.node), score: $0.score)
    }
  }
}
