import Features
import InkCore

extension WritingArea {
  /// The area of one line, as far as the ink of a line of writing tells: for text areas that are
  /// several lines tall, of which a recogniser is to be told one.
  ///
  /// Takes the letters to be those of English text, whose ink lies 0.33 heights of capitals over
  /// the baseline on average, with a deviation of 0.28. A word of few letters may differ from that,
  /// so that its line is misjudged by up to a half.
  ///
  /// - Returns: nil for ink without points, without extent, or with a coordinate that is not finite.
  public static func estimate(of ink: Ink) -> WritingArea? {
    estimate(of: ink, mean: 0.33, deviation: 0.28)
  }

  /// The area of one line of writing, by what is known of the ink's place in it.
  ///
  /// - Parameters:
  ///   - mean: Mean height of the ink over the baseline, in heights of capitals.
  ///   - deviation: Its standard deviation, above 0.
  package static func estimate(of ink: Ink, mean: Double, deviation: Double) -> WritingArea? {
    guard let trajectory = try? Trajectory(ink), let box = ink.boundingBox,
      max(box.width, box.height) > 0, deviation > 0
    else { return nil }
    var line = NormalizedLine()
    line.load(trajectory, area: nil)
    // A line height is four deviations; a line reaches from the depth of descenders, half a capital
    // under the baseline, to the height of capitals.
    let capitals = Double(line.unit) * trajectory.frame.unit / (4 * deviation)
    let middle = Double(line.middle) * trajectory.frame.unit + trajectory.frame.centerY
    let top = middle + (mean - 1) * capitals
    return try? WritingArea(
      x: box.minX, y: top, width: max(box.width, capitals), height: 1.5 * capitals)
  }
}
