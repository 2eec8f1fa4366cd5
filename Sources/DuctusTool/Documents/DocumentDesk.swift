import EditorStorage
import Foundation
import InkCore
import InkEditor
import InkFormats
import Recognition

/// An engine for documents, and editors as the commands need them.
package struct DocumentDesk {
  /// The engine.
  let engine: Engine
  private let readsInk: Bool

  /// Makes a desk.
  ///
  /// - Parameter readsInk: False for editors that leave ink unread.
  /// - Throws: The errors of finding models.
  init(readsInk: Bool) throws {
    self.readsInk = readsInk
    engine = Engine(models: ProvidedModels(ModelLibrary.local))
  }

  /// Makes an editor of a page in millimetres.
  ///
  /// - Parameters:
  ///   - part: The part.
  ///   - transform: The transform from the units of the ink.
  func editor(
    on part: ContentPart, transform: ViewTransform = .millimetres
  ) throws -> Editor {
    let editor = engine.makeEditor()
    editor.callbackExecutor = .engine
    editor.viewTransform = transform
    let size = transform.view(x: Self.page.width, y: Self.page.height)
    try editor.setViewSize(width: size.x, height: size.y)
    try editor.configuration.set(
      "raw-content.classification.types", to: ["text", "shape", "drawing"])
    try editor.configuration.set("raw-content.recognition.types", to: ["text", "math"])
    // Ink of a file was not written on our guides.
    try editor.configuration.set("text.guides.enable", to: false)
    try editor.configuration.set("recognition.trigger", to: readsInk ? "stroke" : "demand")
    try editor.setPart(part)
    return editor
  }

  /// The size of the page in millimetres.
  private static let page = (width: 600.0, height: 1000.0)

  /// Writes a note about a file. Most errors begin with its path already.
  static func note(_ text: String, about file: String) {
    note(text.hasPrefix(file) ? text : "\(file): \(text)")
  }

  /// Writes a line to standard error.
  static func note(_ text: String) { Outcome.writeToStandardError("ductus: \(text)\n") }
}

extension Editor {
  /// Writes a stroke as the events of a pen: its points are in units of the view.
  func write(_ stroke: Stroke) throws {
    let points = stroke.points
    guard let last = points.last else { return }
    func event(_ kind: PointerEvent.Kind, _ point: StrokePoint) -> PointerEvent {
      var event = PointerEvent(kind, x: point.x, y: point.y, force: max(0, point.force ?? 0))
      if let t = point.t, t >= 0, t < Self.latestTime { event.t = Int64(t) }
      (event.azimuth, event.altitude, event.roll) = (point.azimuth, point.altitude, point.roll)
      return event
    }
    try send(event(.down, points[0]))
    for point in points.dropFirst().dropLast() { try send(event(.move, point)) }
    try send(event(.up, last))
  }

  /// Milliseconds since 1970 that an event may have.
  private static let latestTime = 3.2e13
}

