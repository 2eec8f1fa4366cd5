import LinearAlgebra
import Networks

// Shapes: T time steps, K classes with the blank as class 0.

/// Prefix beam search over the output of a line network (Hannun et al. 2014), with a language model
/// inside the hypotheses.
///
/// Hypotheses are nodes of a tree of prefixes, so that two alignments of one text are one
/// hypothesis. Each keeps the probabilities of its alignments that end in a blank and of those that
/// end in its last symbol, the state of the language model, and the sum of all scores that do not
/// depend on the ink. At each time step only the best symbols are tried, and only if the result can
/// be among the best hypotheses.
///
/// Reuses its memory.
package struct BeamDecoder {
  /// One prefix.
  struct Node {
    var parent: Int32
    var label: Int32
    var firstChild: Int32 = -1
    var sibling: Int32
    /// Log-probability of the alignments so far that end in a blank.
    var blank: Float = -.infinity
    /// Log-probability of the alignments so far that end in the label.
    var symbol: Float = -.infinity
    var nextBlank: Float = -.infinity
    var nextSymbol: Float = -.infinity
    /// The score of language model and bonuses.
    var text: Float
    var state: TextState
    /// The time step of the `next...` members.
    var step: Int32 = -1

    var total: Float { logSum(blank, symbol) }
  }

  /// A finished reading.
  package struct Reading {
    /// The classes, in order.
    package var labels: [Int32]
    /// The total score of ink, language model and bonuses.
    package var score: Float
    /// True if the text is allowed. A reading that is not allowed may still be what was written.
    package var isAllowed = true

    package init(labels: [Int32], score: Float, isAllowed: Bool = true) {
      self.labels = labels
      self.score = score
      self.isAllowed = isAllowed
    }
  }

  /// A hypothesis with its order: by score, and for equal scores by age.
  private struct Ranked {
    var score: Float
    var node: Int32

    static func > (a: Ranked, b: Ranked) -> Bool {
      a.score != b.score ? a.score > b.score : a.node < b.node
    }
  }

  private var nodes: [Node] = []
  private var beam: [Int32] = []
  private var next: [Int32] = []
  private var shortlist: [Int32] = []
  private var ranked: [Ranked] = []
  /// The number of nodes at which unused nodes are removed.
  private static let sweepCount = 30_000

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
    begin(start, scorer)
    for step in 0..<steps {
      if step % 32 == 0, Task.isCancelled { throw CancellationError() }
      advance(output + step * classes, step, classes, allowed, scorer, configuration)
      if nodes.count > Self.sweepCount { sweep() }
    }
    return finish(count, scorer)
  }

  private mutating func begin(_ start: DecodingStart, _ scorer: TextScorer) {
    nodes.removeAll(keepingCapacity: true)
    beam.removeAll(keepingCapacity: true)
    nodes.append(
      Node(parent: -1, label: 0, sibling: -1, blank: 0, text: 0, state: start.state))
    beam.append(0)
    guard let space = start.space else { return }
    // A reading may begin with a space that has no ink.
    guard let node = append(Int32(space), to: 0, scorer) else { return }
    nodes[Int(node)].blank = 0
    nodes[Int(node)].text += start.spaceBonus
    beam.append(node)
  }

  private mutating func advance(
    _ row: UnsafePointer<Float>, _ step: Int, _ classes: Int, _ allowed: [Bool],
    _ scorer: TextScorer, _ configuration: DecoderConfiguration
  ) {
    selectSymbols(row, classes, allowed, configuration)
    next.removeAll(keepingCapacity: true)
    var (best, worst) = (-Float.infinity, Float.infinity)
    for index in beam {
      let score = stay(index, row, Int32(step))
      best = max(best, score)
      worst = min(worst, score)
    }
    // The kept hypotheses are already in the beam. If they fill it, a hypothesis that is not better
    // than the worst of them cannot enter.
    if beam.count < configuration.beam { worst = -.infinity }
    let floor = max(best - configuration.margin, worst)
    for index in beam {
      let node = nodes[Int(index)]
      let total = node.total
      for label in shortlist {
        let from = label == node.label ? node.blank : total
        extend(index, label, by: from + row[Int(label)], floor, Int32(step), scorer)
      }
    }
    prune(configuration)
  }

  /// Selects the classes to try at a time step, except the blank.
  private mutating func selectSymbols(
    _ row: UnsafePointer<Float>, _ classes: Int, _ allowed: [Bool],
    _ configuration: DecoderConfiguration
  ) {
    shortlist.removeAll(keepingCapacity: true)
    var best = row[0]
    for label in 1..<classes where allowed[label] { best = max(best, row[label]) }
    let floor = best - configuration.symbolMargin
    for label in 1..<classes where row[label] > floor && allowed[label] {
      var place = shortlist.count
      while place > 0, row[Int(shortlist[place - 1])] < row[label] { place -= 1 }
      guard place < configuration.symbols else { continue }
      shortlist.insert(Int32(label), at: place)
      if shortlist.count > configuration.symbols { shortlist.removeLast() }
    }
  }

  /// Continues the hypothesis without a new symbol; returns its score.
  private mutating func stay(_ index: Int32, _ row: UnsafePointer<Float>, _ step: Int32) -> Float {
    touch(index, step)
    return nodes.withUnsafeMutableBufferPointer { nodes in
      let node = nodes.baseAddress.unsafelyUnwrapped + Int(index)
      node.pointee.nextBlank = logSum(node.pointee.nextBlank, node.pointee.total + row[0])
      if node.pointee.label > 0 {
        node.pointee.nextSymbol = logSum(
          node.pointee.nextSymbol, node.pointee.symbol + row[Int(node.pointee.label)])
      }
      return logSum(node.pointee.nextBlank, node.pointee.nextSymbol) + node.pointee.text
    }
  }

  /// Continues the hypothesis with a symbol, unless its score cannot reach the floor.
  private mutating func extend(
    _ index: Int32, _ label: Int32, by score: Float, _ floor: Float, _ step: Int32,
    _ scorer: TextScorer
  ) {
    let parent = nodes[Int(index)]
    var child = parent.firstChild
    while child >= 0, nodes[Int(child)].label != label { child = nodes[Int(child)].sibling }
    if child < 0 {
      // The gain of a symbol from anything but the ink is bounded.
      guard score + parent.text + scorer.largestGain > floor,
        let new = append(label, to: index, scorer)
      else { return }
      child = new
    }
    guard nodes[Int(child)].step == step || score + nodes[Int(child)].text > floor else { return }
    touch(child, step)
    nodes[Int(child)].nextSymbol = logSum(nodes[Int(child)].nextSymbol, score)
  }

  /// Makes a hypothesis one of the next time step.
  private mutating func touch(_ index: Int32, _ step: Int32) {
    guard nodes[Int(index)].step != step else { return }
    nodes[Int(index)].step = step
    nodes[Int(index)].nextBlank = -.infinity
    nodes[Int(index)].nextSymbol = -.infinity
    next.append(index)
  }

  /// Appends a symbol to the prefix; nil if the vocabulary forbids it.
  private mutating func append(
    _ label: Int32, to index: Int32, _ scorer: TextScorer
  ) -> Int32? {
    let parent = nodes[Int(index)]
    guard let (state, gain) = scorer.advance(parent.state, label: Int(label)) else { return nil }
    let new = Int32(nodes.count)
    nodes.append(
      Node(
        parent: index, label: label, sibling: parent.firstChild, text: parent.text + gain,
        state: state))
    nodes[Int(index)].firstChild = new
    return new
  }

  /// Keeps the best hypotheses, and makes their next probabilities the current ones.
  private mutating func prune(_ configuration: DecoderConfiguration) {
    ranked.removeAll(keepingCapacity: true)
    var best = -Float.infinity
    for index in next {
      let node = nodes[Int(index)]
      let score = logSum(node.nextBlank, node.nextSymbol) + node.text
      best = max(best, score)
      ranked.append(Ranked(score: score, node: index))
    }
    let floor = best - configuration.margin
    ranked.removeAll { $0.score < floor }
    keepBest(configuration.beam)
    for index in beam {
      nodes[Int(index)].blank = -.infinity
      nodes[Int(index)].symbol = -.infinity
    }
    beam.removeAll(keepingCapacity: true)
    for index in ranked.lazy.map(\.node) {
      nodes[Int(index)].blank = nodes[Int(index)].nextBlank
      nodes[Int(index)].symbol = nodes[Int(index)].nextSymbol
      beam.append(index)
    }
  }

  /// Keeps the best `count` of the ranked hypotheses, in any order (quickselect). O(n) on average.
  private mutating func keepBest(_ count: Int) {
    guard ranked.count > count else { return }
    var (low, high) = (0, ranked.count - 1)
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
    ranked.removeLast(ranked.count - count)
  }

  /// Removes the prefixes that no hypothesis continues.
  private mutating func sweep() {
    var places = [Int32](repeating: -1, count: nodes.count)
    for index in beam {
      var current = index
      while current >= 0, places[Int(current)] < 0 {
        places[Int(current)] = 0
        current = nodes[Int(current)].parent
      }
    }
    var kept: [Node] = []
    for index in nodes.indices where places[index] >= 0 {
      places[index] = Int32(kept.count)
      var node = nodes[index]
      node.firstChild = -1
      // Parents precede their children.
      node.parent = node.parent < 0 ? -1 : places[Int(node.parent)]
      if node.parent >= 0 {
        node.sibling = kept[Int(node.parent)].firstChild
        kept[Int(node.parent)].firstChild = Int32(kept.count)
      }
      kept.append(node)
    }
    nodes = kept
    beam = beam.map { places[Int($0)] }
  }

  /// The score that the search would give a text: the probability of all its alignments (the forward
  /// algorithm of CTC, Graves et al. 2006), language model and bonuses. O(T L).
  ///
  /// - Returns: Nil if the vocabulary forbids the text, or the output is too short for it.
  package static func score(
    of labels: [Int32], _ output: UnsafePointer<Float>, steps: Int, classes: Int,
    start: TextState, _ scorer: TextScorer
  ) -> Float? {
    var (state, text) = (start, Float(0))
    for label in labels {
      guard let (next, gain) = scorer.advance(state, label: Int(label)) else { return nil }
      state = next
      text += gain
    }
    guard let end = scorer.end(state), steps > 0 else { return nil }
    // State 2i is the blank before label i, state 2i + 1 is label i.
    let states = 2 * labels.count + 1
    var scores = [Float](repeating: -.infinity, count: states)
    scores[0] = output[0]
    if states > 1 { scores[1] = output[Int(labels[0])] }
    for step in 1..<max(1, steps) {
      let row = output + step * classes
      for state in stride(from: states - 1, through: 0, by: -1) {
        let isLabel = state % 2 == 1
        var sum = scores[state]
        if state > 0 { sum = logSum(sum, scores[state - 1]) }
        if isLabel, state > 1, labels[state / 2] != labels[state / 2 - 1] {
          sum = logSum(sum, scores[state - 2])
        }
        scores[state] = sum + row[isLabel ? Int(labels[state / 2]) : 0]
      }
    }
    let total = states > 1 ? logSum(scores[states - 1], scores[states - 2]) : scores[0]
    return total.isFinite ? total + text + end : nil
  }

  private func finish(_ count: Int, _ scorer: TextScorer) -> [Reading] {
    let ended = beam.compactMap { index -> Ranked? in
      let node = nodes[Int(index)]
      return scorer.end(node.state).map { Ranked(score: node.total + node.text + $0, node: index) }
    }
    let sorted = ended.sorted(by: >)
    return sorted.prefix(count).map { entry in
      var labels: [Int32] = []
      var current = entry.node
      while current > 0 {
        labels.append(nodes[Int(current)].label)
        current = nodes[Int(current)].parent
      }
      return Reading(labels: labels.reversed(), score: entry.score)
    }
  }
}

