import Foundation
import ModelFormat

/// Work of `ductus models` that a page asks for.
package struct ModelAction: Decodable, Sendable {
  /// The command.
  enum Command: String, Decodable, CaseIterable, Sendable {
    /// Check files and signer.
    case verify
    /// Install from a catalogue, or a model of the project.
    case install
    /// List the models of a catalogue.
    case search
    /// Update installed models from a catalogue.
    case update
    /// Delete an installed model.
    case delete
    /// Make a pair of keys.
    case keygen
    /// Sign a model of the project.
    case sign
    /// Copy a model with another name, languages or version.
    case pack
    /// Write a signed catalogue into the project.
    case publish
  }

  var command: Command
  /// The model; for ``Command/install`` from a catalogue, its name there.
  var model: String?
  /// The models to publish.
  var models: [String]?
  /// The URL of a catalogue.
  var catalog: String?
  /// The names of trusted public keys of the project.
  var trust: [String]?
  /// The name of the key that signs, or of a new one.
  var key: String?
  /// The name of the packed model or of the catalogue's folder.
  var name: String?
  /// The settings of ``Command/pack``.
  var pack: Pack?

  /// The settings of a packed model; nil keeps what the model has.
  struct Pack: Decodable, Sendable {
    var identifier: String?
    var displayName: String?
    var languages: [String]?
    var version: Int?
  }
}

extension ModelAction {
  /// Checks the values and returns the job.
  ///
  /// - Throws: ``StudioError``.
  package func job(in context: StudioContext) throws -> JobRequest {
    let checked = JobArguments(context)
    let keys = ModelKeys(context.project)
    var output: String?
    var arguments = ["models", command.rawValue]
    var title = command.rawValue
    switch command {
    case .verify:
      let name = try required(model, "model")
      title += " \(name)"
      arguments.append(try checked.model(name, field: "model"))
      arguments += try keys.trustedPaths(trust ?? []).map { "--trust=\($0)" }
    case .install:
      let name = try required(model, "model")
      title += " \(name)"
      if catalog == nil {
        arguments.append(try ownModel(name, checked, context))
      } else {
        arguments.append(try Self.catalogName(name))
        arguments += try catalogArguments(keys)
      }
    case .search:
      arguments += try catalogArguments(keys)
    case .update:
      if let model { arguments.append(try Self.catalogName(model)) }
      arguments += try catalogArguments(keys)
    case .delete:
      let name = try required(model, "model")
      title += " \(name)"
      arguments.append(try Self.catalogName(name))
    case .keygen:
      let path = try keys.newPath(try required(key, "key"))
      title += " \(path)"
      arguments.append("--output=\(path)")
      output = path
    case .sign:
      let name = try required(model, "model")
      title += " \(name)"
      arguments.append(try ownModel(name, checked, context))
      arguments.append("--key=\(try keys.signingPath(try required(key, "key")))")
    case .pack:
      let name = try JobArguments.modelName(try required(self.name, "name"))
      let path = JobArguments.path(ofModel: name)
      _ = try context.project.folder("models")
      let url = try context.project.url(of: path)
      guard !FileManager.default.fileExists(atPath: url.path) else {
        throw StudioError(.conflict, "there is a model of this name; choose another", field: "name")
      }
      title += " \(name)"
      arguments.append(try checked.model(try required(model, "model"), field: "model"))
      arguments.append("--output=\(path)")
      arguments += try packArguments()
      output = path
    case .publish:
      let folder = "catalogues/\(try Project.name(try required(name, "name")))"
      _ = try context.project.folder(folder)
      title += " \(folder)"
      for each in models ?? [] { arguments.append(try ownModel(each, checked, context)) }
      arguments.append("--output=\(folder)")
      arguments.append("--key=\(try keys.signingPath(try required(key, "key")))")
      output = folder
    }
    return JobRequest(kind: .models, title: title, arguments: arguments, output: output)
  }

  private func required(_ value: String?, _ field: String) throws(StudioError) -> String {
    guard let value, !value.isEmpty else {
      throw StudioError(.invalidValue, "expected a value, found none", field: field)
    }
    return value
  }

  /// The path of a model of the project, which may be signed, installed and published.
  private func ownModel(
    _ name: String, _ checked: JobArguments, _ context: StudioContext
  ) throws(StudioError) -> String {
    let path = try checked.model(name, field: "model")
    guard !path.hasPrefix("/") else {
      throw StudioError(
        .invalidValue, "expected a model of the project; pack this one into the project first",
        field: "model")
    }
    return path
  }

  /// A name of a model in a catalogue or a store, or a language tag: it cannot be an option or a
  /// path.
  private static func catalogName(_ text: String) throws(StudioError) -> String {
    guard ModelManifest.isPortableName(text), !text.hasPrefix("-"),
      !text.hasSuffix(JobArguments.suffix)
    else {
      throw StudioError(
        .invalidValue, "expected a name of a model: letters, digits, '-', '_' and '.'",
        field: "model")
    }
    return text
  }

  private func catalogArguments(_ keys: ModelKeys) throws(StudioError) -> [String] {
    let text = try required(catalog, "catalog")
    let wrong = StudioError(
      .invalidValue, "expected the address of a catalogue, such as https://example.org/models",
      field: "catalog")
    guard text.utf8.count <= 2000, let url = URL(string: text),
      ["http", "https"].contains(url.scheme?.lowercased() ?? ""), !(url.host ?? "").isEmpty,
      url.user == nil
    else { throw wrong }
    let trusted = try keys.trustedPaths(trust ?? [])
    guard !trusted.isEmpty else {
      throw StudioError(
        .invalidValue,
        "expected the key of the publisher: a catalogue without a trusted key is refused",
        field: "trust")
    }
    return ["--catalog=\(text)"] + trusted.map { "--trust=\($0)" }
  }

  /// Returns true for a letter, a digit or a hyphen.
  private static func isOfTag(_ byte: UInt8) -> Bool {
    byte == 0x2D || (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
  }

  private func packArguments() throws(StudioError) -> [String] {
    guard let pack else { return [] }
    var arguments: [String] = []
    if let identifier = pack.identifier, !identifier.isEmpty {
      guard ModelManifest.isPortableName(identifier) else {
        throw StudioError(
          .invalidValue, "expected letters, digits, '-', '_' and '.'", field: "identifier")
      }
      arguments.append("--identifier=\(identifier)")
    }
    if let name = pack.displayName, !name.isEmpty {
      arguments.append("--name=\(try Project.name(name, field: "displayName"))")
    }
    for tag in pack.languages ?? [] {
      guard !tag.isEmpty, tag.utf8.count <= 100,
        !tag.hasPrefix("-"), tag.utf8.allSatisfy(Self.isOfTag)
      else {
        throw StudioError(
          .invalidValue, "expected language tags such as en or de-CH", field: "languages")
      }
      arguments.append("--language=\(tag)")
    }
    if let version = pack.version {
      guard (1...1_000_000).contains(version) else {
        throw StudioError(.invalidValue, "expected 1 to 1000000", field: "version")
      }
      arguments.append("--model-version=\(version)")
    }
    return arguments
  }
}
