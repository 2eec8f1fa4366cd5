/// What a double tap or a squeeze of a pen does.
public enum PenAction: String, Hashable, Sendable, CaseIterable {
  /// Switches to the eraser, and back to what was before.
  case switchEraser
  /// Switches to the tool before the present one.
  case switchPrevious
  /// Shows the palette of tools, which the app draws.
  case showPalette
  /// Does what the app likes.
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
  /// The squeeze came to nothing.
  case squeezeCancelled
}

/// Which tool a pen is, by its double taps and squeezes. A value.
public struct PenActionState: Hashable, Sendable {
  /// What a double tap does; an app gives in what the user chose in the system's settings.
  public var doubleTap = PenAction.switchEraser
  /// What a squeeze does.
  public var squeeze = PenAction.showPalette
  /// Whether the pen is squeezed now.
  public private(set) var isSqueezed = false

  /// Makes the defaults of the system.
  public init() {}

  /// The action that a gesture makes, or nil for none: the end of a squeeze that began acts, its
  /// beginning and one that is cancelled do not.
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
