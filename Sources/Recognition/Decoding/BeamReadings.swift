import LinearAlgebra

extension BeamDecoder {
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
      guard let gain = scorer.advance(&state, label: Int(label)) else { return nil }
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
