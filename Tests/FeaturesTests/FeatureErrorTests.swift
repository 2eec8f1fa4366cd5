import Features
import Foundation
import Testing

@Suite("Features that cannot be applied")
struct FeatureErrorTests {
  @Test(
    "A glyph pipeline is decoded as it was encoded, and refused if a number is out of range")
  func glyphs() throws {
    var pipeline = FeaturePipeline(
      steps: [.normalizeByBox, .smooth(passes: 2)], encoding: .points(PointEncoding(count: 16)),
      maps: nil)
    #expect(try decoded(pipeline) == pipeline)
    pipeline.maps = DirectionMaps(grid: 4)
    #expect(try decoded(pipeline) == pipeline)
    pipeline.steps[1] = .smooth(passes: 65)
    #expect(
      throws: FeatureError(what: "step 1", expected: "values in their ranges", found: "others")
    ) { try decoded(pipeline) }
  }

  @Test(
    "A line pipeline is decoded as it was encoded, and refused if a number is out of range")
  func lines() throws {
    var pipeline = LinePipeline()
    #expect(try decoded(pipeline) == pipeline)
    pipeline.curveError = 0.03
    #expect(try decoded(pipeline) == pipeline)
    pipeline.curveError = 2
    #expect(
      throws: FeatureError(
        what: "features", expected: "a curve error of 0.001 to 1", found: "2.0")
    ) { try decoded(pipeline) }
    pipeline = LinePipeline(spacing: 9)
    #expect(throws: FeatureError.self) { try decoded(pipeline) }
  }

  private func decoded<Value: Codable>(_ value: Value) throws -> Value {
    try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
  }
}
