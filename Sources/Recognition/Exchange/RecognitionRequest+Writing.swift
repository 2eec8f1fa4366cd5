import InkCore

extension RecognitionRequest {
  /// The request as one line of JSON, without a newline, for a program that speaks the protocol of
  /// `ductus recognize -`. Reading it gives the same ink: numbers are written with all their digits.
  ///
  /// Model, language, alphabet and lexicon are left out: the other program has its own. O(points).
  package var json: [UInt8] {
    var text = JSONText()
    text.raw(#"{"id":"#)
    switch id {
    case .string(let id)?: text.string(id)
    case .number(let digits)?: text.raw(digits)
    case nil: text.raw("null")
    }
    text.raw(#","strokes":"#)
    text.list(ink.strokes, "[", "]") { Self.append($1, to: &$0) }
    if let area = writingArea {
      text.raw(#","area":{"x":\#(area.x),"y":\#(area.y),"#)
      text.raw(#""width":\#(area.width),"height":\#(area.height)}"#)
    }
    if !preContext.isEmpty {
      text.raw(#","preContext":"#)
      text.string(preContext)
    }
    if layout != .auto { text.raw(#","layout":"\#(layout.rawValue)""#) }
    text.raw(#","candidates":\#(maximumCandidates)"#)
    if includesSpans { text.raw(#","spans":true"#) }
    text.raw("}")
    return text.bytes
  }

  /// The columns that a stroke may lack.
  private static let optionalColumns: [(name: String, value: @Sendable (StrokePoint) -> Double?)] =
    [
      ("t", { $0.t }), ("force", { $0.force }), ("azimuth", { $0.azimuth }),
      ("altitude", { $0.altitude }),
    ]

  private static func append(_ stroke: Stroke, to text: inout JSONText) {
    text.raw(#"{"x":"#)
    text.list(stroke.points, "[", "]") { $0.raw("\($1.x)") }
    text.raw(#","y":"#)
    text.list(stroke.points, "[", "]") { $0.raw("\($1.y)") }
    for column in optionalColumns where stroke.points.contains(where: { column.value($0) != nil }) {
      text.raw(#","\#(column.name)":"#)
      text.list(stroke.points, "[", "]") { text, point in
        let value = column.value(point)
        text.raw(value.map { $0.isFinite ? "\($0)" : "null" } ?? "null")
      }
    }
    text.raw("}")
  }
}
