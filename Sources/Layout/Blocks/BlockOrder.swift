import InkCore

/// Gathers lines into blocks and puts the blocks into reading order: from top to bottom, and from
/// left to right if they are side by side.
struct BlockOrder {
  private let lines: [LineShape]
  private let height: Double

  /// The largest gap between lines of one block, in heights of the writing.
  private static let blockGap = 2.5

  init(_ lines: [LineShape], height: Double) {
    self.lines = lines
    self.height = height
  }

  /// Returns the lines of each block.
  func blocks() -> [[LineShape]] {
    var blocks = components()
    for index in blocks.indices {
      blocks[index] = Self.sorted(blocks[index], height: height)
    }
    let boxes = blocks.map { block in
      block.dropFirst().reduce(into: block[0].box) { $0.formUnion($1.box) }
    }
    return order(of: boxes).map { blocks[$0] }
  }

  /// Returns lines from top to bottom, and from left to right at the same height.
  private static func sorted(_ lines: [LineShape], height: Double) -> [LineShape] {
    // Sloped lines are compared at a place where both have ink, if there is one.
    lines.sorted { $0.box.midY < $1.box.midY }.reduce(into: [LineShape]()) { sorted, line in
      var place = sorted.count
      while place > 0, isAbove(line, sorted[place - 1], height) { place -= 1 }
      sorted.insert(line, at: place)
    }
  }

  private static func isAbove(_ one: LineShape, _ other: LineShape, _ height: Double) -> Bool {
    let left = max(one.box.minX, other.box.minX)
    let right = min(one.box.maxX, other.box.maxX)
    if right > left {
      let x = (left + right) / 2
      return one.centre(at: x, height: height) < other.centre(at: x, height: height)
    }
    let shared = min(one.box.maxY, other.box.maxY) - max(one.box.minY, other.box.minY)
    if shared > 0.5 * min(one.box.height, other.box.height) { return one.box.minX < other.box.minX }
    return one.box.midY < other.box.midY
  }

  /// Returns groups of lines that are near each other, one above the other.
  private func components() -> [[LineShape]] {
    var parent = Array(lines.indices)
    func root(_ index: Int) -> Int {
      var index = index
      while parent[index] != index { index = parent[index] }
      return index
    }
    for (index, line) in lines.enumerated() {
      for other in lines.indices.dropFirst(index + 1) {
        let box = lines[other].box
        let shared = min(line.box.maxX, box.maxX) - max(line.box.minX, box.minX)
        let gap = max(line.box.minY, box.minY) - min(line.box.maxY, box.maxY)
        if shared > 0, gap < Self.blockGap * height { parent[root(other)] = root(index) }
      }
    }
    return Dictionary(grouping: lines.indices, by: root).sorted { $0.key < $1.key }
      .map { $0.value.map { lines[$0] } }
  }

  /// Returns the indices of boxes in reading order. O(boxes²).
  private func order(of boxes: [BoundingBox]) -> [Int] {
    // For each box, the number of boxes that wait and come before it.
    var before = [Int](repeating: 0, count: boxes.count)
    for index in boxes.indices {
      for other in boxes.indices
      where other != index && Self.comes(boxes[other], before: boxes[index], height: height) {
        before[index] += 1
      }
    }
    var waiting = Array(boxes.indices)
    var result: [Int] = []
    while !waiting.isEmpty {
      let isStuck = !waiting.contains { before[$0] == 0 }
      let next = waiting.indices.lazy.filter { isStuck || before[waiting[$0]] == 0 }.min {
        let (one, other) = (boxes[waiting[$0]], boxes[waiting[$1]])
        return (one.minY, one.minX) < (other.minY, other.minX)
      }
      guard let next else { break }
      let chosen = waiting.remove(at: next)
      result.append(chosen)
      for other in waiting
      where Self.comes(boxes[chosen], before: boxes[other], height: height) {
        before[other] -= 1
      }
    }
    return result
  }

  /// Returns true if a block is read before another: it is above it, or left of it.
  static func comes(_ one: BoundingBox, before other: BoundingBox, height: Double) -> Bool {
    let sharedX = min(one.maxX, other.maxX) - max(one.minX, other.minX)
    let sharedY = min(one.maxY, other.maxY) - max(one.minY, other.minY)
    if sharedX > 0, sharedY <= 0 { return one.midY < other.midY }
    if sharedY > 0.3 * height, sharedX <= 0 { return one.midX < other.midX }
    if sharedX > 0, sharedY > 0 { return one.minY < other.minY }
    return one.midY < other.midY - 3 * height && sharedY <= 0 && sharedX > 0
  }
}