extension [BeamDecoder.Reading] {
  /// Sorts readings by score; equal ones keep their order.
  func bestFirst() -> [BeamDecoder.Reading] {
    let order = indices.sorted {
      self[$0].score != self[$1].score ? self[$0].score > self[$1].score : $0 < $1
    }
    return order.map { self[$0] }
  }

  /// Removes spaces at the ends of readings, which have no ink. The probability of a text is the
  /// sum of those with and without such spaces.
  ///
  /// - Parameter space: The class of the space.
  package func trimmed(of space: Int32) -> [BeamDecoder.Reading] {
    guard contains(where: { $0.labels.last == space }) else { return self }
    var places: [[Int32]: Int] = [:]
    var trimmed: [BeamDecoder.Reading] = []
    for var reading in self {
      while reading.labels.last == space { reading.labels.removeLast() }
      if let place = places[reading.labels] {
        trimmed[place].score = logSum(trimmed[place].score, reading.score)
      } else {
        places[reading.labels] = trimmed.count
        trimmed.append(reading)
      }
    }
    return trimmed.bestFirst()
  }

  /// Merges readings of one text: the probability of a text is the sum of those of its readings.
  /// The first reading of a text keeps its classes.
  ///
  /// - Parameter text: The text of some classes.
  func merged(by text: ([Int32]) -> String) -> [BeamDecoder.Reading] {
    var places: [String: Int] = [:]
    var merged: [BeamDecoder.Reading] = []
    for reading in self {
      let text = text(reading.labels)
      if let place = places[text] {
        merged[place].score = logSum(merged[place].score, reading.score)
      } else {
        places[text] = merged.count
        merged.append(reading)
      }
    }
    return merged.count == count ? self : merged.bestFirst()
  }

  /// Adds other readings, which are not allowed unless they are also among these.
  package func joined(by others: [BeamDecoder.Reading]) -> [BeamDecoder.Reading] {
    let allowed = Set(map(\.labels))
    let more = others.filter { !allowed.contains($0.labels) }.map {
      BeamDecoder.Reading(labels: $0.labels, score: $0.score, isAllowed: false)
    }
    return (self + more).bestFirst()
  }

  /// Adds a value to the scores of readings that are not allowed.
  package func unlistedWeighed(by weight: Float) -> [BeamDecoder.Reading] {
    guard !allSatisfy(\.isAllowed) else { return self }
    return map {
      BeamDecoder.Reading(
        labels: $0.labels, score: $0.isAllowed ? $0.score : $0.score + weight,
        isAllowed: $0.isAllowed)
    }.bestFirst()
  }
}

/// log(exp(a) + exp(b)).
@inline(__always)
private func logSum(_ a: Float, _ b: Float) -> Float {
  let (high, low) = a > b ? (a, b) : (b, a)
  // Below this difference the smaller value is lost in single precision; infinities are, too.
  guard low - high > -16 else { return high }
  return high + Kernels.softplus(low - high)
}
