import InkCore
import Testing

@Suite("Packed ink") struct PackedInkTests {
  @Test("An ink is the same after packing, with and without each value of its points")
  func same() {
    for values in 0..<32 {
      var generator = SeededGenerator(seed: UInt64(values))
      func value(_ bit: Int) -> Double? {
        values & bit != 0 && generator.index(below: 5) > 0 ? Double(generator.uniform()) : nil
      }
      let strokes = [3, 0, 1, 40].map { count in
        Stroke(
          points: (0..<count).map { _ in
            StrokePoint(
              x: Double(generator.uniform()), y: -Double(generator.uniform()), t: value(1),
              force: value(2), azimuth: value(4), altitude: value(8), roll: value(16))
          })
      }
      #expect(PackedInk(Ink(strokes: strokes)).ink == Ink(strokes: strokes))
    }
    #expect(PackedInk(Ink()).ink == Ink())
  }
}
