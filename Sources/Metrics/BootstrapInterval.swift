/// A figure with its confidence interval, from resampling writers.
///
/// Inks of one writer resemble each other, so whole writers (clusters) are drawn with replacement.
/// The interval lies between percentiles of the figure over the draws (Efron 1979; Field and Welsh,
/// Bootstrapping clustered data, 2007). With few clusters it is too narrow; with one its width is
/// zero.
public struct BootstrapInterval: Hashable, Sendable {
  /// The figure on the data itself.
  package let estimate: Double
  /// The lower percentile.
  package let lower: Double
  /// The upper percentile.
  package let upper: Double
  /// The share of draws between the bounds: 0.95 for a 95 % interval.
  package let confidence: Double
  /// The number of draws with a finite figure.
  package let resamples: Int

  /// Computes the interval of any figure of clusters.
  ///
  /// The same generator state and the same order of the clusters give the same interval.
  ///
  /// - Parameters:
  ///   - clusters: One value per writer.
  ///   - resamples: The number of draws, at least 1.
  ///   - confidence: In 0 … 1; other values are clamped.
  ///   - generator: The source of random numbers.
  ///   - statistic: The figure of some clusters, in which one cluster may occur many times. Draws
  ///     for which it is not finite are left out.
  ///     which it is not finite are left out.
  /// - Returns: The interval, or nil if there are no clusters, or the figure is not finite.
  /// - Complexity: O(resamples x (clusters + cost of `statistic`)).
  package init?<Cluster>(
    clusters: [Cluster], resamples: Int = 1000, confidence: Double = 0.95,
    using generator: inout some RandomNumberGenerator, statistic: ([Cluster]) -> Double
  ) {
    guard !clusters.isEmpty else { return nil }
    let estimate = statistic(clusters)
    guard estimate.isFinite else { return nil }
    var values: [Double] = []
    var drawn = clusters
    for _ in 0..<max(1, resamples) {
      for index in drawn.indices {
        drawn[index] = clusters[Int.random(in: clusters.indices, using: &generator)]
      }
      let value = statistic(drawn)
      if value.isFinite { values.append(value) }
    }
    guard !values.isEmpty else { return nil }
    values.sort()
    let confidence = confidence > 0 ? min(confidence, 1) : 0
    self.estimate = estimate
    self.confidence = confidence
    self.resamples = values.count
    lower = Self.quantile((1 - confidence) / 2, of: values)
    upper = Self.quantile((1 + confidence) / 2, of: values)
  }

  /// The quantile of ascending values, linear between neighbours (type 7 of Hyndman and Fan 1996).
  package static func quantile(_ share: Double, of sorted: [Double]) -> Double {
    let position = share * Double(sorted.count - 1)
    let index = min(max(Int(position), 0), sorted.count - 1)
    let next = min(index + 1, sorted.count - 1)
    return sorted[index] + (sorted[next] - sorted[index]) * (position - Double(index))
  }
}

/// Sums per writer of a rate: errors and samples, or edits and characters.
///
/// Memory grows with the writers, not with the data.
public struct ClusteredRate: Hashable, Sendable {
  /// The sums of one writer.
  @usableFromInline package struct Cluster: Hashable, Sendable {
    /// The counted events: errors, hits, edits.
    package var numerator: Double = 0
    /// The divisor: samples, characters.
    package var denominator: Double = 0

    static func += (a: inout Cluster, b: Cluster) {
      a.numerator += b.numerator
      a.denominator += b.denominator
    }
  }

  private var clusters: [String: Cluster] = [:]
  private var pages: [String: Cluster] = [:]
  private var loose: [Cluster] = []

  /// Makes a rate without samples.
  package init() {}

  /// Adds to the sums of a writer. Without a writer, the samples of a page, which one person wrote,
  /// are one cluster, and each sample without a page is its own. O(1) amortised.
  package mutating func add(
    writer: String?, page: String? = nil, numerator: Double, denominator: Double = 1
  ) {
    let sums = Cluster(numerator: numerator, denominator: denominator)
    if let writer {
      clusters[writer, default: Cluster()] += sums
    } else if let page {
      pages[page, default: Cluster()] += sums
    } else {
      loose.append(sums)
    }
  }

  /// The sums of each writer that has an id. O(1).
  @usableFromInline package var byWriter: [String: Cluster] { clusters }

  /// The number of clusters.
  package var clusterCount: Int { clusters.count + pages.count + loose.count }

  /// Sum of numerators / sum of denominators, or nil if the latter is 0. O(clusters).
  package var rate: Double? {
    let value = Self.ratio(sortedClusters)
    return value.isFinite ? value : nil
  }

  /// The interval of the rate. O(resamples x clusters).
  ///
  /// Writers are taken in sorted order, so that the same generator state gives the same interval
  /// for any order of the samples.
  ///
  /// - Returns: The interval, or nil if there is no rate.
  package func interval(
    resamples: Int = 1000, confidence: Double = 0.95,
    using generator: inout some RandomNumberGenerator
  ) -> BootstrapInterval? {
    BootstrapInterval(
      clusters: sortedClusters, resamples: resamples, confidence: confidence, using: &generator,
      statistic: Self.ratio)
  }

  private var sortedClusters: [Cluster] {
    let anonymous = loose.sorted {
      ($0.numerator, $0.denominator) < ($1.numerator, $1.denominator)
    }
    return [clusters, pages].flatMap { $0.sorted { $0.key < $1.key }.map(\.value) } + anonymous
  }

  private static func ratio(_ clusters: [Cluster]) -> Double {
    var sum = Cluster()
    for cluster in clusters { sum += cluster }
    return sum.numerator / sum.denominator
  }
}
