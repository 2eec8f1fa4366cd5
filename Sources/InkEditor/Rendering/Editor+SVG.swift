import InkCore

/// The contents of an SVG drawing of a page or block.
public struct SVGOptions: Hashable, Sendable {
  /// Millimetres around the ink.
  public var margin: Double
  /// True to draw the guides.
  public var showsGuides: Bool
  /// True to draw the ideal forms of shapes.
  public var showsShapes: Bool
  /// The name of the drawing; empty for none.
  public var title: String
  /// A text for those who do not see the drawing; empty for none.
  public var description: String

  /// Makes options; by default, only ink is drawn.
  ///
  /// - Parameters:
  ///   - margin: Millimetres around the ink.
  ///   - showsGuides: True to draw the guides.
  ///   - showsShapes: True to draw the ideal forms of shapes.
  ///   - title: The name of the drawing.
  ///   - description: A text for those who do not see the drawing.
  public init(
    margin: Double = 2, showsGuides: Bool = false, showsShapes: Bool = false, title: String = "",
    description: String = ""
  ) {
    (self.margin, self.showsGuides, self.showsShapes) = (margin, showsGuides, showsShapes)
    (self.title, self.description) = (title, description)
  }
}

extension Editor {
  /// Returns a drawing of a block, or of the page if nil, as SVG in millimetres.
  ///
  /// The widths of strokes follow force and tilt as on the screen. Ink that has not been read is
  /// drawn too, so the editor need not be idle. A decoration is in a group whose class is its kind,
  /// such as `underline`. The drawing has the size of the block, or of the
  /// view at 100 % if there is no ink.
  ///
  /// - Parameters:
  ///   - block: The block, or nil for the root.
  ///   - options: The contents.
  /// - Throws: ``EditorError/noPart`` or ``EditorError/invalidBlock(_:)``.
  public func svg(
    _ block: ContentBlock? = nil, options: SVGOptions = SVGOptions()
  ) throws(EditorError) -> String {
    let page = pageExtent(margin: 0)
    let content = try withNode(orRoot: block) { (state, document, node) throws(EditorError) in
      let items = node === document.root ? document.order : document.items(of: node)
      let sheet = state.rendering.styleSheet
      let pictures = document.decorationPictures(
        sheet, of: node === document.root ? nil : Set(items)
      ).sorted { $0.key < $1.key }.map(\.value)
      let boxes =
        items.compactMap { document.strokes[$0]?.box } + [node.box].compactMap { $0 }
        + pictures.map(\.box)
      let box =
        BoundingBox(holding: boxes)?.grown(by: max(0, options.margin)) ?? page
      let guides = options.showsGuides ? state.guides(document) : nil
      let shapes = options.showsShapes ? node.withDescendants.compactMap(\.shape) : []
      return (
        items: items, pictures: pictures, box: box, guides: guides, shapes: shapes, sheet: sheet
      )
    }
    var painter = SVGPainter()
    if let color = content.sheet.pageColor {
      painter.draw(.fill(DrawPath(content.box), color))
    }
    if let guides = content.guides {
      let commands = guides.commands(in: content.box, content.sheet.guide)
      painter.draw(.group(DrawGroup(name: "guides", commands)))
    }
    for picture in content.pictures where picture.isBehind { painter.draw(picture.command) }
    painter.draw(.group(DrawGroup(name: "ink", drawCommands(ofItems: content.items))))
    for picture in content.pictures where !picture.isBehind { painter.draw(picture.command) }
    if !content.shapes.isEmpty {
      painter.draw(
        .group(
          DrawGroup(
            name: "shapes",
            content.shapes.map {
              .shape($0, color: Self.shapeColor, width: Chosen.shapeWidth)
            })))
    }
    return painter.document(
      box: content.box, title: options.title, description: options.description)
  }

  private static let shapeColor = InkColor(red: 0x8B, green: 0x2F, blue: 0xC9)
}

/// Numbers that were chosen and not derived.
private enum Chosen {
  /// Millimetres, chosen by eye, at up to eight times the size of paper on pages of IAM-OnDB as
  /// SVG in a browser.
  static let shapeWidth = 0.4
}
