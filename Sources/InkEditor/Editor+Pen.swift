import InkCore
import PenInput

/// A stroke that a pen is drawing or whose values may still change.
struct PenStroke {
  let item: Int
  /// How its pixels relate to millimetres: that of its beginning.
  let transform: ViewTransform
  var isInDocument = false
}

extension Editor {
  /// Takes an event of a pen with estimated, coalesced and predicted samples, in pixels of the view.
  ///
  /// Predictions never become ink. Updates that come late reach the stroke in the document; only a
  /// changed position lets it be recognised again.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - pointer: The number of the pen.
  /// - Returns: The id of the item of ink that the event begins, else nil.
  /// - Throws: ``EditorError/noPart``.
  @discardableResult
  public func handle(_ event: PenEvent, pointer: Int = 0) throws(EditorError) -> Int? {
    try withDocument { (document) throws(EditorError) in
      apply(assembler.handle(event, pointer: pointer), to: document)
    }
  }

  /// Tells the time of the pen's clock, in milliseconds: values that are still guesses after the
  /// assembler's deadline remain as they are.
  ///
  /// - Throws: ``EditorError/noPart``.
  public func advancePenClock(to time: Double) throws(EditorError) {
    try withDocument { (document) throws(EditorError) in
      _ = apply(assembler.advance(to: time), to: document)
    }
  }

  private func apply(_ changes: [StrokeChange], to document: Document) -> Int? {
    var begun: Int?
    for change in changes {
      switch change {
      case .began(let stroke):
        let item = document.makeItemID()
        penStrokes[stroke] = PenStroke(item: item, transform: transform)
        begun = item
      case .ended(let stroke): commit(stroke, to: document)
      case .corrected(let stroke, _, let movesInk):
        guard let pen = penStrokes[stroke], pen.isInDocument,
          let points = points(of: stroke, pen)
        else { continue }
        document.replace(points: points, of: pen.item, movesInk: movesInk)
        guard movesInk, document.strokes[pen.item] != nil else { continue }
        if document.type == .rawContent {
          // Shapes that are being found are of the ink as it was.
          discardReadings()
          document.requeueDirtyRuns()
        }
        scheduleAgain()
      case .finalized(let stroke):
        penStrokes[stroke] = nil
      case .cancelled(let stroke): penStrokes[stroke] = nil
      case .appended, .predicted: break
      }
    }
    _ = assembler.takeFinished()
    return begun
  }

  private func commit(_ stroke: Int, to document: Document) {
    guard let pen = penStrokes[stroke], let points = points(of: stroke, pen), !points.isEmpty
    else { return }
    penStrokes[stroke]?.isInDocument = true
    append(InkStroke(id: pen.item, pointer: .pen, points: points), to: document)
  }

  /// The points of a stroke in millimetres.
  private func points(of stroke: Int, _ pen: PenStroke) -> [StrokePoint]? {
    assembler.strokes.last { $0.id == stroke }?.samples.map { sample in
      var point = sample.point
      (point.x, point.y) = pen.transform.document(x: point.x, y: point.y)
      return point
    }
  }
}
