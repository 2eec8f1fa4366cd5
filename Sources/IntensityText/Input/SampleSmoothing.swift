/// Makes one force of the last samples of a touch.
public enum SampleSmoothing: String, Hashable, Sendable, CaseIterable {
  /// The mean of the last ten without the highest and the lowest: (sum - max - min) / (n - 2). For
  /// one or two samples the highest, for none 0.
  case trimmedMean
  /// The mean of the last ten; 0 for none.
  case mean
  /// The highest so far; it never falls.
  case peak

  /// The number of samples that means look back.
  public static let window = 10

  /// Returns the smoothed value of samples in the order of time. O(1): of a long row, only the last
  /// ones count, except for the peak, which is O(n).
  public func value(of samples: some BidirectionalCollection<Double>) -> Double {
    let last = samples.suffix(Self.window)
    let sum = last.reduce(0, +)
    switch self {
    case .trimmedMean:
      guard let highest = last.max(), let lowest = last.min() else { return 0 }
      return last.count <= 2 ? highest : (sum - highest - lowest) / Double(last.count - 2)
    case .mean: return last.isEmpty ? 0 : sum / Double(last.count)
    case .peak: return samples.max() ?? 0
    }
  }
}

/// The samples of a touch as far as a smoothing needs them: the last ten and the highest.
struct SampleWindow: Hashable, Sendable {
  private var last: [Double] = []
  private var highest = 0.0

  mutating func add(_ sample: Double) {
    if last.count == SampleSmoothing.window { last.removeFirst() }
    last.append(sample)
    highest = max(highest, sample)
  }

  mutating func reset() { self = SampleWindow() }

  func value(_ smoothing: SampleSmoothing) -> Double {
    smoothing == .peak ? highest : smoothing.value(of: last)
  }
}
