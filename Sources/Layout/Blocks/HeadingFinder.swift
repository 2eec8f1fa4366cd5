import InkCore

/// Tells headings from the text below them by the size of their letters.
struct HeadingFinder {
  /// A group of lines, and the level of a heading: 1 for the largest letters, 0 for other text.
  typealias Part = (lines: [LineShape], heading: Int)

  /// The ink of a heading reaches higher than that of the text by the first factor, and its larger
  /// strokes are taller by the second. On 192 pages of IAM-OnDB's validation writers (val1), the
  /// first line is less than 1.7 times as high as the others on 99 %.
  private static let (larger, taller) = (1.7, 1.3)
  /// The fewest strokes of a heading, and its most lines.
  private static let (leastStrokes, mostLines) = (4, 2)
  /// The fewest lines of text that a size is measured from.
  private static let leastLines = 2
  /// Headings of one level differ by less than this factor.
  private static let sameLevel = 0.8

  /// Returns the blocks, with the headings at their tops apart. O(strokes log strokes).
  static func parts(_ blocks: [[LineShape]]) -> [Part] {
    let count = blocks.reduce(0) { $0 + $1.count }
    guard count > leastLines else { return blocks.map { ($0, 0) } }
    let heights = blocks.map { $0.map { PageInk.height(of: $0.members) } }
    let sizes = zip(blocks, heights).map { zip($0, $1).map { $0.spread($1) } }
    func median(_ values: [[Double]]) -> Double {
      let sorted = values.flatMap(\.self).sorted()
      return sorted[(sorted.count - 1) / 2]
    }
    let (usual, usualHeight) = (median(sizes), median(heights))
    var parts: [(lines: [LineShape], size: Double?)] = []
    for (block, lines) in blocks.enumerated() {
      let sizes = sizes[block]
      let large = lines.indices.prefix { line in
        sizes[line] > larger * usual && heights[block][line] > taller * usualHeight
          && lines[line].members.count >= leastStrokes
      }.count
      guard (1...mostLines).contains(large) else {
        parts.append((lines, nil))
        continue
      }
      parts.append((Array(lines.prefix(large)), sizes.prefix(large).max()))
      if large < lines.count { parts.append((Array(lines.dropFirst(large)), nil)) }
    }
    // A heading has text after it.
    if let last = parts.indices.last { parts[last].size = nil }
    let levels = parts.compactMap(\.size).sorted(by: >).reduce(into: [Double]()) { levels, size in
      if size < sameLevel * (levels.last ?? .infinity) { levels.append(size) }
    }
    return parts.map { part in
      guard let size = part.size else { return (part.lines, 0) }
      return (part.lines, levels.count { size < sameLevel * $0 } + 1)
    }
  }
}
