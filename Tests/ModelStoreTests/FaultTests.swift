import FaultServer
import Foundation
import InkCore
import ModelFormat
import ModelStore
import Recognition
import Testing

@Suite("Downloads that go wrong", .serialized, .timeLimit(.minutes(20)))
struct FaultTests {
  private let extra = Samples.bytes(300_000, seed: 1)
  private var hash: String { ModelBundle.sha256(extra) }

  private func site() throws -> Site {
    let site = try Site()
    try site.publish(try Samples.write("m", extra: extra, to: site.folder.url))
    return site
  }

  /// Downloads and returns the error.
  private func error(_ manager: ModelManager) async -> ModelStoreError? {
    do {
      try await manager.download("m").installed()
      return nil
    } catch {
      return error as? ModelStoreError
    }
  }

  @Test("A broken connection is a network error, and resumed by a second attempt")
  func cut() async throws {
    let site = try site()
    let hash = hash
    let failing = { (request: FaultServer.Request) in
      request.path.hasSuffix(hash) && request.offset == nil
        ? FaultServer.Fault.cut(after: 100_000) : nil
    }
    site.server.fail(failing)
    let manager = try site.manager("store")
    guard case .download(.noNetwork)? = await error(manager) else {
      Issue.record("another error")
      return
    }
    #expect(manager.downloadedModels.isEmpty)
    _ = site.server.takeLog()
    #expect(try await manager.download("m").installed().identifier == "m")
    #expect(site.server.takeLog().last { $0.path.hasSuffix(hash) }?.offset == 100_000)
    // Within one download, too.
    #expect(await error(try site.manager(attempts: 2)) == nil)
  }

  @Test("A server that stops sending counts as unreachable")
  func stall() async throws {
    let site = try site()
    let hash = hash
    site.server.fail { $0.path.hasSuffix(hash) ? .stall(after: 5000) : nil }
    let manager = try site.manager(stallTimeout: 1)
    guard case .download(.noNetwork(_, let reason))? = await error(manager) else {
      Issue.record("another error")
      return
    }
    #expect(reason.contains("nothing"))
    #expect(manager.downloadedModels.isEmpty)
  }

  @Test("Additional bytes are refused, announced or not", arguments: [true, false])
  func tooMuch(isAnnounced: Bool) async throws {
    let site = try site()
    let hash = hash
    site.server.fail {
      $0.path.hasSuffix(hash) ? .tooMuch(50_000, isAnnounced: isAnnounced) : nil
    }
    let manager = try site.manager("store")
    let error = await error(manager)
    if isAnnounced {
      guard case .download(.lengthMismatch(_, 300_000, _))? = error else {
        Issue.record("found \(String(describing: error))")
        return
      }
      #expect(manager.downloadedModels.isEmpty)
    } else {
      // Bytes after the announced length do not belong to the answer.
      #expect(error == nil)
      #expect(try manager.verify("m").damage == nil)
    }
  }

  @Test("Bytes that differ from the signed ones are a hash mismatch, and none of them is kept")
  func otherBytes() async throws {
    let site = try site()
    let hash = hash
    site.server.fail { $0.path.hasSuffix(hash) ? .otherBytes : nil }
    let manager = try site.manager("store")
    guard case .download(.hashMismatch(_, hash, _))? = await error(manager) else {
      Issue.record("another error")
      return
    }
    site.server.failNothing()
    _ = site.server.takeLog()
    #expect(await error(manager) == nil)
    #expect(site.server.takeLog().last { $0.path.hasSuffix(hash) }?.offset == nil)
  }

  @Test("A wrong beginning is dropped and downloaded again")
  func wrongBeginning() async throws {
    let site = try site()
    let manager = try site.manager("store")
    let partial = manager.storageLocation.appendingPathComponent("partial/\(hash)")
    try Data(count: 1000).write(to: partial)
    #expect(await error(manager) == nil)
    #expect(try manager.verify("m").damage == nil)
    let offsets = site.server.takeLog().filter { $0.path.hasSuffix(hash) }.map(\.offset)
    #expect(offsets == [1000, nil])
  }

  @Test("200 for a range, and a wrong range, do no harm")
  func ranges() async throws {
    let site = try site()
    let hash = hash
    for fault in [FaultServer.Fault.ignoredRange, .otherRange] {
      let manager = try site.manager()
      let partial = manager.storageLocation.appendingPathComponent("partial/\(hash)")
      try extra.prefix(100_001).write(to: partial)
      site.server.fail { $0.path.hasSuffix(hash) ? fault : nil }
      let found = await error(manager)
      if fault == .otherRange {
        guard case .download(.malformedResponse)? = found else {
          Issue.record("found \(String(describing: found))")
          return
        }
        #expect(await error(manager) == nil)
      } else {
        #expect(found == nil)
      }
      #expect(try manager.verify("m").damage == nil)
    }
  }

  @Test("404 is not found, 503 is a server error and retried")
  func statuses() async throws {
    let site = try site()
    let hash = hash
    site.server.fail { $0.path.hasSuffix(hash) ? .status(404) : nil }
    guard case .notFound? = await error(try site.manager()) else {
      Issue.record("another error")
      return
    }
    site.server.fail { $0.path.hasSuffix(hash) ? .status(503) : nil }
    _ = site.server.takeLog()
    guard case .download(.serverError(_, 503))? = await error(try site.manager(attempts: 3)) else {
      Issue.record("another error")
      return
    }
    #expect(site.server.takeLog().filter { $0.path.hasSuffix(hash) }.count == 3)
  }

