import Foundation
import InkCore
import InkFormats
import Typesetting

/// Typed text and pictures in a part, beside ink.
extension Editor {
  /// Adds typed text at a place in the view, as one change. Ink that is written beside it joins its
  /// lines.
  ///
  ///     try editor.addText("hello", x: 100, y: 80)
  ///
  /// - Parameters:
  ///   - text: The text; a line feed begins a new line. Not empty.
  ///   - x: The left edge in pixels.
  ///   - y: The upper edge in pixels.
  ///   - width: The width in pixels in which lines are broken; nil to break at line feeds only.
  ///   - size: The size of the font in millimetres; nil for that of the configuration.
  /// - Returns: The block: in a part "Text" the root, elsewhere a new one.
  /// - Throws: ``EditorError/unsupportedType(found:supported:)`` if the part has no text,
  ///   ``EditorError/noPart``, ``EditorError/pointerIsDown``, and an invalid argument for a text
  ///   without characters or a number that is out of range.
  @discardableResult
  public func addText(
    _ text: String, x: Double, y: Double, width: Double? = nil, size: Double? = nil
  ) throws(EditorError) -> ContentBlock {
    try addText([StyledText(text)], x: x, y: y, width: width, size: size)
  }

  /// Adds typed text in several styles at a place in the view; see
  /// ``addText(_:x:y:width:size:)-(String,_,_,_,_)``.
  ///
  /// - Parameters:
  ///   - text: The pieces of the text. A word may be made of several.
  ///   - x: The left edge in pixels.
  ///   - y: The upper edge in pixels.
  ///   - width: The width in pixels in which lines are broken; nil to break at line feeds only.
  ///   - size: The size of the font in millimetres; nil for that of the configuration.
  @discardableResult
  public func addText(
    _ text: [StyledText], x: Double, y: Double, width: Double? = nil, size: Double? = nil
  ) throws(EditorError) -> ContentBlock {
    guard text.contains(where: { $0.text.contains { !$0.isWhitespace } }),
      text.reduce(0, { $0 + $1.text.utf8.count }) <= Self.longestText
    else {
      throw .invalidArgument(
        "text", expected: "1 to \(Self.longestText) bytes with a letter", found: "another text")
    }
    try Self.check(x, y, width ?? 1, 1)
    if let size, !Self.sizes.contains(size) {
      throw .invalidArgument(
        "size", expected: "\(Self.sizes.lowerBound) to \(Self.sizes.upperBound) millimetres",
        found: "\(size)")
    }
    return try withDocument { (state, document) throws(EditorError) in
      guard !state.isWriting else { throw .pointerIsDown }
      guard document.type != .drawing, document.type != .math else {
        throw .unsupportedType(found: BlockType.text.rawValue, supported: [])
      }
      let place = state.transform.document(x: x, y: y)
      let plan = TypedPlan(
        text: text, left: place.x, top: place.y,
        width: width.map { state.transform.documentLength($0) },
        size: size ?? state.number("text.font.size"), family: state.string("text.font.family"),
        fonts: state.fonts)
      var missing: Set<Character> = []
      let node = state.change(document) { _ in document.type(plan, missing: &missing) }
      state.tellOfMissing(missing, in: node.id)
      state.tellText(of: node)
      state.schedule()
      return state.handle(node)
    }
  }

  /// The sizes of fonts in millimetres, those of the key.
  private static let sizes = 0.5...500.0
  /// The most bytes of a typed text.
  private static let longestText = 1 << 20

  /// Adds a picture at a place in the view, as one change. It is stored with the part and never
  /// decoded by the editor.
  ///
  /// - Parameters:
  ///   - data: The file: PNG, JPEG or SVG of at most 32 MB. An SVG with scripts is refused.
  ///   - mimeType: Its media type; nil to find it. The content must be of this type.
  ///   - x: The left edge in pixels.
  ///   - y: The upper edge in pixels.
  ///   - width: The width in pixels of the view; nil for the size of the picture, 96 of its pixels to
  ///     an inch. The height follows from it.
  /// - Throws: ``EditorError/unusableImport(what:expected:found:)`` for a file that is no such picture,
  ///   ``EditorError/unsupportedType(found:supported:)`` if the part takes no pictures, and an invalid
  ///   argument for a number that is out of range.
  @discardableResult
  public func addImage(
    _ data: Data, mimeType: String? = nil, x: Double, y: Double, width: Double? = nil
  ) throws(EditorError) -> ContentBlock {
    let bytes = [UInt8](data)
    let file = try PictureFile(bytes, type: mimeType)
    try Self.check(x, y, width ?? 1, 1)
    return try withDocument { (state, document) throws(EditorError) in
      guard !state.isWriting else { throw .pointerIsDown }
      guard document.type != .text, document.type != .math else {
        throw .unsupportedType(found: file.type, supported: [])
      }
      let place = state.transform.document(x: x, y: y)
      let millimetres = ViewTransform.millimetresPerInch / file.dotsPerInch
      let wide = width.map { state.transform.documentLength($0) } ?? file.width * millimetres
      let box = BoundingBox(
        minX: place.x, minY: place.y, maxX: place.x + wide,
        maxY: place.y + wide * file.height / file.width)
      let picture = DocumentPicture(type: file.type, bytes: bytes)
      let node = state.change(document) { _ in document.add(picture, in: box) }
      state.schedule()
      return state.handle(node)
    }
  }

