/// Turns the seconds of a recording into milliseconds that start at 0 and never run backward.
struct LineClock {
  /// A pause longer than this, in seconds, is noted.
  static let longPause = 10.0

  private(set) var notes: Set<InkRecord.Note> = []
  private var previous: Double?
  private var elapsed = 0.0

  /// The time of the next point in milliseconds, or nil where it is too large for a double.
  ///
  /// A step backward counts as no time, and later steps as recorded: a jump of the clock does not
  /// reach beyond its step. Times are rounded to a microsecond, so that the sum of the steps hides
  /// the rounding of the recorded decimals.
  mutating func milliseconds(at seconds: Double) -> Double? {
    let step = previous.map { seconds - $0 } ?? 0
    previous = seconds
    if step < 0 { notes.insert(.clockRanBackward) }
    if step > Self.longPause { notes.insert(.longPause) }
    elapsed += max(0, step)
    let time = (elapsed * 1e6).rounded() / 1e3
    return time.isFinite ? time : nil
  }
}
