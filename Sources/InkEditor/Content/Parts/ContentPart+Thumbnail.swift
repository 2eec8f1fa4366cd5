import InkCore

extension ContentPart {
  /// The most points of a thumbnail, and of each of its strokes.
  private static let (mostPoints, pointsPerStroke) = (4000, 24)

  /// Returns a drawing of the ink and its decorations in millimetres as SVG, with few points. The part may be on no
  /// editor.
  ///
  /// - Throws: ``EditorError/unreadablePart(reason:)``.
  public func thumbnail() throws(EditorError) -> String {
    let (strokes, pictures) = try access { document in
      (
        document.order.compactMap { document.strokes[$0] },
        document.decorationPictures(.standard).sorted { $0.key < $1.key }.map(\.value)
      )
    }
    let perStroke = max(2, min(Self.pointsPerStroke, Self.mostPoints / max(1, strokes.count)))
    // Every N-th stroke is drawn if there are very many.
    let step = max(1, 2 * strokes.count / Self.mostPoints)
    var painter = SVGPainter()
    for picture in pictures where picture.isBehind { painter.draw(picture.command) }
    for index in stride(from: 0, to: strokes.count, by: step) {
      let stroke = strokes[index]
      guard stroke.isInk else {
        if let command = StrokeDrawing.command(stroke, style: stroke.style ?? .standard) {
          painter.draw(command)
        }
        continue
      }
      let every = max(1, (stroke.points.count + perStroke - 1) / perStroke)
      var points = stride(from: 0, to: stroke.points.count, by: every).map { stroke.points[$0] }
      if let last = stroke.points.last, points.last != last { points.append(last) }
      let style = stroke.style ?? .standard
      if let command = DrawCommand.ink(points, style: style) { painter.draw(command) }
    }
    for picture in pictures where !picture.isBehind { painter.draw(picture.command) }
    let box = BoundingBox(holding: strokes.map(\.box) + pictures.map(\.box))
    let page = BoundingBox(minX: 0, minY: 0, maxX: 210, maxY: 297)
    return painter.document(box: box?.grown(by: 2) ?? page)
  }
}
