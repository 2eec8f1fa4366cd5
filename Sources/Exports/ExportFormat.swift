import Foundation
import InkFormats

/// The formats that documents and ink are exported to.
public enum ExportFormat: String, Hashable, Sendable, CaseIterable {
  /// PDF with the ink as lines and an invisible text at the place of each word.
  case pdf
  /// A picture of pixels without loss.
  case png
  /// A picture of pixels with loss.
  case jpeg
  /// A drawing in millimetres.
  case svg
  /// The text alone.
  case text
  /// CommonMark, with the tables of GitHub.
  case markdown
  /// A page for browsers.
  case html
  /// A document of Word.
  case docx
  /// A document of OpenDocument.
  case odt
  /// The blocks and edges of a diagram, for programs of graphs.
  case graphML = "graphml"
  /// The blocks and edges of a diagram, for Markdown.
  case mermaid
  /// The formulas as LaTeX, one in a line.
  case latex
  /// The formulas as presentation MathML, one in a line.
  case mathML = "mathml"
  /// InkML: the ink with its text as the label.
  case inkML = "inkml"
  /// JIIX: the ink with blocks, words and candidates.
  case jiix
  /// JSON Lines of Ductus: the ink with its text, a page in a line.
  case jsonLines = "jsonl"
  /// UNIPEN: the ink with its text.
  case unipen
  /// A note of Xournal++: the ink with colours and widths.
  case xournal = "xopp"

  /// The usual ending of files, without the dot.
  public var ending: String {
    switch self {
    case .jpeg: "jpg"
    case .text: "txt"
    case .markdown: "md"
    case .mermaid: "mmd"
    case .latex: "tex"
    case .mathML: "mml"
    case .unipen: "dat"
    case .pdf, .png, .svg, .html, .docx, .odt, .graphML, .inkML, .jiix, .jsonLines, .xournal:
      rawValue
    }
  }

  /// The media type of files, as in HTTP.
  public var mediaType: String {
    switch self {
    case .pdf: "application/pdf"
    case .png: "image/png"
    case .jpeg: "image/jpeg"
    case .svg: "image/svg+xml"
    case .latex: "application/x-latex"
    case .mathML: "application/mathml+xml"
    case .text, .mermaid, .unipen: "text/plain; charset=utf-8"
    case .markdown: "text/markdown; charset=utf-8"
    case .html: "text/html; charset=utf-8"
    case .docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
    case .odt: "application/vnd.oasis.opendocument.text"
    case .graphML: "application/graphml+xml"
    case .inkML: "application/inkml+xml"
    case .jiix: "application/json"
    case .jsonLines: "application/jsonl"
    case .xournal: "application/x-xopp"
    }
  }

  /// True if a file holds one page: several pages become several files.
  public var isOfOnePage: Bool {
    switch self {
    case .png, .jpeg, .svg, .jiix: true
    case .pdf, .text, .markdown, .html, .docx, .odt, .graphML, .mermaid, .latex, .mathML, .inkML,
      .jsonLines, .unipen, .xournal:
      false
    }
  }

  /// Makes the format of a name or of an ending without the dot, in any case; nil for others.
  public init?(named name: String) {
    switch name.lowercased() {
    case "txt", "text": self = .text
    case "md", "markdown": self = .markdown
    case "htm", "html", "xhtml": self = .html
    case "jpg", "jpeg": self = .jpeg
    case "mmd", "mermaid": self = .mermaid
    case "tex", "latex": self = .latex
    case "mml", "mathml": self = .mathML
    case "ndjson": self = .jsonLines
    case "unp", "dat": self = .unipen
    case "xournal": self = .xournal
    case let other: self.init(rawValue: other)
    }
  }

  /// Makes the format of the ending of a file; nil for others.
  public init?(endingOf url: URL) { self.init(named: url.pathExtension) }

  /// The names of all formats as a list in a sentence.
  package static var list: String {
    let names = allCases.map(\.rawValue)
    return names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
  }

  /// True if the file is made of what a recogniser reads, without which it is empty.
  package var isMadeOfText: Bool {
    switch self {
    case .text, .markdown, .docx, .odt, .graphML, .mermaid, .latex, .mathML: true
    case .pdf, .png, .jpeg, .svg, .html, .inkML, .jiix, .jsonLines, .unipen, .xournal: false
    }
  }

  /// True if ink is read by a recogniser for it. An editor reads what becomes JIIX.
  package var needsReading: Bool {
    switch self {
    case .png, .jpeg, .svg, .jiix, .xournal: false
    case .pdf, .text, .markdown, .html, .docx, .odt, .graphML, .mermaid, .latex, .mathML, .inkML,
      .jsonLines, .unipen:
      true
    }
  }

  /// True if the file is a picture of pixels, which a ``PicturePainter`` makes.
  package var isPicture: Bool { self == .png || self == .jpeg }

  /// True if the file is a text in UTF-8.
  package var isText: Bool {
    switch self {
    case .pdf, .png, .jpeg, .docx, .odt, .xournal: false
    case .svg, .text, .markdown, .html, .graphML, .mermaid, .latex, .mathML, .inkML, .jiix,
      .jsonLines, .unipen:
      true
    }
  }

  /// True if the file is ink, and not a page that is drawn or set.
  package var isInk: Bool { inkFormat != nil || self == .xournal }

  /// The writer of ink; nil for other formats.
  var inkFormat: InkOutputFormat? {
    switch self {
    case .inkML: .inkML
    case .jsonLines: .jsonLines
    case .unipen: .unipen
    case .pdf, .png, .jpeg, .svg, .text, .markdown, .html, .docx, .odt, .graphML, .mermaid, .latex,
      .mathML, .jiix, .xournal:
      nil
    }
  }
}
