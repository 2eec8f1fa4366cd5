import FaultServer
import Features
import Foundation
import InkCore
import LinearAlgebra
import ModelFormat
import ModelStore
import Networks
import Recognition

/// A temporary folder of one test.
final class TemporaryFolder: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("ductus-store-\(UInt64.random(in: 0 ... .max))")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }
}

/// Models of random weights.
enum Samples {
  static let labels = ["a", "b", "c"]

  static func model(seed: UInt64) -> GlyphModel {
    let pipeline = FeaturePipeline(
      steps: [.normalizeByBox], encoding: .points(PointEncoding(count: 8)), maps: nil)
    let network = GlyphNetwork(
      unchecked:
        GlyphArchitecture(
          sequence: Shape(steps: pipeline.sequenceSteps, channels: pipeline.sequenceChannels),
          trunk: [.convolution(channels: 4, kernel: 3, bias: true, relu: true)],
          maps: pipeline.mapCount, side: [], globals: pipeline.globalCount, context: [],
          head: [.dense(units: labels.count, bias: true, relu: false)]))
    let parameters = AlignedBuffer(count: network.parameterCount)
    var generator = SeededGenerator(seed: seed)
    network.initialize(parameters, using: &generator)
    return GlyphModel(
      labels: labels, pipeline: pipeline, network: network, parameters: parameters, temperature: 1)
  }

  /// Writes a bundle; `extra` bytes go into a part of their own.
  static func write(
    _ identifier: String, version: Int = 1, languages: [String] = ["en"], seed: UInt64 = 1,
    extra: Data? = nil, to folder: URL
  ) throws -> URL {
    let manifest = ModelManifest(
      kind: .glyph, identifier: identifier, version: version, name: "Model \(identifier)",
      languages: languages, labels: labels,
      data: [.init(name: "none", licence: "none", attribution: "none")], architecture: .null,
      features: .null)
    var writer = try model(seed: seed).bundle(manifest)
    if let extra { try writer.add(part: "extra.bin", role: "extra", data: extra) }
    let url = folder.appendingPathComponent("\(identifier)-\(version).ductus")
    try writer.write(to: url)
    return url
  }

  static func bytes(_ count: Int, seed: UInt64) -> Data {
    var generator = SeededGenerator(seed: seed)
    var bytes = Data(capacity: count + 8)
    while bytes.count < count {
      withUnsafeBytes(of: generator.next()) { bytes.append(contentsOf: $0) }
    }
    return bytes.prefix(count)
  }

  static let ink = Ink(
    strokes: [Stroke(points: (0..<20).map { StrokePoint(x: Double($0), y: Double($0 * $0)) })])
}

/// A publisher with its site on a faulty server, and stores that download from it.
final class Site {
  let folder: TemporaryFolder
  let key = SigningKey()
  let server: FaultServer

  init() throws {
    folder = try TemporaryFolder()
    let site = folder.url.appendingPathComponent("site")
    try FileManager.default.createDirectory(at: site, withIntermediateDirectories: true)
    server = try FaultServer(folder: site)
  }

  deinit { server.close() }

  var site: URL { folder.url.appendingPathComponent("site") }

  func publish(_ bundles: URL..., now: Date = Date()) throws {
    try CatalogPublisher(key: key).publish(bundles, to: site, now: now)
  }

  /// A manager with its own store; equal names share a store.
  func manager(
    _ store: String = UUID().uuidString, keys: [VerifyingKey]? = nil, attempts: Int = 1,
    network: any NetworkMonitor = ConstantNetwork(), stallTimeout: Double = 20,
    now: @escaping @Sendable () -> Date = { Date() },
    freeBytes: (@Sendable () -> Int?)? = nil
  ) throws -> ModelManager {
    try ModelManager(
      storage: folder.url.appendingPathComponent(store), catalog: server.url,
      trustedKeys: keys ?? [key.verifyingKey], network: network,
      configuration: .init(
        maximumAttempts: attempts, retryPause: .milliseconds(1), stallTimeout: stallTimeout),
      now: now, freeBytes: freeBytes)
  }
}

/// A network that a test changes.
final class ChangingNetwork: NetworkMonitor, @unchecked Sendable {
  // Unchecked because the lock guards all members.
  private let lock = NSLock()
  private var current: NetworkStatus
  private var listeners: [Int: AsyncStream<NetworkStatus>.Continuation] = [:]
  private var next = 0

  init(_ status: NetworkStatus) { current = status }

  var status: NetworkStatus {
    get { lock.withLock { current } }
    set {
      let all = lock.withLock {
        current = newValue
        return Array(listeners.values)
      }
      for listener in all { listener.yield(newValue) }
    }
  }

  func updates() -> AsyncStream<NetworkStatus> {
    let (stream, continuation) = AsyncStream<NetworkStatus>.makeStream()
    let number = lock.withLock {
      next += 1
      listeners[next] = continuation
      continuation.yield(current)
      return next
    }
    continuation.onTermination = { [weak self] _ in
      guard let self else { return }
      lock.withLock { listeners[number] = nil }
    }
    return stream
  }
}
