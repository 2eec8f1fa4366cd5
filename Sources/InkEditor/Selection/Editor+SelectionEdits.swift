import InkCore
import InkFormats

/// Changes of selected ink. Each is one step of the history, and the readings, choices and
/// decorations of the ink stay.
extension Editor {
  // MARK: - Ink

  /// Removes the ink of a selection. What is left of a stroke stays as strokes of their own.
  ///
  /// - Throws: An invalid argument if the ink is gone, and ``EditorError/pointerIsDown``.
  public func erase(_ selection: Selection) throws(EditorError) {
    _ = try edit(selection) { (state, document, anchor) throws(EditorError) in
      document.erase(anchor)
    }
  }

  /// Moves the ink of a selection. Its items get new ids; blocks that move as a whole keep theirs,
  /// and edges stay connected to their nodes.
  ///
  /// - Parameters:
  ///   - selection: The selection.
  ///   - dx: Pixels to the right.
  ///   - dy: Pixels down.
  /// - Returns: The moved ink. If the selection is that of the editor, it is selected.
  /// - Throws: An invalid argument if the ink is gone or a number is not finite, and
  ///   ``EditorError/pointerIsDown``.
  @discardableResult
  public func move(
    _ selection: Selection, dx: Double, dy: Double
  ) throws(EditorError) -> Selection {
    try edit(selection) { (state, document, anchor) throws(EditorError) in
      let (from, to) = (
        state.transform.document(x: 0, y: 0), state.transform.document(x: dx, y: dy)
      )
      let (dx, dy) = (to.x - from.x, to.y - from.y)
      try Self.check(document.box(of: anchor)?.moved(dx: dx, dy: dy))
      guard dx != 0 || dy != 0 else { return selection }
      let moved = state.change(document) { _ in document.move(anchor, dx: dx, dy: dy) }
      return try state.follow(selection, moved, document)
    }
  }

  /// Scales the ink of a selection about one of its handles, which stays where it is. Widths of
  /// strokes do not change. Its items get new ids.
  ///
  /// - Parameters:
  ///   - selection: The selection.
  ///   - x: The factor of widths, 0.01 ... 100.
  ///   - y: The factor of heights, 0.01 ... 100.
  ///   - handle: The handle that stays.
  /// - Returns: The scaled ink. If the selection is that of the editor, it is selected.
  /// - Throws: An invalid argument if the ink is gone or a factor is out of range, and
  ///   ``EditorError/pointerIsDown``.
  @discardableResult
  public func scale(
    _ selection: Selection, x: Double, y: Double, about handle: SelectionHandle = .topLeft
  ) throws(EditorError) -> Selection {
    guard Self.factors.contains(x), Self.factors.contains(y) else {
      throw .invalidArgument(
        "scale",
        expected: "factors in \(Self.factors.lowerBound) ... \(Self.factors.upperBound)",
        found: "\(x) and \(y)")
    }
    return try edit(selection) { (state, document, anchor) throws(EditorError) in
      guard let box = document.box(of: anchor), x != 1 || y != 1 else { return selection }
      let place = PlanePoint(
        x: box.minX + handle.share.x * box.width, y: box.minY + handle.share.y * box.height)
      try Self.check(
        BoundingBox(
          minX: place.x - x * box.width, minY: place.y - y * box.height,
          maxX: place.x + x * box.width, maxY: place.y + y * box.height))
      let scaled = state.change(document) { _ in
        document.scale(anchor, x: x, y: y, about: place)
      }
      return try state.follow(selection, scaled, document)
    }
  }

  /// The factors that ``scale(_:x:y:about:)`` accepts. Chosen by hand.
  private static let factors = 0.01...100.0

  /// Gives the ink of a selection a style; nil so that the theme decides. A stroke of which most is
  /// selected gets it as a whole.
  ///
  /// - Returns: The number of items that look different now.
  /// - Throws: An invalid argument if the ink is gone.
  @discardableResult
  public func setStyle(
    _ style: StrokeStyle?, of selection: Selection
  ) throws(EditorError) -> Int {
    try edit(selection) { (state, document, anchor) throws(EditorError) in
      state.change(document) { _ in
        document.restyle(document.items(mostlyIn: anchor), style)
      }
    }
  }