  /// Adds the picture of a file; see ``addImage(_:mimeType:x:y:width:)``.
  ///
  /// - Throws: ``EditorError/unusableImport(what:expected:found:)`` if the file cannot be read.
  @discardableResult
  public func addImage(
    contentsOf url: URL, mimeType: String? = nil, x: Double, y: Double, width: Double? = nil
  ) throws(EditorError) -> ContentBlock {
    let data: Data
    do {
      let size = try url.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
      guard size <= PictureFile.mostBytes else {
        throw EditorError.unusableImport(
          what: "picture", expected: "at most \(PictureFile.mostBytes >> 20) MB",
          found: "\(size >> 20) MB")
      }
      data = try Data(contentsOf: url)
    } catch {
      throw (error as? EditorError)
        ?? .unusableImport(
          what: "picture \(url.lastPathComponent)", expected: "a file that can be read",
          found: error.localizedDescription)
    }
    return try addImage(data, mimeType: mimeType, x: x, y: y, width: width)
  }

  /// Adds a block with content at a place in the view, as one change.
  ///
  /// - Parameters:
  ///   - data: Typed text in UTF-8, a document in JIIX, or a picture.
  ///   - mimeType: The media type of the data: `text/plain`, that of ``ExportType/jiix``, `image/png`,
  ///     `image/jpeg` or `image/svg+xml`.
  ///   - x: The left edge in pixels.
  ///   - y: The upper edge in pixels.
  ///   - width: The width in pixels: of the lines of a text, or of a picture.
  /// - Returns: The new blocks, or the root if the part keeps all in its root.
  /// - Throws: ``EditorError/unsupportedExport(found:supported:)`` for another media type, and the
  ///   errors of ``addText(_:x:y:width:size:)-(String,_,_,_,_)``,
  ///   ``addImage(_:mimeType:x:y:width:)`` and ``importDocument(_:as:)``.
  @discardableResult
  public func addBlock(
    _ data: Data, mimeType: String, x: Double, y: Double, width: Double? = nil
  ) throws(EditorError) -> [ContentBlock] {
    switch mimeType.lowercased() {
    case ExportType.text.rawValue:
      guard let text = String(validating: data, as: UTF8.self) else {
        throw .unusableImport(what: "text", expected: "UTF-8", found: "other bytes")
      }
      return [try addText(text, x: x, y: y, width: width)]
    case ExportType.jiix.rawValue:
      let clip = try Self.clip(ofJIIX: data)
      return try paste(clip, x: x, y: y).blocks
    case let type where PictureFile.types.contains(type):
      return [try addImage(data, mimeType: type, x: x, y: y, width: width)]
    default:
      throw .unsupportedExport(
        found: mimeType,
        supported: [ExportType.text.rawValue, ExportType.jiix.rawValue] + PictureFile.types)
    }
  }

  private static func check(
    _ x: Double, _ y: Double, _ width: Double, _ height: Double
  ) throws(EditorError) {
    guard [x, y, width, height].allSatisfy({ $0.isFinite && abs($0) < 1e9 }), width > 0, height > 0
    else {
      throw .invalidArgument(
        "place", expected: "finite pixels, a width above 0", found: "other numbers")
    }
  }
}

/// A piece of a typed text in one style.
public struct StyledText: Hashable, Sendable {
  /// The text; a line feed begins a new line.
  public var text: String
  /// True for the bold face.
  public var isBold: Bool
  /// True for the italic face.
  public var isItalic: Bool
  /// The colour; nil for that of the theme.
  public var color: InkColor?
  /// The decorations.
  public var decorations: Set<DecorationKind>

  /// Makes a piece of a text.
  ///
  /// - Parameters:
  ///   - text: The text; a line feed begins a new line.
  ///   - isBold: True for the bold face.
  ///   - isItalic: True for the italic face.
  ///   - color: The colour; nil for that of the theme.
  ///   - decorations: The decorations.
  public init(
    _ text: String, isBold: Bool = false, isItalic: Bool = false, color: InkColor? = nil,
    decorations: Set<DecorationKind> = []
  ) {
    (self.text, self.isBold, self.isItalic) = (text, isBold, isItalic)
    (self.color, self.decorations) = (color, decorations)
  }
}

