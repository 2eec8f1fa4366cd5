import Foundation
import InkCore
import Recognition

/// A sample as the page sends it: the ink for one prompt.
///
///     {"id": "5f0c-1", "strokes": [{"x": [1, 2], "y": [5, 9], "t": [0, 8]}],
///      "area": {"x": 0, "y": 20, "width": 600, "height": 80},
///      "surface": {"width": 600, "height": 200}, "replaces": "5f0b-7"}
package struct CollectSample: Decodable, Sendable {
  /// The columns of a stroke; a value that a point lacks is null.
  package struct Columns: Codable, Sendable {
    var x: [Double]
    var y: [Double]
    var t: [Double?]?
    var force: [Double?]?
    var azimuth: [Double?]?
    var altitude: [Double?]?

    package init(
      x: [Double], y: [Double], t: [Double?]? = nil, force: [Double?]? = nil,
      azimuth: [Double?]? = nil, altitude: [Double?]? = nil
    ) {
      self.x = x
      self.y = y
      self.t = t
      self.force = force
      self.azimuth = azimuth
      self.altitude = altitude
    }
  }

  /// A writing area.
  package struct Area: Codable, Sendable {
    var x: Double
    var y: Double
    var width: Double
    var height: Double
  }

  /// The size of the surface, used for the check of clipped ink.
  package struct Surface: Decodable, Sendable {
    var width: Double
    var height: Double

    package init(width: Double, height: Double) {
      self.width = width
      self.height = height
    }
  }

  /// The identifier, chosen by the page: a repeated request has the same one.
  var id: String
  var strokes: [Columns]
  var area: Area?
  var surface: Surface?
  /// The identifier of the sample of this prompt that the page knows; nil for none.
  var replaces: String?

  package init(
    id: String, strokes: [Columns], area: Area? = nil, surface: Surface? = nil,
    replaces: String? = nil
  ) {
    self.id = id
    self.strokes = strokes
    self.area = area
    self.surface = surface
    self.replaces = replaces
  }

  /// The most bytes of a request.
  static let mostBytes = 8 << 20
  /// The limits of the ink, those of the `/v1` interface.
  package static let limits = ExchangeLimits(bytes: mostBytes, points: 200_000)
  /// The greatest magnitude of a coordinate or a time.
  static let greatest = 1e9

  /// Returns true if a text can be the identifier of a sample.
  static func isIdentifier(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
          || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
      }
  }

  /// Returns the ink with its label.
  ///
  /// - Throws: ``StudioError`` that names the first member that is not valid.
  package func labeled(as label: String, by writer: String) throws(StudioError) -> LabeledInk {
    guard Self.isIdentifier(id) else {
      throw StudioError(
        .invalidValue, "expected 1 to 64 letters, digits, - and _", field: "id")
    }
    guard strokes.count <= Self.limits.strokes,
      strokes.reduce(0, { $0 + $1.x.count }) <= Self.limits.points
    else {
      throw StudioError(
        .tooLarge,
        "expected at most \(Self.limits.strokes) strokes and \(Self.limits.points) points",
        field: "strokes")
    }
    var ink = Ink()
    for (index, columns) in strokes.enumerated() {
      let stroke = try columns.stroke("strokes[\(index)]")
      if !stroke.points.isEmpty { ink.strokes.append(stroke) }
    }
    guard !ink.isEmpty else {
      throw StudioError(
        .invalidValue, "expected at least 1 point, found none; write the prompt or skip it",
        field: "strokes")
    }
    if let surface {
      guard surface.width.isFinite, surface.height.isFinite, surface.width > 0, surface.height > 0
      else {
        throw StudioError(.invalidValue, "expected a width and height above 0", field: "surface")
      }
    }
    return LabeledInk(
      ink: ink, label: label, writer: writer.isEmpty ? nil : writer, writingArea: try checkedArea())
  }

  private func checkedArea() throws(StudioError) -> WritingArea? {
    guard let area else { return nil }
    do {
      guard [area.x, area.y, area.width, area.height].allSatisfy({ abs($0) <= Self.greatest })
      else { throw InkError.malformedWritingArea }
      return try WritingArea(x: area.x, y: area.y, width: area.width, height: area.height)
    } catch {
      throw StudioError(
        .invalidValue, "expected an area with a width and height above 0", field: "area")
    }
  }
}

extension CollectSample.Columns {
  /// Returns the stroke.
  ///
  /// - Throws: ``StudioError`` for columns of unequal lengths and numbers outside of their range.
  func stroke(_ field: String) throws(StudioError) -> Stroke {
    let columns: [(name: String, values: [Double?]?)] = [
      ("x", x), ("y", y), ("t", t), ("force", force), ("azimuth", azimuth),
      ("altitude", altitude),
    ]
    for (name, values) in columns {
      guard let values else { continue }
      guard values.count == x.count else {
        throw StudioError(
          .invalidValue, "expected \(x.count) values as in x, found \(values.count)",
          field: "\(field).\(name)")
      }
      guard values.allSatisfy({ $0.map { abs($0) <= CollectSample.greatest } ?? true }) else {
        throw StudioError(
          .invalidValue, "expected finite numbers of at most 1e9", field: "\(field).\(name)")
      }
    }
    return Stroke(
      points: x.indices.map {
        StrokePoint(
          x: x[$0], y: y[$0], t: t?[$0], force: force?[$0], azimuth: azimuth?[$0],
          altitude: altitude?[$0])
      })
  }
}

/// A line of `collect/NAME.jsonl`: labelled ink with the prompt that it was written for.
///
/// `InkJSONLinesReader` reads the line unchanged and ignores the member `prompt`.
package struct CollectRecord: Encodable {
  var id: String
  var prompt: Int
  var label: String
  var writer: String?
  var area: CollectSample.Area?
  var strokes: [CollectSample.Columns]

  /// Makes a record of a sample that was checked.
  package init(id: String, prompt: Int, _ labeled: LabeledInk) {
    self.id = id
    self.prompt = prompt
    label = labeled.label
    writer = labeled.writer
    area = labeled.writingArea.map {
      CollectSample.Area(x: $0.x, y: $0.y, width: $0.width, height: $0.height)
    }
    strokes = labeled.ink.strokes.map { stroke in
      func column(_ value: (StrokePoint) -> Double?) -> [Double?]? {
        let values = stroke.points.map(value)
        return values.contains { $0 != nil } ? values : nil
      }
      return CollectSample.Columns(
        x: stroke.points.map(\.x), y: stroke.points.map(\.y), t: column(\.t),
        force: column(\.force), azimuth: column(\.azimuth), altitude: column(\.altitude))
    }
  }

  /// The line, with its newline.
  ///
  /// - Throws: `EncodingError`; not for a sample that was checked.
  package func line() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    var line = try encoder.encode(self)
    line.append(UInt8(ascii: "\n"))
    return line
  }
}
