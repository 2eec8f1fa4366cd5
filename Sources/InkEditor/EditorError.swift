import Foundation

/// The reason why an editor refuses a call. It contains facts, never ink or text.
public enum EditorError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Parts or content of this type are not supported.
  case unsupportedType(found: String, supported: [String])
  /// A part was set before the size of the view was known.
  case viewSizeNotSet
  /// The part is already set on an editor.
  case partAlreadyBound
  /// The part was removed from its package, or its package was closed.
  case invalidPart
  /// The content of the part cannot be loaded from its package.
  case unreadablePart(reason: String)
  /// The call needs a part, but none is set.
  case noPart
  /// No model configuration bundle has this name.
  case bundleNotFound(String)
  /// The bundle exists but has no configuration of this name.
  case configurationNotFound(bundle: String, name: String)
  /// The description of a configuration bundle cannot be used.
  case malformedBundle(path: String, reason: String)
  /// The pointer event does not fit the previous ones.
  case pointerSequence(pointer: Int, expected: String, found: String)
  /// An invalid argument.
  case invalidArgument(String, expected: String, found: String)
  /// The call is refused while a pointer is down.
  case pointerIsDown
  /// Recognition has not finished.
  case notIdle
  /// The call would wait for the code of the host that makes it, or undo the change that is being
  /// reported to it.
  case insideCallback
  /// The block was removed, or its part is no longer set.
  case invalidBlock(String)
  /// The root block cannot be removed.
  case rootBlock
  /// The block does not support this export or import.
  case unsupportedExport(found: String, supported: [String])
  /// A file cannot be written.
  case unwritableFile(path: String, reason: String)
  /// A document to import is malformed or does not fit the block.
  case unusableImport(what: String, expected: String, found: String)
  /// There is no such word or candidate.
  case noSuchCandidate
  /// The word was read again since it was shown, or is gone.
  case staleWord(Int)
  /// Nobody waits for an answer about a gesture of this stroke.
  case noSuchGesture(Int)
  /// A configuration key cannot be read or set.
  case configuration(ConfigurationError)

  /// The message: what happened, where, and what to do.
  public var description: String {
    switch self {
    case .unsupportedType(let found, let supported):
      "type \"\(found)\" is not supported; supported: \(supported.joined(separator: ", "))"
    case .viewSizeNotSet: "part not set: the view has no size yet; call setViewSize first"
    case .partAlreadyBound: "part not set: it is set on an editor already; set nil there first"
    case .invalidPart: "part: removed from its package, or the package was closed; open it again"
    case .unreadablePart(let reason):
      "part: cannot be loaded: \(reason); check the package with 'ductus doc check'"
    case .noPart: "no part is set; make one with Engine.makePart and set it"
    case .bundleNotFound(let name):
      "configuration bundle \(name): not found; check text.configuration.bundle, lang and the models"
    case .configurationNotFound(let bundle, let name):
      "configuration \(name): not found in the bundle \(bundle); check text.configuration.name"
    case .malformedBundle(let path, let reason):
      "\(path): \(reason); correct the file or remove its folder from "
        + "configuration-manager.search-path"
    case .pointerSequence(let pointer, let expected, let found):
      "pointer \(pointer): expected \(expected), found \(found)"
    case .invalidArgument(let what, let expected, let found):
      "\(what): expected \(expected), found \(found)"
    case .pointerIsDown: "a pointer is down; send its up or cancel it first"
    case .notIdle: "recognition has not finished; call waitUntilIdle or await becomeIdle first"
    case .insideCallback:
      "waiting and undoing are refused in a callback, a recogniser or a lookup of models; return "
        + "from it first"
    case .invalidBlock(let id): "block \(id): removed, or its part is no longer set"
    case .rootBlock: "the root block of a part cannot be removed; clear it instead"
    case .unsupportedExport(let found, let supported):
      "\(found): not supported for this block; supported: \(supported.joined(separator: ", "))"
    case .unwritableFile(let path, let reason):
      "\(path): cannot be written: \(reason); check the folder, its permissions and the free space"
    case .unusableImport(let what, let expected, let found):
      "import, \(what): expected \(expected), found \(found)"
    case .staleWord(let id):
      "word \(id): read again or removed since it was shown; show the block's words again"
    case .noSuchCandidate: "no such word, or no such candidate of it; choose one of its candidates"
    case .noSuchGesture(let stroke):
      "stroke \(stroke): no gesture waits for an answer: it was answered, is too old, or is gone"
    case .configuration(let error): error.description
    }
  }
}

/// A problem that an editor reports while it works, in addition to the errors of its calls.
public struct EditorNotice: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of problem.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// There is no model for the ink. It is kept and read when the model is there.
    case modelNotFound
    /// The configuration bundle of the part no longer exists.
    case bundleNotFound
    /// The bundle of the part no longer has a configuration of its name.
    case nameNotFound
    /// The model, or a file that it needs, exists but cannot be opened.
    case resourceNotFound
    /// The recogniser refused the ink, which is kept.
    case inkRejected
    /// The ink was not read, and is smaller than writing.
    case inkTooSmall
    /// The ink was not read, and is taller than writing.
    case inkTooBig
    /// The ink was not read, and has very many points.
    case inkTooLong
    /// The ink is above the first line.
    case inkAboveFirstLine
    /// The ink is outside of the page.
    case inkOutOfPage
    /// The shape recogniser failed: the ink is sorted again when models change.
    case shapesFailed
    /// A gesture was found but could not be applied: its stroke is ink.
    case gestureNotApplied
    /// The fonts lack letters of typed text.
    case fontLacksCharacters
    /// The delegate did not answer in time: the gesture is applied as the configuration says.
    case gestureNotAnswered
    /// A configuration key cannot be used.
    case invalidConfiguration

    /// The problem in words.
    var text: String {
      switch self {
      case .modelNotFound: "there is no model"
      case .bundleNotFound: "the configuration bundle no longer exists"
      case .nameNotFound: "the configuration no longer exists"
      case .resourceNotFound: "the model cannot be opened"
      case .inkRejected: "the ink was refused"
      case .inkTooSmall: "the ink is too small"
      case .inkTooBig: "the ink is too big"
      case .inkTooLong: "the ink is too long"
      case .inkAboveFirstLine: "the ink is above the first line"
      case .inkOutOfPage: "the ink is outside of the page"
      case .shapesFailed: "the shape recogniser failed"
      case .gestureNotApplied: "a gesture cannot be applied"
      case .fontLacksCharacters: "the fonts lack letters"
      case .gestureNotAnswered: "the delegate did not answer about a gesture"
      case .invalidConfiguration: "a setting cannot be used"
      }
    }
  }

  /// The block.
  public var block: String
  /// The kind of problem.
  public var code: Code
  /// The message: what happened and what to do.
  public var message: String

  package init(block: String, code: Code, message: String) {
    self.block = block
    self.code = code
    self.message = message
  }

  /// Block, kind and message.
  public var description: String { "block \(block): \(code.rawValue): \(message)" }
}

extension EditorError: LocalizedError {
  /// The text of `localizedDescription`.
  public var errorDescription: String? { description }
}

extension EditorNotice: LocalizedError {
  /// The text of `localizedDescription`.
  public var errorDescription: String? { description }
}

extension ConfigurationError: LocalizedError {
  /// The text of `localizedDescription`.
  public var errorDescription: String? { description }
}
