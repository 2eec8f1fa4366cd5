import Foundation

#if canImport(Network)
  import Network
#endif

/// The network of this machine, as far as the system tells it.
///
/// On Apple platforms the path of the system; on Linux the interfaces below `/sys/class/net`: one that
/// is up and not the loopback is a network, one of a modem is cellular. Whether a network costs is known
/// on Apple platforms alone. An app says itself when it is in the background; see
/// ``setInBackground(_:)``.
public final class SystemNetwork: NetworkMonitor, @unchecked Sendable {
  // Unchecked because the lock guards the members.
  private let lock = NSLock()
  private var isInBackground = false
  private let folder: String
  private let pause: Duration

  /// Makes a monitor.
  public convenience init() {
    self.init(folder: "/sys/class/net", pause: .seconds(1))
  }

  /// - Parameters:
  ///   - folder: Where interfaces are listed.
  ///   - pause: The time between two looks.
  init(folder: String, pause: Duration) {
    self.folder = folder
    self.pause = pause
  }

  /// Says whether the app is in the background.
  public func setInBackground(_ isInBackground: Bool) {
    lock.withLock { self.isInBackground = isInBackground }
  }

  /// The state now.
  public var status: NetworkStatus {
    var status = interfaces
    status.isInBackground = lock.withLock { isInBackground }
    return status
  }

  /// The state now, and then every change of it.
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

  /// Names of interfaces of modems.
  private static let cellularNames = ["wwan", "rmnet", "ppp", "usb", "cdc-wdm"]

  /// What the folder of interfaces says; a machine without one counts as connected.
  private var interfaces: NetworkStatus {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
      return NetworkStatus()
    }
    let up = names.filter { name in
      guard name != "lo" else { return false }
      let state = try? String(contentsOfFile: "\(folder)/\(name)/operstate", encoding: .utf8)
      // Tunnels and containers say "unknown" and work.
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
              isInBackground: lock.withLock { isInBackground }))
        }
        continuation.onTermination = { _ in monitor.cancel() }
        monitor.start(queue: DispatchQueue(label: "ductus.network"))
      }
    }
  #endif
}
