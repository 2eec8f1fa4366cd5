import InkCore

/// Writes InkML: a group for each ink with its label, writer, quality and writing area as annotations.
/// If strokes have kinds, the group has a group for each run of strokes of one kind, with the kind as
/// an annotation.
///
/// Points have the channels X and Y, and those of T (ms), F, OA, OE and OR (radians) that any point of
/// the ink has; `?` is a value that a point lacks. Reading gives the same ink, bit for bit.
package struct InkMLEncoder: InkEncoder {
  /// The sets of channels whose contexts are written.
  private var contexts: Set<Int> = []

  package init() {}

  private static let channels:
    [(name: String, units: String, value: @Sendable (StrokePoint) -> Double?)] = [
      ("T", "ms", { $0.t }), ("F", "dev", { $0.force }), ("OA", "rad", { $0.azimuth }),
      ("OE", "rad", { $0.altitude }), ("OR", "rad", { $0.roll }),
    ]

  package mutating func begin(_ bytes: inout [UInt8]) {
    bytes.append(
      text: """
        <?xml version="1.0" encoding="UTF-8"?>
        <ink xmlns="http://www.w3.org/2003/InkML">

        """)
  }

  /// Writes the context of a set of channels before the first ink that has them.
  private mutating func define(_ set: Int, _ bytes: inout [UInt8]) {
    guard contexts.insert(set).inserted else { return }
    bytes.append(text: #"<definitions><context xml:id="c\#(set)"><traceFormat>"#)
    for name in ["X", "Y"] { bytes.append(text: #"<channel name="\#(name)" type="decimal"/>"#) }
    for (index, channel) in Self.channels.enumerated() where set & 1 << index != 0 {
      bytes.append(
        text: #"<channel name="\#(channel.name)" type="decimal" units="\#(channel.units)"/>"#)
    }
    bytes.append(text: "</traceFormat></context></definitions>\n")
  }

  package mutating func append(
    _ labeled: LabeledInk, penWidth: Double?, to bytes: inout [UInt8]
  ) -> Set<InkLoss> {
    var losses: Set<InkLoss> = []
    let points = labeled.ink.strokes.lazy.flatMap(\.points)
    let present = Self.channels.indices.filter { index in
      points.contains { Self.channels[index].value($0) != nil }
    }
    let set = present.reduce(0) { $0 | 1 << $1 }
    define(set, &bytes)
    bytes.append(text: "<traceGroup contextRef=\"#c\(set)\">\n")
    // The empty label shows that the group is an ink of its own.
    if !annotate("truth", Self.quoted(labeled.label), &bytes) { losses.insert(.characters) }
    if let writer = labeled.writer, !annotate("writer", Self.quoted(writer), &bytes) {
      losses.insert(.characters)
    }
    if let quality = labeled.quality { _ = annotate("quality", quality.rawValue, &bytes) }
    if let area = labeled.writingArea {
      let text = [area.x, area.y, area.width, area.height].map(\.description).joined(separator: " ")
      _ = annotate("writingArea", text, &bytes)
    }
    var openKind: String?
    for (index, stroke) in labeled.ink.strokes.enumerated() {
      guard !stroke.points.isEmpty else {
        losses.insert(.emptyStrokes)
        continue
      }
      if let kind = labeled.kinds?[index], kind != openKind {
        if openKind != nil { bytes.append(text: "</traceGroup>\n") }
        bytes.append(text: "<traceGroup>\n")
        _ = annotate("kind", kind, &bytes)
        openKind = kind
      }
      bytes.append(text: "<trace>")
      for (index, point) in stroke.points.enumerated() {
        if index > 0 { bytes.append(text: ", ") }
        bytes.append(number: point.x)
        bytes.append(UInt8(ascii: " "))
        bytes.append(number: point.y)
        for channel in present {
          bytes.append(UInt8(ascii: " "))
          if let value = Self.channels[channel].value(point) {
            bytes.append(number: value)
          } else {
            bytes.append(UInt8(ascii: "?"))
          }
        }
      }
      bytes.append(text: "</trace>\n")
    }
    if openKind != nil { bytes.append(text: "</traceGroup>\n") }
    bytes.append(text: "</traceGroup>\n")
    return losses
  }

  package mutating func end(_ bytes: inout [UInt8]) { bytes.append(text: "</ink>\n") }

  private func annotate(_ type: String, _ text: String, _ bytes: inout [UInt8]) -> Bool {
    bytes.append(text: #"<annotation type="\#(type)">"#)
    let isWhole = bytes.append(xml: text)
    bytes.append(text: "</annotation>\n")
    return isWhole
  }

  /// Puts a label in quotes if a reader would remove blanks or quotes at its ends.
  private static func quoted(_ text: String) -> String {
    let scalars = text.unicodeScalars
    let ends = [scalars.first, scalars.last].compactMap { $0 }
    let isPlain =
      !ends.contains(where: \.properties.isWhitespace)
      && !(scalars.count >= 2 && ends.allSatisfy { $0 == "\"" })
    return isPlain ? text : "\"\(text)\""
  }
}
