/// Minimises a function of a few numbers with unknown slope: pattern search (Hooke and Jeeves,
/// "Direct search" solution of numerical and statistical problems, J. ACM 8, 1961).
///
/// Tries a step up and down for each number, continues in the combined direction as long as that
/// helps, and halves the steps if no step helps. It thereby follows valleys in which numbers
/// compensate each other; changing one number at a time would stop there. Deterministic; no point
/// is tried twice.
package struct PatternSearch {
  /// A point and the value there.
  package struct Minimum: Hashable, Sendable {
    /// The numbers.
    package var point: [Float]
    /// The value of the function.
    package var value: Double

    /// Makes a minimum.
    package init(point: [Float], value: Double) {
      self.point = point
      self.value = value
    }
  }

  private let function: ([Float]) throws -> Double
  private var known: [[Float]: Double] = [:]

  private init(_ function: @escaping ([Float]) throws -> Double) {
    self.function = function
  }

  /// Finds the least value.
  ///
  /// - Parameters:
  ///   - starts: Points with the same count of numbers, at least one; the search runs from each.
  ///   - steps: The first step of each number, above 0.
  ///   - halvings: The number of halvings of the steps before the search ends.
  ///   - function: The function to minimise; infinite for a point that is not allowed.
  /// - Throws: The error of the function.
  package static func minimum(
    from starts: [[Float]], steps: [Float], halvings: Int,
    of function: ([Float]) throws -> Double
  ) throws -> Minimum {
    precondition(!starts.isEmpty && starts.allSatisfy { $0.count == steps.count })
    return try withoutActuallyEscaping(function) { function in
      var search = PatternSearch(function)
      var best = Minimum(point: starts[0], value: .infinity)
      for start in starts {
        var reached = try search.evaluate(start)
        var scale: Float = 1
        for _ in 0...max(0, halvings) {
          reached = try search.descend(from: reached, steps.map { $0 * scale })
          scale /= 2
        }
        if reached.value < best.value { best = reached }
      }
      return best
    }
  }

  /// Repeats until no step helps.
  private mutating func descend(from start: Minimum, _ steps: [Float]) throws -> Minimum {
    var best = start
    while true {
      var next = try explore(around: best, steps)
      guard next.value < best.value else { return best }
      // Continue in the direction that helped.
      while true {
        let ahead = zip(next.point, best.point).map { 2 * $0 - $1 }
        best = next
        next = try explore(around: try evaluate(ahead), steps)
        guard next.value < best.value else { break }
      }
    }
  }

  /// Tries a step up and a step down for each number, and keeps improvements.
  private mutating func explore(around start: Minimum, _ steps: [Float]) throws -> Minimum {
    var best = start
    for index in steps.indices {
      let center = best.point[index]
      for candidate in [center + steps[index], center - steps[index]] {
        var point = best.point
        point[index] = candidate
        let tried = try evaluate(point)
        if tried.value < best.value {
          best = tried
          break
        }
      }
    }
    return best
  }

  private mutating func evaluate(_ point: [Float]) throws -> Minimum {
    if let value = known[point] { return Minimum(point: point, value: value) }
    let value = try function(point)
    known[point] = value
    return Minimum(point: point, value: value)
  }
}
