import ArgumentParser
import Foundation
import ModelStore
import PretrainedModels
import Recognition

/// `ductus models list`.
struct ModelsListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List installed models; with --catalog, also updates.",
    discussion: """
      Example:
        ductus models list
      """)

  @OptionGroup var options: ModelStoreOptions

  @OptionGroup var output: JSONOutput

  func run() async throws {
    let manager = try options.manager()
    let updates = options.catalog == nil ? [] : try await manager.availableUpdates()
    let rows = manager.downloadedModels.map { model in
      ModelRow(
        model.description, bytes: model.byteCount, path: model.url.path,
        update: updates.first { $0.identifier == model.identifier }?.version)
    }
    try ModelRow.write(
      rows, output, none: "no model is installed in \(manager.storageLocation.path)")
    if !output.isAsked, !rows.isEmpty {
      print("\(manager.occupiedBytes) bytes in all, on the disk")
    }
    if !output.isAsked, let shipped = try? PretrainedModels() {
      print("come with ductus: " + shipped.models.map(\.identifier).joined(separator: ", "))
    }
  }
}

/// `ductus models search`.
struct ModelsSearchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "search",
    abstract: "Search a catalogue by name or language, or list it.",
    discussion: """
      Example:
        ductus models search en-GB --catalog https://example.org/models \\
          --trust publisher.pub
      """)

  @Argument(help: ArgumentHelp("A part of a name, or a language tag.", valueName: "text"))
  var text: String?

  @OptionGroup var options: ModelStoreOptions

  @OptionGroup var output: JSONOutput

  func run() async throws {
    let catalog = try await options.manager().catalog()
    var found = text.map(catalog.search) ?? catalog.entries
    if let text, let tag = try? LanguageTag(parsing: text) {
      found += catalog.languageIndex.bestMatches(for: tag).filter { !found.contains($0) }
    }
    let rows = found.map { entry in
      ModelRow(
        identifier: entry.identifier, name: entry.name, kind: entry.kind, version: entry.version,
        languages: entry.languages, bytes: entry.byteCount)
    }
    try ModelRow.write(rows, output, none: "no model of the catalogue matches")
  }
}

/// One model of a list.
struct ModelRow: Encodable {
  var identifier: String
  var name: String
  var kind: String
  var version: Int
  var languages: [String]
  var bytes: Int
  var path: String?
  /// The version in the catalogue.
  var update: Int?

  var line: String {
    let tags = languages.isEmpty ? "" : "  \(languages.joined(separator: ", "))"
    return "\(identifier)  \(kind)  version \(version)  \(bytes) bytes\(tags)"
      + (update.map { "  (version \($0) is available)" } ?? "")
  }

  static func write(_ rows: [ModelRow], _ output: JSONOutput, none: String) throws {
    try output.write(
      rows, text: rows.isEmpty ? none : rows.map(\.line).joined(separator: "\n"))
  }
}

extension ModelRow {
  init(_ model: ModelDescription, bytes: Int, path: String?, update: Int?) {
    self.init(
      identifier: model.identifier, name: model.name, kind: model.kind.rawValue,
      version: model.version, languages: model.languages.map(\.description), bytes: bytes,
      path: path, update: update)
  }
}
