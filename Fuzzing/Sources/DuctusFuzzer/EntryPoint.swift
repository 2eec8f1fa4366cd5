import Foundation

/// The settings in the environment: the parser, and whether the canary is armed.
private struct Settings {
  static let current = Settings()

  let target: FuzzTarget
  let canary: Canary

  private init() {
    let environment = ProcessInfo.processInfo.environment
    let name = environment["DUCTUS_FUZZ_TARGET"] ?? ""
    guard let target = FuzzTarget(rawValue: name) else {
      let names = FuzzTarget.allCases.map(\.rawValue).joined(separator: ", ")
      FileHandle.standardError.write(
        Data("DUCTUS_FUZZ_TARGET: expected one of \(names), found \"\(name)\"\n".utf8))
      exit(2)
    }
    self.target = target
    canary = Canary(isArmed: environment["DUCTUS_FUZZ_CANARY"] == "1")
  }
}

/// The function that libFuzzer calls with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  Settings.current.target.run(bytes, canary: Settings.current.canary)
  return 0
}
