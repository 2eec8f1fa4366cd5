/// What the network may be for a download.
public struct DownloadConditions: Hashable, Sendable {
  /// Whether a cellular network will do.
  public var allowsCellularAccess: Bool
  /// Whether a network that costs or is limited will do: hot spots, roaming.
  public var allowsExpensiveNetwork: Bool
  /// Whether the download goes on while the app is in the background.
  public var allowsBackgroundDownloading: Bool
  /// Whether the download waits until the conditions are met; else it fails.
  public var waitsForNetwork: Bool

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

  /// Why the download may not go on, or nil where it may.
  public func obstacle(in status: NetworkStatus) -> NetworkObstacle? {
    if !status.isConnected { return .disconnected }
    if status.isCellular, !allowsCellularAccess { return .cellular }
    if status.isExpensive, !allowsExpensiveNetwork { return .expensive }
    if status.isInBackground, !allowsBackgroundDownloading { return .background }
    return nil
  }
}

/// Why a download may not go on.
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

/// The network and the app, as far as downloads depend on them.
public struct NetworkStatus: Hashable, Sendable {
  /// Whether there is a network.
  public var isConnected: Bool
  /// Whether it is cellular.
  public var isCellular: Bool
  /// Whether it costs or is limited.
  public var isExpensive: Bool
  /// Whether the app is in the background.
  public var isInBackground: Bool

  /// Makes a status; without arguments that of a desktop at home.
  public init(
    isConnected: Bool = true, isCellular: Bool = false, isExpensive: Bool = false,
    isInBackground: Bool = false
  ) {
    self.isConnected = isConnected
    self.isCellular = isCellular
    self.isExpensive = isExpensive
    self.isInBackground = isInBackground
  }
}

/// Tells the network's state. An app gives its own where it knows more than the system.
public protocol NetworkMonitor: Sendable {
  /// The state now, and then every change of it, until the consumer ends.
  func updates() -> AsyncStream<NetworkStatus>
}

/// A network whose state does not change: connected, unless made otherwise.
public struct ConstantNetwork: NetworkMonitor {
  private let status: NetworkStatus

  /// Makes a monitor of one state.
  public init(_ status: NetworkStatus = NetworkStatus()) {
    self.status = status
  }

  /// The one state.
  public func updates() -> AsyncStream<NetworkStatus> {
    let status = status
    return AsyncStream { $0.yield(status) }
  }
}
