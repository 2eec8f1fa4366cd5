import InkCore

// The lines of a page that is known to be text.

extension PageLayout {
  /// The strokes of each line of a page that is text only: what seems to be drawn, such as a long
  /// bar, belongs to the nearest line. O(drawn strokes · lines).
  package func linesWithDrawing(of ink: Ink) -> [[Int]] {
    let found = lines
    var result = found.map(\.strokes)
    guard !found.isEmpty else { return drawing.isEmpty ? [] : [drawing] }
    for stroke in drawing {
      guard let box = Ink(strokes: [ink.strokes[stroke]]).boundingBox else {
        result[result.count - 1].append(stroke)
        continue
      }
      let nearest = found.indices.min {
        (found[$0].box.gap(to: box), abs(found[$0].box.midY - box.midY))
          < (found[$1].box.gap(to: box), abs(found[$1].box.midY - box.midY))
      }
      let line = nearest ?? 0
      let place = result[line].firstIndex { $0 > stroke } ?? result[line].count
      result[line].insert(stroke, at: place)
    }
    return result
  }
}
