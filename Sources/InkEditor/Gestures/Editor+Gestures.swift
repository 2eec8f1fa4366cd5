import InkCore
import PenInput

// Gestures: found before a stroke becomes ink.
extension EditorState {
  /// Handles a finished stroke of a pen: it is a gesture, or it becomes ink.
  ///
  /// - Returns: True if it is ink of the document.
  mutating func write(_ stroke: InkStroke, to document: Document) -> Bool {
    let vote = votes[stroke.id]
    guard let decision = gesture(of: stroke, vote, document), let kind = decision.kind else {
      append(stroke, to: document)
      return true
    }
    let gesture = EditorGesture(decision, kind, stroke: stroke)
    guard delegate == nil, pending.isEmpty else {
      hold(stroke, gesture, vote, document)
      return true
    }
    guard apply(kind, decision.target, document) else {
      refuse(gesture, document)
      append(stroke, to: document)
      return true
    }
    pendingEvents.append(.gesture(gesture))
    schedule()
    return false
  }

  /// Returns the decision about a stroke that may be a gesture, or nil for ink. Nearly all
  /// handwriting takes O(points).
  mutating func gesture(
    of stroke: InkStroke, _ vote: GestureVote?, _ document: Document
  ) -> GestureDecision? {
    guard findsGestures, !document.isEmpty else { return nil }
    guard let shape = GestureShape(stroke.points),
      shape.mayBeGesture || vote != nil && shape.bend != nil
    else {
      explain("shape: no line, loop or zigzag", stroke)
      return nil
    }
    let kinds = gestureKinds(document)
    guard !kinds.isEmpty else { return nil }
    let holdsShapes = document.home(of: stroke).type.holdsShapes && contentTypes(document).shape
    let context = document.gestureContext(
      near: stroke.box, isUpright: shape.isUpright || shape.bend != nil, holdsShapes: holdsShapes)
    let decision = GestureResolver(shape: shape, context: context, kinds: kinds, vote: vote)
      .decide()
    explain(decision.reasons.joined(separator: "; "), stroke)
    return decision.kind == nil ? nil : decision
  }

  private mutating func explain(_ reasons: String, _ stroke: InkStroke) {
    gestureReasons?.append((stroke.id, reasons))
  }

  /// Returns the gestures that the settings allow in a part.
  mutating func gestureKinds(_ document: Document) -> Set<GestureKind> {
    guard boolean("gesture.enable") else { return [] }
    let names =
      switch document.type {
      case .rawContent: strings("raw-content.pen.gestures")
      case .diagram: strings("diagram.pen.gestures")
      case .text, .textDocument, .drawing, .math: strings("text.pen.gestures")
      }
    return Set(GestureKind.allCases.filter { $0.listName.map(names.contains) ?? false })
  }

  // MARK: - Effects

  /// Applies a gesture as one step of the history.
  ///
  /// - Returns: False if it cannot be applied: nothing has changed then.
  mutating func apply(
    _ kind: GestureKind, _ target: GestureTarget, _ document: Document
  ) -> Bool {
    let room = lineRoom(document)
    let erases = string("gesture.strike-through.action") == "erase"
    let highlights = string("gesture.surround.action") == "highlight"
    return change(document) { state in
      let (before, edits) = (document.makeState(), document.edits)
      let isDone: Bool
      switch kind {
      case .scratchOut:
        document.erase(target)
        isDone = document.edits != edits
      case .strikeThrough:
        if erases { document.erase(target) } else { document.decorate(target, .strikeThrough) }
        isDone = true
      case .underline, .doubleUnderline:
        document.decorate(target, .underline)
        isDone = true
      case .surround:
        if highlights {
          document.decorate(target, .highlight)
        } else {
          state.setSelection(document.anchor(of: target))
        }
        isDone = true
      case .insert: isDone = target.place.map { document.insertSpace($0, in: room) } ?? false
      case .join: isDone = target.place.map { document.joinWords($0, in: room) } ?? false
      case .longPress:
        let anchor = document.anchor(of: target)
        if !anchor.isEmpty { state.setSelection(anchor) }
        isDone = true
      case .tap, .doubleTap: isDone = true
      }
      if !isDone, document.edits != edits {
        document.install(before)
        document.edits = edits
      }
      return isDone
    }
  }

  mutating func lineRoom(_ document: Document) -> LineRoom {
    let guides = guides(document)
    let page = viewSize.map { transform.size(width: $0.width, height: $0.height).width }
    return LineRoom(
      left: guides?.left ?? 0, right: guides?.right ?? page, pitch: guides?.spacing)
  }

  /// Reports a gesture that was not applied.
  mutating func refuse(_ gesture: EditorGesture, _ document: Document) {
    report(
      gesture, document, .gestureNotApplied,
      "there is nothing left at its place that it can change; its stroke is kept as ink")
  }

  /// Adds a notice about a gesture.
  mutating func report(
    _ gesture: EditorGesture, _ document: Document, _ code: EditorNotice.Code, _ text: String
  ) {
    pendingEvents.append(
      .notice(
        EditorNotice(
          block: gesture.block ?? document.root.id, code: code,
          message: "\(gesture.kind.rawValue): \(text)")))
  }
}

extension Document {
  /// Decorates what a gesture has hit.
  func decorate(_ target: GestureTarget, _ kind: DecorationKind) {
    decorate(anchor(of: target), with: kind)
  }

  /// Returns the ink that a gesture has hit.
  func anchor(of target: GestureTarget) -> InkAnchor {
    InkAnchor(whole(target.items) + target.parts)
  }
}

extension Editor {
  /// Begins to keep the reasons of decisions about gestures.
  package func explainGestures() { read { $0.gestureReasons = [] } }

  /// Returns the reasons since the last call, and forgets them.
  package func takeGestureReasons() -> [String] {
    read { state in
      guard let reasons = state.gestureReasons else { return [] }
      state.gestureReasons = []
      return reasons.map(\.text)
    }
  }
}
