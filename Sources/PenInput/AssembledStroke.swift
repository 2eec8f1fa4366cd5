import InkCore

/// A stroke as far as its pen has told it.
public struct AssembledStroke: Hashable, Sendable, Identifiable {
  /// Where a stroke stands.
  public enum State: Hashable, Sendable {
    /// The pen is on the surface.
    case active
    /// The pen has left, and updates are still promised.
    case awaitingUpdates
    /// No further event changes the stroke.
    case final
  }

  /// The number of the stroke, from 0, in the order begun.
  public let id: Int
  /// The pointer that drew it.
  public let pointer: Int
  /// The real samples, in order.
  public internal(set) var samples: [PenSample]
  /// Guesses of the samples to come; empty once the stroke has ended.
  public internal(set) var predicted: [PenSample] = []
  /// Where the stroke stands.
  public internal(set) var state = State.active
  /// Samples with promised updates.
  var pendingCount = 0
  /// Leading samples whose azimuth is a guess.
  var azimuthGuesses = 0

  /// The real samples as a stroke. O(samples).
  public var stroke: Stroke { Stroke(points: samples.map(\.point)) }

  /// Gives leading guesses of the azimuth the first real one; they remain marked as estimated.
  mutating func backfillAzimuth() {
    guard azimuthGuesses < samples.count else { return }
    let first = samples[azimuthGuesses]
    guard !first.estimated.contains(.azimuth), let azimuth = first.point.azimuth else { return }
    for index in 0..<azimuthGuesses where samples[index].estimated.contains(.azimuth) {
      samples[index].point.azimuth = azimuth
    }
  }
}

/// What an event did to a stroke.
public enum StrokeChange: Hashable, Sendable {
  /// A stroke began.
  case began(stroke: Int)
  /// Samples were added.
  case appended(stroke: Int, samples: Range<Int>)
  /// Values of samples that were there changed; whether a position did.
  case corrected(stroke: Int, samples: Range<Int>, movesInk: Bool)
  /// The guesses of samples to come changed.
  case predicted(stroke: Int)
  /// The pen left the surface.
  case ended(stroke: Int)
  /// No further event changes the stroke.
  case finalized(stroke: Int)
  /// The stroke was taken back and is forgotten.
  case cancelled(stroke: Int)
}
