import InkCore
import InkFormats

/// Ink of a selection with its readings, for writers of files.
package struct SelectionSnapshot: Sendable {
  /// The blocks, each with what is selected of it.
  package var document: JIIXBlock
  /// The ink and its decorations, from back to front.
  package var drawing: [DrawCommand]
  /// The ink of each block by its id.
  package var blockDrawings: [String: [DrawCommand]]
  /// The strokes in the order they were written, with their looks.
  package var strokes: [StyledInk]
  /// The text, line by line.
  package var text: String
}

/// A stroke in millimetres with its look.
package struct StyledInk: Sendable {
  /// The points.
  package var points: [StrokePoint]
  /// The look, that of the theme if the stroke has none of its own.
  package var style: StrokeStyle
}

extension Editor {
  /// Returns the ink of a block with its decorations as it is drawn, from back to front; nil means
  /// the root.
  ///
  /// - Throws: ``EditorError/noPart`` or ``EditorError/invalidBlock(_:)``.
  package func drawing(of block: ContentBlock?) throws(EditorError) -> [DrawCommand] {
    guard let block else { return drawCommands(of: .ink) }
    let (items, pictures) = try withNode(block) { (state, document, node) throws(EditorError) in
      let items = document.items(of: node)
      let pictures = document.decorationPictures(state.rendering.styleSheet, of: Set(items))
        .sorted { $0.key < $1.key }.map(\.value)
      return (items, pictures)
    }
    return pictures.around(drawCommands(ofItems: items))
  }

  /// Returns the strokes of a block in the order they were written, with their looks; nil means the
  /// root.
  ///
  /// - Throws: ``EditorError/noPart`` or ``EditorError/invalidBlock(_:)``.
  package func styledInk(of block: ContentBlock?) throws(EditorError) -> [StyledInk] {
    try withNode(orRoot: block) { (state, document, node) throws(EditorError) in
      let items = node === document.root ? document.order : document.items(of: node)
      return state.styled(document.inOrder(items), document).map {
        StyledInk(points: $0.stroke.points, style: $0.style)
      }
    }
  }

  /// Returns the ink of a selection with what was read of it.
  ///
  /// - Parameter overrides: JSON of configuration keys for this call alone.
  /// - Throws: An invalid argument if the ink is gone or the selection is empty,
  ///   ``EditorError/notIdle`` while ink is being read, and the errors of the configuration.
  package func snapshot(
    of selection: Selection, overrides: String? = nil
  ) throws(EditorError) -> SelectionSnapshot {
    guard !selection.isEmpty else {
      throw .invalidArgument("selection", expected: "ink", found: "an empty selection")
    }
    let options = try exportOptions(overrides) { settings throws(ConfigurationError) in
      try JIIXOptions(settings)
    }
    let withStruckWords = try showsStruckWords(overrides)
    let found = try withInk(of: selection) { (state, document, anchor) throws(EditorError) in
      guard state.isIdle else { throw .notIdle }
      return (
        clip: document.clip(anchor), type: document.type, sheet: state.rendering.styleSheet
      )
    }
    let document = Document(type: found.type)
    _ = document.adopt(found.clip)
    var exporter = JIIXExporter(document: document, options: options)
    let strokes = document.order.compactMap { document.strokes[$0] }
    let styles = strokes.map { stroke in
      stroke.style
        ?? found.sheet.strokeStyle(for: document.block(of: stroke.id)?.type.styleClass ?? "ink")
    }
    var commands: [Int: DrawCommand] = [:]
    for (stroke, style) in zip(strokes, styles) {
      commands[stroke.id] = .ink(stroke.points, style: style)
    }
    let pictures = document.decorationPictures(found.sheet).sorted { $0.key < $1.key }.map(\.value)
    return SelectionSnapshot(
      document: exporter.root(document.root),
      drawing: pictures.around(strokes.compactMap { commands[$0.id] }),
      blockDrawings: document.blocks.mapValues { block in
        document.items(of: block).compactMap { commands[$0] }
      },
      strokes: zip(strokes, styles).map { StyledInk(points: $0.points, style: $1) },
      text: Self.plainText(
        of: document.root, without: withStruckWords ? [] : document.struckWords))
  }

  /// Returns true if the configuration keeps words that are struck through in texts.
  ///
  /// - Parameter overrides: JSON of configuration keys for this call alone.
  package func keepsStruckWords(overrides: String?) throws(EditorError) -> Bool {
    try showsStruckWords(overrides)
  }

  /// Returns the contents of SVG drawings that the configuration asks for.
  ///
  /// - Parameter overrides: JSON of configuration keys for this call alone.
  package func svgOptions(overrides: String?) throws(EditorError) -> SVGOptions {
    try exportOptions(overrides) { settings throws(ConfigurationError) in
      SVGOptions(
        showsGuides: try settings.boolean("export.svg.guides"),
        showsShapes: try settings.boolean("export.svg.shapes"))
    }
  }
}

extension ContentPart {
  /// The editor that has the part; nil if none has.
  package var editor: Editor? { ownership.withLock { $0.owner } }
}
