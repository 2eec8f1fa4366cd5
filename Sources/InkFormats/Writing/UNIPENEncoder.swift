import InkCore

/// Writes UNIPEN 1.0 in UTF-8: one file, a segment for each ink, y growing upward as in the format.
struct UNIPENEncoder: InkEncoder {
  private var components = 0
  private var writer: String?
  private var columns = ""

  mutating func begin(_ bytes: inout [UInt8]) {
    bytes.append(
      text: """
        .VERSION 1.0
        .COMMENT written by ductus
        .HIERARCHY TEXT WORD CHARACTER

        """)
  }

  mutating func append(
    _ labeled: LabeledInk, penWidth: Double?, to bytes: inout [UInt8]
  ) -> Set<InkLoss> {
    var losses: Set<InkLoss> = []
    let strokes = labeled.ink.strokes.filter { !$0.points.isEmpty }
    if strokes.count < labeled.ink.strokes.count { losses.insert(.emptyStrokes) }
    let points = strokes.flatMap(\.points)
    // A column must have a value at each point; otherwise it is left out.
    let hasTime = points.allSatisfy { $0.t != nil }
    let hasForce = points.allSatisfy { $0.force != nil } && points.contains { ($0.force ?? 0) > 0 }
    if !hasTime, points.contains(where: { $0.t != nil }) { losses.insert(.times) }
    if points.contains(where: { $0.force != nil }) {
      losses.insert(hasForce ? .forceScale : .force)
    }
    if points.contains(where: \.hasAngles) { losses.insert(.tilt) }
    if labeled.writingArea != nil { losses.insert(.writingArea) }
    if labeled.kinds != nil { losses.insert(.kinds) }

    let columns = "X Y" + (hasTime ? " T" : "") + (hasForce ? " P" : "")
    if columns != self.columns { bytes.append(text: ".COORD \(columns)\n") }
    self.columns = columns
    let name = labeled.writer.flatMap(Self.word)
    if name != labeled.writer { losses.insert(.characters) }
    if name != writer { bytes.append(text: name.map { ".WRITER_ID \($0)\n" } ?? ".WRITER_ID\n") }
    writer = name

    bytes.append(
      text: ".SEGMENT \(Self.level(of: labeled.label)) \(components)"
        + (strokes.count > 1 ? "-\(components + strokes.count - 1)" : "")
        + " \(labeled.quality?.rawValue.uppercased() ?? "?")")
    if !labeled.label.isEmpty {
      let label = labeled.label.split(
        omittingEmptySubsequences: false, whereSeparator: \.isNewline
      ).joined(separator: " ")
      if label != labeled.label { losses.insert(.characters) }
      bytes.append(text: " \"")
      for byte in label.utf8 {
        if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
          bytes.append(UInt8(ascii: "\\"))
        }
        bytes.append(byte)
      }
      bytes.append(UInt8(ascii: "\""))
    }
    bytes.append(UInt8(ascii: "\n"))
    components += strokes.count
    for stroke in strokes {
      bytes.append(text: ".PEN_DOWN\n")
      for point in stroke.points {
        bytes.append(number: point.x)
        bytes.append(UInt8(ascii: " "))
        bytes.append(number: 0 - point.y)
        for value in [hasTime ? point.t : nil, hasForce ? point.force : nil] {
          guard let value else { continue }
          bytes.append(UInt8(ascii: " "))
          bytes.append(number: value)
        }
        bytes.append(UInt8(ascii: "\n"))
      }
      bytes.append(text: ".PEN_UP\n")
    }
    return losses
  }

  mutating func end(_ bytes: inout [UInt8]) {}

  /// A text as one word, or nil where nothing is left of it.
  private static func word(_ text: String) -> String? {
    let parts = text.unicodeScalars.split { $0.properties.isWhitespace || $0.value <= 0x20 }
    return parts.isEmpty ? nil : parts.map { String($0) }.joined(separator: "_")
  }

  private static func level(of label: String) -> String {
    if label.count == 1 { return "CHARACTER" }
    return label.isEmpty || label.contains(where: \.isWhitespace) ? "TEXT" : "WORD"
  }
}
