import InkEditor

/// A decoration of a page in the form that clients get: what to draw, in millimetres.
package struct PageDecoration: Hashable, Sendable, Encodable {
  /// The kind, such as `underline`.
  package var kind: String
  /// The data of an SVG path.
  var path: String
  /// The width of the line along the path; nil if the path is to be filled.
  var line: Double?

  /// Reads a path of an editor.
  init(_ path: DecorationPath) {
    kind = path.kind.rawValue
    self.path = SVGPainter.data(path.path, decimals: 2)
    line = path.width.map(PageBlock.rounded)
  }
}
