import Foundation
import Testing
import WebServer

@Suite("Addresses of servers") struct ServerAddressTests {
  @Test(
    "Only addresses of this machine are loopback, not names that look like one",
    arguments: [
      ("127.0.0.1", true), ("127.255.0.9", true), ("localhost", true), ("::1", true),
      ("[::1]", true), ("127.0.0.1.evil.example", false), ("127.evil.example", false),
      ("127.1.evil.example", false), ("127.0.0.1.", false), ("127.0.0", false),
      ("127.0.0.256", false), ("127.0.0.+1", false), ("127..0.1", false), ("128.0.0.1", false),
      ("localhost.evil.example", false), ("", false), ("0.0.0.0", false),
    ])
  func loopback(_ host: String, _ expected: Bool) {
    #expect(ServerAddress.isLoopback(host) == expected)
  }

  @Test(
    "The name in a header Host is what stands before the port",
    arguments: [
      ("127.0.0.1:80", "127.0.0.1"), ("LocalHost", "localhost"), ("[::1]:80", "[::1]"),
      ("[::1]", "[::1]"), ("[::1].evil.example", ""), ("[::1]evil.example:80", ""), ("[", ""),
      ("[::1", ""), ("", ""), (":80", "80"), ("evil.example:127.0.0.1", "evil.example"),
    ])
  func names(_ host: String, _ expected: String) {
    #expect(ServerAddress.name(ofHost: host) == expected)
  }

  @Test("The limit of open files is not lowered")
  func openFiles() {
    func limit() -> UInt64 {
      var limits = rlimit()
      #if os(Linux)
        let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
      #else
        let files = RLIMIT_NOFILE
      #endif
      #expect(getrlimit(files, &limits) == 0)
      return UInt64(limits.rlim_cur)
    }
    let before = limit()
    OpenFiles.raiseLimit()
    #expect(limit() >= before)
  }
}
