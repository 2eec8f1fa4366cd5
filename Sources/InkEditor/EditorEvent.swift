import Foundation
import InkCore
import PenInput

/// What changed in an editor.
public enum EditorEvent: Hashable, Sendable {
  /// Another part, or none, was set.
  case partChanged(old: ContentPart?, new: ContentPart?)
  /// Blocks came, went, or have other content. Told after every change, read or not.
  case contentChanged(added: [String], removed: [String], updated: [String])
  /// Another block is the one written in; nil where there is none any more.
  case activeBlockChanged(String?)
  /// Another block is the one that the hand tool moves; nil for none.
  case selectedBlockChanged(String?)
  /// A key of the configuration has another value, here or on the engine.
  case configurationChanged(keys: [String])
  /// The hand tool was drawn over the view by so many pixels, where the selected block is not.
  case scrolled(dx: Double, dy: Double)
  /// A pen hovers over the view, or does so no more.
  case hovered(HoverEvent)
  /// A button or gesture of the pen asks for something that the app does, such as a palette.
  case penAction(PenAction)
  /// Something is wrong with ink, models or settings.
  case notice(EditorNotice)
}

/// What an editor calls when something changes: in order, one call at a time, where
/// ``Editor/callbackExecutor`` says.
///
/// Every method is optional. A callback may call the editor, but for waiting and undoing: those are
/// refused. ``Editor/isIdle`` is false inside.
public protocol EditorDelegate: AnyObject, Sendable {
  /// Something changed: called for every event, before the method of its kind.
  func editor(_ editor: Editor, didEmit event: EditorEvent)
  /// Another part, or none, was set.
  func editor(_ editor: Editor, partDidChangeFrom old: ContentPart?, to new: ContentPart?)
  /// Blocks came, went, or have other content.
  func editor(
    _ editor: Editor, contentDidChange added: [String], removed: [String], updated: [String])
  /// Another block is the one written in.
  func editor(_ editor: Editor, activeBlockDidChange block: String?)
  /// Something is wrong with ink, models or settings.
  func editor(_ editor: Editor, didFind notice: EditorNotice)
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
}

/// The text of the active block, for example for a smart guide.
public struct ActiveText: Hashable, Sendable {
  /// The block; nil where no block was written in.
  public var block: String?
  /// Its lines from top to bottom; words have their candidates.
  public var lines: [[TextWord]]

  /// The words in reading order. O(words).
  public var words: [TextWord] { lines.flatMap { $0 } }
}
