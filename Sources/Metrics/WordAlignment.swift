/// Which elements of a hypothesis an alignment with the fewest edits keeps.
public enum WordAlignment {
  /// For each element of the hypothesis whether it stands unchanged in the reference. Of several
  /// alignments with the fewest edits the one that keeps later elements is taken. O(n m) time and
  /// memory.
  public static func kept(reference: [String], hypothesis: [String]) -> [Bool] {
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
    var kept = [Bool](repeating: false, count: hypothesis.count)
    var (row, column) = (reference.count, hypothesis.count)
    while row > 0, column > 0 {
      let cost = costs[row * width + column]
      let isEqual = reference[row - 1] == hypothesis[column - 1]
      if isEqual, cost == costs[(row - 1) * width + column - 1] {
        kept[column - 1] = true
        (row, column) = (row - 1, column - 1)
      } else if cost == costs[(row - 1) * width + column - 1] + 1 {
        (row, column) = (row - 1, column - 1)
      } else if cost == costs[(row - 1) * width + column] + 1 {
        row -= 1
      } else {
        column -= 1
      }
    }
    return kept
  }
}
