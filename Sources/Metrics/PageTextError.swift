/// Errors of the text of pages, regardless of the order of lines and blocks.
///
/// A page is the lines of its label and the lines of its reading, both in the form of
/// ``TextErrorRate/reference(_:without:)``; empty lines do not count. The edits of a page are the sum over
/// groups of lines. A group is
///
/// - one line of the label and one of the reading: their edit distance;
/// - several lines of the label and one of the reading, or the other way round, joined by spaces in
///   the best order: the edit distance of the joined texts;
/// - a line of the label alone: its characters, as deletions;
/// - a line of the reading alone: its characters, as insertions.
///
/// Each line is in one group. The groups are found in four steps:
///
/// 1. Equal lines are a pair.
/// 2. The other lines are paired so that the sum of all edits is the least (Kuhn 1955).
/// 3. Lines that are alone, and lines of pairs with edits for more than half of the characters of the
///    longer line, move to other groups, one after the other, as long as that lowers the sum; the move
///    that lowers it the most comes first. Lines of the label move before those of the reading. So
///    lines that were read as one, or one that was read as several, count little.
/// 4. The lines that are then alone are paired as in step 2.
///
/// Each step lowers the sum or leaves it, so the result is at most the minimum over all pairs of lines.
/// The first two steps do not depend on the order of the lines.
///
/// A phrase is a line of the label. It is read whole if it occurs within one line of the reading, and
/// not as a part of longer words. Each occurrence counts for one of several equal phrases.
package struct PageTextError: Hashable, Sendable {
  /// The number of pages.
  package private(set) var pages = 0
  /// The edits of characters.
  package private(set) var edits = 0
  /// The characters of the labels, without line breaks.
  package private(set) var characters = 0
  /// The phrases of the labels.
  package private(set) var phrases = 0
  /// The phrases that are read whole.
  package private(set) var wholePhrases = 0

  /// Makes a count of no page.
  package init() {}

  /// Counts one page. O(L³ + L² n²) for L unequal lines of n characters.
  ///
  /// - Parameters:
  ///   - reference: The lines of the label.
  ///   - hypothesis: The lines of the reading.
  package init(reference: [String], hypothesis: [String]) {
    let reference = Self.lines(reference)
    let hypothesis = Self.lines(hypothesis)
    pages = 1
    characters = reference.reduce(0) { $0 + $1.count }
    edits = PageGroups.edits(reference, hypothesis)
    phrases = reference.count
    wholePhrases = phrases - Self.missing(reference, in: hypothesis).count
  }

  /// Edits per character of the labels; nil if these have none.
  package var characterErrorRate: Double? {
    characters > 0 ? Double(edits) / Double(characters) : nil
  }

  /// The share of phrases that are read whole; nil if there are none.
  package var wholeShare: Double? {
    phrases > 0 ? Double(wholePhrases) / Double(phrases) : nil
  }

  /// Adds the counts of other pages.
  package static func += (left: inout PageTextError, right: PageTextError) {
    left.pages += right.pages
    left.edits += right.edits
    left.characters += right.characters
    left.phrases += right.phrases
    left.wholePhrases += right.wholePhrases
  }

  /// Returns the phrases that are not read whole, in their order.
  ///
  /// - Parameters:
  ///   - reference: The lines of the label.
  ///   - hypothesis: The lines of the reading.
  package static func missingPhrases(_ reference: [String], in hypothesis: [String]) -> [String] {
    missing(lines(reference), in: lines(hypothesis))
  }

  private static func lines(_ texts: [String]) -> [String] {
    texts.map { TextErrorRate.reference($0, without: []) }.filter { !$0.isEmpty }
  }

  private static func missing(_ phrases: [String], in lines: [String]) -> [String] {
    let lines = lines.map { Array($0) }
    var left: [String: Int] = [:]
    return phrases.filter { phrase in
      let count =
        left[phrase] ?? lines.reduce(0) { $0 + occurrences(of: Array(phrase), in: $1) }
      left[phrase] = max(0, count - 1)
      return count == 0
    }
  }

  /// The number of places of a phrase in a line, which do not overlap and do not cut words.
  private static func occurrences(of phrase: [Character], in line: [Character]) -> Int {
    guard let first = phrase.first, let last = phrase.last else { return 0 }
    var count = 0
    var start = 0
    while start + phrase.count <= line.count {
      let end = start + phrase.count
      let isWhole =
        !(start > 0 && isOfWord(first) && isOfWord(line[start - 1]))
        && !(end < line.count && isOfWord(last) && isOfWord(line[end]))
      if isWhole, line[start..<end].elementsEqual(phrase) {
        count += 1
        start = end
      } else {
        start += 1
      }
    }
    return count
  }

  private static func isOfWord(_ character: Character) -> Bool {
    character.isLetter || character.isNumber
  }
}

