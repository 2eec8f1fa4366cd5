import ArgumentParser
import Foundation
import LanguageModels
import ModelFormat
import ModelStore
import Recognition

/// `ductus models pack`.
package struct ModelsPackCommand: ParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "pack",
    abstract: "Gather a model and its parts into one folder.",
    discussion: """
      Options set the name, languages and sources that a published model needs, or replace \
      parts. Without options the folder is an exact copy, signature included. A folder that an \
      option has changed must be signed again.

      Example:
        ductus models pack lines.ductus --language-model english.ngram \\
          --identifier latin-lines \\
          --language en --output latin-lines.ductus
      """)

  @Argument(help: ArgumentHelp("A bundle, or an installed model.", valueName: "model"))
  var model: String

  @Option(help: ArgumentHelp("The folder to write, NAME.ductus.", valueName: "folder"))
  var output: String

  @Option(
    help: ArgumentHelp("A language model to add, instead of the bundle's own.", valueName: "file"))
  var languageModel: String?

  @Option(
    help: ArgumentHelp(
      "A recurrent language model to add, instead of the bundle's own.", valueName: "file"))
  var recurrentModel: String?

  @Option(
    help: ArgumentHelp(
      "A glyph model of single characters to add to a line model, instead of its own: a bundle or "
        + "an installed model.", valueName: "model"))
  var characterModel: String?

  @Option(help: "The identifier of the model in catalogues.")
  var identifier: String?

  @Option(help: "The display name of the model.")
  var name: String?

  @Option(
    name: .customLong("language"),
    help: ArgumentHelp(
      "A language tag, such as en-US or zxx-Zsym-x-shapes; repeatable.",
      valueName: "tag"))
  var languages: [String] = []

  @Option(
    name: .customLong("source"),
    help: ArgumentHelp(
      "Further data of the model, such as that of its language model; repeatable.",
      valueName: "name;licence;attribution"))
  var sources: [String] = []

  @Option(help: ArgumentHelp("The version of the model, from 1.", valueName: "n"))
  var modelVersion: Int?

  package func validate() throws {
    if let modelVersion, modelVersion < 1 {
      throw ValidationError("--model-version \(modelVersion): expected 1 or more")
    }
    for source in sources where ModelManifest.DataSource(parsing: source) == nil {
      throw ValidationError("--source \(source): expected name;licence;attribution, none empty")
    }
  }

  package func run() throws {
    let bundle = try ModelBundle.open(ModelLibrary.local.url(of: model))
    var writer = try ModelBundleWriter(copying: bundle)
    let tags = try languages.map { try LanguageTag(parsing: $0).description }
    guard
      bundle.manifest.kind == .line || (languageModel ?? recurrentModel ?? characterModel) == nil
    else {
      throw ToolError.lineOptions(model)
    }
    // Open all parts, so that no damaged file is packed.
    if let languageModel {
      _ = try LanguageModel(contentsOf: languageModel)
      try replace(
        ModelManifest.Part.languageRole, by: languageModel, as: "language.ngram", in: &writer)
    }
    if let recurrentModel {
      _ = try RecurrentLanguageModel(contentsOf: URL(fileURLWithPath: recurrentModel))
      try replace(
        ModelManifest.Part.recurrentRole, by: recurrentModel, as: "language.safetensors",
        in: &writer)
    }
    if let characterModel { try putIn(characterModel, in: &writer) }
    if identifier != nil || name != nil || !tags.isEmpty || modelVersion != nil
      || !sources.isEmpty
    {
      writer.change { manifest in
        if let identifier { manifest.identifier = identifier }
        if let name { manifest.name = name }
        if !tags.isEmpty { manifest.languages = tags }
        if let modelVersion { manifest.version = modelVersion }
        manifest.data += sources.compactMap { ModelManifest.DataSource(parsing: $0) }
      }
    }
    let isCopy = writer.manifest == bundle.manifest
    let card = try? String(
      contentsOf: bundle.url.appendingPathComponent("MODELCARD.md"), encoding: .utf8)
    let packed = try writer.write(
      to: URL(fileURLWithPath: output), modelCard: isCopy ? card : nil)
    print(
      "\(output): \(packed.manifest.identifier) version \(packed.manifest.modelVersion), "
        + "\(packed.manifest.parts.count) parts, \(packed.byteCount) bytes, "
        + (packed.signature == nil ? "not signed" : "signed"))
  }

  /// Adds a glyph model to a bundle, and its data to the manifest.
  private func putIn(_ characterModel: String, in writer: inout ModelBundleWriter) throws {
    let (model, data) = try OpenModel.characters(characterModel, for: writer.manifest.labels)
    let role = ModelManifest.Part.characterRole
    writer.remove(role: role)
    try writer.add(part: "characters.safetensors", role: role, data: model.serialized())
    writer.change { manifest in
      for source in data where !manifest.data.contains(source) { manifest.data.append(source) }
    }
  }

  /// Adds a file to a bundle, replacing the one with its role.
  private func replace(
    _ role: String, by file: String, as part: String, in writer: inout ModelBundleWriter
  ) throws {
    writer.remove(role: role)
    try writer.add(part: part, role: role, data: Data(contentsOf: URL(fileURLWithPath: file)))
  }
}