/// Ink of a file for a document.
package enum DocumentInk {
  /// Pixels of ink in millimetres: about those of a touch screen.
  private static let pixel = 0.1
  /// Units of Xournal++ in millimetres: 72 to an inch.
  private static let point = 25.4 / 72
  /// The heights of strokes of writing, in millimetres.
  private static let writing = 1.2...15.0
  /// The height that a hint aims at.
  private static let usual = 3.0

  /// Returns the bytes of a file.
  ///
  /// - Throws: ``ToolError``.
  static func bytes(_ path: String) throws(ToolError) -> Data {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw .badInput("\(path): there is no file that can be read; check the path")
    }
    return data
  }

  /// Returns the strokes of a file in millimetres.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - scale: Millimetres of a unit; nil for that of the format.
  /// - Throws: The errors of reading.
  package static func strokes(_ path: String, scale: Double?) throws -> [Stroke] {
    try pages(path, scale: scale).flatMap { $0 }
  }

  /// Returns the strokes of each page of a file in millimetres.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - scale: Millimetres of a unit; nil for that of the format.
  /// - Throws: The errors of reading.
  package static func pages(_ path: String, scale: Double?) throws -> [[Stroke]] {
    let file = try InkReader(path: path, unit: .page)
    let scale = scale ?? millimetres(file.format)
    return try file.map { record in
      try record.get().labeled.ink.strokes.map { stroke in
        Stroke(
          points: stroke.points.map { point in
            var point = point
            (point.x, point.y) = (point.x * scale, point.y * scale)
            return point
          })
      }.filter { !$0.points.isEmpty }
    }
  }

  /// True if a file holds strokes that can be read.
  static func isInk(_ path: String) -> Bool {
    ((try? strokes(path, scale: 1)) ?? []).isEmpty == false
  }

  /// Millimetres of a unit of a format; those of pixels if the format does not say it.
  private static func millimetres(_ format: InkFileFormat) -> Double {
    switch format {
    case .inkML, .jiix: 1
    case .xournal, .pdf: point
    case .remarkable: 25.4 / 226
    case .isf: 0.01
    default: pixel
    }
  }

  /// A hint if strokes are much smaller or larger than writing: a pen would be too wide or too thin
  /// for them. Nil if they are not.
  package static func sizeHint(_ strokes: [Stroke], path: String) -> String? {
    guard let height = height(of: strokes), !writing.contains(height),
      let format = try? InkReader(path: path, unit: .page).format
    else { return nil }
    let scale = millimetres(format) * usual / height
    return "the strokes are \(rounded(height)) mm tall, unlike writing; "
      + "--scale \(rounded(scale)) makes them \(rounded(usual)) mm tall"
  }

  /// Returns whether the strokes of writing have a usual size in millimetres.
  static func isOfUsualSize(_ strokes: [Stroke]) -> Bool {
    height(of: strokes).map(writing.contains) ?? true
  }

  /// The height of half of the strokes; nil if none has one.
  private static func height(of strokes: [Stroke]) -> Double? {
    let heights = strokes.compactMap { stroke in
      Ink(strokes: [stroke]).boundingBox.map { $0.maxY - $0.minY }
    }.filter { $0 > 0 }.sorted()
    return heights.isEmpty ? nil : heights[heights.count / 2]
  }

  /// A number with two significant digits.
  private static func rounded(_ value: Double) -> String { String(format: "%.2g", value) }
}

/// SVG drawings for programs that make pictures of pixels.
package enum PixelDrawing {
  private static let millimetresPerInch = 25.4

  /// Returns a drawing with a size in pixels and a white page.
  static func converted(_ svg: String, dpi: Double) -> String {
    guard let head = svg.range(of: "<svg "),
      let end = svg.range(of: ">", range: head.upperBound..<svg.endIndex)
    else { return svg }
    var tag = String(svg[head.lowerBound..<end.lowerBound])
    for name in ["width", "height"] {
      guard let start = tag.range(of: " \(name)=\""),
        let stop = tag.range(of: "mm\"", range: start.upperBound..<tag.endIndex),
        let size = Double(tag[start.upperBound..<stop.lowerBound])
      else { return svg }
      let pixels = max(1, (size * dpi / millimetresPerInch).rounded(.up))
      tag.replaceSubrange(start.upperBound..<stop.upperBound, with: "\(Int(pixels))\"")
    }
    let values = tag.range(of: "viewBox=\"").flatMap { start in
      tag.range(of: "\"", range: start.upperBound..<tag.endIndex).map {
        tag[start.upperBound..<$0.lowerBound].split(separator: " ")
      }
    }
    guard let values, values.count == 4 else { return svg }
    let page =
      "\n<rect x=\"\(values[0])\" y=\"\(values[1])\" width=\"\(values[2])\" "
      + "height=\"\(values[3])\" fill=\"white\"/>"
    return svg[..<head.lowerBound] + tag + ">" + page + svg[end.upperBound...]
  }
}
