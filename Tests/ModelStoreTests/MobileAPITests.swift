import Foundation
import ModelFormat
import ModelStore
import Testing

@Suite("Downloads that nobody holds", .timeLimit(.minutes(20)))
struct MobileAPITests {
  private func site(_ names: String...) throws -> Site {
    let site = try Site()
    for (index, name) in names.enumerated() {
      try site.publish(
        try Samples.write(
          name, languages: ["x-\(name)"], seed: UInt64(index + 1),
          extra: Samples.bytes(200_000, seed: UInt64(index + 1)), to: site.folder.url))
    }
    return site
  }

  private func end(
    of notices: AsyncStream<DownloadNotice>, count: Int = 1
  ) async -> [DownloadNotice] {
    var result: [DownloadNotice] = []
    for await notice in notices {
      result.append(notice)
      if result.count == count { break }
    }
    return result
  }

  @Test("A download whose result is dropped is installed, and its end is told; so is the second")
  func dropped() async throws {
    let site = try site("m")
    let manager = try site.manager()
    for _ in 0..<2 {
      let notices = manager.notices
      _ = manager.download("m")
      let told = await end(of: notices)
      guard case .succeeded(let model)? = told.first?.outcome else {
        Issue.record("\(told)")
        continue
      }
      #expect(model.identifier == "m" && manager.isDownloaded("m"))
    }
  }

  @Test("One stream tells a download that fails from one that does not")
  func twoNotices() async throws {
    let site = try site("m")
    let manager = try site.manager()
    let notices = manager.notices
    manager.download("m")
    manager.download("absent")
    let told = await end(of: notices, count: 2)
    for notice in told {
      switch notice.outcome {
      case .succeeded: #expect(notice.model == "m")
      case .failed(let error):
        #expect(notice.model == "absent" && error == .notFound("absent"))
      }
    }
    #expect(Set(told.map(\.model)) == ["m", "absent"])
  }

  @Test("Progress is read without following, and grows to 1")
  func progress() async throws {
    let site = try site("m")
    let manager = try site.manager()
    let download = manager.download("m")
    var last = -1.0
    while download.result == nil {
      let fraction = download.progress.fraction
      #expect(fraction >= last && fraction <= 1)
      last = fraction
      try await Task.sleep(for: .milliseconds(1))
    }
    #expect(download.progress.fraction == 1)
    #expect(try download.result?.get().identifier == "m")
    // Whoever comes later hears how it ended.
    #expect(try await download.installed().identifier == "m")
    #expect(manager.download("m").model == "m")
  }

  @Test("A download that is asked for right after the last was cancelled is installed")
  func afterCancelling() async throws {
    let site = try site("m")
    let hash = ModelBundle.sha256(Samples.bytes(200_000, seed: 1))
    site.server.fail { $0.path.hasSuffix(hash) ? .stall(after: 50_000) : nil }
    let manager = try site.manager(stallTimeout: 600)
    let first = manager.download("m")
    while first.progress.completedBytes < 50_000 { try await Task.sleep(for: .milliseconds(2)) }
    site.server.failNothing()
    manager.cancelDownload(identifier: "m")
    #expect(try await manager.download("m").installed().identifier == "m")
    await #expect(throws: ModelStoreError.cancelled) { try await first.installed() }
  }

  @Test("Bytes that have come already need no space")
  func space() async throws {
    let site = try site("m")
    let hash = ModelBundle.sha256(Samples.bytes(200_000, seed: 1))
    site.server.fail { $0.path.hasSuffix(hash) ? .stall(after: 160_000) : nil }
    let first = try site.manager("store", stallTimeout: 600)
    let download = first.download("m")
    let partial = first.storageLocation.appendingPathComponent("partial/\(hash)").path
    while (try? FileManager.default.attributesOfItem(atPath: partial)[.size] as? Int) ?? 0 < 160_000
    {
      try await Task.sleep(for: .milliseconds(2))
    }
    download.cancel()
    await #expect(throws: ModelStoreError.cancelled) { try await download.installed() }
    site.server.failNothing()
    // Too little for the whole, enough for the rest.
    let second = try site.manager("store", freeBytes: { 140_000 })
    #expect(try await second.download("m").installed().identifier == "m")
    let third = try site.manager(freeBytes: { 140_000 })
    await #expect(throws: ModelStoreError.self) { try await third.download("m").installed() }
  }

