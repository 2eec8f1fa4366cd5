import Foundation

/// The reason why there is no model for a name; part of the message of
/// ``RecognitionError/modelNotDownloaded(_:)``.
public enum MissingModelReason: Hashable, Sendable {
  /// No model has this name, and it is not a language.
  case unknownName
  /// The name has the form of a language tag, but there is no such language.
  case unknownLanguage
  /// This project has a pack of the language, by its English name, which is not here.
  case packNotInstalled(language: String)
  /// The language exists, by its English name, and this project has no pack of it.
  case languageWithoutPack(language: String)

  /// Finds the reason for a name that no model matches.
  ///
  /// - Parameter name: The identifier of a model, or a language tag.
  public init(of name: String) {
    guard let tag = try? LanguageTag(parsing: name), tag.privateUse == nil,
      2...3 ~= tag.language.count, !Self.unspecific.contains(tag.language)
    else {
      self = .unknownName
      return
    }
    if let known = (try? KnownLanguages.bestMatch(for: name)) ?? nil {
      self = .packNotInstalled(language: known.name)
    } else if Locale.LanguageCode(tag.language).isISOLanguage {
      self = .languageWithoutPack(
        language: Locale(identifier: "en").localizedString(forLanguageCode: tag.language)
          ?? tag.language)
    } else {
      self = .unknownLanguage
    }
  }

  /// Codes of ISO 639 that are no language: several, undetermined, none, other.
  private static let unspecific: Set<String> = ["mul", "und", "zxx", "mis"]

  /// The message: the expectation, the finding, and the remedy.
  func message(for name: String) -> String {
    switch self {
    case .unknownName:
      "expected the name of a model that is here, such as latin-lines, or a language that one of "
        + "them reads, such as de, found another name; 'ductus models list' names them"
    case .unknownLanguage:
      "expected a language that a model here reads, such as de, found no language: no language "
        + "has this tag (BCP 47); 'ductus models list --languages' names the languages"
    case .packNotInstalled(let language):
      "expected an installed model, found none: the pack of \(language) is not here; install it, "
        + "or make one with 'ductus language new \(name) --text FILE'"
    case .languageWithoutPack(let language):
      "\(language) is a language, but there is no pack of it; \(Self.making(name))"
    }
  }

  /// The way to make a pack of a language.
  private static func making(_ name: String) -> String {
    let tag = try? LanguageTag(parsing: name)
    guard let script = tag.flatMap(LanguageFacts.script),
      ScriptNetworks.network(ofScript: script) == nil
    else {
      return "make one from text with 'ductus language new \(name) --text FILE'"
    }
    return "its script is \(script), so train a line model of that script with 'ductus train "
      + "lines' first, then make the pack from text with 'ductus language new \(name) --from "
      + "MODEL --text FILE'"
  }
}

extension RecognitionError {
  /// The reason why no model was found; nil for other errors.
  public var missingModelReason: MissingModelReason? {
    if case .modelNotDownloaded(let name) = self { MissingModelReason(of: name) } else { nil }
  }
}
