/// The constraint that allows every text.
public struct AnyText: TextConstraint {
  /// The only state.
  public struct State: Hashable, Sendable, BitwiseCopyable {}

  /// Makes the constraint.
  public init() {}

  /// The state of every text.
  public var start: State { State() }

  /// The same state.
  public func advance(_ state: State, _ scalar: Unicode.Scalar) -> State? { state }

  /// True.
  public func isAccepting(_ state: State) -> Bool { true }
}
