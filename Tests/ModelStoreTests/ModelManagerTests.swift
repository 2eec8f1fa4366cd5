import FaultServer
import Foundation
import InkCore
import ModelFormat
import ModelStore
import Recognition
import Testing

@Suite("ModelManager", .timeLimit(.minutes(20)))
struct ModelManagerTests {
  @Test("A model is downloaded with real progress, found, used and deleted")
  func lifeCycle() async throws {
    let site = try Site()
    let extra = Samples.bytes(3_000_000, seed: 1)
    let bundle = try Samples.write(
      "latin", languages: ["en", "de"], extra: extra, to: site.folder.url)
    try site.publish(bundle)
    let manager = try site.manager()
    #expect(!manager.isDownloaded("latin"))
    let recognizer = DigitalInkRecognizer(model: "en_US", provider: manager)
    #expect(throws: RecognitionError.modelNotDownloaded("en_US")) { try recognizer.prepare() }
    var progress: [DownloadProgress] = []
    for try await event in manager.download("en-US") {
      #expect(event.model == "latin")
      if case .downloading(let one) = event.state { progress.append(one) }
    }
    let last = try #require(progress.last)
    #expect(last.completedBytes == last.totalBytes)
    #expect(last.totalBytes > 3_000_000)
    #expect(last.bytesPerSecond > 0)
    #expect(
      zip(progress, progress.dropFirst()).allSatisfy { $0.completedBytes <= $1.completedBytes })
    #expect(manager.downloadedModels.map(\.identifier) == ["latin"])
    #expect(manager.isDownloaded("de-AT"))
    #expect(!manager.isDownloaded("ja"))
    let expected = try GlyphClassifier(contentsOf: bundle).recognize(Samples.ink)
    #expect(try await recognizer.recognize(Samples.ink) == expected)
    let check = try manager.verify("latin")
    #expect(check.damage == nil)
    #expect(check.signer == site.key.verifyingKey)
    #expect(check.isSignerTrusted)
    // The installed folder is a bundle for every other tool.
    #expect(try ModelBundle.open(check.model.url).byteCount == check.model.byteCount)
    try manager.deleteNow("latin")
    #expect(manager.downloadedModels.isEmpty)
    #expect(manager.occupiedBytes < 1000)
    #expect(try await recognizer.recognize(Samples.ink) == expected)
    #expect(throws: ModelStoreError.notFound("latin")) { try manager.deleteNow("latin") }
  }

  @Test("Five languages of one script take the space of one network")
  func sharedParts() async throws {
    let site = try Site()
    let network = Samples.bytes(400_000, seed: 2)
    let manager = try site.manager()
    for language in ["en", "de", "fr", "es", "it"] {
      let url = try Samples.write(
        "lines-\(language)", languages: [language], extra: network, to: site.folder.url)
      try site.publish(url)
      try await manager.download(language).installed()
    }
    #expect(manager.downloadedModels.count == 5)
    #expect(manager.occupiedBytes < 500_000)
    let fetched = site.server.takeLog().filter { $0.path.hasSuffix(ModelBundle.sha256(network)) }
    #expect(fetched.count == 1)
    try manager.deleteNow("lines-en")
    #expect(try manager.verify("lines-it").damage == nil)
    for language in ["de", "fr", "es", "it"] { try manager.deleteNow(language) }
    #expect(manager.occupiedBytes < 1000)
  }

  @Test("An update brings the higher version, never a lower one, and current models stay")
  func update() async throws {
    let site = try Site()
    let manager = try site.manager()
    try site.publish(try Samples.write("m", version: 1, to: site.folder.url))
    try await manager.download("m").installed()
    #expect(try await manager.availableUpdates().isEmpty)
    _ = site.server.takeLog()
    try await manager.update("m").installed()
    // The catalogue alone.
    #expect(site.server.takeLog().count == 2)
    let second = try Samples.write("m", version: 2, seed: 2, to: site.folder.url)
    try site.publish(second)
    #expect(try await manager.availableUpdates().map(\.version) == [2])
    try await manager.update("m").installed()
    #expect(manager.models.map(\.version) == [2])
    #expect(throws: ModelStoreError.notFound("other")) { try manager.update("other") }
    // A model of a lower version: side-loaded, and from a catalogue of another publisher's.
    let first = site.folder.url.appendingPathComponent("m-1.ductus")
    #expect(throws: ModelStoreError.downgradeRefused("m", known: 2, offered: 1)) {
      try manager.install(from: first)
    }
    let other = try Site()
    try other.publish(first)
    let sameStore = try ModelManager(
      storage: manager.storageLocation, catalog: other.server.url,
      trustedKeys: [other.key.verifyingKey])
    await #expect(throws: ModelStoreError.downgradeRefused("m", known: 2, offered: 1)) {
      try await sameStore.download("m").installed()
    }
    #expect(manager.models.map(\.version) == [2])
  }

  @Test("A folder is side-loaded, signed or not, unless it is damaged")
  func sideLoad() throws {
    let site = try Site()
    let manager = try site.manager()
    let bundle = try Samples.write("m", to: site.folder.url)
    #expect(throws: ModelStoreError.self) {
      try manager.install(from: bundle, requiresTrustedKey: true)
    }
    #expect(try manager.install(from: bundle).identifier == "m")
    let unsigned = try manager.verify("m")
    #expect(unsigned.damage == nil && unsigned.signer == nil && !unsigned.isSignerTrusted)
    try ModelBundle.sign(bundle, with: site.key)
    try manager.install(from: bundle, requiresTrustedKey: true)
    #expect(try manager.verify("m").isSignerTrusted)
    let part = bundle.appendingPathComponent("network.safetensors")
    var bytes = try Data(contentsOf: part)
    bytes[bytes.count / 2] ^= 1
    try bytes.write(to: part)
    #expect(throws: ModelStoreError.self) { try manager.install(from: bundle) }
    #expect(try manager.verify("m").damage == nil)
  }

  @Test("Damage of an installed model is detected, and repaired by the next download")
  func mend() async throws {
    let site = try Site()
    try site.publish(
      try Samples.write("m", extra: Samples.bytes(50_000, seed: 1), to: site.folder.url))
    let manager = try site.manager()
    let model = try await manager.download("m").installed()
    let part = model.url.appendingPathComponent("extra.bin")
    let handle = try FileHandle(forWritingTo: part)
    try handle.seek(toOffset: 100)
    try handle.write(contentsOf: Data([1, 2, 3]))
    try handle.close()
    let check = try manager.verify("m")
    guard case .partHash? = check.damage?.reason else {
      Issue.record("found \(String(describing: check.damage))")
      return
    }
    try await manager.download("m").installed()
    #expect(try manager.verify("m").damage == nil)
  }

  @Test("Requests for one model share one download, others run in parallel")
  func sharing() async throws {
    let site = try Site()
    let big = Samples.bytes(2_000_000, seed: 3)
    try site.publish(
      try Samples.write("a", extra: big, to: site.folder.url),
      try Samples.write("b", extra: Samples.bytes(1_000_000, seed: 4), to: site.folder.url))
    let manager = try site.manager()
    let found = try await withThrowingTaskGroup(of: [String].self) { group in
      for name in ["a", "b", "a", "b", "a"] {
        group.addTask {
          var models: [String] = []
          for try await event in manager.download(name) { models.append(event.model) }
          #expect(models.allSatisfy { $0 == name })
          return models
        }
      }
      return try await group.reduce(into: [String]()) { $0 += $1 }
    }
    #expect(Set(found) == ["a", "b"])
    let fetched = site.server.takeLog().filter { $0.path.hasSuffix(ModelBundle.sha256(big)) }
    #expect(fetched.count == 1)
    #expect(manager.downloadedModels.count == 2)
  }

  @Test("If one of two requests is cancelled, the other gets the model")
  func oneCancels() async throws {
    let site = try Site()
    let extra = Samples.bytes(500_000, seed: 5)
    try site.publish(try Samples.write("m", extra: extra, to: site.folder.url))
    let hash = ModelBundle.sha256(extra)
    site.server.fail { $0.path.hasSuffix(hash) ? .stall(after: 1000) : nil }
    let manager = try site.manager(attempts: 2, stallTimeout: 2)
    let first = Task { try await manager.download("m").installed() }
    let second = Task { try await manager.download("m").installed() }
    while !site.server.takeLog().contains(where: { $0.path.hasSuffix(hash) }) {
      try await Task.sleep(for: .milliseconds(5))
    }
    site.server.failNothing()
    first.cancel()
    await #expect(throws: ModelStoreError.cancelled) { try await first.value }
    #expect(try await second.value.identifier == "m")
  }

  @Test("A cancelled download continues where it ended, also in another process's store")
  func cancelAndResume() async throws {
    let site = try Site()
    let extra = Samples.bytes(2_000_000, seed: 6)
    try site.publish(try Samples.write("m", extra: extra, to: site.folder.url))
    let hash = ModelBundle.sha256(extra)
    site.server.fail { $0.path.hasSuffix(hash) ? .stall(after: 1_500_000) : nil }
    do {
      let manager = try site.manager("store", stallTimeout: 600)
      let task = Task { try await manager.download("m").installed() }
      let partial = manager.storageLocation.appendingPathComponent("partial/\(hash)").path
      while (try? FileManager.default.attributesOfItem(atPath: partial)[.size] as? Int) ?? 0
        < 1_500_000
      { try await Task.sleep(for: .milliseconds(5)) }
      task.cancel()
      await #expect(throws: ModelStoreError.cancelled) { try await task.value }
      #expect(!manager.isDownloaded("m"))
    }
    site.server.failNothing()
    _ = site.server.takeLog()
    let manager = try site.manager("store")
    try await manager.download("m").installed()
    let request = try #require(site.server.takeLog().first { $0.path.hasSuffix(hash) })
    #expect(request.offset == 1_500_000)
    #expect(request.ifRange != nil)
    #expect(try manager.verify("m").damage == nil)
  }

  @Test("Too little space is reported before anything is downloaded")
  func space() async throws {
    let site = try Site()
    try site.publish(
      try Samples.write("m", extra: Samples.bytes(200_000, seed: 7), to: site.folder.url))
    let manager = try site.manager(freeBytes: { 100_000 })
    do {
      try await manager.download("m").installed()
      Issue.record("installed")
    } catch let error as ModelStoreError {
      guard case .download(.noSpace(let needed, 100_000)) = error else {
        Issue.record("found \(error)")
        return
      }
      #expect(needed > 200_000)
    }
    #expect(
      ModelStoreError.failure("writing", "x", code: ENOSPC)
        == .download(.noSpace(needed: 0, available: nil)))
  }

  @Test("A malformed name is an error, an unknown one is not found")
  func names() async throws {
    let site = try Site()
    try site.publish(try Samples.write("m", to: site.folder.url))
    let manager = try site.manager()
    await #expect(throws: ModelStoreError.notFound("ja")) {
      try await manager.download("ja").installed()
    }
    await #expect(throws: ModelStoreError.self) {
      try await manager.download("no tag!").installed()
    }
    #expect(throws: RecognitionError.malformedLanguageTag("../m")) {
      try manager.installedModel("../m")
    }
    let bare = try ModelManager(storage: manager.storageLocation)
    await #expect(throws: ModelStoreError.noCatalog) { try await bare.download("m").installed() }
  }
}
