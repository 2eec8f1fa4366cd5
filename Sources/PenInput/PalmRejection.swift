/// Tells the touches of a writing hand from those that are meant.
///
/// A touch that begins while a pen writes or hovers, or shortly after it, is a palm. One that began
/// before the pen came is taken back when the pen touches. A value without a clock: times are
/// milliseconds of any clock that pens and touches share.
public struct PalmRejection: Hashable, Sendable {
  /// Milliseconds after a pen has left in which a touch is still a palm. Chosen by hand: a hand is
  /// lifted within about a tenth of a second after the pen.
  public var window: Double

  private var pens: Set<Int> = []
  private var hovering: Set<Int> = []
  private var lastPen = -Double.infinity
  private var touches: Set<Int> = []

  /// Makes the rule, with no pen near.
  public init(window: Double = 150) {
    self.window = window
  }

  /// Whether a pen is near, or was a moment ago.
  public func isPenNear(at time: Double) -> Bool {
    !pens.isEmpty || !hovering.isEmpty || (time - lastPen <= window && time >= lastPen)
  }

  /// A pen touches the surface.
  ///
  /// - Returns: The touches that are palms, in order; they are forgotten.
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
  /// - Returns: Whether it is meant, and not a palm.
  public mutating func touchBegan(_ touch: Int, at time: Double) -> Bool {
    guard !isPenNear(at: time) else { return false }
    touches.insert(touch)
    return true
  }

  /// A touch ends.
  public mutating func touchEnded(_ touch: Int) { touches.remove(touch) }
}
