import ArgumentParser

/// Pages by their numbers, from 1: `3`, `1-3,5`, `2-` to the last one.
package struct PageRanges: ExpressibleByArgument, Hashable {
  /// The first and the last number of each range; nil for the last page.
  private let ranges: [Range]

  private struct Range: Hashable {
    var first: Int
    var last: Int?
  }

  /// Reads ranges; nil for a text of another form.
  package init?(argument: String) {
    var ranges: [Range] = []
    for part in argument.split(separator: ",", omittingEmptySubsequences: false) {
      let ends = part.split(separator: "-", omittingEmptySubsequences: false).map {
        $0.trimmingPrefix { $0 == " " }
      }
      guard ends.count <= 2, let first = Int(ends[0]), first > 0 else { return nil }
      if ends.count == 1 {
        ranges.append(Range(first: first, last: first))
      } else if ends[1].isEmpty {
        ranges.append(Range(first: first, last: nil))
      } else if let last = Int(ends[1]), last >= first {
        ranges.append(Range(first: first, last: last))
      } else {
        return nil
      }
    }
    guard !ranges.isEmpty else { return nil }
    self.ranges = ranges
  }

  /// Returns the numbers in the order of the ranges.
  ///
  /// - Parameter count: The number of pages.
  /// - Throws: ``ToolError`` for a page that is not there.
  package func numbers(upTo count: Int) throws(ToolError) -> [Int] {
    var result: [Int] = []
    for range in ranges {
      let last = range.last ?? count
      guard range.first <= count, last <= count else {
        let found = range.first > count ? range.first : last
        throw .badInput("--pages: expected pages from 1 to \(count), found \(found)")
      }
      result += range.first...last
    }
    return result
  }
}
