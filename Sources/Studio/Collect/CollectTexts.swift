import Foundation
import InkSynthesis

/// The texts that prompts can be taken from: built-in ones, files in the folder `texts/` of the
/// project, and the text of languages that are installed with the public datasets.
package struct CollectTexts: Sendable {
  /// A built-in list.
  package enum BuiltIn: String, Codable, CaseIterable, Sendable {
    case words
    case lowerCase = "lower-case"
    case upperCase = "upper-case"
    case digits
    case symbols
    case shapes
    case gestures
  }

  /// A text of a language.
  package struct Language: Encodable, Hashable, Sendable {
    /// The tag of the language (BCP 47).
    var tag: String
    /// The name of the text, such as `cc0`.
    var part: String
    var bytes: Int
    /// The licences of the text, as its source states them.
    var licence: String?

    package init(tag: String, part: String, bytes: Int, licence: String? = nil) {
      self.tag = tag
      self.part = part
      self.bytes = bytes
      self.licence = licence
    }
  }

  /// A text of the project.
  struct File: Encodable, Hashable, Sendable {
    /// The path below the folder `texts/`.
    var path: String
    var bytes: Int
  }

  private let project: Project
  private let languages: URL

  /// The most bytes of a text.
  static let mostBytes = 64 << 20
  /// The most texts that are listed.
  static let mostListed = 500

  /// Makes the texts of a project.
  ///
  /// - Parameter environment: Names the folder of the public datasets as `INK_DATASETS`; the default
  ///   is `~/.cache/ink-datasets`.
  package init(
    _ project: Project, environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    self.project = project
    let named = environment["INK_DATASETS"].flatMap { $0.isEmpty ? nil : $0 }
    let folder =
      named.map { URL(fileURLWithPath: $0, isDirectory: true) }
      ?? FileManager.default.homeDirectoryForCurrentUser
      .appendingPathComponent(".cache/ink-datasets", isDirectory: true)
    languages = folder.appendingPathComponent("languages", isDirectory: true)
  }

  // MARK: - Lists

  /// Returns the texts of the project, sorted.
  func files() -> [File] {
    guard let folder = try? project.url(of: "texts") else { return [] }
    let walk = FileManager.default.enumerator(
      at: folder, includingPropertiesForKeys: [.fileSizeKey, .isRegularFileKey],
      options: [.skipsHiddenFiles, .skipsPackageDescendants])
    var result: [File] = []
    for case let url as URL in walk ?? .init() {
      let values = try? url.resourceValues(forKeys: [.fileSizeKey, .isRegularFileKey])
      guard values?.isRegularFile == true, url.path.hasPrefix(folder.path + "/") else { continue }
      result.append(
        File(path: String(url.path.dropFirst(folder.path.count + 1)), bytes: values?.fileSize ?? 0))
      if result.count == Self.mostListed { break }
    }
    return result.sorted { $0.path < $1.path }
  }

  /// Returns the texts of the installed languages, sorted.
  package func installedLanguages() -> [Language] {
    let manager = FileManager.default
    let licences = licences()
    var result: [Language] = []
    for tag in (try? manager.contentsOfDirectory(atPath: languages.path).sorted()) ?? []
    where Self.isName(tag) {
      let folder = languages.appendingPathComponent(tag)
      for file in (try? manager.contentsOfDirectory(atPath: folder.path).sorted()) ?? []
      where file.hasSuffix(".txt") {
        let part = String(file.dropLast(4))
        let size = try? folder.appendingPathComponent(file)
          .resourceValues(forKeys: [.fileSizeKey]).fileSize
        guard Self.isName(part), let size, result.count < Self.mostListed else { continue }
        result.append(
          Language(tag: tag, part: part, bytes: size, licence: licences["\(tag)/\(part)"]))
      }
    }
    return result
  }

  /// Reads `SOURCES.tsv`: the licences by tag and part.
  private func licences() -> [String: String] {
    let url = languages.appendingPathComponent("SOURCES.tsv")
    guard let text = try? String(contentsOf: url, encoding: .utf8) else { return [:] }
    var found: [String: [String]] = [:]
    let rows = text.split(whereSeparator: \.isNewline)
      .map { $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init) }
    guard let head = rows.first, let tag = head.firstIndex(of: "tag"),
      let part = head.firstIndex(of: "part"), let licence = head.firstIndex(of: "licence")
    else { return [:] }
    for row in rows.dropFirst() where row.count == head.count {
      let key = "\(row[tag])/\(row[part])"
      if found[key]?.contains(row[licence]) != true { found[key, default: []].append(row[licence]) }
    }
    return found.mapValues { $0.sorted().joined(separator: ", ") }
  }

  // MARK: - Content

  /// Returns the lines of a built-in list.
  ///
  /// - Throws: ``StudioError`` if the resources of the package are missing.
  static func lines(of list: BuiltIn) throws(StudioError) -> [String] {
    do {
      switch list {
      case .words:
        return try StarterWords.builtIn().split(whereSeparator: \.isNewline).map(String.init)
      case .lowerCase: return try characters { $0.isLowercase }
      case .upperCase: return try characters { $0.isUppercase }
      case .digits: return try characters { $0.isNumber }
      case .symbols: return try characters { !$0.isLetter && !$0.isNumber }
      case .shapes: return try ShapeComposer.labels + PrototypeLibrary.shapes.get().labels
      case .gestures: return try PrototypeLibrary.gestures.get().labels
      }
    } catch {
      throw StudioError(.unusableFile, "\(error)")
    }
  }

  /// Returns the characters of the starter set that have a property, in their order there.
  private static func characters(_ isWanted: (Character) -> Bool) throws -> [String] {
    try PrototypeLibrary.characters.get().labels.filter { $0.allSatisfy(isWanted) }
  }

  /// Returns a text of the project.
  ///
  /// - Parameter path: The path below the folder `texts/`.
  /// - Throws: ``StudioError``.
  func file(_ path: String) throws(StudioError) -> String {
    try Self.text(try project.url(of: "texts/\(path)"), field: "source.path")
  }

  /// Returns a text of a language.
  ///
  /// - Throws: ``StudioError``.
  func language(_ tag: String, part: String) throws(StudioError) -> String {
    guard Self.isName(tag), Self.isName(part) else {
      throw StudioError(
        .forbidden, "expected the tag of an installed language and one of its texts",
        field: "source.tag")
    }
    return try Self.text(
      languages.appendingPathComponent(tag).appendingPathComponent("\(part).txt"),
      field: "source.tag")
  }

  private static func isName(_ text: String) -> Bool {
    (1...40).contains(text.utf8.count)
      && text.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
          || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
      }
  }

  private static func text(_ url: URL, field: String) throws(StudioError) -> String {
    let values = try? url.resourceValues(forKeys: [.fileSizeKey, .isRegularFileKey])
    guard let values, values.isRegularFile == true else {
      throw StudioError(.notFound, "expected a text file, found none", field: field)
    }
    guard (values.fileSize ?? 0) <= mostBytes else {
      throw StudioError(
        .tooLarge, "expected a text of at most \(mostBytes >> 20) MB, found a larger one",
        field: field)
    }
    guard let bytes = try? Data(contentsOf: url), let text = String(data: bytes, encoding: .utf8)
    else {
      throw StudioError(
        .invalidValue, "expected UTF-8, found another encoding; convert the file", field: field)
    }
    return text
  }
}
