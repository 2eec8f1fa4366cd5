/// Tells the touches of a writing hand from intended ones.
///
/// A touch that begins while a pen writes or hovers, or shortly afterwards, is a palm. A touch that
/// began before the pen came is cancelled when the pen touches. A value without its own clock:
/// times are milliseconds of any clock that pens and touches share.
public struct PalmRejection: Hashable, Sendable {
  /// The milliseconds after a pen has left during which a touch is still a palm. Chosen by hand: a
  /// hand is lifted within about a tenth of a second after the pen.
  public var window: Double

  private var pens: Set<Int> = []
  private var hovering: Set<Int> = []
  private var lastPen = -Double.infinity
  private var touches: Set<Int> = []

  /// Makes the rule in the state without a pen.
  public init(window: Double = 150) {
    self.window = window
  }

  /// Returns true if a pen is near, or was a moment ago.
  public func isPenNear(at time: Double) -> Bool {
    !pens.isEmpty || !hovering.isEmpty || (time - lastPen <= window && time >= lastPen)
  }

  /// A pen touches the surface.
  ///
  /// - Returns: The touches that are palms, in order; they are no longer tracked.
  public mutating func penBegan(_ pen: Int, at time: Double) -> [Int] {
    pens.insert(pen)
    defer { touches = [] }
    return touches.sorted()
  }

  /// A pen leaves the surface.
  public mutating func penEnded(_ pen: Int, at time: Double) {
    if pens.remove(pen) != nil { lastPen = max(lastPen, time) }
  }

  /// A pen comes near the surface, or goes.
  public mutating func penHovers(_ pen: Int, isNear: Bool, at time: Double) {
    if isNear {
      hovering.insert(pen)
    } else if hovering.remove(pen) != nil {
      lastPen = max(lastPen, time)
    }
  }

  /// A touch begins.
  ///
  /// - Returns: true if the touch is intended, and not a palm.
  public mutating func touchBegan(_ touch: Int, at time: Double) -> Bool {
    guard !isPenNear(at: time) else { return false }
    touches.insert(touch)
    return true
  }

  /// A touch ends.
  public mutating func touchEnded(_ touch: Int) { touches.remove(touch) }
}
