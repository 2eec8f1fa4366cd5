/// The probability of an outcome as a rising function of one number: the shares of the outcome in
/// bins of about as many samples each, pooled where they fall (isotonic regression by pooling
/// adjacent violators, Ayer et al. 1955; for calibration Zadrozny and Elkan 2002), linear between
/// the means of the bins.
public struct MonotoneFit: Hashable, Sendable {
  /// The means of the bins, ascending.
  public private(set) var x: [Double] = []
  /// The probability at each of them, 0 … 1, never falling.
  public private(set) var y: [Double] = []

  private struct Bin {
    var x = 0.0
    var hits = 0.0
    var count = 0.0

    /// Never 0 or 1: one sample of each outcome is taken for granted (Laplace).
    var share: Double { (hits + 1) / (count + 2) }
  }

  /// Fits samples; without any there are no bins. O(samples log samples).
  public init(_ samples: [(x: Double, isTrue: Bool)], binCount: Int = 12) {
    let sorted = samples.sorted { ($0.x, $0.isTrue ? 1 : 0) < ($1.x, $1.isTrue ? 1 : 0) }
    let size = max(1, (sorted.count + binCount - 1) / max(1, binCount))
    var bins: [Bin] = []
    for (index, sample) in sorted.enumerated() {
      // Equal numbers share a bin.
      let isNew = index == 0 || sorted[index - 1].x != sample.x
      if bins.isEmpty || (isNew && bins[bins.count - 1].count >= Double(size)) {
        bins.append(Bin())
      }
      bins[bins.count - 1].x += sample.x
      bins[bins.count - 1].hits += sample.isTrue ? 1 : 0
      bins[bins.count - 1].count += 1
    }
    var pools: [(share: Double, weight: Double, bins: Int)] = []
    for bin in bins {
      pools.append((bin.share, bin.count, 1))
      while pools.count > 1, pools[pools.count - 2].share > pools[pools.count - 1].share {
        let (last, before) = (pools.removeLast(), pools.removeLast())
        let weight = last.weight + before.weight
        pools.append(
          (
            (last.share * last.weight + before.share * before.weight) / weight, weight,
            last.bins + before.bins
          ))
      }
    }
    x = bins.map { $0.x / $0.count }
    y = pools.flatMap { [Double](repeating: $0.share, count: $0.bins) }
  }
}
