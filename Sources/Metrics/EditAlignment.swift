/// Which elements of a hypothesis stand in the place of which of a reference.
public enum EditAlignment {
  /// For each element of the reference the index of what the hypothesis has in its place, equal or
  /// not; nil where it has nothing. Of several alignments with the fewest edits the one that keeps
  /// later elements is taken. O(n m) time and memory.
  public static func counterparts<Element: Equatable>(
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
