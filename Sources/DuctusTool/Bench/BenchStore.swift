import Foundation
import InkCore
import LinearAlgebra
import ModelFormat
import ModelServer
import ModelStore
import Networks
import PretrainedModels
import Recognition
import Training

/// Measures installing a bundle of 10 MB from a server on this machine, and hashing.
enum BenchStore {
  private static let bytes = 10_000_000
  private static let paddingParts = ["padding-1.bin", "padding-2.bin"]

  static func measured(rounds: Int) async throws -> BenchReport.Store {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("ductus-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let bundle = try writeBundle(to: folder.appendingPathComponent("bench.ductus"))
    let key = SigningKey()
    let site = folder.appendingPathComponent("site")
    try CatalogPublisher(key: key).publish([bundle.url], to: site)
    let server = try CatalogServer(folder: site, port: 0)
    let running = Task { try await server.run() }
    defer { running.cancel() }
    guard let url = try await server.waitUntilListening() else {
      throw ModelStoreError.download(
        .noNetwork(url: "127.0.0.1", reason: "no port is free"))
    }
    var (hashing, installing, opening): ([Double], [Double], [Double]) = ([], [], [])
    var openingShipped: [Double] = []
    let shipped = try shippedLines()
    let part = try bundle.data(for: paddingParts[0])
    for round in 0..<rounds {
      hashing.append(Double(part.count) / 1e6 / seconds { _ = ModelBundle.sha256(part) })
      let manager = try ModelManager(
        storage: folder.appendingPathComponent("store-\(round)"), catalog: url,
        trustedKeys: [key.verifyingKey])
      let start = ContinuousClock.now
      let model = try await manager.download("bench").installed()
      installing.append((ContinuousClock.now - start) / .seconds(1))
      let opened = try seconds {
        let recognizer = try OpenModel.open(model.url).recognizer()
        precondition(recognizer.labels == BenchInks.labels)
      }
      opening.append(1e3 * opened)
      openingShipped.append(
        1e3 * (try seconds { _ = try OpenModel.open(shipped.url).recognizer() }))
    }
    return BenchReport.Store(
      hashing: BenchSpread(hashing), bytes: bundle.byteCount,
      installSeconds: BenchSpread(installing), openMilliseconds: BenchSpread(opening),
      shippedBytes: shipped.byteCount, openShippedMilliseconds: BenchSpread(openingShipped))
  }

  private static func shippedLines() throws -> ModelBundle {
    let models = try PretrainedModels()
    guard let url = models.bundleURL(of: ModelLibrary.usualModel) else {
      throw ModelStoreError.notFound(ModelLibrary.usualModel)
    }
    return try ModelBundle.open(url)
  }

  private static func seconds(_ work: () throws -> Void) rethrows -> Double {
    let start = ContinuousClock.now
    try work()
    return (ContinuousClock.now - start) / .seconds(1)
  }

  /// Writes a model with fresh weights, and two parts that bring it to the requested size.
  private static func writeBundle(to url: URL) throws -> ModelBundle {
    let model = GlyphModel.fresh
    let manifest = ModelManifest(
      kind: .glyph, identifier: "bench", name: "Bench", labels: model.labels,
      data: [.init(name: "made by ductus bench", licence: "none", attribution: "none")],
      architecture: .null, features: .null)
    var generator = SeededGenerator(seed: 1)
    var writer = try model.bundle(manifest)
    let rest = bytes - writer.manifest.parts.reduce(0) { $0 + $1.length }
    for part in paddingParts {
      let padding = Data(
        (0..<max(0, rest) / 2).map { _ in UInt8(truncatingIfNeeded: generator.next()) })
      try writer.add(part: part, role: "padding", data: padding)
    }
    return try writer.write(to: url)
  }
}
