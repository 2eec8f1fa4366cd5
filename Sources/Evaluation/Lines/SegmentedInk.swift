import InkCore

/// An ink with its text and the characters of its points.
package struct SegmentedInk {
  /// The strokes.
  package let ink: Ink
  /// Their text.
  package let text: String
  /// The character of each point.
  package let segmentation: CharacterSegmentation

  package init(ink: Ink, text: String, segmentation: CharacterSegmentation) {
    self.ink = ink
    self.text = text
    self.segmentation = segmentation
  }

  /// Composes a word of single characters, with their sizes and positions in their writing areas.
  /// Nil if one has no area or no ink.
  package init?(sideBySide characters: [LabeledInk]) {
    var strokes: [Stroke] = []
    var owners: [[ClosedRange<Int>]] = []
    var edge = 0.0
    for (index, character) in characters.enumerated() {
      guard let area = character.writingArea, let box = character.ink.boundingBox else {
        return nil
      }
      let scale = 1 / area.height
      for stroke in character.ink.strokes where !stroke.points.isEmpty {
        strokes.append(
          Stroke(
            points: stroke.points.map { point in
              StrokePoint(
                x: edge + (point.x - box.minX) * scale, y: (point.y - area.y) * scale)
            }))
        owners.append(
          [ClosedRange<Int>](repeating: index...index, count: stroke.points.count))
      }
      edge += box.width * scale + 0.15
    }
    self.init(
      ink: Ink(strokes: strokes), text: characters.map(\.label).joined(),
      segmentation: CharacterSegmentation(of: owners))
  }
}
