import Foundation
import ModelFormat
import Testing

@Suite(
  "ductus models",
  .enabled(if: BuiltTool.found != nil, "the ductus binary is not beside the test bundle"))
struct ModelsCommandTests {
  let tool: BuiltTool
  let folder: URL

  init() throws {
    tool = try #require(BuiltTool.found)
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("ductus-models-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  /// Runs the tool and expects that it succeeds.
  @discardableResult
  private func run(
    _ arguments: String..., sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> String {
    let result = try tool.run(arguments)
    #expect(result.exitCode == 0, "\(arguments): \(result.errors)", sourceLocation: sourceLocation)
    return result.output
  }

  /// Trains a small model.
  private func train() throws {
    try run(
      "train", "glyphs", "--data", "starter:shapes?count=60", "--validation",
      "starter:shapes?count=20&seed=2", "--epochs", "1", "--output", path("trained.ductus"))
  }

  /// Runs `work` with the URL of a server of the site.
  private func serving(_ work: (String) throws -> Void) throws {
    let process = Process()
    process.executableURL = tool.url
    process.arguments = ["models", "serve", path("site"), "--port", "0"]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    defer {
      process.terminate()
      process.waitUntilExit()
    }
    var line = ""
    while !line.contains("\n") {
      let bytes = output.fileHandleForReading.availableData
      guard !bytes.isEmpty else { break }
      line += String(decoding: bytes, as: UTF8.self)
    }
    let url = try #require(line.split(whereSeparator: \.isWhitespace).last)
    try work(String(url))
  }

  @Test("A model goes from training to a signed catalogue, and from there to a store and back")
  func everything() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try train()
    try run(
      "models", "pack", path("trained.ductus"), "--identifier", "shapes", "--language",
      "zxx-Zsym-x-shapes", "--model-version", "2", "--output", path("shapes.ductus"))
    try run(
      "models", "pack", "latin-lines", "--character-model", "latin-characters", "--output",
      path("lines.ductus"))
    let lines = try run("models", "verify", path("lines.ductus"))
    #expect(lines.contains("integrity: good"))
    for (into, from) in [
      ("trained.ductus", "latin-characters"), ("lines.ductus", "latin-lines"),
      ("lines.ductus", path("trained.ductus")),
    ] {
      let refused = try tool.run(
        "models", "pack", path(into), "--character-model", from, "--output", path("no.ductus"))
      #expect(refused.exitCode == 2, "\(into), \(from): \(refused.errors)")
    }
    let unsigned = try run("models", "verify", path("shapes.ductus"))
    #expect(unsigned.contains("integrity: good; shapes version 2"))
    #expect(unsigned.contains("signer: none"))
    try run("models", "keygen", "--output", path("key"))
    try run("models", "keygen", "--output", path("other"))
    let again = try tool.run("models", "keygen", "--output", path("key"))
    #expect(again.exitCode == 2)
    try run("models", "sign", path("shapes.ductus"), "--key", path("key"))
    let signed = try run("models", "verify", path("shapes.ductus"), "--trust", path("key.pub"))
    #expect(signed.contains("; trusted"))
    let other = try tool.run(
      "models", "verify", path("shapes.ductus"), "--trust", path("other.pub"))
    #expect(other.exitCode == 1)
    #expect(other.output.contains("integrity: good"))
    #expect(other.output.contains("NOT trusted"))
    try run(
      "models", "publish", path("shapes.ductus"), "--output", path("site"), "--key", path("key"))
    try serving { url in
      let site = ["--catalog", url, "--trust", path("key.pub"), "--store", path("store")]
      let found = try tool.run(["models", "search", "zxx_Zsym-x-shapes"] + site)
      #expect(found.output.hasPrefix("shapes  glyph  version 2"), "\(found)")
      let installed = try tool.run(["models", "install", "shapes"] + site)
      #expect(installed.exitCode == 0, "\(installed.errors)")
      let refused = try tool.run(
        "models", "install", "shapes", "--catalog", url, "--trust", path("other.pub"), "--store",
        path("store-2"))
      #expect(refused.exitCode == 1)
      #expect(refused.errors.contains("not trusted"))
      #expect(try tool.run(["models", "update"] + site).output == "all models are current\n")
    }
    let resigned = try run("models", "publish", "--output", path("site"), "--key", path("other"))
    #expect(resigned.contains("will refuse it"))
    let sameKey = try run("models", "publish", "--output", path("site"), "--key", path("other"))
    #expect(!sameKey.contains("will refuse it"))
    let list = try run("models", "list", "--store", path("store"), "--json", "-")
    let rows = try #require(
      JSONSerialization.jsonObject(with: Data(list.utf8)) as? [[String: Any]])
    #expect(rows.count == 1)
    let bundle = try #require(rows.first?["path"] as? String)
    #expect(
      try Data(contentsOf: URL(fileURLWithPath: bundle + "/manifest.sig"))
        == Data(contentsOf: URL(fileURLWithPath: path("shapes.ductus/manifest.sig"))))
    let check = try run(
      "models", "verify", "shapes", "--store", path("store"), "--trust", path("key.pub"))
    #expect(check.contains("; trusted"))
    try checkRecognition(path("store"))
    try run("models", "delete", "shapes", "--store", path("store"))
    #expect(try tool.run("models", "delete", "shapes", "--store", path("store")).exitCode == 2)
    try run("models", "install", path("shapes.ductus"), "--store", path("store"))
  }

