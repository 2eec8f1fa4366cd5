import InkCore
import InkDatasets
import InkEditor
import InkFormats
import Metrics

/// Makes pages from labelled ink.
struct EditorPages {
  /// The data.
  let data: [DataSpecification]
  /// Shapes to put between lines; may be empty.
  let shapes: [DataSpecification]

  /// The label of writing in data that mixes it with shapes.
  static let textLabel = "text"
  private static let linesBetweenShapes = 2
  private static let shapesInRow = 2
  private static let gap = 6.0

  /// One page for each line.
  func lines(_ body: (EditorPage, LabeledInk) throws -> Void) throws {
    try forEachRecord { record, label in
      let source = EditorPage.Source(ink: record.labeled.ink, label: label)
      if let page = EditorPage.placed([source]) { try body(page, record.labeled) }
    }
  }

  /// One page for each file or form, with lines at their original positions.
  func forms(_ body: (EditorPage) throws -> Void) throws {
    try forEachForm { sources in
      if let page = EditorPage.placed(sources) { try body(page) }
    }
  }

  /// Pages of writing and shapes: from data that has both, or forms with shapes of other data
  /// between their lines.
  func mixed(_ body: (EditorPage) throws -> Void) throws {
    guard !shapes.isEmpty else {
      try forEachForm(hasKinds: true) { sources in
        if let page = EditorPage.placed(sources) { try body(page) }
      }
      return
    }
    var waiting = try shapeRecords()
    guard !waiting.isEmpty else { return }
    var next = 0
    try forEachForm { sources in
      guard let page = EditorPage.placed(sources) else { return }
      try body(
        withShapes(page) {
          defer { next += 1 }
          return waiting[next % waiting.count]
        })
    }
    waiting = []
  }

  private func shapeRecords() throws -> [LabeledInk] {
    var result: [LabeledInk] = []
    for specification in shapes {
      for element in try specification.records() {
        if case .success(let record) = element { result.append(record.labeled) }
      }
    }
    return result
  }

  /// Makes room after every other line for a row of shapes. Shapes of the starter set are in tenths
  /// of a millimetre.
  private func withShapes(_ page: EditorPage, next: () -> LabeledInk) -> EditorPage {
    var result = EditorPage(strokes: [], lines: page.lines)
    var moved = 0.0
    for line in page.lines.indices {
      let strokes = page.strokes.filter { $0.line == line }
      result.strokes += strokes.map { $0.moved(dy: moved) }
      guard line % Self.linesBetweenShapes == Self.linesBetweenShapes - 1,
        let box = Ink(strokes: strokes.map { Stroke(points: $0.points) }).boundingBox
      else { continue }
      var x = EditorPage.left
      let top = box.maxY + moved + Self.gap
      var tallest = 0.0
      for _ in 0..<Self.shapesInRow {
        let shape = next()
        guard let own = shape.ink.boundingBox else { continue }
        let scale = 0.1
        for stroke in shape.ink.strokes where !stroke.points.isEmpty {
          let points = stroke.points.map { point in
            StrokePoint(
              x: x + (point.x - own.minX) * scale, y: top + (point.y - own.minY) * scale)
          }
          result.strokes.append(EditorPage.Stroke(points: points, line: nil, kind: .shape))
        }
        x += own.width * scale + 2 * Self.gap
        tallest = max(tallest, own.height * scale)
      }
      moved += tallest + Self.gap
    }
    return result
  }

  // MARK: - Records

  private func forEachRecord(_ body: (InkRecord, String) throws -> Void) throws {
    for specification in data {
      for element in try specification.records() {
        guard case .success(let record) = element else { continue }
        try body(
          record,
          TextErrorRate.reference(
            record.labeled.label, without: specification.format.crossedOutMarks))
      }
    }
  }

  private func forEachForm(
    hasKinds: Bool = false, _ body: ([EditorPage.Source]) throws -> Void
  ) throws {
    var sources: [EditorPage.Source] = []
    var form: String?
    try forEachRecord { record, label in
      let key = record.page ?? record.source
      if key != form, !sources.isEmpty {
        try body(sources)
        sources = []
      }
      form = key
      let isText = !hasKinds || record.labeled.label == Self.textLabel
      sources.append(
        EditorPage.Source(
          ink: record.labeled.ink, label: isText && hasKinds ? "" : label,
          kind: isText ? .text : .shape))
    }
    if !sources.isEmpty { try body(sources) }
  }
}

extension EditorPage.Stroke {
  fileprivate func moved(dy: Double) -> EditorPage.Stroke {
    var result = self
    for index in result.points.indices { result.points[index].y += dy }
    return result
  }
}
