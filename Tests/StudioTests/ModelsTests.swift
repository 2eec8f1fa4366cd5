import Foundation
import ModelFormat
import PretrainedModels
import Recognition
import Studio
import Testing

@Suite("Models of a page") struct ModelsTests {
  private func job(_ json: String, in place: JobsProject) throws -> JobRequest {
    try JSONDecoder().decode(ModelAction.self, from: Data("{\(json)}".utf8)).job(in: place.context)
  }

  /// A project with the models `mine` and `lines-b`, the key pair `me`, and the public key `them`.
  private func place() throws -> JobsProject {
    let place = try JobsProject(models: ["mine", "lines-b"])
    let keys = try place.project.folder("keys")
    let key = SigningKey()
    try key.write(to: keys.appendingPathComponent("me"))
    try key.verifyingKey.write(to: keys.appendingPathComponent("me.pub"))
    try SigningKey().verifyingKey.write(to: keys.appendingPathComponent("them.pub"))
    return place
  }

  @Test(
    "Every command becomes arguments of 'ductus models'",
    arguments: [
      (
        #""command": "verify", "model": "mine", "trust": ["me"]"#,
        ["verify", "models/mine.ductus", "--trust=keys/me.pub"]
      ),
      (#""command": "install", "model": "mine""#, ["install", "models/mine.ductus"]),
      (
        #""command": "install", "model": "en-GB", "catalog": "https://a.example/m", "trust": ["them"]"#,
        ["install", "en-GB", "--catalog=https://a.example/m", "--trust=keys/them.pub"]
      ),
      (
        #""command": "search", "catalog": "http://127.0.0.1:80", "trust": ["me", "them"]"#,
        ["search", "--catalog=http://127.0.0.1:80", "--trust=keys/me.pub", "--trust=keys/them.pub"]
      ),
      (
        #""command": "update", "catalog": "https://a.example", "trust": ["me"]"#,
        ["update", "--catalog=https://a.example", "--trust=keys/me.pub"]
      ),
      (#""command": "delete", "model": "latin-lines""#, ["delete", "latin-lines"]),
      (#""command": "keygen", "key": "new""#, ["keygen", "--output=keys/new"]),
      (
        #""command": "sign", "model": "mine", "key": "me""#,
        ["sign", "models/mine.ductus", "--key=keys/me"]
      ),
      (
        #""command": "pack", "model": "mine", "name": "copy", "pack": {"version": 2, "languages": ["de-CH"], "identifier": "x"}"#,
        [
          "pack", "models/mine.ductus", "--output=models/copy.ductus", "--identifier=x",
          "--language=de-CH", "--model-version=2",
        ]
      ),
      (
        #""command": "publish", "models": ["mine"], "key": "me", "name": "site""#,
        ["publish", "models/mine.ductus", "--output=catalogues/site", "--key=keys/me"]
      ),
    ])
  func arguments(json: String, expected: [String]) throws {
    #expect(try job(json, in: place()).arguments == ["models"] + expected)
  }

  @Test(
    "Values that look like options or paths, and unknown keys and models, are refused",
    arguments: [
      #""command": "serve""#, #""command": "verify""#, #""command": "verify", "model": "--help""#,
      #""command": "verify", "model": "../mine""#, #""command": "verify", "model": "/etc""#,
      #""command": "verify", "model": "mine", "trust": ["../../x"]"#,
      #""command": "verify", "model": "mine", "trust": ["unknown"]"#,
      #""command": "install", "model": "unknown""#,
      #""command": "install", "model": "x", "catalog": "file:///etc", "trust": ["me"]"#,
      #""command": "install", "model": "x", "catalog": "--x", "trust": ["me"]"#,
      #""command": "install", "model": "x", "catalog": "https://u:p@a.example", "trust": ["me"]"#,
      #""command": "install", "model": "x", "catalog": "https://a.example", "trust": []"#,
      #""command": "install", "model": "--store=/", "catalog": "https://a.example", "trust": ["me"]"#,
      #""command": "install", "model": "a/b", "catalog": "https://a.example", "trust": ["me"]"#,
      #""command": "install", "model": "b.ductus", "catalog": "https://a.example", "trust": ["me"]"#,
      #""command": "delete", "model": "-x""#, #""command": "delete", "model": "a b""#,
      #""command": "delete""#, #""command": "keygen", "key": "../x""#,
      #""command": "keygen", "key": "me""#, #""command": "keygen", "key": "them""#,
      #""command": "keygen", "key": "x.pub""#, #""command": "keygen", "key": "--output""#,
      #""command": "sign", "model": "mine", "key": "them""#,
      #""command": "sign", "model": "mine", "key": "../keys/me""#,
      #""command": "pack", "model": "mine", "name": "../x""#,
      #""command": "pack", "model": "mine", "name": "mine""#,
      #""command": "pack", "model": "mine", "name": "c", "pack": {"version": 0}"#,
      #""command": "pack", "model": "mine", "name": "c", "pack": {"languages": ["--x"]}"#,
      #""command": "pack", "model": "mine", "name": "c", "pack": {"identifier": "a/b"}"#,
      #""command": "publish", "models": ["mine"], "key": "them", "name": "s""#,
      #""command": "publish", "models": ["nope"], "key": "me", "name": "s""#,
      #""command": "publish", "models": [], "key": "me", "name": "a/../..""#,
    ])
  func refused(json: String) throws {
    let place = try place()
    let found = code { _ = try job(json, in: place) }
    let codes: [StudioError.Code?] = [.invalidValue, .notFound, .conflict, .forbidden]
    #expect(codes.contains(found))
  }

  @Test("Keys are listed without their private part, and their folder is closed to others")
  func keys() throws {
    let place = try place()
    let keys = ModelKeys(place.project)
    _ = try keys.newPath("more")
    let list = keys.list()
    #expect(list.map(\.name) == ["me", "them"] && list.map(\.signs) == [true, false])
    let secret = try place.text("keys/me").split(separator: "\n").dropFirst().first
    let shown = String(decoding: try JSONEncoder().encode(list), as: UTF8.self)
    #expect(!shown.contains("PRIVATE") && !shown.contains(secret ?? "PRIVATE"))
    let mode = try FileManager.default.attributesOfItem(atPath: place.path("keys"))
    #expect(mode[.posixPermissions] as? Int == 0o700)
  }

  @Test("A public key is added after a check; a private one is refused")
  func addedKey() throws {
    let place = try place()
    let keys = ModelKeys(place.project)
    let text = try place.text("keys/them.pub")
    #expect(try keys.add(text, named: "friend").fingerprint == keys.list()[2].fingerprint)
    #expect(keys.list().map(\.name) == ["friend", "me", "them"])
    let own = try place.text("keys/me")
    for (name, text) in [
      ("a", "nonsense"), ("b", ""), ("c", own), ("d", String(repeating: text, count: 99)),
      ("friend", text), ("../e", text), ("me", text),
    ] {
      #expect(code { _ = try keys.add(text, named: name) } != nil, "\(name)")
    }
    #expect(keys.list().count == 3)
    #expect(
      !FileManager.default.fileExists(atPath: place.root.appendingPathComponent("e.pub").path))
  }

  @Test("Shipped models are listed with kind, figures, licences and signer")
  func list() throws {
    let shipped = try PretrainedModels()
    let place = try JobsProject()
    var configuration = place.context.configuration
    configuration.library = StudioModels.library(
      of: place.project.root, others: ModelLibrary([shipped]))
    let context = StudioContext(
      configuration: configuration, project: place.project, data: place.context.data)
    let models = ModelList(context).models()
    let lines = try #require(models.first { $0.identifier == "latin-lines" })
    #expect(lines.place == .shipped && lines.kind == .line && lines.problem == nil)
    #expect(lines.metrics.contains { $0.name == "cer" } && !lines.sources.isEmpty)
    #expect(lines.signer?.hasPrefix("ed25519:") == true && lines.testData == nil)
  }
}
