import Foundation
import InkCore
import Studio
import Testing

/// Ink of a zigzag in a box, drawn at a constant pace.
private func zigzag(
  x: Double = 100, y: Double = 60, width: Double = 200, height: Double = 60, points: Int = 40,
  milliseconds: Double? = 1500
) -> Ink {
  Ink(strokes: [
    Stroke(
      points: (0..<points).map { index in
        let share = Double(index) / Double(points - 1)
        return StrokePoint(
          x: x + width * share, y: y + (index % 2 == 0 ? 0 : height),
          t: milliseconds.map { $0 * share })
      })
  ])
}

private func warnings(
  _ ink: Ink, label: String = "hello", area: Double? = 120
) throws -> [CollectWarning] {
  let labeled = LabeledInk(
    ink: ink, label: label,
    writingArea: try area.map { try WritingArea(x: 0, y: 40, width: 600, height: $0) })
  return CollectChecks.warnings(of: labeled, surface: .init(width: 600, height: 200))
}

@Suite("Checks of collected ink") struct CollectChecksTests {
  @Test("Ordinary ink has no warnings")
  func ordinary() throws {
    #expect(try warnings(zigzag()).isEmpty)
    #expect(try warnings(zigzag(milliseconds: nil)).isEmpty)
    #expect(try warnings(zigzag(), area: nil).isEmpty)
  }

  @Test("Dots are doubtful unless the label consists of dots")
  func dots() throws {
    let dots = Ink(
      strokes: [100.0, 160].map { Stroke(points: [StrokePoint(x: $0, y: 90, t: $0)]) })
    #expect(try warnings(dots, label: "ab") == [.dotsOnly])
    #expect(try warnings(dots, label: ":").isEmpty)
    #expect(try warnings(Ink(), label: "a") == [.dotsOnly])
  }

  @Test(
    "Ink at any edge of the surface is clipped",
    arguments: [(0.5, 60.0), (399.5, 60.0), (100, 0.5), (100, 139.5), (-20, 60), (100, 180)])
  func clipped(_ x: Double, _ y: Double) throws {
    #expect(try warnings(zigzag(x: x, y: y)) == [.clipped])
  }

  @Test("Ink that nobody can write so fast is doubtful")
  func fast() throws {
    // A path of about 2,400 pixels.
    #expect(try warnings(zigzag(milliseconds: 290)) == [.fast])
    #expect(try warnings(zigzag(milliseconds: 310)).isEmpty)
    #expect(try warnings(zigzag(milliseconds: 0)) == [.fast])
    // Fewer than 30 ms for each of 5 letters, though the path is short.
    #expect(try warnings(zigzag(height: 20, points: 4, milliseconds: 140)) == [.fast])
    #expect(try warnings(zigzag(height: 20, points: 4, milliseconds: 140), label: "a").isEmpty)
  }

  @Test("Writing far below the size of the area, or of any writer, is small")
  func small() throws {
    #expect(try warnings(zigzag(height: 14)) == [.small])
    #expect(try warnings(zigzag(height: 15)).isEmpty)
    #expect(try warnings(zigzag(height: 14), area: nil).isEmpty)
    #expect(try warnings(zigzag(width: 6, height: 6), label: "a", area: nil) == [.small])
    #expect(try warnings(zigzag(width: 9), label: "hello") == [.small])
    #expect(try warnings(zigzag(height: 2), label: "-").isEmpty)
  }

  @Test("A fingerprint depends on the form of the ink, not on its place or its times")
  func fingerprints() {
    let print = CollectChecks.fingerprint(of: zigzag())
    #expect(print != nil)
    #expect(CollectChecks.fingerprint(of: zigzag(x: 140, y: 80, milliseconds: 900)) == print)
    #expect(CollectChecks.fingerprint(of: zigzag(height: 61)) != print)
    #expect(CollectChecks.fingerprint(of: zigzag(points: 3)) == nil)
    // Numbers that no integer holds.
    #expect(CollectChecks.fingerprint(of: zigzag(x: -1e300, width: 1e308)) != nil)
    // Two strokes are not one.
    let points = zigzag().strokes[0].points
    let two = Ink(strokes: [
      Stroke(points: Array(points[..<9])), Stroke(points: Array(points[9...])),
    ])
    #expect(CollectChecks.fingerprint(of: two) != print)
  }

  @Test(
    "Samples with invalid members are refused",
    arguments: [
      #"{"id":"a","strokes":[]}"#,
      #"{"id":"a","strokes":[{"x":[],"y":[]}]}"#,
      #"{"id":"a","strokes":[{"x":[1,2],"y":[1]}]}"#,
      #"{"id":"a","strokes":[{"x":[1],"y":[1],"t":[1,2]}]}"#,
      #"{"id":"a","strokes":[{"x":[1e300],"y":[1]}]}"#,
      #"{"id":"a","strokes":[{"x":[1],"y":[1],"force":[1e12]}]}"#,
      #"{"id":"","strokes":[{"x":[1],"y":[1]}]}"#,
      #"{"id":"../x","strokes":[{"x":[1],"y":[1]}]}"#,
      #"{"id":"a b","strokes":[{"x":[1],"y":[1]}]}"#,
      #"{"id":"a","strokes":[{"x":[1],"y":[1]}],"area":{"x":0,"y":0,"width":0,"height":1}}"#,
      #"{"id":"a","strokes":[{"x":[1],"y":[1]}],"area":{"x":0,"y":1e99,"width":1,"height":1}}"#,
      #"{"id":"a","strokes":[{"x":[1],"y":[1]}],"surface":{"width":-1,"height":1}}"#,
    ])
  func invalidSamples(_ text: String) throws {
    let sample = try JSONDecoder().decode(CollectSample.self, from: Data(text.utf8))
    #expect(collectCode { _ = try sample.labeled(as: "a", by: "") } == .invalidValue)
  }

  @Test("Ink above the limits is refused")
  func limits() throws {
    let stroke = CollectSample.Columns(x: [1], y: [1])
    let many = CollectSample(
      id: "a", strokes: Array(repeating: stroke, count: CollectSample.limits.strokes + 1))
    #expect(collectCode { _ = try many.labeled(as: "a", by: "") } == .tooLarge)
    let column = [Double](repeating: 1, count: CollectSample.limits.points + 1)
    let long = CollectSample(id: "a", strokes: [.init(x: column, y: column)])
    #expect(collectCode { _ = try long.labeled(as: "a", by: "") } == .tooLarge)
  }
}
