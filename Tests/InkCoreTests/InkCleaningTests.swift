import InkCore
import Testing

@Suite("Cleaned ink")
struct InkCleaningTests {
  /// A stroke along x, one point each 10 ms; force 1.
  private static func line(_ count: Int) -> [StrokePoint] {
    (0..<count).map { StrokePoint(x: Double($0), y: 0, t: 10 * Double($0), force: 1) }
  }

  private func clean(_ points: [StrokePoint]) -> CleanedInk {
    Ink(strokes: [Stroke(points: points)]).cleaned()
  }

  /// Checks that the ink is made of the samples that its origins name. Times may be mended.
  private func checkOrigins(_ cleaned: CleanedInk, of ink: Ink) {
    #expect(cleaned.ink.strokes.count == cleaned.origins.count)
    for (stroke, origin) in zip(cleaned.ink.strokes, cleaned.origins) {
      #expect(stroke.points.count == origin.points.count)
      for (point, place) in zip(stroke.points, origin.points) {
        let source = ink.strokes[origin.stroke].points[place]
        #expect(point.x == source.x && point.y == source.y && point.force == source.force)
      }
    }
  }

  @Test("Clean ink stays as it is, and so do empty strokes")
  func unchanged() {
    let ink = Ink(strokes: [
      Stroke(points: Self.line(9)), Stroke(points: []), Stroke(points: [StrokePoint(x: 1, y: 2)]),
    ])
    let cleaned = ink.cleaned()
    #expect(cleaned.ink == ink)
    #expect(cleaned.report.isEmpty)
    #expect(cleaned.origins.map(\.stroke) == [0, 1, 2])
    #expect(cleaned.origins.map(\.points) == [Array(0..<9), [], [0]])
    #expect(Ink().cleaned().ink == Ink())
  }

  @Test("A sample that is reported twice is there once")
  func duplicates() {
    let line = Self.line(5)
    let cleaned = clean([line[0], line[0], line[1], line[2], line[2], line[2], line[3], line[4]])
    #expect(cleaned.ink.strokes[0].points == line)
    #expect(cleaned.origins[0].points == [0, 2, 3, 6, 7])
    #expect(cleaned.report.duplicates == 3)
  }

  @Test("Samples at one place at other times, or with another force, are no duplicates")
  func pauses() {
    let pause = [
      StrokePoint(x: 1, y: 1, t: 0, force: 1), StrokePoint(x: 1, y: 1, t: 10, force: 1),
      StrokePoint(x: 1, y: 1, t: 10, force: 2),
    ]
    #expect(clean(pause).ink.strokes[0].points == pause)
  }

  @Test("A place that the pen visits again is no duplicate")
  func loop() {
    let loop = [0.0, 1, 2, 1, 0].map { StrokePoint(x: $0, y: 0) }
    #expect(clean(loop).ink.strokes[0].points == loop)
    #expect(clean(loop).report.isEmpty)
  }

  @Test("A batch that is reported twice is there once")
  func batches() {
    let line = Self.line(8)
    let points = Array(line[..<5]) + Array(line[1..<5]) + Array(line[5...])
    let cleaned = clean(points)
    #expect(cleaned.ink.strokes[0].points == line)
    #expect(cleaned.origins[0].points == [0, 1, 2, 3, 4, 9, 10, 11])
    #expect(!cleaned.report.isEmpty)
    #expect(cleaned.report.reorderedStrokes == 0 && cleaned.report.repairedClocks == 0)
  }

  @Test("Samples out of order come in the order of their times where this is the shorter way")
  func reordered() {
    let line = Self.line(8)
    let points = [line[0], line[4], line[1], line[2], line[3], line[6], line[5], line[7]]
    let cleaned = clean(points)
    #expect(cleaned.ink.strokes[0].points == line)
    #expect(cleaned.origins[0].points == [0, 2, 3, 4, 1, 6, 5, 7])
    #expect(cleaned.report.reorderedStrokes == 1)
    #expect(cleaned.report.repairedClocks == 0)
  }

  @Test("A clock that jumps back gets ascending times, and the samples stay")
  func repairedClock() {
    var points = Self.line(8)
    for index in 4..<8 { points[index].t = 10 * Double(index) - 35 }
    let cleaned = clean(points)
    #expect(cleaned.ink.strokes[0].points.map(\.x) == points.map(\.x))
    #expect(cleaned.ink.strokes[0].points.compactMap(\.t) == points.compactMap(\.t).sorted())
    #expect(cleaned.report.repairedClocks == 1)
    #expect(cleaned.report.reorderedStrokes == 0)
  }

