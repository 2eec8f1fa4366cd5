import Foundation

extension RecognitionResult {
  /// The difference of probabilities of the two best candidates, 0 ... 1; 1 with one candidate, 0
  /// without any.
  public var margin: Double {
    guard let best = candidates.first else { return 0 }
    guard candidates.count > 1 else { return 1 }
    return max(0, exp(best.score) - exp(candidates[1].score))
  }

  /// Returns whether the two best candidates are too close to decide between them: an app then asks,
  /// or leaves the ink as it is.
  ///
  /// - Parameter margin: The least sure difference of their probabilities.
  public func isAmbiguous(margin: Double = Self.leastSureMargin) -> Bool {
    self.margin < margin
  }

  /// The difference of probabilities below which two candidates are close.
  public static let leastSureMargin = 0.3
}
