import InkCore

/// Groups of strokes that are near each other.
enum StrokeGroups {
  /// A stroke is compared with so many strokes of its surroundings.
  private static let mostCompared = 64

  /// Returns the groups, each ascending, in the order of their first strokes. Strokes without a box are
  /// alone. O(strokes log strokes).
  static func near(_ strokes: [Int], _ boxes: [Int: BoundingBox], within distance: Double)
    -> [[Int]]
  {
    var parent = Array(strokes.indices)
    func root(_ index: Int) -> Int {
      var index = index
      while parent[index] != index {
        parent[index] = parent[parent[index]]
        index = parent[index]
      }
      return index
    }
    // Sorted by their left edges, so that only neighbours are compared.
    let order = strokes.indices.sorted {
      (boxes[strokes[$0]]?.minX ?? 0, $0) < (boxes[strokes[$1]]?.minX ?? 0, $1)
    }
    var open: [Int] = []
    for index in order {
      guard let box = boxes[strokes[index]] else { continue }
      open.removeAll { (boxes[strokes[$0]]?.maxX ?? 0) < box.minX - distance }
      for other in open.suffix(mostCompared) {
        guard let near = boxes[strokes[other]] else { continue }
        if near.gap(to: box) < distance { parent[root(other)] = root(index) }
      }
      open.append(index)
    }
    return Dictionary(grouping: strokes.indices, by: root).values
      .map { $0.map { strokes[$0] }.sorted() }.sorted { $0[0] < $1[0] }
  }

  /// The box of some strokes; an empty one at the origin if none has a box.
  static func box(of strokes: [Int], _ boxes: [Int: BoundingBox]) -> BoundingBox {
    let own = strokes.compactMap { boxes[$0] }
    return own.dropFirst().reduce(
      into: own.first ?? BoundingBox(minX: 0, minY: 0, maxX: 0, maxY: 0)
    ) { $0.formUnion($1) }
  }
}
