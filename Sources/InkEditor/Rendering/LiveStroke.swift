import InkCore

/// The ink of a pointer or pen that is down: its samples so far, and a guess at the next ones.
///
/// The same samples are drawn the same way before and after the pointer leaves, so the ink does not
/// jump when it becomes part of the document. Predictions never do.
public struct LiveStroke: Hashable, Sendable, Identifiable {
  /// The item that the stroke becomes, as the down event returned it.
  public let id: Int
  /// The type of the pointer.
  public let pointer: PointerType
  /// The samples so far. Millimetres, and milliseconds since 1970.
  public let points: [StrokePoint]
  /// The samples that the device expects next; the next real ones replace them.
  public let predicted: [StrokePoint]
  /// The look of the stroke.
  public let style: StrokeStyle

  /// The command that draws the stroke with its predictions.
  public var command: DrawCommand? {
    StrokeDrawing.command(points + predicted, style: style)
  }
}

extension Editor {
  /// The strokes of all pointers and pens that write now, in the order they began. O(samples).
  public var liveStrokes: [LiveStroke] { read { state in state.liveStrokes } }
}

extension EditorState {
  var liveStrokes: [LiveStroke] {
    guard document != nil else { return [] }
    return input.strokes.filter { stroke in
      stroke.isDown && stroke.tool == .pen && isWriting(stroke)
    }.map { stroke in
      LiveStroke(
        id: stroke.item, pointer: stroke.type, points: stroke.points,
        predicted: input.predictions(of: stroke, transform),
        style: stroke.style ?? rendering.styleSheet.strokeStyle(for: "ink"))
    }.sorted { $0.id < $1.id }
  }
}