  @Test("When the one who allowed cellular leaves, no byte more comes for one who forbade it")
  func conditionsOfTheOther() async throws {
    let site = try site("m")
    let hash = ModelBundle.sha256(Samples.bytes(200_000, seed: 1))
    site.server.fail { $0.path.hasSuffix(hash) ? .stall(after: 50_000) : nil }
    let network = ChangingNetwork(NetworkStatus())
    let manager = try site.manager(network: network, stallTimeout: 600)
    let forbids = manager.download(
      "m", conditions: DownloadConditions(allowsCellularAccess: false, waitsForNetwork: true))
    while forbids.progress.completedBytes < 50_000 { try await Task.sleep(for: .milliseconds(2)) }
    let allows = manager.download("m")
    while allows.latest == nil { try await Task.sleep(for: .milliseconds(2)) }
    network.status = NetworkStatus(isCellular: true)
    try await Task.sleep(for: .milliseconds(50))
    if case .waiting? = forbids.latest?.state { Issue.record("it waits while another allows it") }
    allows.cancel()
    while true {
      if case .waiting(.cellular)? = forbids.latest?.state { break }
      try await Task.sleep(for: .milliseconds(2))
    }
    _ = site.server.takeLog()
    site.server.failNothing()
    try await Task.sleep(for: .milliseconds(50))
    #expect(site.server.takeLog().isEmpty)
    network.status = NetworkStatus()
    #expect(try await forbids.installed().identifier == "m")
  }

  @Test("Deleting takes that model alone, and says where there is none")
  func delete() async throws {
    let folder = try TemporaryFolder()
    let manager = try ModelManager(storage: folder.url.appendingPathComponent("store"))
    try manager.install(from: try Samples.write("m", languages: ["en"], to: folder.url))
    await #expect(throws: ModelStoreError.notFound("en-GB")) { try await manager.delete("en-GB") }
    #expect(manager.isDownloaded("m"))
    try await manager.delete("en")
    #expect(!manager.isDownloaded("m"))
    await #expect(throws: ModelStoreError.notFound("m")) { try await manager.delete("m") }
  }

  @Test("Installing what is installed already moves nothing")
  func sameAgain() throws {
    let folder = try TemporaryFolder()
    let manager = try ModelManager(storage: folder.url.appendingPathComponent("store"))
    let bundle = try Samples.write("m", to: folder.url)
    let url = try manager.install(from: bundle).url
    func identity() throws -> UInt64 {
      let path = url.path
      return try #require(
        try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? UInt64)
    }
    let before = try identity()
    try manager.install(from: bundle)
    #expect(try identity() == before && manager.verify("m").damage == nil)
    // A damaged model is replaced.
    let manifest = url.appendingPathComponent(ModelBundle.cardName)
    try FileManager.default.removeItem(at: url.appendingPathComponent("network.safetensors"))
    try manager.install(from: bundle)
    #expect(try manager.verify("m").damage == nil)
    _ = manifest
  }

  @Test("There is one shared manager, whose uses see each other's downloads")
  func shared() async throws {
    let site = try site("m")
    ModelManager.setShared(try site.manager())
    let one = try ModelManager.shared
    let other = try ModelManager.shared
    #expect(one === other)
    let notices = other.notices
    one.download("m")
    #expect(await end(of: notices).first?.model == "m")
    #expect(other.isDownloaded("m"))
  }

  @Test("The network of the system is what its interfaces say")
  func network() async throws {
    let folder = try TemporaryFolder()
    func status(_ interfaces: [String: String]) throws -> NetworkStatus {
      try? FileManager.default.removeItem(at: folder.url)
      for (name, state) in interfaces {
        let place = folder.url.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        try Data((state + "\n").utf8).write(to: place.appendingPathComponent("operstate"))
      }
      return SystemNetwork(folder: folder.url.path, pause: .milliseconds(1)).status
    }
    #expect(try !status(["lo": "unknown"]).isConnected)
    #expect(try !status(["lo": "unknown", "eth0": "down"]).isConnected)
    #expect(try status(["lo": "unknown", "eth0": "up"]) == NetworkStatus())
    #expect(try status(["lo": "unknown", "wwan0": "up"]).isCellular)
    #expect(try !status(["wwan0": "up", "wlan0": "up"]).isCellular)
    let monitor = SystemNetwork(folder: folder.url.path, pause: .milliseconds(1))
    monitor.setInBackground(true)
    for await status in monitor.updates() {
      #expect(status.isInBackground)
      break
    }
    // Without a network the default manager says so, but for a server of this machine.
    let far = try ModelManager(
      storage: folder.url.appendingPathComponent("far"),
      catalog: URL(string: "https://models.example/"))
    #expect(far.network is SystemNetwork)
    let near = try ModelManager(
      storage: folder.url.appendingPathComponent("near"),
      catalog: URL(string: "http://127.0.0.1:9/"))
    #expect(near.network is ConstantNetwork)
  }
}
