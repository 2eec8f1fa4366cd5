import Crypto
import Downloads
import FaultServer
import Foundation
import Testing

@Suite("Downloads from a server that fails", .timeLimit(.minutes(5)))
struct DownloaderTests {
  private static let count = 300_000

  private func downloader(attempts: Int = 1, stallTimeout: Double = 20) -> Downloader {
    Downloader(
      transport: URLSessionTransport(),
      configuration: DownloadConfiguration(
        maximumAttempts: attempts, retryPause: .milliseconds(1), stallTimeout: stallTimeout))
  }

  private func hash(_ bytes: Data) -> String {
    SHA256.hash(data: bytes).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  @Test(
    "A file that was cut off resumes where it ended, with and without a known length and hash",
    arguments: [true, false])
  func resuming(isKnown: Bool) async throws {
    let site = try DownloadSite()
    let bytes = try site.write("data", count: Self.count)
    let expected =
      isKnown
      ? ExpectedBytes(length: bytes.count, sha256: hash(bytes))
      : ExpectedBytes(length: nil, sha256: nil)
    site.server.fail { _ in .cut(after: 100_000) }
    let error = await #expect(throws: DownloadError.self) {
      try await downloader().fetch(expected, at: site.url("data"), to: site.place) { _ in }
    }
    guard case .noNetwork? = error else {
      return #expect(Bool(false), "\(String(describing: error))")
    }
    #expect(site.finished == nil)
    site.server.failNothing()
    _ = site.server.takeLog()
    let found = try await downloader().fetch(
      expected, at: site.url("data"), to: site.place
    ) { _ in }
    #expect(found?.length == bytes.count)
    #expect(found?.sha256 == hash(bytes))
    #expect(site.finished == bytes)
    let offset = site.server.takeLog().first?.offset
    #expect(offset ?? 0 > 0)
  }

  @Test("Without an entity tag and a hash, a cut off file begins again")
  func noTag() async throws {
    let site = try DownloadSite()
    let bytes = try site.write("data", count: Self.count)
    try bytes.prefix(1000).write(to: URL(fileURLWithPath: site.place.partial))
    site.server.fail { _ in .plain }
    let found = try await downloader().fetch(
      ExpectedBytes(length: nil, sha256: nil), at: site.url("data"), to: site.place
    ) { _ in }
    #expect(found?.length == bytes.count)
    #expect(site.server.takeLog().map(\.offset) == [nil])
  }

  @Test("A server that stalls counts as gone, and the next attempt goes on")
  func stalling() async throws {
    let site = try DownloadSite()
    let bytes = try site.write("data", count: Self.count)
    site.server.fail { $0.offset == nil ? .stall(after: 50_000) : nil }
    _ = try await downloader(attempts: 3, stallTimeout: 1).fetch(
      ExpectedBytes(length: bytes.count, sha256: hash(bytes)), at: site.url("data"),
      to: site.place
    ) { _ in }
    #expect(site.finished == bytes)
  }

  @Test(
    "A server that lies about the length is found out",
    arguments: [FaultServer.Fault.tooMuch(5, isAnnounced: true), .cut(after: 100)])
  func wrongLength(_ fault: FaultServer.Fault) async throws {
    let site = try DownloadSite()
    let bytes = try site.write("data", count: Self.count)
    site.server.fail { _ in fault }
    await #expect(throws: DownloadError.self) {
      try await downloader().fetch(
        ExpectedBytes(length: bytes.count, sha256: hash(bytes)), at: site.url("data"),
        to: site.place
      ) { _ in }
    }
    #expect(site.finished == nil)
  }

  @Test("Other bytes of the right length are refused by their hash")
  func wrongBytes() async throws {
    let site = try DownloadSite()
    let bytes = try site.write("data", count: Self.count)
    site.server.fail { _ in .otherBytes }
    let error = await #expect(throws: DownloadError.self) {
      try await downloader().fetch(
        ExpectedBytes(length: bytes.count, sha256: hash(bytes)), at: site.url("data"),
        to: site.place
      ) { _ in }
    }
    guard case .hashMismatch? = error else {
      return #expect(Bool(false), "\(String(describing: error))")
    }
    #expect(site.finished == nil)
  }

  @Test("A finished file is not fetched again")
  func finished() async throws {
    let site = try DownloadSite()
    let bytes = try site.write("data", count: 1000)
    let expected = ExpectedBytes(length: bytes.count, sha256: hash(bytes))
    _ = try await downloader().fetch(expected, at: site.url("data"), to: site.place) { _ in }
    _ = site.server.takeLog()
    let again = try await downloader().fetch(
      expected, at: site.url("data"), to: site.place
    ) { _ in }
    #expect(again == nil)
    #expect(site.server.takeLog().isEmpty)
  }

  @Test("A file that the server does not have is not tried again")
  func missing() async throws {
    let site = try DownloadSite()
    await #expect(throws: DownloadError.notFound(url: site.url("none").absoluteString)) {
      try await downloader(attempts: 3).fetch(
        ExpectedBytes(length: nil, sha256: nil), at: site.url("none"), to: site.place
      ) { _ in }
    }
    #expect(site.server.takeLog().count == 1)
  }
}
