import InkCore
import PenInput

// The only path for input: the events of pointers, batches and pens become these steps, which pass
// the points to a tool.

extension EditorState {
  /// True if a pointer or pen that changes ink is down.
  var isWriting: Bool { input.strokes.contains { $0.isDown && isWriting($0) } }

  func isWriting(_ stroke: ActiveStroke) -> Bool {
    stroke.tool.changesInk && stroke.generation == generation && !stroke.isPalm
  }

  /// Begins the stroke of a pointer or pen that touches the view.
  ///
  /// - Parameters:
  ///   - contact: The number of the pointer or pen among all that touch the view.
  ///   - time: Milliseconds since 1970, by which palms are known.
  ///   - inBatch: If true, there are no palms: only the tool decides which strokes write.
  /// - Returns: The id of the item of ink that it begins, or nil.
  mutating func begin(
    _ source: ActiveStroke.Source, contact: Int, _ type: PointerType, at time: Double,
    _ point: StrokePoint, _ document: Document, inBatch: Bool = false
  ) -> Int? {
    guard let part else { return nil }
    let isPalm = !inBatch && isPalm(contact, type, at: time, document)
    let tool = tools.tool(for: type)
    var stroke = ActiveStroke(
      source, contact: contact, type: type, tool: tool,
      item: tool == .pen ? document.makeItemID() : 0, transform: transform, part: part,
      generation: generation, style: tools.style(for: tool))
    stroke.isPalm = isPalm
    stroke.points.reserveCapacity(64)
    stroke.points.append(point)
    if !inBatch { beginPress(&stroke, at: time) }
    use(&stroke, from: 0, document)
    input.strokes.append(stroke)
    return tool == .pen && !isPalm ? stroke.item : nil
  }

  /// Passes the points of a stroke to its tool, from an index on.
  mutating func extend(_ index: Int, from first: Int, _ document: Document) {
    guard input.strokes[index].tool != .pen, first < input.strokes[index].points.count else {
      return
    }
    var stroke = input.strokes[index]
    use(&stroke, from: first, document)
    input.strokes[index] = stroke
  }

  /// Ends a stroke whose pointer or pen leaves the view. That of a pen is kept until its values are
  /// final.
  ///
  /// - Parameter document: nil if no part is set: the stroke has no effect then.
  mutating func lift(_ index: Int, at time: Double, _ document: Document?) {
    var stroke = input.lift(index, at: time)
    if let document { finish(&stroke, document, isLong: stroke.isLongPress(at: time)) }
    endPress(stroke, at: time)
    guard case .pen(let id) = stroke.source else { return }
    input.strokes.insert(stroke, at: index)
    if input.assembled(id)?.state == .awaitingUpdates {
      requests.append(.finalize(stroke: id, milliseconds: input.assembler.updateDeadline))
    }
  }

  /// Removes a stroke and what it did.
  ///
  /// - Parameter document: nil if no part is set.
  mutating func cancel(_ index: Int, at time: Double, _ document: Document?) {
    let stroke = input.lift(index, at: time)
    if let document { revert(stroke, document) }
  }

  /// Corrects ink in the document of the part. It is read again if a position changed.
  mutating func correct(_ ink: PenCorrection, _ document: Document) {
    document.replace(points: ink.points, of: ink.item, movesInk: ink.movesInk)
    guard ink.movesInk, document.strokes[ink.item] != nil else { return }
    if document.type.rootType.holdsShapes {
      // Shapes that are being found used the old points.
      discardReadings()
      document.requeueDirtyRuns()
    }
    schedule()
  }

  /// Returns true if a pointer that comes down is a palm. A pen that comes down turns the touches
  /// before it into palms.
  private mutating func isPalm(
    _ contact: Int, _ type: PointerType, at time: Double, _ document: Document
  ) -> Bool {
    switch type {
    case .touch:
      return !input.palms.touchBegan(contact, at: time) && boolean("touch.palm-rejection")
    case .pen, .eraser:
      tools.penWasSeen()
      let touches = input.palms.penBegan(contact, at: time)
      guard !touches.isEmpty, boolean("touch.palm-rejection") else { return false }
      for index in input.strokes.indices where input.strokes[index].isFinger(among: touches) {
        revert(input.strokes[index], document)
        input.strokes[index].isPalm = true
      }
      return false
    default: return false
    }
  }
}

/// A correction of a pen's ink.
struct PenCorrection {
  /// The part of the ink: set here, on another editor, or on none.
  var part: ContentPart
  var item: Int
  var points: [StrokePoint]
  /// True if a position changed.
  var movesInk: Bool
}
