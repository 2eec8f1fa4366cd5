import Files
import Foundation
import ModelFormat

/// The keys in `keys/` of the project: pairs that sign, and public keys of others.
package struct ModelKeys: Sendable {
  /// A key. Private keys are never shown.
  package struct Key: Encodable, Sendable {
    /// The name of its file, without `.pub`.
    package var name: String
    package var fingerprint: String
    /// True if the project has the private key too.
    package var signs: Bool
    /// The public key, to give to those who install.
    var publicKey: String
  }

  /// The folder in the project.
  static let folder = "keys"
  /// The longest file of a public key.
  private static let mostBytes = 4096

  private let project: Project

  package init(_ project: Project) { self.project = project }

  /// All keys by name.
  package func list() -> [Key] {
    guard let folder = try? project.url(of: Self.folder),
      let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
    else { return [] }
    return names.filter { $0.hasSuffix(".pub") }.sorted().compactMap { file in
      let name = String(file.dropLast(4))
      guard (try? Project.name(name)) == name,
        let url = try? project.url(of: "\(Self.folder)/\(file)"),
        let key = try? VerifyingKey(contentsOf: url),
        let text = try? String(contentsOf: url, encoding: .utf8)
      else { return nil }
      let own = folder.appendingPathComponent(name).path
      return Key(
        name: name, fingerprint: key.fingerprint,
        signs: FileManager.default.fileExists(atPath: own), publicKey: text)
    }
  }

  /// The path of a private key in the project.
  ///
  /// - Throws: ``StudioError`` of code `notFound`.
  func signingPath(_ name: String) throws(StudioError) -> String {
    let checked = try Project.name(name, field: "key")
    guard list().contains(where: { $0.name == checked && $0.signs }) else {
      throw StudioError(
        .notFound, "expected a key of the project that signs; make one first", field: "key")
    }
    let path = "\(Self.folder)/\(checked)"
    _ = try project.url(of: path)
    return path
  }

  /// The paths of public keys in the project.
  ///
  /// - Throws: ``StudioError`` of code `notFound`.
  func trustedPaths(_ names: [String]) throws(StudioError) -> [String] {
    let known = Set(list().map(\.name))
    var paths: [String] = []
    for name in names {
      let checked = try Project.name(name, field: "trust")
      guard known.contains(checked) else {
        throw StudioError(
          .notFound, "expected a public key of the project; add the publisher's key first",
          field: "trust")
      }
      paths.append("\(Self.folder)/\(checked).pub")
    }
    return paths
  }

  /// The path of a new pair of keys.
  ///
  /// - Throws: ``StudioError`` of code `conflict` if there is one of this name.
  package func newPath(_ name: String) throws(StudioError) -> String {
    let checked = try Project.name(name, field: "key")
    guard !checked.hasSuffix(".pub") else {
      throw StudioError(
        .invalidValue, "expected a name without .pub, which is added to the public key",
        field: "key")
    }
    let path = "\(Self.folder)/\(checked)"
    let folder = try project.folder(Self.folder)
    chmod(folder.path, 0o700)
    for each in [path, path + ".pub"] {
      let url = try project.url(of: each)
      guard !FileManager.default.fileExists(atPath: url.path) else {
        throw StudioError(.conflict, "there is a key of this name; choose another", field: "key")
      }
    }
    return path
  }

  /// Stores the public key of a publisher.
  ///
  /// - Throws: ``StudioError`` if it is no key, or if there is one of this name.
  package func add(_ text: String, named name: String) throws(StudioError) -> Key {
    let path = try newPath(name) + ".pub"
    let wrong = StudioError(
      .invalidValue, "expected a public key in PEM, which begins with -----BEGIN PUBLIC KEY-----",
      field: "publicKey")
    guard text.utf8.count <= Self.mostBytes, !text.contains("PRIVATE") else { throw wrong }
    let url = try project.url(of: path)
    let draft = project.state.appendingPathComponent("key-\(UInt64.random(in: 0 ... .max)).pub")
    defer { unlink(draft.path) }
    do {
      try AtomicFile.create(draft.path, Data(text.utf8), mode: 0o600)
      let key = try VerifyingKey(contentsOf: draft)
      try key.write(to: url)
      return Key(
        name: String(url.lastPathComponent.dropLast(4)), fingerprint: key.fingerprint,
        signs: false, publicKey: text)
    } catch is FileError {
      throw StudioError(.unusableFile, "\(path): the key cannot be written")
    } catch {
      throw wrong
    }
  }
}
