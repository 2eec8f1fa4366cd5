import InkCore
import PenInput

// Gestures: found before a stroke becomes ink, and their effects.
extension EditorState {
  /// Handles a finished stroke of a pen: it is a gesture, or it becomes ink.
  ///
  /// - Returns: True if it is ink of the document.
  mutating func write(_ stroke: InkStroke, to document: Document) -> Bool {
    guard let decision = gesture(of: stroke, document), let kind = decision.kind else {
      append(stroke, to: document)
      return true
    }
    apply(kind, decision.target, EditorGesture(decision, kind, stroke: stroke), document)
    return false
  }

  /// Returns the decision about a stroke that may be a gesture, or nil for ink. Nearly all
  /// handwriting takes O(points).
  mutating func gesture(of stroke: InkStroke, _ document: Document) -> GestureDecision? {
    guard findsGestures, !document.isEmpty else { return nil }
    guard let shape = GestureShape(stroke.points), shape.mayBeGesture else {
      explain("shape: no line, loop or zigzag", stroke)
      return nil
    }
    let kinds = gestureKinds(document)
    guard !kinds.isEmpty else { return nil }
    let holdsShapes = document.home(of: stroke).type.holdsShapes && contentTypes(document).shape
    let context = document.gestureContext(near: stroke.box, holdsShapes: holdsShapes)
    let decision = GestureResolver(shape: shape, context: context, kinds: kinds).decide()
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

  /// Applies a gesture as one step of the history.
  mutating func apply(
    _ kind: GestureKind, _ target: GestureTarget, _ gesture: EditorGesture, _ document: Document
  ) {
    switch kind {
    case .scratchOut: change(document) { _ in document.erase(target) }
    case .strikeThrough where string("gesture.strike-through.action") == "erase":
      change(document) { _ in document.erase(target) }
    default: break
    }
    pendingEvents.append(.gesture(gesture))
    schedule()
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
