import InkCore
import Testing

@Suite("Characters of points")
struct CharacterSegmentationTests {
  @Test("Consecutive points of the same characters are a run")
  func runs() {
    let segmentation = CharacterSegmentation(of: [[0...0, 0...0, 0...1, 1...1], [], [0...0]])
    #expect(
      segmentation.strokes == [
        [
          .init(points: 0..<2, characters: 0...0), .init(points: 2..<3, characters: 0...1),
          .init(points: 3..<4, characters: 1...1),
        ], [], [.init(points: 0..<1, characters: 0...0)],
      ])
  }
}
