import InkCore
import InkDatasets
import Testing

@Suite("Form areas")
struct FormAreaEstimatorTests {
  private func box(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> BoundingBox {
    BoundingBox(minX: x, minY: y, maxX: x + width, maxY: y + height)
  }

  @Test("height is twice the median size, and the centre that of the neighbours")
  func estimate() throws {
    let boxes = (0..<7).map { box(Double($0) * 20, 100, 10, 8) }
    let areas = FormAreaEstimator.areas(for: boxes)
    for area in areas {
      let area = try #require(area)
      #expect(area.height == 20)
      #expect(area.y + area.height / 2 == 104)
    }
  }

  @Test("an area does not depend on the size of its own ink")
  func ownSize() {
    var boxes: [BoundingBox?] = (0..<7).map { box(Double($0) * 20, 100, 10, Double(6 + $0)) }
    let before = FormAreaEstimator.areas(for: boxes)[3]
    boxes[3] = box(61, 102, 1, 5)
    #expect(FormAreaEstimator.areas(for: boxes)[3] == before)
    boxes[3] = box(61, 104, 0, 0)
    #expect(FormAreaEstimator.areas(for: boxes)[3] == before)
  }

  @Test("fewer than three others, or none on the same line, give no area")
  func tooFew() {
    #expect(
      FormAreaEstimator.areas(for: [box(0, 0, 5, 5), box(9, 0, 5, 5), box(20, 0, 5, 5)])
        == [nil, nil, nil])
    var boxes: [BoundingBox?] = (0..<6).map { box(Double($0) * 20, 100, 10, 10) }
    boxes[2] = box(40, 500, 10, 10)
    #expect(FormAreaEstimator.areas(for: boxes)[2] == nil)
    #expect(FormAreaEstimator.areas(for: boxes)[1] != nil)
    #expect(FormAreaEstimator.areas(for: []).isEmpty)
  }

  @Test("what has no box has no area, and dots count for no size")
  func noBox() {
    var boxes: [BoundingBox?] = (0..<6).map { box(Double($0) * 20, 100, 10, 10) }
    boxes[1] = nil
    boxes[2] = box(40, 105, 0, 0)
    let areas = FormAreaEstimator.areas(for: boxes)
    #expect(areas[1] == nil)
    #expect(areas[2]?.height == 20)
    #expect(areas.count == 6)
  }
}
