/// The least edits that turn a reference into a hypothesis (Levenshtein 1966), by kind.
///
/// If several alignments have the fewest edits, the one with the most substitutions counts, so that
/// the three numbers are unique. Use `+=` to sum over samples.
public struct EditDistance: Hashable, Sendable {
  /// Elements of the reference replaced by another.
  package private(set) var substitutions = 0
  /// Elements of the hypothesis that are not in the reference.
  package private(set) var insertions = 0
  /// Elements of the reference that are missing in the hypothesis.
  package private(set) var deletions = 0
  /// Elements of the reference.
  package private(set) var referenceCount = 0

  /// Makes a count without comparisons.
  @usableFromInline package init() {}

  /// Compares two sequences of elements.
  ///
  /// - Complexity: O(n m) time and O(n + m) memory, after removing the common prefix and suffix.
  package init<Element: Hashable>(
    reference: some Sequence<Element>, hypothesis: some Sequence<Element>
  ) {
    // Numbers compare faster than elements such as characters.
    var numbers: [Element: Int] = [:]
    func number(_ element: Element) -> Int {
      if let known = numbers[element] { return known }
      let fresh = numbers.count
      numbers[element] = fresh
      return fresh
    }
    let reference = reference.map(number)
    let hypothesis = hypothesis.map(number)
    referenceCount = reference.count
    let prefix = zip(reference, hypothesis).prefix { $0 == $1 }.count
    let (left, right) = (reference.dropFirst(prefix), hypothesis.dropFirst(prefix))
    let suffix = zip(left.reversed(), right.reversed()).prefix { $0 == $1 }.count
    count(Array(left.dropLast(suffix)), Array(right.dropLast(suffix)))
  }

  /// All edits.
  @usableFromInline package var total: Int { substitutions + insertions + deletions }

  /// Edits per element of the reference, above 1 if there are more; nil if the reference
  /// has no elements.
  @usableFromInline package var rate: Double? {
    referenceCount > 0 ? Double(total) / Double(referenceCount) : nil
  }

  /// Adds the counts of another comparison.
  @usableFromInline package static func += (left: inout EditDistance, right: EditDistance) {
    left.substitutions += right.substitutions
    left.insertions += right.insertions
    left.deletions += right.deletions
    left.referenceCount += right.referenceCount
  }

  /// Keeps one row of the dynamic programme. A cost combines both numbers to minimise, edits first:
  /// `edits * scale + (insertions + deletions)`. These two and the difference of the lengths
  /// determine all three counts.
  private mutating func count(_ reference: [Int], _ hypothesis: [Int]) {
    let scale = reference.count + hypothesis.count + 1
    var row = (0...hypothesis.count).map { $0 * (scale + 1) }
    for element in reference {
      var diagonal = row[0]
      row[0] += scale + 1
      for (column, other) in hypothesis.enumerated() {
        let substituted = diagonal + (element == other ? 0 : scale)
        let gap = min(row[column], row[column + 1]) + scale + 1
        diagonal = row[column + 1]
        row[column + 1] = min(substituted, gap)
      }
    }
    let cost = row[hypothesis.count]
    let gaps = cost % scale
    let excess = hypothesis.count - reference.count
    substitutions = cost / scale - gaps
    insertions = (gaps + excess) / 2
    deletions = (gaps - excess) / 2
  }
}

/// An alignment of the elements of a hypothesis with those of a reference.
package enum EditAlignment {
  /// For each element of the reference, the index of its counterpart in the hypothesis, equal or
  /// not; nil if it has none. If several alignments have the fewest edits, uses the one that keeps
  /// later elements. O(n m) time and memory.
  package static func counterparts<Element: Equatable>(
    of reference: [Element], in hypothesis: [Element]
  ) -> [Int?] {
    let width = hypothesis.count + 1
    var costs = [Int](repeating: 0, count: (reference.count + 1) * width)
    for column in 0..<width { costs[column] = column }
    for row in stride(from: 1, through: reference.count, by: 1) {
      costs[row * width] = row
      for column in stride(from: 1, to: width, by: 1) {
        let isEqual = reference[row - 1] == hypothesis[column - 1]
        costs[row * width + column] = min(
          costs[(row - 1) * width + column - 1] + (isEqual ? 0 : 1),
          costs[(row - 1) * width + column] + 1, costs[row * width + column - 1] + 1)
      }
    }
    var counterparts = [Int?](repeating: nil, count: reference.count)
    var (row, column) = (reference.count, hypothesis.count)
    while row > 0, column > 0 {
      let cost = costs[row * width + column]
      let isEqual = reference[row - 1] == hypothesis[column - 1]
      if cost == costs[(row - 1) * width + column - 1] + (isEqual ? 0 : 1) {
        counterparts[row - 1] = column - 1
        (row, column) = (row - 1, column - 1)
      } else if cost == costs[(row - 1) * width + column] + 1 {
        row -= 1
      } else {
        column -= 1
      }
    }
    return counterparts
  }
}
