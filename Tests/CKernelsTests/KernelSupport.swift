import InkCore

/// Numbers in -1 ..< 1.
func randomFloats(_ count: Int, _ generator: inout SeededGenerator) -> [Float] {
  (0..<count).map { _ in 2 * generator.uniform() - 1 }
}

/// The largest difference of a result from its value in Double; infinity if one is NaN or the
/// counts differ.
func largestError(_ result: [Float], _ expected: [Double]) -> Double {
  guard result.count == expected.count else { return .infinity }
  return zip(result, expected).reduce(0) { largest, pair in
    let error = abs(Double(pair.0) - pair.1)
    return error <= largest ? largest : error.isNaN ? .infinity : error
  }
}

/// Sizes that are no multiple of any vector width, and the smallest ones.
let oddSizes: [(rows: Int, columns: Int)] = [(1, 1), (3, 1), (1, 19), (7, 5), (5, 33), (131, 67)]
