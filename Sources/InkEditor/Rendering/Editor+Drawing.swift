import InkCore

extension Editor {
  /// Returns the commands that draw a layer, in millimetres of the document, from back to front.
  ///
  /// Strokes that were drawn before are not computed again. Decorations of characters are in the
  /// layer of ink: highlights behind it, lines before it, each in a group with the name of its kind.
  ///
  /// - Parameters:
  ///   - layer: The layer.
  ///   - region: Only what may be seen in this box is drawn; nil for everything. Millimetres.
  /// - Returns: No commands without a part.
  /// - Complexity: O(strokes in the region, and decorated ink).
  public func drawCommands(
    of layer: RenderLayer, in region: BoundingBox? = nil
  ) -> [DrawCommand] {
    switch layer {
    case .background: return read { state in state.background(in: region) }
    case .ink:
      let (strokes, pictures, cache) = read {
        (state) -> ([EditorState.StyledStroke], [DecorationPicture], DrawingCache?) in
        guard let document = state.document else { return ([], [], nil) }
        let pictures = document.decorationPictures(state.rendering.styleSheet)
          .sorted { $0.key < $1.key }.map(\.value)
          .filter { picture in region.map { picture.box.overlaps($0) } ?? true }
        return (state.strokes(in: region, document), pictures, document.drawings)
      }
      return pictures.around(cache?.commands(of: strokes) ?? [])
    case .live:
      return liveStrokes.compactMap { stroke in
        guard let command = stroke.command else { return nil }
        guard let region, let box = command.box else { return command }
        return box.overlaps(region) ? command : nil
      }
    case .selection:
      return read { state in
        let dash = Chosen.frameDash
        return (state.document.map { state.selectionFrames($0) } ?? []).map { frame in
          .stroke(
            DrawPath(frame), Self.frameColor,
            LineStyle(width: EditorState.frameWidth, dash: [dash, dash]))
        }
      }
    }
  }

  /// Returns the command that draws an item of ink; nil if there is no such item. O(1) for an item
  /// that was drawn before.
  public func drawCommand(ofItem item: Int) -> DrawCommand? {
    drawCommands(ofItems: [item]).first
  }

  /// Returns the commands that draw items of ink, in the order they were written. Unknown ids are
  /// ignored.
  public func drawCommands(ofItems items: some Sequence<Int>) -> [DrawCommand] {
    let items = Array(items)
    let (strokes, cache) = read { (state) -> ([EditorState.StyledStroke], DrawingCache?) in
      guard let document = state.document else { return ([], nil) }
      return (state.styled(document.inOrder(items), document), document.drawings)
    }
    return cache?.commands(of: strokes) ?? []
  }

  private static let frameColor = InkColor(red: 0x2F, green: 0x6F, blue: 0xE4)
}

extension EditorState {
  typealias StyledStroke = (stroke: InkStroke, style: StrokeStyle)

  /// Millimetres, chosen by eye, at up to eight times the size of paper on pages of IAM-OnDB as
  /// SVG in a browser.
  static let frameWidth = 0.3

  /// Returns the strokes that may be seen in a region, in the order they were written.
  func strokes(in region: BoundingBox?, _ document: Document) -> [StyledStroke] {
    guard let region else { return styled(document.inOrder(document.order), document) }
    let width = max(document.strokes.greatestWidth, rendering.styleSheet.greatestWidth)
    let items = document.strokes.index.items(in: region.grown(by: width / 2))
    return styled(document.inOrder(items), document)
  }

  func styled(_ items: [Int], _ document: Document) -> [StyledStroke] {
    let sheet = rendering.styleSheet
    let base = sheet.strokeStyle(for: "ink")
    let hasBlockRules = sheet.hasBlockRules
    return items.compactMap { item in
      guard let stroke = document.strokes[item] else { return nil }
      if let style = stroke.style { return (stroke, style) }
      guard hasBlockRules, let block = document.block(of: item) else { return (stroke, base) }
      return (stroke, sheet.strokeStyle(for: block.type.styleClass))
    }
  }

  mutating func background(in region: BoundingBox?) -> [DrawCommand] {
    let area = region ?? view.visibleBox
    var result: [DrawCommand] = []
    if let color = rendering.styleSheet.pageColor { result.append(.fill(DrawPath(area), color)) }
    guard let guides = document.flatMap({ guides($0) }) else { return result }
    let look = rendering.styleSheet.guide
    // The line of a row may lie just outside of the region that the row is in.
    return result + guides.commands(in: area.grown(by: look.width), look)
  }

  /// Returns the frames of the selected block and of the selection.
  func selectionFrames(_ document: Document) -> [BoundingBox] {
    let block = selectedBlock.flatMap { document.blocks[$0]?.box }
    let ink = selection.flatMap { isValid($0, document) ? document.box(of: $0.anchor) : nil }
    return [block, ink == block ? nil : ink].compactMap { $0?.grown(by: 1) }
  }
}

extension BlockType {
  /// The class of a style sheet for ink of the block.
  var styleClass: String {
    switch self {
    case .text: "text"
    case .math: "math"
    case .drawing: "drawing"
    case .node: "node"
    case .edge: "edge"
    case .rawContent, .diagram, .textDocument, .container: "ink"
    }
  }
}

/// Numbers that were chosen and not derived.
private enum Chosen {
  /// Millimetres, chosen by eye, at up to eight times the size of paper on pages of IAM-OnDB as
  /// SVG in a browser.
  static let frameDash = 1.5
}