/// The groups of lines of one page; see ``PageTextError``.
private struct PageGroups {
  /// Lines of the label and of the reading; at most one of both has several.
  private struct Group: Hashable {
    var reference: [Int]
    var hypothesis: [Int]
    var edits: Int
  }

  private let reference: [String]
  private let hypothesis: [String]
  private var groups: [Group] = []
  private var openReference: [Int]
  private var openHypothesis: [Int]

  /// The edits of a page.
  static func edits(_ reference: [String], _ hypothesis: [String]) -> Int {
    var groups = PageGroups(reference, hypothesis)
    groups.pairEqual()
    groups.pairBest()
    groups.move(\.reference, from: \.openReference, reference, beside: \.hypothesis, hypothesis)
    groups.move(\.hypothesis, from: \.openHypothesis, hypothesis, beside: \.reference, reference)
    groups.pairBest()
    return groups.total
  }

  private init(_ reference: [String], _ hypothesis: [String]) {
    self.reference = reference
    self.hypothesis = hypothesis
    openReference = Array(reference.indices)
    openHypothesis = Array(hypothesis.indices)
  }

  /// The edits of all groups and of the open lines.
  private var total: Int {
    groups.reduce(0) { $0 + $1.edits }
      + openReference.reduce(0) { $0 + reference[$1].count }
      + openHypothesis.reduce(0) { $0 + hypothesis[$1].count }
  }

  private mutating func pairEqual() {
    var places: [String: [Int]] = [:]
    for line in openHypothesis.reversed() { places[hypothesis[line], default: []].append(line) }
    var paired: Set<Int> = []
    openReference.removeAll { line in
      guard let other = places[reference[line]]?.popLast() else { return false }
      groups.append(Group(reference: [line], hypothesis: [other], edits: 0))
      paired.insert(other)
      return true
    }
    openHypothesis.removeAll { paired.contains($0) }
  }

  private mutating func pairBest() {
    guard !openReference.isEmpty, !openHypothesis.isEmpty else { return }
    let edits = openReference.map { line in
      openHypothesis.map {
        EditDistance(reference: reference[line], hypothesis: hypothesis[$0]).total
      }
    }
    // A pair saves the characters that would count if both lines were alone.
    let costs = edits.indices.map { row in
      edits[row].indices.map { column in
        edits[row][column] - reference[openReference[row]].count
          - hypothesis[openHypothesis[column]].count
      }
    }
    let columns = Assignment.columns(costs)
    for (row, column) in columns.enumerated() {
      guard let column else { continue }
      groups.append(
        Group(
          reference: [openReference[row]], hypothesis: [openHypothesis[column]],
          edits: edits[row][column]))
    }
    let taken = Set(columns.compactMap(\.self).map { openHypothesis[$0] })
    openReference = zip(openReference, columns).filter { $0.1 == nil }.map(\.0)
    openHypothesis.removeAll { taken.contains($0) }
  }

  /// Moves lines of one side that are alone or in loose pairs to groups where they lower the sum.
  ///
  /// - Parameters:
  ///   - side: The lines of that side of a group.
  ///   - open: The open lines of the side.
  ///   - texts: All lines of the side.
  ///   - otherSide: The lines of the other side of a group.
  ///   - otherTexts: All lines of the other side.
  private mutating func move(
    _ side: WritableKeyPath<Group, [Int]>, from open: WritableKeyPath<Self, [Int]>,
    _ texts: [String], beside otherSide: WritableKeyPath<Group, [Int]>, _ otherTexts: [String]
  ) {
    var lines = self[keyPath: open] + groups.filter(isLoose).flatMap { $0[keyPath: side] }
    var known: [Visit: Group] = [:]
    while true {
      var best: (line: Int, home: Int?, host: Int, group: Group, saved: Int)?
      for line in lines {
        let home = groups.firstIndex { $0[keyPath: side].contains(line) }
        // The edits of the line now, without those that its partner would have alone.
        var edits = texts[line].count
        if let home {
          edits = groups[home].edits - otherTexts[groups[home][keyPath: otherSide][0]].count
        }
        // The texts of a group without edits have no room for a line.
        for (host, group) in groups.enumerated()
        where host != home && group.edits > 0 && group[keyPath: otherSide].count == 1 {
          // As many edits as the lengths differ by are certain.
          let own = group[keyPath: side].reduce(texts[line].count) { $0 + texts[$1].count + 1 }
          let certain = abs(own - otherTexts[group[keyPath: otherSide][0]].count)
          guard edits - (certain - group.edits) > best?.saved ?? 0 else { continue }
          let visit = Visit(line: line, group: group)
          let joined = known[visit] ?? self.group(group, with: line, on: side)
          known[visit] = joined
          let saved = edits - (joined.edits - group.edits)
          if saved > best?.saved ?? 0 { best = (line, home, host, joined, saved) }
        }
      }
      guard let best else { return }
      groups[best.host] = best.group
      self[keyPath: open].removeAll { $0 == best.line }
      // Lines that others have joined stay, and so does a line that has moved.
      let settled = Set(best.group[keyPath: side])
      lines.removeAll { settled.contains($0) }
      if let home = best.home { leave(home, side) }
    }
  }

