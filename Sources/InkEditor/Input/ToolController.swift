import Foundation

/// The type of a pointer.
public enum PointerType: String, Hashable, Sendable, CaseIterable {
  case pen
  case touch
  case eraser
  case mouse
  case custom1
  case custom2
  case custom3
  case custom4
  case custom5
}

/// The tool of a pointer, which determines its effect on the document.
public enum PointerTool: String, Hashable, Sendable, CaseIterable {
  /// Writes ink, which is recognised.
  case pen
  /// Moves the view; the editor does nothing.
  case hand
  /// Erases the strokes that it touches.
  case eraser
  /// Marks a selection; the editor does nothing.
  case selector
  /// Marks text; the editor does nothing.
  case highlighter
}

/// Which tool each type of pointer is. Thread-safe.
///
///     editor.tools.setTool(.eraser, for: .touch)
public final class ToolController: @unchecked Sendable {
  // Unchecked because the lock guards the table.
  private let lock = NSLock()
  private var tools: [PointerType: PointerTool] = [
    .pen: .pen, .touch: .hand, .eraser: .eraser, .mouse: .pen,
  ]

  /// Makes the default table: pens and mice write, touch moves, erasers erase, others write.
  public init() {}

  /// The tool of a type of pointer.
  public func tool(for type: PointerType) -> PointerTool {
    lock.withLock { tools[type] ?? .pen }
  }

  /// Sets the tool of a type of pointer, for its next down event.
  public func setTool(_ tool: PointerTool, for type: PointerType) {
    lock.withLock { tools[type] = tool }
  }
}
