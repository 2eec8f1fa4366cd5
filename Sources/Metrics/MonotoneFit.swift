/// The probability of an outcome as a rising function of one number. Samples are sorted into bins
/// of about equal counts; neighbouring bins whose shares fall are pooled (isotonic regression by
/// pooling adjacent violators, Ayer et al. 1955; for calibration Zadrozny and Elkan 2002). The
/// function is linear between the means of the pooled bins, so that it rises strictly between its
/// ends.
package struct MonotoneFit: Hashable, Sendable {
  /// The means of the pooled bins, ascending.
  package private(set) var x: [Double] = []
  /// The probability at each of them, 0 … 1, ascending.
  package private(set) var y: [Double] = []

  private struct Bin {
    var x = 0.0
    var hits = 0.0
    var count = 0.0

    /// Never 0 or 1: assumes one additional sample of each outcome (Laplace).
    var share: Double { (hits + 1) / (count + 2) }

    static func + (a: Bin, b: Bin) -> Bin {
      Bin(x: a.x + b.x, hits: a.hits + b.hits, count: a.count + b.count)
    }
  }

  /// Fits samples; without samples there are no bins. O(samples log samples).
  package init(_ samples: [(x: Double, isTrue: Bool)], binCount: Int = 12) {
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
    var pools: [Bin] = []
    for bin in bins {
      pools.append(bin)
      while pools.count > 1, pools[pools.count - 2].share >= pools[pools.count - 1].share {
        let (last, before) = (pools.removeLast(), pools.removeLast())
        pools.append(before + last)
      }
    }
    x = pools.map { $0.x / $0.count }
    y = pools.map(\.share)
  }
}
