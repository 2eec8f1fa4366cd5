import Files
import Foundation

#if canImport(Network)
  import Network
#endif

/// The network of this machine, as far as the system reports it.
///
/// On Apple platforms, the system's path monitor reports it. On Linux, the interfaces in
/// `/sys/class/net` do: an interface that is up, and is not the loopback, is a network; that of a
/// modem is cellular. The cost of a network is known on Apple platforms only. An app itself reports
/// when it is in the background; see ``setInBackground(_:)``.
public final class SystemNetwork: NetworkMonitor, Sendable {
  private let isInBackground = Guarded(false)
  private let folder: String
  private let pause: Duration

  /// Makes a monitor.
  public convenience init() {
    self.init(folder: "/sys/class/net", pause: .seconds(1))
  }

  /// - Parameters:
  ///   - folder: The folder that lists interfaces.
  ///   - pause: The time between two checks.
  package init(folder: String, pause: Duration) {
    self.folder = folder
    self.pause = pause
  }

  /// Records whether the app is in the background.
  public func setInBackground(_ isInBackground: Bool) {
    self.isInBackground.withLock { $0 = isInBackground }
  }

  /// The present state.
  public var status: NetworkStatus {
    var status = interfaces
    status.isInBackground = isInBackground.withLock { $0 }
    return status
  }

  /// A stream of the present state, followed by every change.
  public func updates() -> AsyncStream<NetworkStatus> {
    #if canImport(Network)
      return pathUpdates()
    #else
      return AsyncStream { continuation in
        let task = Task { [self] in
          var last: NetworkStatus?
          while !Task.isCancelled {
            let now = status
            if now != last { continuation.yield(now) }
            last = now
            try? await Task.sleep(for: pause)
          }
          continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
      }
    #endif
  }

  /// Prefixes of the names of modem interfaces.
  private static let cellularNames = ["wwan", "rmnet", "ppp", "usb", "cdc-wdm"]

  /// The state according to the folder of interfaces; a machine without one counts as connected.
  private var interfaces: NetworkStatus {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
      return NetworkStatus()
    }
    let up = names.filter { name in
      guard name != "lo" else { return false }
      let state = try? String(contentsOfFile: "\(folder)/\(name)/operstate", encoding: .utf8)
      // Interfaces of tunnels and containers report "unknown", and they work.
      return ["up", "unknown"].contains(
        (state ?? "").trimmingCharacters(in: .whitespacesAndNewlines))
    }
    let isCellular = { (name: String) in
      Self.cellularNames.contains { name.hasPrefix($0) }
    }
    return NetworkStatus(
      isConnected: !up.isEmpty, isCellular: !up.isEmpty && up.allSatisfy(isCellular))
  }

  #if canImport(Network)
    private func pathUpdates() -> AsyncStream<NetworkStatus> {
      AsyncStream { continuation in
        let monitor = NWPathMonitor()
        monitor.pathUpdateHandler = { [self] path in
          continuation.yield(
            NetworkStatus(
              isConnected: path.status == .satisfied,
              isCellular: path.usesInterfaceType(.cellular), isExpensive: path.isExpensive,
              isInBackground: isInBackground.withLock { $0 }))
        }
        continuation.onTermination = { _ in monitor.cancel() }
        monitor.start(queue: DispatchQueue(label: "ductus.network"))
      }
    }
  #endif
}
