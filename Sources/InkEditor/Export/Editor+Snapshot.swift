import InkCore
import InkFormats

/// The look of a typed word.
package struct TypedLook: Hashable, Sendable {
  /// The name of the family of the font.
  package var family: String
  package var isBold: Bool
  package var isItalic: Bool
  /// The size of the font, millimetres.
  package var size: Double
  /// The colour of the text.
  package var color: InkColor
}

/// The looks of typed words by the ids of texts and the places among their words.
package typealias TypedLooks = [String: [Int: TypedLook]]

/// Ink of a selection with its readings, for writers of files.
package struct SelectionSnapshot: Sendable {
  /// The blocks, each with what is selected of it.
  package var document: JIIXBlock
  /// The ink and its decorations, from back to front.
  package var drawing: [DrawCommand]
  /// The ink of each block by its id.
  package var blockDrawings: [String: [DrawCommand]]
  /// The strokes in the order they were written, with their looks, without typed text and pictures.
  package var strokes: [StyledInk]
  /// The looks of typed words.
  package var typed: TypedLooks
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
  /// Returns the commands that draw a block with its decorations, from back to front; nil means the
  /// root.
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

  /// Returns the strokes of a block in the order they were written, with their looks, without typed
  /// text and pictures; nil means the root.
  ///
  /// - Throws: ``EditorError/noPart`` or ``EditorError/invalidBlock(_:)``.
  package func styledInk(of block: ContentBlock?) throws(EditorError) -> [StyledInk] {
    try withNode(orRoot: block) { (state, document, node) throws(EditorError) in
      let items = node === document.root ? document.order : document.items(of: node)
      return state.styled(document.inOrder(items), document).filter { $0.stroke.isDrawn }.map {
        StyledInk(points: $0.stroke.points, style: $0.style)
      }
    }
  }

  /// Returns the looks of all typed words.
  ///
  /// - Throws: ``EditorError/noPart``.
  package func typedLooks() throws(EditorError) -> TypedLooks {
    try withDocument { (state, document) throws(EditorError) in
      document.typedLooks(state.rendering.styleSheet)
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
      commands[stroke.id] = StrokeDrawing.command(stroke, style: style)
    }
    let pictures = document.decorationPictures(found.sheet).sorted { $0.key < $1.key }.map(\.value)
    return SelectionSnapshot(
      document: exporter.root(document.root),
      drawing: pictures.around(strokes.compactMap { commands[$0.id] }),
      blockDrawings: document.blocks.mapValues { block in
        document.items(of: block).compactMap { commands[$0] }
      },
      strokes: zip(strokes, styles).filter { $0.0.isDrawn }
        .map { StyledInk(points: $0.points, style: $1) },
      typed: document.typedLooks(found.sheet),
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

extension InkStroke {
  /// True for ink of a pen and for exact lines, which formats of ink hold.
  fileprivate var isDrawn: Bool { typed == nil && picture == nil }
}

extension Document {
  /// Returns the looks of typed words. O(words).
  fileprivate func typedLooks(_ sheet: StyleSheet) -> TypedLooks {
    var result: TypedLooks = [:]
    for text in root.texts {
      for (index, word) in text.lines.flatMap({ $0.runs.flatMap(\.words) }).enumerated() {
        guard let stroke = word.items.first.flatMap({ strokes[$0] }), let typed = stroke.typed
        else { continue }
        let style = stroke.style ?? sheet.strokeStyle(for: text.type.styleClass)
        result[text.id, default: [:]][index] = TypedLook(
          family: typed.face.family, isBold: typed.face.isBold, isItalic: typed.face.isItalic,
          size: stroke.fontSize, color: style.inkColor)
      }
    }
    return result
  }
}

extension ContentPart {
  /// The editor that has the part; nil if none has.
  package var editor: Editor? { ownership.withLock { $0.owner } }
}
