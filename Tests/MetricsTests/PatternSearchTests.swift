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

  @Test("It searches from each start, because the better start may end higher")
  func starts() throws {
    // 1 at 0, and 0 at 10, with a hill between them.
    func basins(_ point: [Float]) -> Double {
      let x = Double(point[0])
      return min(1 + x * x, (x - 10) * (x - 10))
    }
    let found = try PatternSearch.minimum(
      from: [[1], [7]], steps: [1], halvings: 2, of: basins)
    #expect(basins([1]) < basins([7]))
    #expect(found == PatternSearch.Minimum(point: [10], value: 0))
  }

  @Test("It tries no point twice")
  func memory() throws {
    var tried: [[Float]] = []
    _ = try PatternSearch.minimum(from: [[3, -7], [0, 0]], steps: [1, 1], halvings: 2) { point in
      tried.append(point)
      return valley(point)
    }
    #expect(tried.count == Set(tried).count)
  }

  @Test("Points that are not allowed are not tried")
  func walls() throws {
    let found = try PatternSearch.minimum(from: [[2]], steps: [1], halvings: 3) { point in
      point[0] < 1.5 ? .infinity : Double(point[0])
    }
    #expect(found.point == [1.5])
  }

  @Test("Errors of the function are rethrown")
  func errors() {
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try PatternSearch.minimum(from: [[0]], steps: [1], halvings: 1) { _ in throw Stop() }
    }
  }
}
