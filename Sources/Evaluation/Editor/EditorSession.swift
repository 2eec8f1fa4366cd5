import Foundation
import InkCore
import InkEditor

/// The way in which ink is passed to an editor.
package enum EditorFeeding: String, Hashable, Sendable, Codable, CaseIterable {
  /// One call for each point. Recognition finishes before the next stroke.
  case points
  /// The whole page in one call.
  case batch
}

/// The position of the guides of a page.
package enum EditorGuides: String, Hashable, Sendable, Codable, CaseIterable {
  /// At the written lines, with their spacing.
  case right
  /// No guides.
  case off
  /// With twice the spacing.
  case wrong
}

/// An editor with a new part for a page.
final class EditorSession {
  let editor: Editor
  private let clock: Stopwatch
  /// The item of each stroke, in the order written.
  private(set) var items: [Int] = []
  /// Milliseconds from pen-up to the last reported change, and to idle.
  private(set) var updates: [Double] = []
  private(set) var idles: [Double] = []

  init(engine: Engine, type: String, guides: EditorGuides, areas: Bool) throws {
    editor = engine.makeEditor()
    clock = Stopwatch()
    // The time of the last event is read after waiting for an idle editor.
    editor.callbackExecutor = .engine
    editor.delegate = clock
    editor.viewTransform = .millimetres
    try editor.setViewSize(width: 600, height: 1000)
    try editor.configuration.set("text.guides.enable", to: guides != .off)
    try editor.configuration.set(
      "text.guides.spacing", to: guides == .wrong ? 2 * EditorPage.spacing : EditorPage.spacing)
    if !areas { try editor.configuration.set("recognition.writing-area", to: "none") }
    try editor.configuration.set(
      "raw-content.classification.types", to: ["text", "shape", "drawing"])
    try editor.configuration.set("raw-content.recognition.types", to: ["text"])
    try editor.setPart(engine.makePart(type: type))
  }

  /// Writes strokes and waits until they are recognised.
  func write(_ strokes: [EditorPage.Stroke], _ feeding: EditorFeeding) throws {
    switch feeding {
    case .batch:
      let events = strokes.enumerated().flatMap { Self.events($1.points, id: 0) }
      items += try editor.pointerEvents(events, processGestures: false)
      try editor.waitUntilIdle()
    case .points:
      for stroke in strokes { try write(stroke) }
    }
  }

  private func write(_ stroke: EditorPage.Stroke) throws {
    let events = Self.events(stroke.points, id: -1)
    for event in events.dropLast() {
      if let item = try editor.send(event) { items.append(item) }
    }
    guard let up = events.last else { return }
    try editor.send(up)
    let start = ContinuousClock.now
    try editor.waitUntilIdle()
    let end = ContinuousClock.now
    idles.append((end - start) / .milliseconds(1))
    if let told = clock.last, told >= start {
      updates.append((told - start) / .milliseconds(1))
    }
  }

  /// The words of a text part, of all lines.
  var text: String { get throws { try editor.export(as: .text) } }

  static func events(_ points: [StrokePoint], id: Int) -> [PointerEvent] {
    func event(_ kind: PointerEvent.Kind, _ point: StrokePoint) -> PointerEvent {
      PointerEvent(
        kind, x: point.x, y: point.y, t: point.t.map { Int64($0.rounded()) + epoch } ?? -1,
        force: max(0, point.force ?? 0), id: id)
    }
    guard let first = points.first, let last = points.last else { return [] }
    return [event(.down, first)] + points.dropFirst().dropLast().map { event(.move, $0) }
      + [event(.up, last)]
  }

  /// 1 January 2020.
  private static let epoch: Int64 = 1_577_836_800_000
}