  /// Decorates the ink of a selection.
  ///
  /// - Returns: The new decorations; empty if the ink was decorated like this already.
  /// - Throws: An invalid argument if the ink is gone.
  @discardableResult
  public func decorate(
    _ selection: Selection, with kind: DecorationKind, style: DecorationStyle? = nil
  ) throws(EditorError) -> [Decoration] {
    try edit(selection) { (state, document, anchor) throws(EditorError) in
      state.change(document) { _ in document.decorate(anchor, with: kind, style: style) }
    }
  }

  // MARK: - Clipboard

  /// Copies the ink of a selection to the engine's clipboard, with its readings, choices, types and
  /// decorations; half a block or half a stroke too. ``paste(x:y:)`` pastes it.
  ///
  /// - Throws: An invalid argument if the ink is gone, or the selection is empty.
  public func copy(_ selection: Selection) throws(EditorError) {
    engine.clipboard = try clip(selection)
  }

  /// Copies the ink of a selection to the engine's clipboard, and removes it.
  ///
  /// - Throws: The errors of `copy(_:)` and ``erase(_:)``.
  public func cut(_ selection: Selection) throws(EditorError) {
    let clip = try clip(selection)
    try erase(selection)
    engine.clipboard = clip
  }

  private func clip(_ selection: Selection) throws(EditorError) -> Clip {
    guard !selection.isEmpty else {
      throw .invalidArgument("selection", expected: "ink", found: "an empty selection")
    }
    return try withInk(of: selection) { (_, document, anchor) throws(EditorError) in
      document.clip(anchor)
    }
  }

  // MARK: - Types

  /// Returns the types that the ink of a selection can be changed to; empty for no ink.
  ///
  /// - Throws: An invalid argument if the ink is gone.
  public func availableSelectionTypes(
    _ selection: Selection
  ) throws(EditorError) -> [SelectionType] {
    try withInk(of: selection) { (_, document, anchor) throws(EditorError) in
      document.types(of: anchor)
    }
  }

  /// Changes the ink of a selection to a type, whatever its form. A stroke of which most is selected
  /// changes as a whole.
  ///
  /// - Parameters:
  ///   - type: The new type.
  ///   - selection: The selection.
  ///   - asOneBlock: If true, all of it becomes one block; otherwise each group of close items does.
  /// - Throws: ``EditorError/unsupportedType(found:supported:)`` with the types that
  ///   ``availableSelectionTypes(_:)`` returns, and an invalid argument if the ink is gone.
  public func setSelectionType(
    _ type: SelectionType, _ selection: Selection, asOneBlock: Bool
  ) throws(EditorError) {
    try setSelectionType(type.rawValue, selection, asOneBlock: asOneBlock)
  }

  /// Changes the ink of a selection to a type by its name, such as "text". Upper and lower case are
  /// the same.
  ///
  /// - Throws: The errors of ``setSelectionType(_:_:asOneBlock:)-(SelectionType,_,_)``, also for an
  ///   unknown name.
  public func setSelectionType(
    _ name: String, _ selection: Selection, asOneBlock: Bool
  ) throws(EditorError) {
    try edit(selection) { (state, document, anchor) throws(EditorError) in
      let known = document.types(of: anchor)
      guard let type = SelectionType(rawValue: name.lowercased()), known.contains(type) else {
        throw .unsupportedType(found: name, supported: known.map(\.rawValue))
      }
      guard document.type != .text, document.type != .drawing else { return }
      let items = Set(document.items(mostlyIn: anchor))
      guard !items.isEmpty else { return }
      state.change(document) { _ in document.force(type, items: items, asOneBlock: asOneBlock) }
    }
  }

  // MARK: - Export

