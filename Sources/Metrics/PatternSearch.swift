/// Minimises a function of a few numbers whose slope is not known: pattern search (Hooke and Jeeves,
/// "Direct search" solution of numerical and statistical problems, J. ACM 8, 1961).
///
/// It tries a step up and down of each number, goes on in the direction that all of them together
/// have taken as long as that helps, and halves the steps where none does: valleys in which numbers
/// make up for each other are followed, where one number after the other would stand still.
/// Deterministic; no point is tried twice.
public struct PatternSearch {
  /// A point and the value there.
  public struct Minimum: Hashable, Sendable {
    /// The numbers.
    public var point: [Float]
    /// What the function gives.
    public var value: Double

    /// Makes a minimum.
    public init(point: [Float], value: Double) {
      self.point = point
      self.value = value
    }
  }

  private let function: ([Float]) throws -> Double
  private var known: [[Float]: Double] = [:]

  private init(_ function: @escaping ([Float]) throws -> Double) {
    self.function = function
  }

  /// The least value that is found.
  ///
  /// - Parameters:
  ///   - starts: Points of equally many numbers, at least one; it searches from each.
  ///   - steps: The first step of each number, above 0.
  ///   - halvings: How often steps are halved before the search ends.
  ///   - function: To minimise; infinite where a point is not allowed.
  /// - Throws: What the function throws.
  public static func minimum(
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

  /// Goes on until no step helps.
  private mutating func descend(from start: Minimum, _ steps: [Float]) throws -> Minimum {
    var best = start
    while true {
      var next = try explore(around: best, steps)
      guard next.value < best.value else { return best }
      // On in the direction that helped.
      while true {
        let ahead = zip(next.point, best.point).map { 2 * $0 - $1 }
        best = next
        next = try explore(around: try evaluate(ahead), steps)
        guard next.value < best.value else { break }
      }
    }
  }

  /// Tries a step up and a step down of one number after the other, and keeps what helps.
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