  /// A line and a group that it may move to.
  private struct Visit: Hashable {
    var line: Int
    var group: Group
  }

  /// The group with another line at the place where it costs the fewest edits.
  private func group(
    _ group: Group, with line: Int, on side: WritableKeyPath<Group, [Int]>
  ) -> Group {
    var best = group
    for place in 0...group[keyPath: side].count {
      var joined = group
      joined[keyPath: side].insert(line, at: place)
      joined.edits =
        EditDistance(
          reference: joined.reference.map { reference[$0] }.joined(separator: " "),
          hypothesis: joined.hypothesis.map { hypothesis[$0] }.joined(separator: " ")
        ).total
      if place == 0 || joined.edits < best.edits { best = joined }
    }
    return best
  }

  /// Returns true for a pair with edits for more than half of the characters of the longer line.
  private func isLoose(_ group: Group) -> Bool {
    guard group.reference.count == 1, group.hypothesis.count == 1 else { return false }
    let longer = max(reference[group.reference[0]].count, hypothesis[group.hypothesis[0]].count)
    return 2 * group.edits > longer
  }

  /// Removes a pair whose line of one side has moved. The other line is then alone.
  private mutating func leave(_ index: Int, _ side: WritableKeyPath<Group, [Int]>) {
    let pair = groups.remove(at: index)
    if side == \Group.reference {
      openHypothesis += pair.hypothesis
    } else {
      openReference += pair.reference
    }
  }
}

/// An assignment with the least costs (Kuhn 1955, in the form of Jonker and Volgenant 1987).
package enum Assignment {
  /// Returns for each row its column, or nil; as many rows have one as there are rows or columns, whichever
  /// are fewer. O(rows · columns · the fewer of both).
  ///
  /// - Parameter costs: The cost of each row with each column; all rows are of the same length.
  package static func columns(_ costs: [[Int]]) -> [Int?] {
    let (rows, columns) = (costs.count, costs.first?.count ?? 0)
    guard rows > 0, columns > 0 else { return Array(repeating: nil, count: rows) }
    guard rows <= columns else {
      let turned = (0..<columns).map { column in costs.map { $0[column] } }
      var result = [Int?](repeating: nil, count: rows)
      for (column, row) in Self.columns(turned).enumerated() {
        if let row { result[row] = column }
      }
      return result
    }
    // Row and column 0 are the free ones of the algorithm; real ones count from 1.
    var rowPrice = [Int](repeating: 0, count: rows + 1)
    var columnPrice = [Int](repeating: 0, count: columns + 1)
    var owner = [Int](repeating: 0, count: columns + 1)
    for row in 1...rows {
      var previous = [Int](repeating: 0, count: columns + 1)
      var least = [Int](repeating: .max, count: columns + 1)
      var isDone = [Bool](repeating: false, count: columns + 1)
      owner[0] = row
      var column = 0
      repeat {
        isDone[column] = true
        let current = owner[column]
        var step = Int.max
        var next = 0
        for other in 1...columns where !isDone[other] {
          let cost = costs[current - 1][other - 1] - rowPrice[current] - columnPrice[other]
          if cost < least[other] { (least[other], previous[other]) = (cost, column) }
          if least[other] < step { (step, next) = (least[other], other) }
        }
        for other in 0...columns {
          if isDone[other] {
            rowPrice[owner[other]] += step
            columnPrice[other] -= step
          } else if other > 0 {
            least[other] -= step
          }
        }
        column = next
      } while owner[column] != 0
      while column != 0 {
        owner[column] = owner[previous[column]]
        column = previous[column]
      }
    }
    var result = [Int?](repeating: nil, count: rows)
    for column in 1...columns where owner[column] > 0 { result[owner[column] - 1] = column - 1 }
    return result
  }
}