  /// Exports the ink of a selection; see `export(_:as:overrides:)`. Blocks and words have what is
  /// selected of them.
  ///
  /// - Throws: An invalid argument if the ink is gone or the selection is empty,
  ///   ``EditorError/notIdle`` while ink is being read, and the errors of the configuration.
  public func export(
    _ selection: Selection, as type: ExportType, overrides: String? = nil
  ) throws(EditorError) -> String {
    let clip = try clip(selection)
    let found = try withInk(of: selection) { (state, document, _) throws(EditorError) in
      // A drawing needs no readings.
      guard type == .svg || state.isIdle else { throw .notIdle }
      return (
        type: document.type, sheet: state.rendering.styleSheet, formulas: document.formulas
      )
    }
    let options = try exportOptions(overrides) { settings throws(ConfigurationError) in
      try JIIXOptions(settings)
    }
    let withStruckWords = try showsStruckWords(overrides)
    let intensity = try intensityOptions(overrides)
    let document = Document(type: found.type)
    _ = document.adopt(clip)
    document.formulas = found.formulas
    do {
      switch type {
      case .latex: return document.readFormulas.map(\.latex).joined(separator: "\n")
      case .mathML: return document.readFormulas.map(\.mathML).joined(separator: "\n")
      case .text where document.type == .math:
        return document.readFormulas.map(\.text).joined(separator: "\n")
      case .text:
        return Self.plainText(
          of: document.root, without: withStruckWords ? [] : document.struckWords)
      case .jiix:
        var exporter = JIIXExporter(document: document, options: options)
        return String(decoding: try exporter.root(document.root).json(), as: UTF8.self)
      case .inkML:
        let labeled = LabeledInk(
          ink: Ink(
            strokes: document.order.compactMap { document.strokes[$0] }
              .map { Stroke(points: $0.points) }), label: Self.plainText(of: document.root))
        return String(decoding: try InkOutputFormat.inkML.bytes(of: [labeled]), as: UTF8.self)
      case .svg: return document.svg(found.sheet)
      case .intensity:
        let pieces = Self.inkedText(
          of: document.root, document, withStruckWords: withStruckWords)
        return String(decoding: try intensity.text(of: pieces).json(), as: UTF8.self)
      }
    } catch {
      throw .invalidArgument("export", expected: "finite numbers", found: "other numbers")
    }
  }

  // MARK: - Access

  /// Runs a body that changes the ink of a selection as one step.
  private func edit<Value: Sendable>(
    _ selection: Selection,
    _ body: (inout EditorState, Document, InkAnchor) throws(EditorError) -> Value
  ) throws(EditorError) -> Value {
    try withInk(of: selection) { (state, document, anchor) throws(EditorError) in
      guard !state.isWriting else { throw .pointerIsDown }
      let result = try state.change(document) { (state) throws(EditorError) in
        try body(&state, document, anchor)
      }
      state.schedule()
      return result
    }
  }

  /// Throws if ink would be at a place that cannot be used.
  private static func check(_ box: BoundingBox?) throws(EditorError) {
    guard let box else { return }
    guard
      [(box.minX, box.minY), (box.maxX, box.maxY)].allSatisfy({
        StrokePoint(x: $0.0, y: $0.1).hasUsablePosition
      })
    else {
      throw .invalidArgument(
        "place", expected: "finite pixels below 10^9", found: "other numbers")
    }
  }
}

extension EditorState {
  /// Returns the selection of ink that was moved or scaled. It is that of the editor if the old one
  /// was.
  fileprivate mutating func follow(
    _ old: Selection, _ new: InkAnchor?, _ document: Document
  ) throws(EditorError) -> Selection {
    guard let new else {
      throw .unsupportedType(
        found: "the selection", supported: BlockType.allCases.filter(document.takes).map(\.rawValue)
      )
    }
    if selection == old { setSelection(new) }
    return Selection(new, self)
  }
}

extension Document {
  /// Returns the types that ink can be changed to.
  fileprivate func types(of anchor: InkAnchor) -> [SelectionType] {
    guard !items(mostlyIn: anchor).isEmpty else { return [] }
    switch type {
    case .text: return [.text]
    case .drawing: return [.drawing]
    case .math: return []
    case .rawContent: return SelectionType.allCases
    case .diagram: return SelectionType.ofDiagrams
    case .textDocument:
      let homes = anchor.items.compactMap { strokes[$0] }.map { home(of: $0).type }
      if homes.contains(.math) { return [] }
      return homes.allSatisfy(\.holdsShapes) ? SelectionType.allCases : [.text, .drawing, .math]
    }
  }

  /// Returns a drawing of all ink with its decorations.
  fileprivate func svg(_ sheet: StyleSheet) -> String {
    let pictures = decorationPictures(sheet).sorted { $0.key < $1.key }.map(\.value)
    let strokes = order.compactMap { self.strokes[$0] }
    let ink = strokes.compactMap { stroke -> DrawCommand? in
      let block = block(of: stroke.id)?.type.styleClass ?? "ink"
      return .ink(stroke.points, style: stroke.style ?? sheet.strokeStyle(for: block))
    }
    var painter = SVGPainter()
    painter.draw(pictures.around([.group(DrawGroup(name: "ink", ink))]))
    let box = BoundingBox(holding: strokes.map(\.box) + pictures.map(\.box))
    return painter.document(
      box: box?.grown(by: SVGOptions().margin) ?? BoundingBox(minX: 0, minY: 0, maxX: 1, maxY: 1))
  }
}
