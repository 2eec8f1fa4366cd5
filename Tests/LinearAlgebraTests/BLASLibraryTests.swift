import Foundation
import LinearAlgebra
import Testing

@Suite("The BLAS in use")
struct BLASLibraryTests {
  @Test("The loaded library is found, with the file that holds it")
  func current() throws {
    let library = BLASLibrary.current
    #if os(Linux)
      let path = try #require(library.path)
      #expect(FileManager.default.fileExists(atPath: path))
      switch library.implementation {
      case .openBLAS:
        #expect(library.version?.contains(".") == true)
        #expect(library.core?.isEmpty == false)
        #expect((library.threads ?? 0) >= 1)
        #expect(path.contains("openblas"))
      case .reference:
        #expect(library.threads == 1)
        #expect(library.core == nil)
      default: break
      }
    #elseif canImport(Accelerate)
      #expect(library.implementation == .accelerate)
    #endif
  }

  @Test("Setting one thread leaves one thread, and a count below one counts as one")
  func setThreadCount() {
    let before = BLASLibrary.current.threads
    defer { if let before { BLASLibrary.setThreadCount(before) } }
    for count in [1, 0, -3] {
      let now = BLASLibrary.setThreadCount(count)
      #expect(now == nil || now == 1)
    }
  }

  @Test(
    "A version number is read from a configuration text",
    arguments: [
      ("OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH NO_AFFINITY SkylakeX MAX_THREADS=64", "0.3.21"),
      ("OpenBLAS 0.3.26.dev DYNAMIC_ARCH Zen", "0.3.26"),
      ("Intel(R) oneAPI Math Kernel Library Version 2023.1-Product Build", "2023.1"),
      ("DYNAMIC_ARCH without any", nil),
      ("", nil),
    ] as [(String, String?)])
  func versionInText(text: String, expected: String?) {
    #expect(BLASLibrary.versionNumber(in: text) == expected)
  }

  @Test(
    "A version number is read from a shared object's name",
    arguments: [
      ("/usr/lib/x86_64-linux-gnu/blas/libblas.so.3.11.0", "3.11.0"),
      ("/usr/lib/x86_64-linux-gnu/blas/libblas.so.3", nil),
      ("/usr/lib/libblas.so", nil),
      ("/opt/a.so.b/libblas.so.3.x", nil),
    ] as [(String, String?)])
  func versionInFileName(path: String, expected: String?) {
    #expect(BLASLibrary.versionNumber(ofFile: path) == expected)
  }
}