  @Test("A missing server is a network error")
  func noServer() async throws {
    let site = try site()
    let manager = try site.manager()
    site.server.close()
    guard case .download(.noNetwork)? = await error(manager) else {
      Issue.record("another error")
      return
    }
  }

  @Test("An older catalogue, an expired one and one with another key are refused")
  func catalogues() async throws {
    let site = try site()
    let manager = try site.manager("store")
    let old = try Data(contentsOf: site.site.appendingPathComponent("catalog.json"))
    let oldSignature = try Data(contentsOf: site.site.appendingPathComponent("catalog.sig"))
    try site.publish()
    #expect(await error(manager) == nil)
    try old.write(to: site.site.appendingPathComponent("catalog.json"))
    try oldSignature.write(to: site.site.appendingPathComponent("catalog.sig"))
    guard case .downgradeRefused(_, 2, 1)? = await error(try site.manager("store")) else {
      Issue.record("another error")
      return
    }
    let late = try site.manager(now: { Date(timeIntervalSinceNow: 91 * 86_400) })
    guard case .expired? = await error(late) else {
      Issue.record("another error")
      return
    }
    for keys in [[SigningKey().verifyingKey], []] {
      let error = await error(try site.manager(keys: keys))
      switch error {
      case .signatureInvalid?: #expect(!keys.isEmpty)
      case .noCatalog?: #expect(keys.isEmpty)
      default: Issue.record("found \(String(describing: error))")
      }
    }
    // Two keys, so that they can change.
    #expect(
      await error(try site.manager(keys: [SigningKey().verifyingKey, site.key.verifyingKey])) == nil
    )
    var changed = old
    changed[old.count / 2] ^= 1
    try changed.write(to: site.site.appendingPathComponent("catalog.json"))
    guard case .signatureInvalid? = await error(try site.manager()) else {
      Issue.record("another error")
      return
    }
  }

  @Test("300 faulty or cancelled downloads leave the old or the new version, and finally succeed")
  func soak() async throws {
    let seed = UInt64.random(in: 0..<1 << 32)
    print("300 faulty downloads: seed \(seed)")
    let site = try Site()
    let old = try Samples.write(
      "m", version: 1, extra: Samples.bytes(40_000, seed: 8), to: site.folder.url)
    let new = Samples.bytes(60_000, seed: 9)
    try site.publish(try Samples.write("m", version: 2, seed: 2, extra: new, to: site.folder.url))
    var failures = 0
    for round in 0..<300 {
      var generator = SeededGenerator(seed: seed, UInt64(round))
      let manager = try site.manager("store-\(round)", stallTimeout: 1)
      let hadOld = generator.index(below: 2) == 0
      if hadOld { try manager.install(from: old) }
      for _ in 0...generator.index(below: 3) {
        let plan = Faults(generator.next())
        site.server.fail { plan.next($0) }
        let task = Task { try await manager.download("m").installed() }
        if generator.index(below: 4) == 0 {
          try await Task.sleep(for: .milliseconds(generator.index(below: 8)))
          task.cancel()
        }
        do {
          _ = try await task.value
        } catch {
          failures += 1
          #expect(error is ModelStoreError, "seed \(seed), round \(round): \(error)")
        }
        let model = manager.downloadedModels.first
        let version = model?.description.version
        #expect(
          version == 2 || version == (hadOld ? 1 : nil), "seed \(seed), round \(round)")
        if model != nil {
          #expect(try manager.verify("m").damage == nil, "seed \(seed), round \(round)")
        }
      }
      site.server.failNothing()
      let patient = try site.manager("store-\(round)")
      #expect(
        try await patient.download("m").installed().description.version == 2,
        "seed \(seed), round \(round)")
      #expect(try patient.verify("m").damage == nil, "seed \(seed), round \(round)")
      // A cancelled download may still be cleaning up there.
      try? FileManager.default.removeItem(at: manager.storageLocation)
    }
    // The faults had an effect.
    #expect(failures > 100, "seed \(seed)")
  }

  /// Faults one after the other, from a seed.
  private final class Faults: @unchecked Sendable {
    // Unchecked because the server asks under its lock.
    private var generator: SeededGenerator

    init(_ seed: UInt64) { generator = SeededGenerator(seed: seed) }

    func next(_ request: FaultServer.Request) -> FaultServer.Fault? {
      guard generator.index(below: 3) == 0 else { return nil }
      let count = generator.index(below: 60_000)
      switch generator.index(below: 40) {
      case 0: return .stall(after: count)
      case 1..<16: return .cut(after: count)
      case 16..<20: return .tooMuch(1 + count, isAnnounced: true)
      case 20..<24: return .tooMuch(1 + count, isAnnounced: false)
      case 24..<29: return .otherBytes
      case 29..<32: return .ignoredRange
      case 32..<35: return .otherRange
      case 35..<38: return .status(404)
      default: return .status(500)
      }
    }
  }
}
