import Foundation
import LanguageModels

/// A reason why an intact bundle cannot be used as a model.
public enum ModelError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The bundle contains another kind of model.
  case unsupportedKind(path: String, expected: String, found: String)
  /// A part that this kind of model needs is missing.
  case missingPart(path: String, part: String)
  /// Architecture, features or labels do not make a network.
  case malformed(path: String, what: String, expected: String, found: String)
  /// A tensor is missing, unexpected, or has another shape.
  case tensorMismatch(path: String, tensor: String, expected: [Int], found: [Int]?)
  /// The rules of the language cannot be read.
  case unusableRules(path: String, LanguageRulesError)

  /// The message: what happened, where, and what to do.
  public var description: String {
    switch self {
    case .unsupportedKind(let path, let expected, let found):
      "\(path): expected a model of kind \(expected), found \(found)"
    case .missingPart(let path, let part):
      "\(path): expected the part \(part), found none; the bundle is incomplete; fetch it again"
    case .malformed(let path, let what, let expected, let found):
      "\(path): \(what): expected \(expected), found \(found); train or fetch the model again"
    case .tensorMismatch(let path, let tensor, let expected, let found):
      "\(path): tensor \(tensor): expected shape \(expected), found "
        + (found.map { "\($0)" } ?? "none") + "; train or fetch the model again"
    case .unusableRules(let path, let error): "\(path): \(error)"
    }
  }
}

extension ModelError: LocalizedError {
  /// The text of `localizedDescription`: ``description``.
  public var errorDescription: String? { description }
}
