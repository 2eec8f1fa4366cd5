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

  @Test("segments without a box have no area, and dots do not count for the size")
  func noBox() {
    var boxes: [BoundingBox?] = (0..<6).map { box(Double($0) * 20, 100, 10, 10) }
    boxes[1] = nil
    boxes[2] = box(40, 105, 0, 0)
    let areas = FormAreaEstimator.areas(for: boxes)
    #expect(areas[1] == nil)
    #expect(areas[2]?.height == 20)
    #expect(areas.count == 6)
  }

  /// A letter with its box on a baseline of y = 500, written so that capitals are 40 high.
  private func letter(_ label: String, at x: Double) throws -> (BoundingBox, String) {
    let heights = ["O": (0.0, 40.0), "o": (0.0, 20.0), "l": (0.0, 40.0), "g": (-20.0, 20.0)]
    let (bottom, top) = try #require(heights[label])
    return (box(x, 500 - top, 15, top - bottom), label)
  }

  private func texts(_ labels: [String]) throws -> [WritingArea?] {
    let letters = try labels.enumerated().map { try letter($1, at: Double($0) * 50) }
    return FormAreaEstimator.areas(for: letters.map(\.0), labels: letters.map(\.1))
  }

  @Test("known capitals, small letters and descenders of one hand have the same line")
  func knownLetters() throws {
    for labels in [["O", "O", "O", "O", "O"], ["o", "o", "o", "o"], ["g", "l", "g", "o", "l"]] {
      for area in try texts(labels) {
        let area = try #require(area)
        #expect(abs(area.height - 60) < 6, "\(labels)")
        #expect(abs(area.y + area.height - 520) < 8, "\(labels)")
      }
    }
  }

  @Test("the label and the size of a character say nothing of its own area")
  func ownLabel() throws {
    let labels = ["o", "l", "g", "o", "l", "o"]
    let letters = try labels.enumerated().map { try letter($1, at: Double($0) * 50) }
    let boxes = letters.map(\.0)
    let area = FormAreaEstimator.areas(for: boxes, labels: labels)[2]
    for other in ["O", "g", "unknown"] {
      var changed = labels
      changed[2] = other
      #expect(FormAreaEstimator.areas(for: boxes, labels: changed)[2] == area)
    }
    #expect(area != nil)
  }

  @Test("labels without a prototype and small marks do not determine the size")
  func unknownLetters() throws {
    let boxes = (0..<5).map { box(Double($0) * 20, 100, 10, 10) }
    func areas(_ labels: [String]) -> [WritingArea?] {
      FormAreaEstimator.areas(for: boxes, labels: labels)
    }
    #expect(areas(["unknown", "o", "o", "o", "o"])[0] != nil)
    #expect(areas(["unknown", "o", "o", "o", "o"])[1] != nil)
    #expect(areas(["unknown", "unknown", "o", "o", "o"])[2] == nil)
    #expect(areas([".", ",", "o", "o", "o"])[2] == nil)
  }
}
