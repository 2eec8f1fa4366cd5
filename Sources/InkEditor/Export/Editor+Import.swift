import Foundation
import InkCore
import InkFormats
import Layout
import Typesetting

extension Editor {
  /// The formats that can be imported.
  public static let importTypes: [ExportType] = [.jiix, .inkML, .text]

  /// Imports a document into the part. It is one change that can be undone.
  ///
  /// - JIIX: ink with its words, candidates, shapes and blocks. Ink that has words is not read again.
  ///   An empty part also takes over the ids.
  /// - InkML: ink in millimetres, which is then read.
  /// - Text: the labels of the words that are there, in reading order. There must be as many words
  ///   as in the part; a label need not be a candidate. In an empty part it becomes typed text, in
  ///   the width of the page.
  ///
  /// - Parameters:
  ///   - data: The document.
  ///   - type: Its format, one of ``importTypes``.
  /// - Returns: The ids of the new items; for text, none.
  /// - Throws: ``EditorError/unsupportedExport(found:supported:)`` for another format,
  ///   ``EditorError/unusableImport(what:expected:found:)`` for a document that is malformed or does
  ///   not fit the part, ``EditorError/notIdle`` for text while ink is being read. After an error,
  ///   nothing has changed.
  @discardableResult
  public func importDocument(_ data: Data, as type: ExportType) throws(EditorError) -> [Int] {
    switch type {
    case .jiix: return try importJIIX(data)
    case .inkML: return try importInkML(data)
    case .text:
      try importText(data)
      return []
    case .svg, .intensity, .latex, .mathML:
      throw .unsupportedExport(
        found: type.rawValue, supported: Self.importTypes.map(\.rawValue))
    }
  }

  /// Returns the content of a document in JIIX.
  static func clip(ofJIIX data: Data) throws(EditorError) -> Clip {
    let block: JIIXBlock
    do throws(InkFormatError) {
      block = try JIIXBlock(parsing: data)
    } catch {
      throw .unusableImport(what: "JIIX", expected: error.expected, found: error.found)
    }
    var importer = JIIXImporter()
    return try importer.clip(of: block)
  }

  private func importJIIX(_ data: Data) throws(EditorError) -> [Int] {
    let clip = try Self.clip(ofJIIX: data)
    return try withDocument { (state, document) throws(EditorError) in
      guard !state.isWriting else { throw .pointerIsDown }
      guard document.takes(clip.block) else {
        throw .unusableImport(
          what: "block", expected: "content for a part of type \(document.type.rawValue)",
          found: clip.block.type.rawValue)
      }
      let items = state.change(document) { state in
        let result = document.isEmpty ? document.adopt(clip) : document.paste(clip, dx: 0, dy: 0)
        if !result.items.isEmpty { document.markEdited() }
        // Marks, headings and tables came with the words.
        if !document.hasUnreadInk { document.keepPage() }
        return result.items
      }
      state.tell(state.presentText)
      state.schedule()
      return items
    }
  }

  private func importInkML(_ data: Data) throws(EditorError) -> [Int] {
    var strokes: [Stroke] = []
    for record in InkReader(.inkML, bytes: Array(data), name: "InkML", unit: .page) {
      do throws(InkFormatError) {
        strokes += try record.get().labeled.ink.strokes
      } catch {
        throw .unusableImport(what: "InkML", expected: error.expected, found: error.found)
      }
    }
    return try importInk(Ink(strokes: strokes))
  }

