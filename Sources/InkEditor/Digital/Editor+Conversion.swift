import InkCore
import Typesetting

/// Turns handwriting that was read into typed text and formulas, and drawn shapes into exact ones.
///
///     try await editor.convertWhenIdle(to: .publish)
///     try editor.undo()   // the ink is back, with its ids and candidates
extension Editor {
  /// Returns what a block can be converted to; empty if it has nothing to convert.
  ///
  /// - Parameter block: The block, or nil for the root.
  /// - Throws: ``EditorError/noPart`` or ``EditorError/invalidBlock(_:)``.
  public func supportedConversions(
    of block: ContentBlock? = nil
  ) throws(EditorError) -> [ConversionState] {
    try withNode(orRoot: block) { (_, document, node) throws(EditorError) in
      document.isConvertible(node) ? ConversionState.allCases : []
    }
  }

  /// Returns what the ink of a selection can be converted to; empty if there is nothing to convert.
  ///
  /// - Throws: An invalid argument if the ink is gone.
  public func supportedConversions(
    of selection: Selection
  ) throws(EditorError) -> [ConversionState] {
    try withInk(of: selection) { (_, document, anchor) throws(EditorError) in
      let items = Set(document.items(mostlyIn: anchor))
      return document.isConvertible(document.root, items: items) ? ConversionState.allCases : []
    }
  }

  /// Converts a block, or everything if nil, in one step of the history.
  ///
  /// Words that were read become typed text on their baseline and in their size; they keep their ids,
  /// candidates and decorations. Shapes become exact: right angles, circles, equal sizes, common rows
  /// and columns. Texts are moved to the middle of their shapes, and connections end at them from now
  /// on. A formula becomes typed signs and lines in its place and size. Ink that was not read and
  /// drawings stay as they are. A block with nothing to convert does not change. Letters that the fonts
  /// lack are told by a notice.
  ///
  /// - Parameters:
  ///   - block: The block, or nil for the root.
  ///   - state: What it is converted to.
  /// - Throws: ``EditorError/notIdle`` while ink is being read, ``EditorError/pointerIsDown``,
  ///   ``EditorError/noPart`` or ``EditorError/invalidBlock(_:)``.
  /// - Complexity: O(ink of the block).
  public func convert(
    _ block: ContentBlock? = nil, to state: ConversionState = .publish
  ) throws(EditorError) {
    try idle(block) { (editor, document, node) throws(EditorError) in
      try editor.convert(node, items: nil, to: state, document)
    }
  }

  /// Converts the words and shapes of a selection in one step of the history; see
  /// ``convert(_:to:)-(ContentBlock?,_)``. Words and shapes are converted as a whole if all of their
  /// ink is selected.
  ///
  /// - Throws: An invalid argument if the ink is gone, and the errors of
  ///   ``convert(_:to:)-(ContentBlock?,_)``.
  public func convert(
    _ selection: Selection, to state: ConversionState = .publish
  ) throws(EditorError) {
    try withInk(of: selection) { (editor, document, anchor) throws(EditorError) in
      guard editor.isIdle else { throw .notIdle }
      let items = Set(document.items(mostlyIn: anchor))
      try editor.convert(document.root, items: items, to: state, document)
    }
  }

  /// Converts a block, or everything if nil, as soon as all ink is read; see
  /// ``convert(_:to:)-(ContentBlock?,_)``.
  ///
  /// - Throws: `CancellationError` if the task is cancelled, and the errors of
  ///   ``convert(_:to:)-(ContentBlock?,_)`` and ``becomeIdle(timeout:)``.
  public func convertWhenIdle(
    _ block: ContentBlock? = nil, to state: ConversionState = .publish
  ) async throws {
    while true {
      guard try await becomeIdle() else { throw EditorError.notIdle }
      do throws(EditorError) {
        return try convert(block, to: state)
      } catch {
        guard error == .notIdle else { throw error }
      }
    }
  }

