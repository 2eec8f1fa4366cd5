import FaultServer
import Foundation
import ModelFormat
import ModelStore
import Testing

@Suite("Conditions of downloads", .timeLimit(.minutes(20)))
struct ConditionTests {
  private func site() throws -> Site {
    let site = try Site()
    try site.publish(
      try Samples.write("m", extra: Samples.bytes(200_000, seed: 1), to: site.folder.url))
    return site
  }

  @Test("A network that the conditions exclude is refused, without a request to the server")
  func refused() async throws {
    let site = try site()
    let cases: [(NetworkStatus, DownloadConditions, NetworkObstacle)] = [
      (NetworkStatus(isConnected: false), DownloadConditions(), .disconnected),
      (
        NetworkStatus(isCellular: true), DownloadConditions(allowsCellularAccess: false),
        .cellular
      ),
      (
        NetworkStatus(isExpensive: true), DownloadConditions(allowsExpensiveNetwork: false),
        .expensive
      ),
      (NetworkStatus(isInBackground: true), DownloadConditions(), .background),
    ]
    for (status, conditions, obstacle) in cases {
      #expect(conditions.obstacle(in: status) == obstacle)
      let manager = try site.manager(network: ConstantNetwork(status))
      let expected =
        obstacle == .disconnected
        ? ModelStoreError.download(.noNetwork(url: "m", reason: obstacle.rawValue))
        : .conditionsNotMet(model: "m", reason: obstacle.rawValue)
      await #expect(throws: expected) {
        try await manager.download("m", conditions: conditions).installed()
      }
    }
    #expect(site.server.takeLog().isEmpty)
  }

  @Test("An allowed network is used")
  func allowed() async throws {
    let site = try site()
    let status = NetworkStatus(isCellular: true, isExpensive: true, isInBackground: true)
    let manager = try site.manager(network: ConstantNetwork(status))
    let conditions = DownloadConditions(allowsBackgroundDownloading: true)
    #expect(try await manager.download("m", conditions: conditions).installed().identifier == "m")
  }

  @Test("A waiting download reports the reason, and continues when the network changes")
  func waits() async throws {
    let site = try site()
    let network = ChangingNetwork(NetworkStatus(isConnected: false))
    let manager = try site.manager(network: network, stallTimeout: 600)
    let conditions = DownloadConditions(allowsCellularAccess: false, waitsForNetwork: true)
    var waited: [NetworkObstacle] = []
    for try await event in manager.download("m", conditions: conditions) {
      guard case .waiting(let obstacle) = event.state else { continue }
      waited.append(obstacle)
      #expect(site.server.takeLog().isEmpty)
      network.status =
        obstacle == .disconnected ? NetworkStatus(isCellular: true) : NetworkStatus()
    }
    #expect(waited == [.disconnected, .cellular])
    #expect(manager.isDownloaded("m"))
  }

  @Test("A waiting download can be cancelled")
  func cancelled() async throws {
    let site = try site()
    let manager = try site.manager(network: ConstantNetwork(NetworkStatus(isConnected: false)))
    let task = Task {
      try await manager.download("m", conditions: DownloadConditions(waitsForNetwork: true))
        .installed()
    }
    try await Task.sleep(for: .milliseconds(20))
    task.cancel()
    await #expect(throws: ModelStoreError.cancelled) { try await task.value }
  }

  @Test("A change of the network stops the transfer, which is resumed later")
  func changes() async throws {
    let site = try site()
    let extra = Samples.bytes(200_000, seed: 1)
    let hash = ModelBundle.sha256(extra)
    site.server.fail { $0.path.hasSuffix(hash) ? .stall(after: 50_000) : nil }
    let network = ChangingNetwork(NetworkStatus())
    let manager = try site.manager(network: network, stallTimeout: 600)
    let conditions = DownloadConditions(allowsCellularAccess: false, waitsForNetwork: true)
    let partial = manager.storageLocation.appendingPathComponent("partial/\(hash)").path
    let task = Task {
      var waited = 0
      for try await event in manager.download("m", conditions: conditions) {
        guard case .waiting = event.state else { continue }
        waited += 1
        site.server.failNothing()
        network.status = NetworkStatus()
      }
      return waited
    }
    while (try? FileManager.default.attributesOfItem(atPath: partial)[.size] as? Int) ?? 0 < 50_000
    {
      try await Task.sleep(for: .milliseconds(5))
    }
    network.status = NetworkStatus(isCellular: true)
    #expect(try await task.value == 1)
    #expect(site.server.takeLog().last { $0.path.hasSuffix(hash) }?.offset == 50_000)
    #expect(try manager.verify("m").damage == nil)
  }
}
