import Exports
import Foundation
import InkFormats

/// A format that `ductus convert` writes.
enum ConvertTarget: Hashable {
  /// A document, a text or a picture.
  case export(ExportFormat)
  /// Ink with its text as the label.
  case ink(InkOutputFormat)
  /// JIIX: ink with its words and candidates.
  case jiix
  /// A note of Xournal++.
  case xournal

  /// Makes the format of a name or of the ending of a file, in any case; nil for others.
  init?(named name: String) {
    if let format = ExportFormat(named: name) {
      self = .export(format)
      return
    }
    switch name.lowercased() {
    case "jiix": self = .jiix
    case "xopp", "xournal": self = .xournal
    case "inkml": self = .ink(.inkML)
    case "jsonl", "ndjson": self = .ink(.jsonLines)
    case "unipen", "unp", "dat": self = .ink(.unipen)
    default: return nil
    }
  }

  /// The names of all formats.
  static let names =
    ExportFormat.allCases.map(\.rawValue) + ["inkml", "jiix", "jsonl", "unipen", "xopp"]

  /// The formats as a list in a sentence.
  static var list: String { names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "") }

  /// The usual ending of files, without the dot.
  var ending: String {
    switch self {
    case .export(let format): format.ending
    case .jiix: "jiix"
    case .xournal: "xopp"
    case .ink(.inkML): "inkml"
    case .ink(.unipen): "dat"
    case .ink(.svg): "svg"
    case .ink(.jsonLines): "jsonl"
    }
  }

  /// True if a file holds one page.
  var isOfOnePage: Bool {
    switch self {
    case .export(let format): format.isOfOnePage
    case .jiix: true
    case .ink, .xournal: false
    }
  }

  /// True if the ink must be read by a recogniser.
  var needsReading: Bool {
    switch self {
    case .export(let format): !format.isOfInkAlone
    case .ink: true
    // The editor of the document reads, and a note has strokes alone.
    case .jiix, .xournal: false
    }
  }

  /// The error for a name that is no format.
  static func unknown(_ name: String) -> String {
    name.lowercased() == "jpeg" || name.lowercased() == "jpg"
      ? "JPEG is not written, because lines become blurred in it; choose png"
      : "expected \(list), found \(name)"
  }
}
