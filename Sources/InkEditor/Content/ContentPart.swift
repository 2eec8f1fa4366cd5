/// The supported types of parts.
public enum PartType: String, Hashable, Sendable, CaseIterable {
  /// Lines of text.
  case text = "Text"
  /// Typed blocks below and beside each other: texts, drawings, diagrams, math.
  case textDocument = "Text Document"
  /// Text, shapes and drawings, told apart by the editor.
  case rawContent = "Raw Content"
  /// Nodes, edges and texts.
  case diagram = "Diagram"
  /// Ink that is not recognised.
  case drawing = "Drawing"
  /// One expression, kept as ink; it cannot be read yet.
  case math = "Math"

  /// The names of all types.
  static let names = allCases.map(\.rawValue)

  var rootType: BlockType {
    switch self {
    case .text: .text
    case .textDocument: .textDocument
    case .rawContent: .rawContent
    case .diagram: .diagram
    case .drawing: .drawing
    case .math: .math
    }
  }

  /// Whether all ink is kept as it is, in the root.
  var isPlainInk: Bool { self == .drawing || self == .math }

  /// The section of the configuration that says how its text is read; nil where none is read.
  var section: String? {
    switch self {
    case .text, .textDocument: "text"
    case .rawContent, .diagram: "raw-content"
    case .drawing, .math: nil
    }
  }
}

/// A document, which an editor shows and changes while it is set there.
///
/// Made by ``Engine/makePart(type:)``. Its content is read through the editor. Two parts are equal when
/// they are the same one.
public final class ContentPart: Hashable, @unchecked Sendable {
  // Unchecked because the engine's lock guards the owner, and the lock of the editor that the part
  // is set on guards the rest.

  /// The type.
  public let type: PartType
  let engine: Engine
  /// The part's editor; guarded by the engine's lock.
  weak var owner: Editor?
  let document: Document
  /// The configuration of text that the part was first set with; guarded by the engine's lock.
  var knownConfiguration: TextConfiguration?

  init(type: PartType, engine: Engine) {
    self.type = type
    self.engine = engine
    document = Document(type: type)
  }

  /// Whether both are the same part.
  public static func == (left: ContentPart, right: ContentPart) -> Bool { left === right }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