/// Typed text on its way into a document. Millimetres.
struct TypedPlan {
  var text: [StyledText]
  var left: Double
  var top: Double
  var width: Double?
  var size: Double
  var family: String
  var fonts: any FontProvider
}

extension Document {
  /// Adds typed text.
  ///
  /// - Parameter missing: The letters that the fonts lack are added here.
  /// - Returns: The block of the text.
  func type(_ plan: TypedPlan, missing: inout Set<Character>) -> BlockNode {
    markEdited()
    let typesetter = Typesetter(fonts: plan.fonts)
    let faces = plan.text.map {
      FontFace(family: plan.family, isBold: $0.isBold, isItalic: $0.isItalic)
    }
    let spans = zip(plan.text, faces).map { TextSpan($0.text, face: $1) }
    let metrics = plan.fonts.metrics(of: FontFace(family: plan.family))
    let styles = plan.text.map { piece in
      piece.color.flatMap { color in
        try? StrokeStyle(color: color.description, width: StrokeStyle.standard.width)
      }
    }
    var lines: [[[InkStroke]]] = []
    var decorated: [(item: Int, kinds: Set<DecorationKind>)] = []
    var baseline = plan.top + plan.size * metrics.ascent
    let frame = ReadingFrame(
      WritingDirection(of: plan.text.map(\.text).joined()) ?? direction)
    let set = typesetter.lines(of: spans, size: plan.size, width: plan.width)
    // Lines from right to left begin at one edge.
    let right = plan.width ?? set.map { line in line.last.map { $0.x + $0.width } ?? 0 }.max() ?? 0
    for line in set {
      let starts = LineSetting.starts(
        of: line.map(\.text), widths: line.map(\.width),
        gaps: zip(line, line.dropFirst()).map { $1.x - $0.x - $0.width }, frame)
      lines.append(
        zip(line, starts).map { word, start in
          var x = plan.left + (frame.isMirrored ? right - start - word.width : start)
          let isLeftward = TypedGlyphs.isLeftward(word.text)
          if isLeftward { x += word.width }
          return word.pieces.map { piece in
            if isLeftward { x -= piece.word.width }
            missing.formUnion(piece.missing)
            var stroke = InkStroke(id: makeItemID(), typed: piece.word, x: x, baseline: baseline)
            stroke.style = styles[piece.span]
            if !plan.text[piece.span].decorations.isEmpty {
              decorated.append((stroke.id, plan.text[piece.span].decorations))
            }
            if !isLeftward { x += piece.word.width }
            return stroke
          }
        })
      baseline += plan.size * metrics.lineHeight
    }
    let block = type == .text ? root : typedBlock(for: lines)
    addTyped(lines, to: block)
    for (item, kinds) in decorated {
      for kind in kinds.sorted(by: { $0.rawValue < $1.rawValue }) {
        decorate(anchor(ofWhole: [item]), with: kind)
      }
    }
    if type == .textDocument { makeRoom(for: block) }
    activeBlock = block
    return block
  }

  private func typedBlock(for lines: [[[InkStroke]]]) -> BlockNode {
    var home = root
    if let first = lines.first(where: { !$0.isEmpty })?.first?.first {
      let found = self.home(of: first)
      if found.type == .diagram || found.type == .rawContent { home = found }
    }
    return addBlock(.text, in: home, session: session)
  }

  /// Adds a picture.
  func add(_ picture: DocumentPicture, in box: BoundingBox) -> BlockNode {
    markEdited()
    var stroke = InkStroke(id: makeItemID(), picture: picture, in: box)
    stroke.number = makeNumber()
    take(stroke)
    if self.type.isPlainInk {
      root.items.append(stroke.id)
      places[stroke.id] = .block(root)
      return root
    }
    let block = addBlock(.drawing, in: root, session: session)
    block.isForced = true
    put([stroke.id], into: block)
    if self.type == .textDocument { makeRoom(for: block) }
    return block
  }

  /// Moves the blocks of a text document that a new block would cover below it, with all that
  /// follows them.
  func makeRoom(for block: BlockNode) {
    guard let own = block.box else { return }
    let covered = topLevelBlocks.filter { other in
      guard other !== block, let box = other.box else { return false }
      return box.overlaps(own) && box.midY >= own.minY
    }
    guard let top = covered.compactMap(\.box?.minY).min(), top < own.maxY else { return }
    moveBlocks(below: top, beside: block, dy: own.maxY - top + Chosen.blockGap)
  }
}

/// Numbers that were chosen and not derived.
private enum Chosen {
  /// The gap between blocks after one made room for another, millimetres.
  static let blockGap = 2.0
}
