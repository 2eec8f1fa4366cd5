import Foundation

// Shapes: T time steps, K classes with the blank as class 0.

/// Prefix beam search over the output of a line network (Hannun et al. 2014), with a language model
/// inside the hypotheses.
///
/// Hypotheses are nodes of a tree of prefixes, so that two alignments of one text are one
/// hypothesis. Each keeps the mass of its alignments that end in a blank and of those that end in its
/// last symbol: their probabilities times the factors of language model and bonuses, relative to a
/// scale that all hypotheses share.
///
/// At each time step the hypotheses first stay in the beam, with the mass that their own prefix in
/// the beam adds. Then only the best symbols are tried, the best one first, and only if the result
/// can be better than the worst hypothesis so far: most are rejected by a bound, without a look at
/// the language model.
///
/// Reuses its memory. Not thread-safe.
package struct BeamDecoder: ~Copyable {
  /// A class to try at a time step.
  private struct Candidate: BitwiseCopyable {
    var label: Int32
    var value: Float
    var chance: Double
  }

  /// A hypothesis to continue.
  private struct Prefix: BitwiseCopyable {
    var node: Int32
    var label: Int32
    var blank: Double
    var total: Double
  }

  private var tree = PrefixTree()
  /// The hypotheses.
  private var beam = ScratchList<Int32>()
  /// Those of the next time step.
  private var next = BestHypotheses()
  private var prefixes = ScratchList<Prefix>()
  private var shortlist = ScratchList<Candidate>()
  private var chances = SymbolChances()
  /// The logarithm of the mass that counts as one.
  private var scale = 0.0
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
  mutating func decode(
    _ output: UnsafePointer<Float>, steps: Int, classes: Int, allowed: [Bool],
    start: DecodingStart, scorer: TextScorer, configuration: DecoderConfiguration, count: Int
  ) throws -> [Reading] {
    // The scorer keeps the language model alive, of which it uses a view.
    defer { withExtendedLifetime(scorer) {} }
    chances.begin(classes: classes, allowed: allowed)
    begin(start, scorer)
    let limits = Limits(configuration, scorer)
    for step in 0..<steps {
      if step % 32 == 0, Task.isCancelled { throw CancellationError() }
      scale += chances.begin(output + step * classes)
      selectSymbols(configuration)
      stay()
      if shortlist.count > 0 { extend(limits, scorer) }
      rescale(by: keep(limits))
      if tree.count > Self.sweepCount { sweep() }
    }
    return finish(count, scorer)
  }

  /// The limits of the hypotheses of a time step.
  private struct Limits {
    /// The most hypotheses.
    var count: Int
    /// The least mass relative to the best one.
    var margin: Double
    /// The largest factor of a symbol by anything but the ink.
    var largest: Double

    init(_ configuration: DecoderConfiguration, _ scorer: TextScorer) {
      count = configuration.beam
      margin = exp(-Double(configuration.margin))
      largest = max(1, PrefixTree.factor(scorer.largestGain))
    }
  }

  private mutating func begin(_ start: DecodingStart, _ scorer: TextScorer) {
    scale = 0
    beam.shorten(to: 0)
    beam.append(tree.begin(start.state))
    guard let space = start.space else { return }
    // A reading may begin with a space that has no ink.
    guard let node = tree.append(Int32(space), to: 0, scorer) else { return }
    tree[node].blank = tree[node].factor * PrefixTree.factor(start.spaceBonus)
    beam.append(node)
  }

  /// Begins the next time step with the hypotheses of this one. Their masses are then complete.
  private mutating func stay() {
    next.removeAll()
    let blank = chances[0]
    for place in 0..<beam.count {
      let node = tree.pointer(beam[place])
      let label = node.pointee.label
      var before = node.pointee.symbol
      if node.pointee.parent >= 0 {
        // Zero if the prefix is not in the beam.
        let parent = tree.pointer(node.pointee.parent).pointee
        let from = parent.label == label ? parent.blank : parent.blank + parent.symbol
        before += from * node.pointee.factor
      }
      node.pointee.isNext = true
      node.pointee.nextSymbol = before * chances[Int(label)]
      node.pointee.nextBlank = (node.pointee.blank + node.pointee.symbol) * blank
      next.append(node.pointee.nextSymbol + node.pointee.nextBlank, beam[place])
    }
  }

  /// Continues the hypotheses with symbols.
  private mutating func extend(_ limits: Limits, _ scorer: TextScorer) {
    next.order(limits.count)
    tree.reserve(beam.count * shortlist.count)
    // The last ones in the beam are the best in most cases, and raise the floor early.
    prefixes.shorten(to: 0)
    for place in stride(from: beam.count - 1, through: 0, by: -1) {
      let node = tree.pointer(beam[place]).pointee
      prefixes.append(
        Prefix(
          node: beam[place], label: node.label, blank: node.blank,
          total: node.blank + node.symbol))
    }
    var floor = next.floor(limits.count, limits.margin)
    for rank in 0..<shortlist.count {
      let candidate = shortlist[rank]
      for place in 0..<prefixes.count {
        let prefix = prefixes[place]
        let from = candidate.label == prefix.label ? prefix.blank : prefix.total
        let mass = from * candidate.chance
        guard mass * limits.largest > floor,
          let new = tree.child(of: prefix.node, candidate.label)
            ?? tree.append(candidate.label, to: prefix.node, scorer)
        else { continue }
        let child = tree.pointer(new)
        let gained = mass * child.pointee.factor
        // A hypothesis of the beam already has this mass.
        guard gained > floor, !child.pointee.isNext else { continue }
        child.pointee.nextSymbol = gained
        child.pointee.nextBlank = 0
        next.insert(gained, new, limits.count)
        floor = next.floor(limits.count, limits.margin)
      }
    }
  }

  /// Makes the next masses of the best hypotheses the current ones. Returns the best mass.
  private mutating func keep(_ limits: Limits) -> Double {
    for place in 0..<beam.count {
      let node = tree.pointer(beam[place])
      (node.pointee.blank, node.pointee.symbol) = (0, 0)
      node.pointee.isNext = false
    }
    beam.shorten(to: 0)
    let floor = next.best * limits.margin
    for place in 0..<next.count where next[place].mass >= floor {
      let node = tree.pointer(next[place].node)
      (node.pointee.blank, node.pointee.symbol) = (node.pointee.nextBlank, node.pointee.nextSymbol)
      beam.append(next[place].node)
    }
    return next.best
  }

  /// Selects the classes to try at a time step, except the blank, best first.
  private mutating func selectSymbols(_ configuration: DecoderConfiguration) {
    shortlist.shorten(to: 0)
    chances.forEach(above: -configuration.symbolMargin) { label, value in
      let candidate = Candidate(label: Int32(label), value: value, chance: 0)
      var place = shortlist.count
      if place < configuration.symbols {
        shortlist.append(candidate)
      } else {
        guard shortlist[place - 1].value < value else { return }
        place -= 1
      }
      while place > 0, shortlist[place - 1].value < value {
        shortlist[place] = shortlist[place - 1]
        place -= 1
      }
      shortlist[place] = candidate
    }
    for place in 0..<shortlist.count {
      shortlist.pointer[place].chance = chances[Int(shortlist[place].label)]
    }
  }

  /// Removes unused nodes.
  private mutating func sweep() {
    var kept = (0..<beam.count).map { beam[$0] }
    tree.sweep(keeping: &kept)
    for (place, node) in kept.enumerated() { beam[place] = node }
  }

  /// Makes the best mass one before masses become too small or too large for the format.
  private mutating func rescale(by best: Double) {
    guard best > 0, best < 1e-60 || best > 1e60 else { return }
    let factor = 1 / best
    for place in 0..<beam.count {
      let node = tree.pointer(beam[place])
      node.pointee.blank *= factor
      node.pointee.symbol *= factor
    }
    scale += log(best)
  }

  private func finish(_ count: Int, _ scorer: TextScorer) -> [Reading] {
    let ended = (0..<beam.count).compactMap { place -> (score: Float, node: Int32)? in
      let index = beam[place]
      let mass = tree[index].blank + tree[index].symbol
      return scorer.end(tree.state(of: index)).map { (Float(log(mass) + scale) + $0, index) }
    }
    let sorted = ended.sorted { $0.score != $1.score ? $0.score > $1.score : $0.node < $1.node }
    return sorted.prefix(count).map {
      Reading(labels: tree.labels(to: $0.node), score: $0.score)
    }
  }
}
