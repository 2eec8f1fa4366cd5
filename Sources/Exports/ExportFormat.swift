/// The formats of exports.
package enum ExportFormat: String, Hashable, Sendable, CaseIterable {
  /// PDF with the ink as lines and an invisible text at the place of each word.
  case pdf
  /// A picture of pixels.
  case png
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

  /// The usual ending of files, without the dot.
  package var ending: String {
    switch self {
    case .text: "txt"
    case .markdown: "md"
    case .mermaid: "mmd"
    case .pdf, .png, .svg, .html, .docx, .odt, .graphML: rawValue
    }
  }

  /// True if a file holds one page.
  package var isOfOnePage: Bool {
    switch self {
    case .png, .svg: true
    case .pdf, .text, .markdown, .html, .docx, .odt, .graphML, .mermaid: false
    }
  }

  /// True if the format has no use for what was read.
  package var isOfInkAlone: Bool { isOfOnePage }

  /// True if the file is a text in UTF-8.
  package var isText: Bool {
    switch self {
    case .pdf, .png, .docx, .odt: false
    case .svg, .text, .markdown, .html, .graphML, .mermaid: true
    }
  }

  /// Makes the format of a name or of an ending without the dot, in any case; nil for others.
  package init?(named name: String) {
    switch name.lowercased() {
    case "txt", "text": self = .text
    case "md", "markdown": self = .markdown
    case "htm", "html", "xhtml": self = .html
    case "mmd", "mermaid": self = .mermaid
    case let other: self.init(rawValue: other)
    }
  }
}

/// An export that is not possible.
package enum ExportError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Pictures of pixels need a library that is not there.
  case noCairo
  /// The library could not make a picture.
  case failedPicture(reason: String)
  /// A picture would have too many pixels.
  case tooManyPixels(width: Double, height: Double, most: Int)
  /// The parts of a document file do not fit into it.
  case tooLarge(format: String)
  /// There is nothing of the sort that the format holds.
  case nothing(format: String, needs: String)

  private static func side(_ pixels: Double) -> String {
    pixels < 1e9 ? "\(Int(pixels))" : "more than 10^9"
  }

  /// The message: what happened, and what to do.
  package var description: String {
    switch self {
    case .noCairo:
      "PNG needs the library Cairo, which is not installed: apt-get install libcairo2 (Debian), "
        + "brew install cairo (macOS); or export SVG or PDF"
    case .failedPicture(let reason):
      "the picture could not be made: \(reason); export SVG or PDF instead"
    case .tooManyPixels(let width, let height, let most):
      "expected a picture of at most \(most) pixels on a side, found \(Self.side(width)) x "
        + "\(Self.side(height)); choose a lower resolution"
    case .tooLarge(let format):
      "expected at most 4 GB for \(format), found more; export fewer pages"
    case .nothing(let format, let needs):
      "\(format) needs \(needs), and there is none; export PDF or text instead"
    }
  }
}