  @Test("Processes that install the same model at once all succeed, and leave it whole")
  func installedAtOnce() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try run("models", "keygen", "--output", path("key"))
    try run("models", "pack", "shapes", "--output", path("shapes.ductus"))
    try run("models", "sign", path("shapes.ductus"), "--key", path("key"))
    try run(
      "models", "publish", path("shapes.ductus"), "--output", path("site"), "--key", path("key"))
    try serving { url in
      let site = ["--catalog", url, "--trust", path("key.pub")]
      let sources = [["shapes"] + site, [path("shapes.ductus")]]
      let results = Results()
      DispatchQueue.concurrentPerform(iterations: 6) { index in
        let arguments =
          ["models", "install"] + sources[index % 2] + ["--store", path("store")]
        results.add(Result { try tool.run(arguments) })
      }
      for result in try results.all.map({ try $0.get() }) {
        #expect(result.exitCode == 0, "\(result.errors)")
      }
    }
    #expect(files(in: "blobs") == 1 && files(in: "bundles") == 1)
    let check = try run(
      "models", "verify", "shapes", "--store", path("store"), "--trust", path("key.pub"))
    #expect(check.contains("; trusted"), "\(check)")
    try checkRecognition(path("store"))
  }

  /// The number of files in a folder of the store.
  private func files(in name: String) -> Int {
    let names = try? FileManager.default.contentsOfDirectory(atPath: path("store/\(name)"))
    return names?.count { !$0.hasPrefix(".") } ?? 0
  }

  /// The results of several runs at the same time.
  private final class Results: @unchecked Sendable {
    // Unchecked because the lock guards the list.
    private let lock = NSLock()
    private var list: [Result<BuiltTool.Result, any Error>] = []

    var all: [Result<BuiltTool.Result, any Error>] { lock.withLock { list } }

    func add(_ result: Result<BuiltTool.Result, any Error>) {
      lock.withLock { list.append(result) }
    }
  }

  /// The area changes nothing for shapes, and the model is found by its name.
  private func checkRecognition(_ store: String) throws {
    let arguments = ["recognize", "--model", "shapes", "starter:shapes?count=3", "--json", "-"]
    let environment = ["DUCTUS_MODELS": store]
    let plain = try tool.run(arguments, environment: environment)
    #expect(plain.exitCode == 0, "\(plain.errors)")
    let placed = try tool.run(
      arguments + ["--area", "10x500+3+4"], environment: environment)
    #expect(plain.output == placed.output)
    #expect(plain.output.contains("probability"))
  }

  @Test("A damaged model and a wrong signature are distinguished, each with its part")
  func damage() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try train()
    try run("models", "keygen", "--output", path("key"))
    try run("models", "sign", path("trained.ductus"), "--key", path("key"))
    let part = URL(fileURLWithPath: path("trained.ductus/network.safetensors"))
    var bytes = try Data(contentsOf: part)
    bytes[bytes.count - 1] ^= 1
    try bytes.write(to: part)
    let damaged = try tool.run("models", "verify", path("trained.ductus"))
    #expect(damaged.exitCode == 1)
    #expect(damaged.output.contains("integrity: BAD"))
    #expect(damaged.output.contains("network.safetensors"))
    #expect(damaged.output.contains("signer: ed25519:"))
    bytes[bytes.count - 1] ^= 1
    try bytes.write(to: part)
    try Data("ed25519 A B\n".utf8).write(
      to: URL(fileURLWithPath: path("trained.ductus/manifest.sig")))
    let wrong = try tool.run("models", "verify", path("trained.ductus"))
    #expect(wrong.exitCode == 1)
    #expect(wrong.output.contains("integrity: good"))
    #expect(wrong.output.contains("signer: BAD"))
    #expect(try tool.run("models", "verify", path("none.ductus")).exitCode == 2)
  }

  @Test("Installations killed at random moments leave the old model or the new one")
  func killed() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let seed = UInt64.random(in: 0..<1 << 32)
    print("killed installations: seed \(seed)")
    try train()
    try run("models", "keygen", "--output", path("key"))
    for version in [1, 2] {
      let name = path("m-\(version).ductus")
      try run(
        "models", "pack", path("trained.ductus"), "--identifier", "m", "--model-version",
        "\(version)", "--output", name)
      var writer = try ModelBundleWriter(copying: ModelBundle.open(URL(fileURLWithPath: name)))
      let padding = Data(
        (0..<4_000_000).map { UInt8(truncatingIfNeeded: $0 &* ($0 >> 8) &+ version) })
      try writer.add(part: "padding.bin", role: "padding", data: padding)
      try writer.write(to: URL(fileURLWithPath: name))
    }
    try run("models", "publish", path("m-2.ductus"), "--output", path("site"), "--key", path("key"))
    try serving { url in
      let store = ["--store", path("store")]
      try run("models", "install", path("m-1.ductus"), "--store", path("store"))
      var kills = 0
      var delay = seed
      for round in 0..<25 {
        delay = delay &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let result = try tool.run(
          ["models", "install", "m", "--catalog", url, "--trust", path("key.pub")] + store
        ) { process in
          usleep(UInt32(delay >> 48) * 2)
          kill(process, SIGKILL)
        }
        if result.exitCode != 0 { kills += 1 }
        let check = try tool.run(["models", "verify", "m"] + store)
        #expect(
          check.exitCode == 0 && check.output.contains("integrity: good; m version "),
          "seed \(seed), round \(round): \(check)")
        if check.output.contains("version 2") {
          // Back to the old model, for the next one.
          try run("models", "delete", "m", "--store", path("store"))
          try run("models", "install", path("m-1.ductus"), "--store", path("store"))
        }
      }
      #expect(kills > 0, "seed \(seed)")
      // Two at once, in separate processes.
      let both = [UUID(), UUID()].map { _ in Process() }
      for process in both {
        process.executableURL = tool.url
        process.arguments =
          ["models", "install", "m", "--catalog", url, "--trust", path("key.pub")] + store
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
      }
      for process in both { process.waitUntilExit() }
      #expect(both.map(\.terminationStatus) == [0, 0])
      let check = try tool.run(["models", "verify", "m"] + store)
      #expect(check.output.contains("integrity: good; m version 2"), "\(check)")
    }
  }
}
