/// The networks that a download may use.
public struct DownloadConditions: Hashable, Sendable {
  /// True if a cellular network may be used.
  package var allowsCellularAccess: Bool
  /// True if an expensive or limited network may be used: hot spots, roaming.
  package var allowsExpensiveNetwork: Bool
  /// True if the download continues while the app is in the background.
  package var allowsBackgroundDownloading: Bool
  /// True if the download waits until the conditions are met; false if it fails.
  package var waitsForNetwork: Bool

  /// Makes conditions.
  public init(
    allowsCellularAccess: Bool = true, allowsExpensiveNetwork: Bool = true,
    allowsBackgroundDownloading: Bool = false, waitsForNetwork: Bool = false
  ) {
    self.allowsCellularAccess = allowsCellularAccess
    self.allowsExpensiveNetwork = allowsExpensiveNetwork
    self.allowsBackgroundDownloading = allowsBackgroundDownloading
    self.waitsForNetwork = waitsForNetwork
  }

  /// The reason why the download may not continue, or nil if it may.
  package func obstacle(in status: NetworkStatus) -> NetworkObstacle? {
    if !status.isConnected { return .disconnected }
    if status.isCellular, !allowsCellularAccess { return .cellular }
    if status.isExpensive, !allowsExpensiveNetwork { return .expensive }
    if status.isInBackground, !allowsBackgroundDownloading { return .background }
    return nil
  }
}

/// A reason why a download may not continue.
public enum NetworkObstacle: String, Hashable, Sendable {
  /// There is no network.
  case disconnected = "there is no network"
  /// The network is cellular.
  case cellular = "the network is cellular"
  /// The network is expensive.
  case expensive = "the network is expensive"
  /// The app is in the background.
  case background = "the app is in the background"
}

/// The state of network and app that downloads depend on.
public struct NetworkStatus: Hashable, Sendable {
  /// True if there is a network.
  package var isConnected: Bool
  /// True if the network is cellular.
  package var isCellular: Bool
  /// True if the network is expensive or limited.
  package var isExpensive: Bool
  /// True if the app is in the background.
  package var isInBackground: Bool

  /// Makes a status. The default is a desktop computer with an unlimited network.
  package init(
    isConnected: Bool = true, isCellular: Bool = false, isExpensive: Bool = false,
    isInBackground: Bool = false
  ) {
    self.isConnected = isConnected
    self.isCellular = isCellular
    self.isExpensive = isExpensive
    self.isInBackground = isInBackground
  }
}

/// Reports the state of the network. An app provides its own monitor if it knows more than the
/// system.
public protocol NetworkMonitor: Sendable {
  /// Returns a stream of the current state, followed by every change, until the consumer ends.
  func updates() -> AsyncStream<NetworkStatus>
}

/// A network with a constant state, connected by default.
package struct ConstantNetwork: NetworkMonitor {
  private let status: NetworkStatus

  /// Makes a monitor with one state.
  package init(_ status: NetworkStatus = NetworkStatus()) {
    self.status = status
  }

  /// Returns a stream of the constant state.
  package func updates() -> AsyncStream<NetworkStatus> {
    let status = status
    return AsyncStream { $0.yield(status) }
  }
}
