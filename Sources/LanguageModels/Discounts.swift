/// What modified Kneser-Ney smoothing takes from counts of one, two, and three and more, by
/// equation 26 of Chen and Goodman (1999).
struct Discounts {
  private let first: Double
  private let second: Double
  private let third: Double

  /// Estimates the discounts from all counts of one length. O(counts).
  ///
  /// Where counts of one to four do not all occur, as in short texts, or where the estimate is
  /// out of range, the discounts are 0.5, 1 and 1.5.
  init(_ counts: [UInt32]) {
    var ofCounts = [Double](repeating: 0, count: 5)
    for count in counts where count < 5 { ofCounts[Int(count)] += 1 }
    let (one, two, three, four) = (ofCounts[1], ofCounts[2], ofCounts[3], ofCounts[4])
    let share = one / (one + 2 * two)
    let estimates = (
      1 - 2 * share * two / one, 2 - 3 * share * three / two, 3 - 4 * share * four / three
    )
    let areUsable =
      min(one, two, three, four) > 0 && 0..<1 ~= estimates.0 && 0..<2 ~= estimates.1
      && 0..<3 ~= estimates.2
    (first, second, third) = areUsable ? estimates : (0.5, 1, 1.5)
  }

  /// What is taken from a count; nothing from zero.
  @inline(__always)
  subscript(_ count: UInt32) -> Double {
    switch count {
    case 0: 0
    case 1: first
    case 2: second
    default: third
    }
  }
}
