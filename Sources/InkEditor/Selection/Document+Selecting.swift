import InkCore

/// Finds the ink that belongs to a selection.
extension Document {
  /// Returns the ink inside of an area.
  ///
  /// A word, or a shape, is inside with all of its ink if at least half of its ink is, measured
  /// along the path of the pen. Other ink counts stroke by stroke. O(points near the area).
  func ink(in area: LassoArea) -> InkAnchor {
    var lines: [ObjectIdentifier: TextLine] = [:]
    var shapes: [String: BlockNode] = [:]
    var result: [Int] = []
    for item in strokes.index.items(in: area.box) {
      switch places[item] {
      case .line(let line, _)?: lines[ObjectIdentifier(line)] = line
      case .block(let block)? where block.shape != nil: shapes[block.id] = block
      default: if isInside(CollectionOfOne(item), area) { result.append(item) }
      }
    }
    for shape in shapes.values where isInside(shape.items, area) { result += shape.items }
    for run in lines.values.lazy.flatMap(\.runs) where run.box.overlaps(area.box) {
      for word in run.words where isInside(word.items, area) {
        result += word.items.filter { strokes[$0] != nil }
      }
      let read = Set(run.words.lazy.flatMap(\.items))
      for item in run.items where !read.contains(item) {
        if isInside(CollectionOfOne(item), area) { result.append(item) }
      }
    }
    return anchor(ofWhole: result)
  }

  private func isInside(_ items: some Collection<Int>, _ area: LassoArea) -> Bool {
    var (inside, all) = (0.0, 0.0)
    for item in items {
      guard let stroke = strokes[item] else { continue }
      let share = area.share(of: stroke)
      inside += share.inside
      all += share.all
    }
    return all > 0 && 2 * inside >= all
  }

  /// Returns all points of items. O(items).
  func anchor(ofWhole items: some Sequence<Int>) -> InkAnchor {
    InkAnchor(counts: items.compactMap { item in strokes[item].map { (item, $0.points.count) } })
  }

  /// Returns the parts of whole items.
  func whole(_ items: some Sequence<Int>) -> [ItemPart] {
    items.compactMap { item in
      strokes[item].map { ItemPart(item: item, points: 0..<$0.points.count) }
    }
  }

  /// Returns the ink of the word at a place in millimetres, or nil if there is none.
  func word(atX x: Double, y: Double) -> InkAnchor? {
    for block in root.texts {
      for word in block.lines.lazy.flatMap(\.runs).flatMap(\.words)
      where word.box.contains(x: x, y: y, within: Chosen.margin) {
        let anchor = anchor(of: [word], in: block)
        if !anchor.isEmpty { return anchor }
      }
    }
    return nil
  }

  /// Returns the items of which a set has most points, in the order they were written.
  func items(mostlyIn anchor: InkAnchor) -> [Int] {
    inOrder(anchor.items.filter { anchor.holdsMost(of: whole([$0])) })
  }
}

/// Numbers that were chosen and not derived.
private enum Chosen {
  /// Millimetres around a word in which a tap hits it. Chosen by hand.
  static let margin = 1.0
}