  /// Sets typed text of a block again in another width: its words flow from line to line. Blocks
  /// below move down or up with the height of the text. One step of the history.
  ///
  /// - Parameters:
  ///   - block: A text. Lines with ink stay as they are.
  ///   - width: The width in millimetres, above 0.
  /// - Throws: An invalid argument for another width, ``EditorError/pointerIsDown``,
  ///   ``EditorError/noPart`` or ``EditorError/invalidBlock(_:)``.
  public func reflow(_ block: ContentBlock, width: Double) throws(EditorError) {
    guard width.isFinite, width > 0, width < 1e6 else {
      throw .invalidArgument(
        "width", expected: "millimetres above 0 and below 10^6", found: "\(width)")
    }
    try withNode(block) { (state, document, node) throws(EditorError) in
      guard !state.isWriting else { throw .pointerIsDown }
      state.change(document) { state in document.reflow(node, width: width, state.fonts) }
      state.schedule()
    }
  }
}

extension EditorState {
  fileprivate mutating func convert(
    _ node: BlockNode, items: Set<Int>?, to state: ConversionState, _ document: Document
  ) throws(EditorError) {
    guard !isWriting else { throw .pointerIsDown }
    guard document.isConvertible(node, items: items) else { return }
    let rules = settingRules(state, document)
    let width = rendering.styleSheet.strokeStyle(for: "ink").width
    let missing = change(document) { _ in
      document.convert(node, items: items, rules, width: width)
    }
    tell(presentText)
    tellOfMissing(missing, in: node.id)
    schedule()
  }

  /// Returns how text is set in the document.
  mutating func settingRules(_ state: ConversionState, _ document: Document) -> SettingRules {
    SettingRules(
      state: state, face: FontFace(family: string("text.font.family")), fonts: fonts,
      guides: guides(document), room: lineRoom(document),
      answersFormulas: boolean("math.solver.conversion"))
  }

  /// Lets exact connections end at their nodes, which a change may have moved.
  func followNodes(_ document: Document) {
    document.followNodes(width: rendering.styleSheet.strokeStyle(for: "ink").width)
  }

  /// Reports letters that the fonts lack.
  mutating func tellOfMissing(_ characters: Set<Character>, in block: String) {
    guard !characters.isEmpty else { return }
    let list = characters.sorted().map(String.init).joined(separator: " ")
    tell(
      EditorNotice(
        block: block, code: .fontLacksCharacters,
        message: "\(EditorNotice.Code.fontLacksCharacters.text): \(list); a box has their place; "
          + "give the editor fonts that have them"))
  }
}

extension Document {
  /// True if there is something to convert in a block.
  ///
  /// - Parameter items: The ink that counts; nil for all.
  func isConvertible(_ node: BlockNode, items: Set<Int>? = nil) -> Bool {
    node.withDescendants.contains { block in
      let isMeant = items.map { $0.isSuperset(of: block.items) } ?? true
      return hasConvertibleText(block, items: items)
        || isMeant
          && (isConvertibleShape(block) || isConvertibleFormula(block)
            || block.mark == .divider && isConvertibleMark(block))
    }
  }

  /// Converts a block. Runs inside one step of the history.
  ///
  /// - Parameters:
  ///   - items: The ink that is converted; nil for all.
  ///   - width: The width of the lines of shapes without a style of their own, millimetres.
  /// - Returns: The letters that the fonts lack.
  func convert(
    _ node: BlockNode, items: Set<Int>?, _ rules: SettingRules, width: Double
  ) -> Set<Character> {
    markEdited()
    var missing: Set<Character> = []
    let blocks = node.withDescendants
    // The marks know their words by ink that is still there.
    for block in blocks where block.type == .text {
      _ = convertText(of: block, items: items, rules, missing: &missing)
    }
    func isMeant(_ block: BlockNode) -> Bool {
      items.map { $0.isSuperset(of: block.items) } ?? true
    }
    for block in blocks where isConvertibleFormula(block) && isMeant(block) {
      guard let formula = formulas(of: block).first else { continue }
      setFormula(
        rules.answersFormulas ? formula.answeredLatex : formula.latex, of: block, keeping: formula,
        face: rules.face, fonts: rules.fonts, missing: &missing)
    }
    let shapes = blocks.filter { isConvertibleShape($0) && isMeant($0) }
    if !shapes.isEmpty { convertShapes(shapes, width: width) }
    for block in blocks where isConvertibleMark(block) && isMeant(block) {
      if block.mark == .divider {
        convertDivider(block, width: width)
      } else {
        convertMark(block)
      }
    }
    return missing
  }
}