  @Test("Times that hardly ever differ tell no order, and only never run backward")
  func coarseClock() {
    let points = [5.0, 5, 5, 3, 3, 5, 5, 7].enumerated().map {
      StrokePoint(x: Double($0.offset), y: 0, t: $0.element)
    }
    let cleaned = clean(points)
    #expect(cleaned.ink.strokes[0].points.map(\.t) == [5, 5, 5, 5, 5, 5, 5, 7])
    #expect(cleaned.ink.strokes[0].points.map(\.x) == points.map(\.x))
    #expect(cleaned.report.repairedClocks == 1)
  }

  @Test("Times that some samples lack are left alone")
  func missingTimes() {
    let points = [20.0, nil, 10, 0].enumerated().map {
      StrokePoint(x: Double($0.offset), y: 0, t: $0.element)
    }
    #expect(clean(points).ink.strokes[0].points == points)
  }

  @Test("A pen above the surface ends the stroke, which goes on as another one")
  func hovering() {
    var points = Self.line(12)
    for index in 5..<8 { points[index].force = 0 }
    let cleaned = clean(points)
    #expect(cleaned.ink.strokes.map(\.points) == [Array(points[..<5]), Array(points[8...])])
    #expect(cleaned.origins.map(\.stroke) == [0, 0])
    #expect(cleaned.origins.map(\.points) == [Array(0..<5), Array(8..<12)])
    #expect(cleaned.report.hovering == 3)
  }

  @Test("One sample without force stays, unless the pen jumps there", arguments: [false, true])
  func fault(jumps: Bool) {
    var points = Self.line(12)
    points[5].force = 0
    if jumps { for index in 5..<12 { points[index].x += 20 } }
    let cleaned = clean(points)
    #expect(cleaned.ink.strokes.count == (jumps ? 2 : 1))
    #expect(cleaned.report.hovering == (jumps ? 1 : 0))
  }

  @Test(
    "At the ends, one or two samples stay, and more are a pen that lands or lifts", arguments: 1...4
  )
  func ends(count: Int) {
    var points = Self.line(12)
    for index in 0..<count {
      points[index].force = 0
      points[11 - index].force = 0
    }
    let cleaned = clean(points)
    #expect(cleaned.ink.strokes.count == 1)
    #expect(cleaned.ink.strokes[0].points.count == (count <= 2 ? 12 : 12 - 2 * count))
    #expect(cleaned.report.hovering == (count <= 2 ? 0 : 2 * count))
  }

  @Test("A stroke that never has force, or has none recorded, stays")
  func noForce() {
    let without = Self.line(6).map { StrokePoint(x: $0.x, y: 0, t: $0.t) }
    let zero = without.map { StrokePoint(x: $0.x, y: 0, t: $0.t, force: 0) }
    for points in [without, zero] { #expect(clean(points).ink.strokes[0].points == points) }
  }

  @Test("Any ink keeps each stroke, and each sample has its origin")
  func random() {
    let seed = UInt64.random(in: .min ... .max)
    var generator = SeededGenerator(seed: seed)
    func value(_ values: [Double?]) -> Double? { values[generator.index(below: values.count)] }
    for _ in 0..<300 {
      let ink = Ink(
        strokes: (0..<4).map { _ in
          Stroke(
            points: (0..<generator.index(below: 12)).map { index in
              StrokePoint(
                x: value([0, 1, 2, 3, 1e300, .nan]) ?? 0, y: Double(index % 3),
                t: value([nil, 0, 10, 20, 30, Double(10 * index)]), force: value([nil, 0, 0, 1]))
            })
        })
      var finite = ink
      for stroke in finite.strokes.indices {
        finite.strokes[stroke].points.removeAll { !$0.hasFinitePosition }
      }
      let cleaned = finite.cleaned()
      checkOrigins(cleaned, of: finite)
      #expect(Set(cleaned.origins.map(\.stroke)) == [0, 1, 2, 3], "seed \(seed)")
      #expect(cleaned.report.isEmpty == (cleaned.ink == finite), "seed \(seed)")
      // Samples that are not finite do not end the process.
      _ = ink.cleaned()
    }
  }
}
