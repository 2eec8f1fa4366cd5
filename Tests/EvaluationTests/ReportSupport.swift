import Foundation
import InkCore
import InkDatasets
import InkFormats

@testable import Evaluation

/// Labels, writers and other texts that try to leave the place where a page puts them.
enum HostileText {
  static let all = [
    "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "'\"&<>", "</title><blink>",
    "\"\u{301} onmouseover=alert(1) x=\"\u{301}", "{{title}}", "{{{style}}}", "</style><script>",
    "\u{0}\u{1B}[2J", "\u{202E}gnp.exe", "", " ", String(repeating: "long", count: 500),
  ]

  /// Pieces that no page may hold, whatever its data.
  static let forbidden = [
    "<script", "<img", "<blink", "onerror=alert(1)>", "\"\u{301}", "\u{0}", "\u{1B}", "\u{202E}",
  ]

  /// The forbidden pieces that a page holds, looked for scalar by scalar.
  static func found(in page: String) -> [String] {
    let bytes = Data(page.utf8)
    return forbidden.filter { bytes.range(of: Data($0.utf8)) != nil }
  }
}

/// Records in a file that goes away after use.
enum TemporaryInk {
  static func with<Value>(
    _ records: [LabeledInk], extraLines: [String] = [],
    _ body: (DataSpecification) throws -> Value
  ) throws -> Value {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("report-\(UInt64.random(in: 0 ... .max)).jsonl")
    defer { try? FileManager.default.removeItem(at: url) }
    let writer = try InkJSONLinesWriter(path: url.path)
    for record in records { try writer.write(record) }
    try writer.finish()
    if !extraLines.isEmpty {
      let text = try String(contentsOf: url, encoding: .utf8)
      try Data((text + extraLines.joined(separator: "\n") + "\n").utf8).write(to: url)
    }
    return try body(DataSpecification(parsing: "ink:\(url.path)"))
  }

  /// An ink of one straight stroke with so many points.
  static func line(_ points: Int, label: String, writer: String? = nil) -> LabeledInk {
    let stroke = (0..<points).map { StrokePoint(x: Double($0), y: Double($0 % 2), t: Double($0)) }
    return LabeledInk(ink: Ink(strokes: [Stroke(points: stroke)]), label: label, writer: writer)
  }
}
