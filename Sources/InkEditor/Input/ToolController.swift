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
  /// Marks a selection; it has no effect yet.
  case selector
  /// Marks text; it has no effect yet.
  case highlighter

  /// True if the tool changes ink while it is down.
  var changesInk: Bool { self == .pen || self == .eraser }
}

/// Maps each type of pointer to a tool, and each tool to a style. Thread-safe.
public final class ToolController: @unchecked Sendable {
  // Unchecked because the lock guards all members.
  private let lock = NSLock()
  private static let defaults: [PointerType: PointerTool] = [
    .pen: .pen, .touch: .hand, .eraser: .eraser, .mouse: .pen,
  ]
  private var tools = defaults
  private var previous: [PointerType: PointerTool] = [:]
  private var styles: [PointerTool: StrokeStyle] = [:]
  private var fingerYields = true

  /// Makes the default table: touch is the hand, erasers erase, all others write.
  public init() {}

  /// Returns the tool of a type of pointer.
  public func tool(for type: PointerType) -> PointerTool {
    lock.withLock { tools[type] ?? .pen }
  }

  /// Sets the tool of a type of pointer, from its next down event on.
  public func setTool(_ tool: PointerTool, for type: PointerType) {
    lock.withLock { set(tool, type) }
  }

  /// Returns the style of a tool, or nil.
  public func style(for tool: PointerTool) -> StrokeStyle? { lock.withLock { styles[tool] } }

  /// Sets the style of a tool, from its next down event on.
  public func setStyle(_ style: StrokeStyle?, for tool: PointerTool) {
    lock.withLock { styles[tool] = style }
  }

  /// If true, a finger that writes becomes a hand once a pen touches the view. The default is true.
  public var fingerYieldsToPen: Bool {
    get { lock.withLock { fingerYields } }
    set { lock.withLock { fingerYields = newValue } }
  }

  /// Handles a pen that touches the view.
  func penWasSeen() {
    lock.withLock { if fingerYields, tools[.touch] == .pen { tools[.touch] = .hand } }
  }

  /// Switches pens to the eraser, or back to their previous tool.
  func toggleEraser() {
    lock.withLock {
      let now = tools[.pen] ?? .pen
      set(now == .eraser ? previous[.pen] ?? .pen : .eraser, .pen)
    }
  }

  /// Switches pens to their previous tool.
  func usePrevious() {
    lock.withLock { if let before = previous[.pen] { set(before, .pen) } }
  }

  private func set(_ tool: PointerTool, _ type: PointerType) {
    let now = tools[type] ?? .pen
    guard now != tool else { return }
    previous[type] = now
    tools[type] = tool
  }
}
