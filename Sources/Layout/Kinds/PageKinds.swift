import InkCore

/// The kinds of the strokes of ink that may be a page.
package enum PageKinds {
  /// Ink of fewer strokes is a word, a sum or a sketch: too little to be a page.
  private static let leastStrokes = 12
  /// Ink lower than this is one line, in heights of the writing.
  private static let leastHeight = 2.5
  /// Below this share of text, a page of formulas is read as if it were text: it may be a column of
  /// numbers.
  private static let leastText = 0.15
  /// On a page with a smaller share of other strokes, a few letters were mistaken: what is no long line
  /// must be very sure.
  private static let fewOthers = 0.05
  /// The same on ink of fewer strokes, where the network sees little.
  private static let fewStrokes = 30
  private static let verySure: Float = 0.985

  /// Returns the kind of each stroke, or nil if the ink is no page: then only the sizes of strokes tell
  /// text from drawing. O(points + strokes log strokes).
  ///
  /// - Parameters:
  ///   - ink: Upright ink.
  ///   - isOrdered: Whether the strokes are in the order of writing.
  package static func found(in ink: Ink, isOrdered: Bool) -> [StrokeKind]? {
    guard ink.strokes.count >= leastStrokes, let box = ink.boundingBox else { return nil }
    let page = PageInk(ink)
    guard box.height * page.scale > leastHeight * page.height else { return nil }
    // A line that climbs is as high as a page.
    guard PageLayout(ink, isOrdered: isOrdered).isOfSeveralParts else { return nil }
    let model = KindModel.standard
    let probabilities = model.probabilities(ink)
    var kinds = probabilities.map(model.kind)
    let others = kinds.count { $0 != .text }
    guard others > 0 else {
      DashedLines.mark(&kinds, of: ink)
      return kinds
    }
    if Double(others) < fewOthers * Double(kinds.count) || kinds.count < fewStrokes {
      for (index, kind) in kinds.enumerated() where !isLongLine(kind) {
        if probabilities[index][StrokeKind.text.index] > 1 - verySure { kinds[index] = .text }
      }
    }
    if Double(kinds.count { $0 == .text }) < leastText * Double(kinds.count) {
      for index in kinds.indices where kinds[index] == .formula { kinds[index] = .text }
    }
    DashedLines.mark(&kinds, of: ink)
    return kinds.contains(.text) ? kinds : nil
  }

  /// Whether strokes of a kind are long lines, which no letter is.
  private static func isLongLine(_ kind: StrokeKind) -> Bool {
    switch kind {
    case .divider, .underline, .strikeThrough, .frame, .tableRule: true
    case .text, .formula, .drawing, .connector, .bullet, .tickBox: false
    }
  }
}

extension PageLayout {
  /// True for several lines, or a line with drawing.
  fileprivate var isOfSeveralParts: Bool { lines.count > 1 || !drawing.isEmpty }
}
