/// The action of a double tap or a squeeze of a pen.
public enum PenAction: String, Hashable, Sendable, CaseIterable {
  /// Switches to the eraser, or back to the previous tool.
  case switchEraser
  /// Switches to the tool before the present one.
  case switchPrevious
  /// Shows the palette of tools, which the app draws.
  case showPalette
  /// Does an action of the app.
  case custom
  /// Does nothing.
  case ignore
}

/// A gesture of the hand on the pen itself.
public enum PenGesture: Hashable, Sendable {
  /// The side of the pen was tapped twice.
  case doubleTap
  /// The pen is squeezed.
  case squeezeBegan
  /// The pen is let go: the action happens now.
  case squeezeEnded
  /// The squeeze was cancelled.
  case squeezeCancelled
}

/// The tool that a pen is, as set by its double taps and squeezes. A value: copies are independent.
public struct PenActionState: Hashable, Sendable {
  /// The action of a double tap; an app passes what the user chose in the system's settings.
  public var doubleTap = PenAction.switchEraser
  /// The action of a squeeze.
  public var squeeze = PenAction.showPalette
  /// True while the pen is squeezed.
  public private(set) var isSqueezed = false

  /// Makes the defaults of the system.
  public init() {}

  /// Returns the action of a gesture, or nil if it has none: a squeeze acts at its end, and not at
  /// its beginning or when it is cancelled.
  public mutating func action(for gesture: PenGesture) -> PenAction? {
    switch gesture {
    case .doubleTap: return doubleTap == .ignore ? nil : doubleTap
    case .squeezeBegan:
      isSqueezed = true
      return nil
    case .squeezeCancelled:
      isSqueezed = false
      return nil
    case .squeezeEnded:
      guard isSqueezed else { return nil }
      isSqueezed = false
      return squeeze == .ignore ? nil : squeeze
    }
  }
}
