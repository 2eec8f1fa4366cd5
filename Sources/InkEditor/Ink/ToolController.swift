import Files
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
  /// Selects a block by a tap, moves the selected block, and scrolls elsewhere.
  case hand
  /// Erases ink that it touches, while it moves.
  case eraser
  /// Selects the ink inside of its path, or the word under a tap; it leaves no ink.
  case selector
  /// Highlights the words that it passes over; it leaves no ink. The colour of its style counts.
  case highlighter

  /// True if the tool changes ink while it is down.
  var changesInk: Bool { self == .pen || self == .eraser }
}

/// Maps each type of pointer to a tool, and each tool to a style. Thread-safe.
public final class ToolController: Sendable {
  private struct State {
    var tools = defaults
    var previous: [PointerType: PointerTool] = [:]
    var styles: [PointerTool: StrokeStyle] = [:]
    var fingerYields = true

    mutating func set(_ tool: PointerTool, _ type: PointerType) {
      let now = tools[type] ?? .pen
      guard now != tool else { return }
      previous[type] = now
      tools[type] = tool
    }
  }
  private let state = Guarded(State())
  private static let defaults: [PointerType: PointerTool] = [
    .pen: .pen, .touch: .hand, .eraser: .eraser, .mouse: .pen,
  ]

  /// Makes the default table: touch is the hand, erasers erase, all others write.
  public init() {}

  /// Returns the tool of a type of pointer.
  public func tool(for type: PointerType) -> PointerTool {
    state.withLock { $0.tools[type] ?? .pen }
  }

  /// Sets the tool of a type of pointer, from its next down event on.
  public func setTool(_ tool: PointerTool, for type: PointerType) {
    state.withLock { $0.set(tool, type) }
  }

  /// Returns the style of a tool, or nil.
  public func style(for tool: PointerTool) -> StrokeStyle? { state.withLock { $0.styles[tool] } }

  /// Sets the style of a tool, from its next down event on.
  public func setStyle(_ style: StrokeStyle?, for tool: PointerTool) {
    state.withLock { $0.styles[tool] = style }
  }

  /// If true, a finger that writes becomes a hand once a pen touches the view. The default is true.
  public var fingerYieldsToPen: Bool {
    get { state.withLock { $0.fingerYields } }
    set { state.withLock { $0.fingerYields = newValue } }
  }

  /// Handles a pen that touches the view.
  func penWasSeen() {
    state.withLock { state in
      if state.fingerYields, state.tools[.touch] == .pen { state.tools[.touch] = .hand }
    }
  }

  /// Switches pens to the eraser, or back to their previous tool.
  func toggleEraser() {
    state.withLock { state in
      let now = state.tools[.pen] ?? .pen
      state.set(now == .eraser ? state.previous[.pen] ?? .pen : .eraser, .pen)
    }
  }

  /// Switches pens to their previous tool.
  func usePrevious() {
    state.withLock { state in if let before = state.previous[.pen] { state.set(before, .pen) } }
  }
}
