import InkCore
import Layout

// The effects of gestures on the ink. Each runs inside one step of the history.
extension Document {
  /// Erases what a gesture has hit: whole strokes, and of others the parts of the characters that
  /// were hit. A node goes with the edges that end at it. O(items of the document).
  func erase(_ target: GestureTarget) {
    var gone = target.items
    for id in target.blocks {
      guard let block = blocks[id] else { continue }
      gone.formUnion(block.items)
      for edge in blocks.values where edge.type == .edge && edge.ends.contains(id) {
        gone.formUnion(edge.items)
      }
    }
    var remainders: [Int: [InkStroke]] = [:]
    let parts = Dictionary(grouping: target.parts, by: \.item).sorted { $0.key < $1.key }
    for (item, parts) in parts where !gone.contains(item) {
      guard let stroke = strokes[item] else { continue }
      let pieces = pieces(of: stroke, without: parts.map(\.points))
      if pieces.isEmpty { gone.insert(item) } else { remainders[item] = pieces }
    }
    replace(remainders)
    remove(gone)
  }

  /// Returns what is left of a stroke without ranges of its points, as strokes of their own. Pieces
  /// that are no more than the way between two letters are left out.
  func pieces(of stroke: InkStroke, without ranges: [Range<Int>]) -> [InkStroke] {
    var isGone = [Bool](repeating: false, count: stroke.points.count)
    for range in ranges {
      for index in stroke.whole(range) { isGone[index] = true }
    }
    guard isGone.contains(false) else { return [] }
    var pieces: [InkStroke] = []
    var begin = 0
    while let first = isGone[begin...].firstIndex(of: false) {
      let end = isGone[first...].firstIndex(of: true) ?? isGone.count
      if let piece = stroke.piece(first..<end, id: 0),
        !piece.isInk || piece.extent > Chosen.leastPiece * letterHeight
      {
        pieces.append(piece.copy(id: makeItemID(), dx: 0, dy: 0))
      }
      begin = end
      if begin >= isGone.count { break }
    }
    return pieces
  }
}

/// Numbers that were chosen and not derived.
private enum Chosen {
  /// The least size of a piece that is left, in heights of letters. Chosen by hand: below that of a
  /// small letter.
  static let leastPiece = 0.25
}
