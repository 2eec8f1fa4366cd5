/// The supported types of parts.
public enum PartType: String, Hashable, Sendable, CaseIterable {
  /// Lines of text.
  case text = "Text"
  /// Text, shapes and drawings, told apart by the editor.
  case rawContent = "Raw Content"
  /// Ink that is not recognised.
  case drawing = "Drawing"

  /// The names of all types.
  static let names = allCases.map(\.rawValue)

  var rootType: BlockType {
    switch self {
    case .text: .text
    case .rawContent: .rawContent
    case .drawing: .drawing
    }
  }
}

/// A document, which an editor shows and changes while it is set there.
///
/// Made by ``Engine/makePart(type:)``. Its content is read through the editor.
public final class ContentPart: @unchecked Sendable {
  // Unchecked because the engine's lock guards the owner, and the lock of the editor that the part
  // is set on guards the rest.

  /// The type.
  public let type: PartType
  let engine: Engine
  /// The part's editor; guarded by the engine's lock.
  weak var owner: Editor?
  let document: Document

  init(type: PartType, engine: Engine) {
    self.type = type
    self.engine = engine
    document = Document(type: type)
  }
}
