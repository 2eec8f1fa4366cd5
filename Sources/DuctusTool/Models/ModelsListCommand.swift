import ArgumentParser
import Foundation
import ModelStore
import PretrainedModels
import Recognition

/// `ductus models list`.
package struct ModelsListCommand: AsyncParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List installed models; with --catalog, also updates.",
    discussion: """
      --languages lists the languages that come with ductus. Some packs have letters and rules \
      only, because there is too little free text of the language: 'ductus language new' makes a \
      pack with a language model from your text, of these and of other languages.

      Examples:
        ductus models list
        ductus models list --languages --region CH
      """)

  @Flag(help: "List all languages that have a pack.")
  var languages = false

  @Option(
    help: ArgumentHelp("With --languages: only those of a script.", valueName: "Latn"))
  var script: String?

  @Option(
    help: ArgumentHelp(
      "With --languages: only those that are official in a region.", valueName: "CH"))
  var region: String?

  @OptionGroup var options: ModelStoreOptions

  @OptionGroup var output: JSONOutput

  package func validate() throws {
    guard languages || (script ?? region) == nil else {
      throw ValidationError("--script and --region need --languages")
    }
  }

  package func run() async throws {
    let manager = try options.manager()
    if languages { return try listLanguages(manager) }
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

extension ModelsListCommand {
  /// Lists the known languages.
  private func listLanguages(_ manager: ModelManager) throws {
    var providers: [any ModelProvider] = [manager]
    if let shipped = try? PretrainedModels() { providers.append(shipped) }
    let installed = CombinedModels(providers)
    let rows: [LanguageRow] = try KnownLanguages.all.filter { language in
      (script.map { $0.lowercased() == language.script.lowercased() } ?? true)
        && (region.map { language.regions.contains($0.uppercased()) } ?? true)
    }.map { language in
      let tag = language.tag.description
      let model = try installed.model(exactly: tag, kind: .line)
      return LanguageRow(
        tag: tag, name: language.name, script: language.script, regions: language.regions,
        pack: language.availability.rawValue, model: model?.identifier)
    }
    try output.write(
      rows,
      text: rows.isEmpty ? "no known language" : rows.map(\.line).joined(separator: "\n"))
  }

  /// One known language.
  private struct LanguageRow: Encodable {
    var tag: String
    var name: String
    var script: String
    var regions: [String]
    /// The content of the pack.
    var pack: String
    /// The model that is there; nil if none is.
    var model: String?

    var line: String {
      let make = "ductus language new \(tag) --text FILE"
      let isComplete = pack == KnownLanguage.Availability.shipped.rawValue
      let state =
        switch model {
        case nil: "not in this build of ductus; make it: \(make)"
        case let model? where isComplete: "ready: \(model)"
        case let model?: "ready: \(model), letters and rules only; with your text: \(make)"
        }
      return tag.padding(toLength: 8, withPad: " ", startingAt: 0)
        + name.padding(toLength: 20, withPad: " ", startingAt: 0) + state
    }
  }
}

/// `ductus models search`.
package struct ModelsSearchCommand: AsyncParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
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

  package func run() async throws {
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
package struct ModelRow: Encodable {
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
