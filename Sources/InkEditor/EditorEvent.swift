import Foundation
import InkCore
import PenInput

/// A change in an editor.
public enum EditorEvent: Hashable, Sendable {
  /// Another part, or none, was set.
  case partChanged(old: ContentPart?, new: ContentPart?)
  /// Blocks were added, removed or changed. Reported after every change, read or not.
  case contentChanged(added: [String], removed: [String], updated: [String])
  /// The numbers of changes that can be undone and redone are others.
  case historyChanged(undo: Int, redo: Int)
  /// Another block is the active one, the block written in last; nil if there is none any more.
  case activeBlockChanged(String?)
  /// The hand tool has selected another block; nil if none.
  case selectedBlockChanged(String?)
  /// Other ink is selected, by a tool or a call, or nothing is: it was removed, or the part changed.
  case selectionChanged(Selection?)
  /// Keys of the configuration have other values, here or on the engine.
  case configurationChanged(keys: [String])
  /// The hand tool was dragged by this many pixels, outside of the selected block.
  case scrolled(dx: Double, dy: Double)
  /// A pen hovers over the view, or no longer does.
  case hovered(HoverEvent)
  /// A button or gesture of the pen asks for an action of the app, such as showing a palette.
  case penAction(PenAction)
  /// The view has another size, place, scale or rotation.
  case viewChanged(old: ViewState, new: ViewState)
  /// The guides are elsewhere, or have another size in pixels: this part of the page is to be drawn
  /// again, in millimetres.
  case guidesChanged(region: BoundingBox)
  /// Something is to be drawn again; see ``Editor/takeInvalidations()``. Sent once until they are
  /// taken.
  case redrawNeeded
  /// A gesture was found and had its effect.
  case gesture(EditorGesture)
  /// There is a problem with ink, models or settings.
  case notice(EditorNotice)
}

/// The methods that an editor calls when something changes: in order, one call at a time, on the
/// ``Editor/callbackExecutor``.
///
/// Every method is optional. A callback may call the editor, except to wait or to undo: both are
/// refused. ``Editor/isIdle`` is false inside.
public protocol EditorDelegate: AnyObject, Sendable {
  /// Something changed. Called for every event, before the method for its kind.
  func editor(_ editor: Editor, didEmit event: EditorEvent)
  /// Another part, or none, was set.
  func editor(_ editor: Editor, partDidChangeFrom old: ContentPart?, to new: ContentPart?)
  /// Blocks were added, removed or changed.
  func editor(
    _ editor: Editor, contentDidChange added: [String], removed: [String], updated: [String])
  /// Another block is the active one.
  func editor(_ editor: Editor, activeBlockDidChange block: String?)
  /// There is a problem with ink, models or settings.
  func editor(_ editor: Editor, didFind notice: EditorNotice)
  /// Decides about a stroke that may be a gesture, before anything has changed. The default applies
  /// it.
  ///
  /// - Returns: The decision, or nil to answer later by ``Editor/answer(_:to:)``. Writing goes on in
  ///   the meantime. After the milliseconds of the key `gesture.answer-timeout` the gesture is
  ///   applied.
  func editor(_ editor: Editor, decide gesture: EditorGesture) -> GestureAnswer?
}

extension EditorDelegate {
  /// Does nothing.
  public func editor(_ editor: Editor, didEmit event: EditorEvent) {}
  /// Does nothing.
  public func editor(_ editor: Editor, partDidChangeFrom old: ContentPart?, to new: ContentPart?) {}
  /// Does nothing.
  public func editor(
    _ editor: Editor, contentDidChange added: [String], removed: [String], updated: [String]
  ) {}
  /// Does nothing.
  public func editor(_ editor: Editor, activeBlockDidChange block: String?) {}
  /// Does nothing.
  public func editor(_ editor: Editor, didFind notice: EditorNotice) {}
  /// Applies the gesture.
  public func editor(_ editor: Editor, decide gesture: EditorGesture) -> GestureAnswer? { .apply }
}

/// The text of the active block, for example for a smart guide.
public struct ActiveText: Hashable, Sendable {
  /// The block; nil if no block was written in.
  public var block: String?
  /// The lines from top to bottom; words have their candidates.
  public var lines: [[TextWord]]

  package init(block: String? = nil, lines: [[TextWord]]) {
    self.block = block
    self.lines = lines
  }

  /// The words in reading order. O(words).
  public var words: [TextWord] { lines.flatMap { $0 } }
}
