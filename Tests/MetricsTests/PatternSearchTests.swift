import Metrics
import Testing

@Suite("Pattern search")
struct PatternSearchTests {
  /// A valley along x = y with its lowest point at (12, 12), in which no step of one number alone
  /// helps for long.
  private func valley(_ point: [Float]) -> Double {
    let (x, y) = (Double(point[0]), Double(point[1]))
    return 4 * (x - y) * (x - y) + (y - 12) * (y - 12)
  }

  @Test("It follows a valley to its lowest point")
  func valleys() throws {
    let found = try PatternSearch.minimum(from: [[0, 0]], steps: [1, 1], halvings: 6, of: valley)
    #expect(found == PatternSearch.Minimum(point: [12, 12], value: 0))
  }

  @Test("It searches from each start, and tries no point twice")
  func starts() throws {
    var tried: [[Float]] = []
    let found = try PatternSearch.minimum(
      from: [[100, -7], [12, 12], [0, 0]], steps: [1, 1], halvings: 2
    ) { point in
      tried.append(point)
      return valley(point)
    }
    #expect(found.point == [12, 12])
    #expect(found.value == 0)
    #expect(tried.count == Set(tried).count)
  }

  @Test("What is not allowed is left alone")
  func walls() throws {
    let found = try PatternSearch.minimum(from: [[2]], steps: [1], halvings: 3) { point in
      point[0] < 1.5 ? .infinity : Double(point[0])
    }
    #expect(found.point == [1.5])
  }

  @Test("Errors of the function come through")
  func errors() {
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try PatternSearch.minimum(from: [[0]], steps: [1], halvings: 1) { _ in throw Stop() }
    }
  }
}
