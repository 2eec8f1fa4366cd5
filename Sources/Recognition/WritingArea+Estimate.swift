import Features
import InkCore

extension WritingArea {
  /// Estimates the area of one line from the ink of a line of writing. For text areas that are
  /// several lines tall, because a recogniser needs the area of one line.
  ///
  /// Assumes letters of English text, whose ink is 0.33 heights of capitals above the baseline on
  /// average, with a standard deviation of 0.28. A word of few letters may differ, so that the
  /// height of its line is wrong by up to a half.
  ///
  /// - Returns: nil for ink without points, without extent, or with a coordinate that is not finite.
  public static func estimate(of ink: Ink) -> WritingArea? {
    estimate(of: ink, mean: 0.33, deviation: 0.28)
  }

  /// Estimates the area of one line of writing from the expected position of ink in it.
  ///
  /// - Parameters:
  ///   - mean: Mean height of the ink above the baseline, in heights of capitals.
  ///   - deviation: Its standard deviation, above 0.
  package static func estimate(of ink: Ink, mean: Double, deviation: Double) -> WritingArea? {
    guard let trajectory = try? Trajectory(ink), let box = ink.boundingBox,
      max(box.width, box.height) > 0, deviation > 0
    else { return nil }
    var line = NormalizedLine()
    line.load(trajectory, area: nil)
    // A line height is four deviations. A line reaches from the bottom of descenders, half a
    // capital below the baseline, to the top of capitals.
    let capitals = Double(line.unit) * trajectory.frame.unit / (4 * deviation)
    let middle = Double(line.middle) * trajectory.frame.unit + trajectory.frame.centerY
    let top = middle + (mean - 1) * capitals
    return try? WritingArea(
      x: box.minX, y: top, width: max(box.width, capitals), height: 1.5 * capitals)
  }
}

extension RecognitionContext {
  /// The context with the writing area of its size put around an ink.
  func placed(around ink: Ink) -> RecognitionContext {
    guard writingArea == nil, let size = writingSize else { return self }
    var result = self
    result.writingArea = size.area(around: ink)
    return result
  }
}

extension WritingSize {
  /// The area around an ink: its middle is that of the line which is estimated from the ink.
  func area(around ink: Ink) -> WritingArea? {
    guard width > 0, height > 0, let box = ink.boundingBox else { return nil }
    let middle = WritingArea.estimate(of: ink).map { $0.y + $0.height / 2 } ?? box.midY
    return try? WritingArea(
      x: box.midX - width / 2, y: middle - height / 2, width: width, height: height)
  }
}
