import Downloads
import FaultServer
import Foundation
import Testing

@Suite("URLSessionTransport", .timeLimit(.minutes(20)))
struct TransportTests {
  /// Reads a whole answer; throws the errors of the transport.
  private static func read(
    _ transport: URLSessionTransport, _ request: TransportRequest
  ) async throws -> Int {
    var count = 0
    for try await chunk in try await transport.get(request).body { count += chunk.count }
    return count
  }

  @Test("A request of a cancelled task is cancelled")
  func cancelledBefore() async throws {
    let site = try DownloadSite()
    let transport = URLSessionTransport()
    let request = TransportRequest(url: site.server.url, maximumLength: 1)
    for _ in 0..<300 {
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await Self.read(transport, request)
      }
      await #expect(throws: DownloadError.cancelled) { try await task.value }
    }
  }

  @Test("Requests cancelled at any moment end, and the transport still works")
  func cancelledAtAnyMoment() async throws {
    let seed = UInt64.random(in: 0..<1 << 32)
    print("cancelled requests: seed \(seed)")
    var generator = TestGenerator(state: seed)
    let site = try DownloadSite()
    let bytes = try site.write("bytes", count: 100_000)
    site.server.fail { request in
      switch request.path {
      case "bytes?stall": .stall(after: 40_000)
      case "bytes?cut": .cut(after: 40_000)
      default: nil
      }
    }
    let transport = URLSessionTransport()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<1200 {
        let query = ["", "?stall", "?cut"].randomElement(using: &generator)!
        let url = try #require(URL(string: "\(site.server.url)/bytes\(query)"))
        let request = TransportRequest(url: url, maximumLength: bytes.count)
        let pause = Duration.microseconds(Int.random(in: 0..<3000, using: &generator))
        group.addTask {
          let task = Task { try await Self.read(transport, request) }
          try await Task.sleep(for: pause)
          task.cancel()
          if case .success(let count) = await task.result {
            // Cancelled while reading, or read completely before.
            #expect(count <= bytes.count)
          }
        }
        if number % 8 == 7 { try await group.waitForAll() }
      }
    }
    let whole = TransportRequest(
      url: site.server.url.appendingPathComponent("bytes"), maximumLength: bytes.count)
    #expect(try await Self.read(transport, whole) == bytes.count)
  }
}