  /// Adds strokes in millimetres as if they had been written, as one change. Strokes that were stored
  /// in another order than written are added line by line.
  ///
  /// - Returns: The ids of the items.
  /// - Throws: ``EditorError/noPart``, ``EditorError/pointerIsDown``, and an invalid argument if a
  ///   position is not finite or too far away.
  @discardableResult
  public func importInk(_ ink: Ink) throws(EditorError) -> [Int] {
    let strokes = ink.strokes.map(\.points).filter { !$0.isEmpty }
    guard strokes.allSatisfy({ $0.allSatisfy(\.hasUsablePosition) }) else {
      throw .invalidArgument(
        "ink", expected: "strokes with finite positions below 10^9", found: "another position")
    }
    let order =
      PageLayout.writingOrder(of: Ink(strokes: strokes.map(Stroke.init))) ?? Array(strokes.indices)
    return try withDocument { (state, document) throws(EditorError) in
      guard !state.isWriting else { throw .pointerIsDown }
      return state.change(document) { state in
        var items = [Int](repeating: 0, count: strokes.count)
        for index in order {
          items[index] = document.makeItemID()
          let points = strokes[index].map(\.cleaned)
          state.append(InkStroke(id: items[index], pointer: .pen, points: points), to: document)
        }
        return items
      }
    }
  }

  private func importText(_ data: Data) throws(EditorError) {
    guard let text = String(validating: data, as: UTF8.self) else {
      throw .unusableImport(what: "text", expected: "UTF-8", found: "other bytes")
    }
    let labels = text.split(whereSeparator: \.isWhitespace).map(String.init)
    try idle(nil) { (state, document, node) throws(EditorError) in
      guard !state.isWriting else { throw .pointerIsDown }
      let texts = Self.readingOrderOfTexts(node, document.direction(of: node))
      let count = texts.lazy.flatMap(\.lines).flatMap(\.runs).reduce(0) { $0 + $1.words.count }
      if document.isEmpty, !document.type.isPlainInk, !labels.isEmpty {
        return state.type(text, on: document)
      }
      guard count == labels.count else {
        throw .unusableImport(what: "words", expected: "\(count)", found: "\(labels.count)")
      }
      state.change(document) { state in
        var next = 0
        for line in texts.flatMap(\.lines) {
          for word in 0..<line.runs.reduce(0, { $0 + $1.words.count }) {
            document.label(word: word, of: line, labels[next], fonts: state.fonts)
            next += 1
          }
        }
      }
      state.tell(state.presentText)
      state.schedule()
    }
  }
}

extension EditorState {
  /// Types a text into an empty part, between the margins of the page.
  fileprivate mutating func type(_ text: String, on document: Document) {
    let room = lineRoom(document)
    let (left, top) = (number("text.margin.left"), number("text.margin.top"))
    let plan = TypedPlan(
      text: [StyledText(text)], left: left, top: top,
      width: room.right.map { max($0 - left, number("text.font.size")) },
      size: number("text.font.size"), family: string("text.font.family"), fonts: fonts)
    var missing: Set<Character> = []
    let node = change(document) { _ in document.type(plan, missing: &missing) }
    tellOfMissing(missing, in: node.id)
    tellText(of: node)
    schedule()
  }
}

extension Document {
  /// Makes a text the label of a word. It is a candidate of the word from then on.
  func label(word: Int, of line: TextLine, _ text: String, fonts: any FontProvider) {
    var index = word
    for run in line.runs {
      guard index >= run.words.count else {
        guard run.words[index].label != text else { return }
        if !run.words[index].candidates.contains(where: { $0.text == text }) {
          run.words[index].candidates.append(TextCandidate(text: text, probability: 0))
        }
        _ = choose(text, word: word, of: line, fonts: fonts)
        return
      }
      index -= run.words.count
    }
  }

  /// Takes over copied ink with its readings and ids. The document must be empty.
  func adopt(_ clip: Clip) -> (items: [Int], blocks: [BlockNode]) {
    nextItem = max(nextItem, (clip.strokes.map(\.id).max() ?? 0) + 1)
    let items = Dictionary(uniqueKeysWithValues: clip.strokes.map { ($0.id, $0.id) })
    let result = paste(clip, CopyPlan(items: items, dx: 0, dy: 0), keepsBlockIDs: true)
    nextBlock = max(nextBlock, (blocks.keys.compactMap { Int($0) }.max() ?? 0) + 1)
    return result
  }
}
