import Files
import Foundation

/// The supported types of parts.
public enum PartType: String, Hashable, Sendable, CaseIterable {
  /// Lines of text.
  case text = "Text"
  /// Typed blocks below and beside each other: texts, drawings, diagrams, math.
  case textDocument = "Text Document"
  /// Text, shapes and drawings. The editor decides which ink is which.
  case rawContent = "Raw Content"
  /// Nodes, edges and texts.
  case diagram = "Diagram"
  /// Ink that is not recognised.
  case drawing = "Drawing"
  /// One formula.
  case math = "Math"

  /// The names of all types.
  package static let names = allCases.map(\.rawValue)

  package var rootType: BlockType {
    switch self {
    case .text: .text
    case .textDocument: .textDocument
    case .rawContent: .rawContent
    case .diagram: .diagram
    case .drawing: .drawing
    case .math: .math
    }
  }

  /// True if all ink stays in the root and is not sorted.
  var isPlainInk: Bool { self == .drawing || self == .math }

  /// The section of the configuration for reading its text; nil if it has no text to read.
  var section: String? {
    switch self {
    case .text, .textDocument: "text"
    case .rawContent, .diagram: "raw-content"
    case .drawing, .math: nil
    }
  }
}

/// A document. An editor shows and changes it while it is set there.
///
/// Made by ``Engine/makePart(type:)`` or by a package. The content is read through the editor. Two
/// parts are equal if they are the same object.
public final class ContentPart: Hashable, @unchecked Sendable {
  // Unchecked because the document and its recorder are used by the holder of a lock only: that of
  // the editor that has the part, or that of the ownership if none has it.

  /// The type.
  public let type: PartType
  /// The id, which differs from that of any other part.
  public let id: String
  /// The engine that made the part, or opened its package.
  public let engine: Engine
  /// The package that keeps the part; nil for a part in memory.
  package let store: (any PartStore)?
  /// What is left to load, and the content while it is loaded.
  let loading = Guarded(Loading())
  /// Finds what changed since the content was last stored; guarded like the document.
  let recorder = PartRecorder()
  /// The editor that has the part.
  package let ownership = Guarded(Ownership())
  package private(set) var document: Document

  /// What is known of the content in the package.
  struct Loading {
    /// True until the content was loaded.
    var isNeeded = false
    /// The reason why the content could not be loaded.
    var fault: String?
  }

  /// Who may use the part.
  package struct Ownership {
    /// The part's editor.
    weak var owner: Editor?
    /// True if the part was removed from its package, or the package was closed.
    var isInvalid = false
    /// The text configuration when the part was first set.
    package var knownConfiguration: TextConfiguration?
  }

  init(
    type: PartType, engine: Engine, id: String = UUID().uuidString.lowercased(),
    store: (any PartStore)? = nil
  ) {
    self.type = type
    self.engine = engine
    self.id = id
    self.store = store
    document = Document(type: type)
  }

  /// Forgets the content of a part that is stored; its next use loads it again. Changes that are not
  /// stored, and the history, are lost: this is for packages that are open for reading. Nothing
  /// happens while an editor has the part.
  package func unload() {
    guard store != nil else { return }
    ownership.withLock { ownership in
      guard ownership.owner == nil, !ownership.isInvalid else { return }
      loading.withLock { $0.isNeeded = true }
      document = Document(type: type)
      recorder.reset()
    }
  }

  /// Returns true if both are the same part.
  public static func == (left: ContentPart, right: ContentPart) -> Bool { left === right }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
