import InkCore
import InkEditor
import InkFormats

/// The content of an editor that is exported.
package enum ExportScope {
  /// A block; nil for the root.
  case block(ContentBlock?)
  /// Selected ink.
  case selection(Selection)
}

extension ExportPage {
  /// Makes a page of the content of an editor for a format: its ink and decorations as they are drawn,
  /// and what was read.
  ///
  /// - Parameters:
  ///   - editor: The editor, with a part.
  ///   - block: The block; nil for the root.
  ///   - format: The format.
  ///   - options: The choices.
  /// - Throws: `EditorError.notIdle` while ink is being read, `EditorError.noPart`, and the errors of
  ///   the configuration.
  package init(
    of editor: Editor, _ block: ContentBlock? = nil, for format: ExportFormat,
    _ options: ExportOptions = ExportOptions()
  ) throws(EditorError) {
    try self.init(of: editor, .block(block), for: format, options)
  }

  /// Makes a page of the content of an editor for a format.
  ///
  /// - Parameters:
  ///   - editor: The editor, with a part.
  ///   - scope: The content.
  ///   - format: The format.
  ///   - options: The choices.
  /// - Throws: `EditorError.notIdle` while ink is being read, and the errors of the editor.
  package init(
    of editor: Editor, _ scope: ExportScope, for format: ExportFormat, _ options: ExportOptions
  ) throws(EditorError) {
    let overrides = options.overrides
    let keepsStruckWords =
      try editor.keepsStruckWords(overrides: overrides) && !options.withoutStruckWords
    let content: Content
    switch scope {
    case .block(let block):
      if format == .jiix {
        self = .written(try editor.export(block, as: .jiix, overrides: overrides))
        return
      }
      if format.isInk {
        self.init(
          try editor.styledInk(of: block), try editor.textOfAnything(block, overrides: overrides))
        return
      }
      content = Content(
        document: try editor.exportDocument(block, overrides: Self.overrides),
        drawing: try editor.drawing(of: block), typed: try editor.typedLooks()
      ) { id in editor.block(id: id).map { editor.drawCommands(ofItems: $0.items) } ?? [] }
    case .selection(let selection):
      let found = try editor.snapshot(
        of: selection, overrides: format == .jiix || format.isInk ? overrides : Self.overrides)
      if format == .jiix {
        self = .written(try editor.export(selection, as: .jiix, overrides: overrides))
        return
      }
      if format.isInk {
        self.init(found.strokes, found.text)
        return
      }
      content = Content(
        document: found.document, drawing: found.drawing, typed: found.typed
      ) {
        found.blockDrawings[$0] ?? []
      }
    }
    let ink = BoundingBox(holding: content.drawing.compactMap(\.box))
    let sheet = ink?.grown(by: Self.margin) ?? editor.pageExtent(margin: 0)
    self.init(box: sheet, drawing: content.drawing)
    var reader = EditorBlocks(
      content.document, typed: content.typed, drawing: content.blockDrawing)
    (blocks, edges) = reader.read()
    if !keepsStruckWords { self = withoutStruckWords }
    if format == .svg, case .block(let block) = scope {
      var contents = try editor.svgOptions(overrides: overrides)
      contents.margin = Self.margin
      contents.title = options.title ?? ""
      contents.description = lines.map(\.text).joined(separator: "\n")
      written = Array(try editor.svg(block, options: contents).utf8)
    }
  }

  /// The drawing and the readings.
  private struct Content {
    var document: JIIXBlock
    var drawing: [DrawCommand]
    var typed: TypedLooks
    var blockDrawing: (String) -> [DrawCommand]
  }

  /// Makes a page of a file that an editor wrote.
  private static func written(_ text: String) -> ExportPage {
    var page = ExportPage(box: BoundingBox(minX: 0, minY: 0, maxX: 1, maxY: 1))
    page.written = Array(text.utf8)
    return page
  }

  /// Makes a page of ink in millimetres.
  private init(_ strokes: [StyledInk], _ text: String) {
    let ink = Ink(strokes: strokes.map { Stroke(points: $0.points) })
    let box = ink.boundingBox?.grown(by: Self.margin)
    self.init(box: box ?? BoundingBox(minX: 0, minY: 0, maxX: 1, maxY: 1))
    self.ink = PageInk(styled: strokes, sheet: box)
    labeled = ink.isEmpty ? nil : LabeledInk(ink: ink, label: text)
  }

  /// Millimetres around the ink.
  private static let margin = 10.0

  private static let overrides = """
    {"export": {"jiix": {"bounding-box": true, "strokes": false, "ids": true, "ranges": false,
    "text": {"words": true, "chars": true, "lines": false}}}}
    """
}

extension Editor {
  /// Returns the text of a block; empty for blocks that have none.
  fileprivate func textOfAnything(
    _ block: ContentBlock?, overrides: String?
  ) throws(EditorError) -> String {
    do throws(EditorError) {
      return try export(block, as: .text, overrides: overrides)
    } catch {
      guard case .unsupportedExport = error else { throw error }
      return ""
    }
  }
}

extension PageInk {
  /// Takes ink of an editor, in millimetres.
  fileprivate init(styled strokes: [StyledInk], sheet: BoundingBox?) {
    self.init(
      Ink(
        strokes: strokes.map { stroke in
          Stroke(
            points: stroke.points.map { point in
              // The pen of a note is as wide as its width times the force.
              var point = point
              point.force = point.force.map {
                stroke.style.law.width(force: $0) / max(stroke.style.width, 1e-9)
              }
              return point
            })
        }),
      looks: strokes.map {
        Look(color: InkColor($0.style.color), width: $0.style.width)
      }, sheet: sheet, scale: 1)
  }
}
