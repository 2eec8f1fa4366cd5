import Downloads
import FaultServer
import Foundation

/// A folder on a server that can fail, and a place to download to; removed with it.
final class DownloadSite {
  let folder: URL
  let server: FaultServer

  init() throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("ductus-downloads-\(UInt64.random(in: 0 ... .max))")
    try FileManager.default.createDirectory(
      at: folder.appendingPathComponent("site"), withIntermediateDirectories: true)
    server = try FaultServer(folder: folder.appendingPathComponent("site"))
  }

  deinit {
    server.close()
    try? FileManager.default.removeItem(at: folder)
  }

  /// Puts a file of arbitrary bytes on the server.
  func write(_ name: String, count: Int) throws -> Data {
    var generator = TestGenerator(state: 7)
    let bytes = Data((0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next() >> 32) })
    try bytes.write(to: folder.appendingPathComponent("site/\(name)"))
    return bytes
  }

  func url(_ name: String) -> URL { server.url.appendingPathComponent(name) }

  var place: DownloadPlace {
    DownloadPlace(
      partial: folder.appendingPathComponent("file.partial").path,
      finished: folder.appendingPathComponent("file").path)
  }

  var finished: Data? { FileManager.default.contents(atPath: place.finished) }
}

/// A linear congruential generator (Knuth, MMIX), so that tests repeat.
struct TestGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state
  }
}
