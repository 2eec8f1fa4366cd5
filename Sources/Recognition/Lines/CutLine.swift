import InkCore

/// The second part of a line of ink that was cut in two, used to measure the effect of the text
/// before the ink.
package struct CutLine {
  /// The place of the cut.
  package enum Place: CaseIterable {
    /// After a space.
    case betweenWords
    /// Between two letters of a word.
    case insideWord
  }

  /// The text before the cut, without a space at its end.
  package var before: String
  /// The text after the cut, without a space at its beginning.
  package var after: String
  /// The ink after the cut.
  package var ink: Ink

  /// Cuts a line at the suitable place nearest to its middle, where the recogniser finds the first
  /// character after the cut. Nil if there is no such place at least four characters from either
  /// end.
  package init?(_ ink: Ink, text: String, at place: Place, _ recognizer: LineRecognizer) {
    let characters = Array(text)
    let cuts = characters.indices.dropFirst(4).dropLast(4).filter { index in
      switch place {
      case .betweenWords: characters[index - 1] == " "
      case .insideWord: characters[index - 1].isLetter && characters[index].isLetter
      }
    }
    let middle = characters.count / 2
    guard let cut = cuts.min(by: { abs($0 - middle) < abs($1 - middle) }),
      let alignment = try? recognizer.align(text, with: ink),
      let first = alignment[cut].parts.first
    else { return nil }
    before = String(characters[..<cut]).trimmingSuffix { $0 == " " }
    after = String(characters[cut...])
    let direction = recognizer.model.pipeline.direction
    self.ink = ink.turned(direction)
      .behind(stroke: first.stroke, point: first.points.lowerBound).turned(direction)
  }
}

extension String {
  fileprivate func trimmingSuffix(while isRemoved: (Character) -> Bool) -> String {
    var result = self
    while let last = result.last, isRemoved(last) { result.removeLast() }
    return result
  }
}

extension Ink {
  /// The strokes from a point on, except those entirely to the left of it, which are dots and
  /// crosses of the first part.
  fileprivate func behind(stroke first: Int, point: Int) -> Ink {
    let edge = strokes[first].points[point].x
    var kept = Array(strokes[first...])
    kept[0].points.removeFirst(point)
    let rest = kept.dropFirst().filter { stroke in
      stroke.points.contains { $0.x >= edge }
    }
    return Ink(strokes: [kept[0]] + rest)
  }
}
