import Foundation
import InkDatasets
import Testing

/// The `ductus` binary that was built beside the tests, and what a run of it gave.
struct BuiltTool {
  struct Result {
    var exitCode: Int32
    var output: String
    var errors: String
  }

  let url: URL

  /// The binary beside the test bundle or one of the folders above it; nil when it is not built.
  static let found: BuiltTool? = {
    var folder =
      Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
      ?? URL(fileURLWithPath: CommandLine.arguments.first ?? "/")
    for _ in 0..<3 {
      folder.deleteLastPathComponent()
      let candidate = folder.appendingPathComponent("ductus")
      var isDirectory: ObjCBool = false
      if FileManager.default.fileExists(atPath: candidate.path, isDirectory: &isDirectory),
        !isDirectory.boolValue, FileManager.default.isExecutableFile(atPath: candidate.path)
      {
        return BuiltTool(url: candidate)
      }
    }
    print("DuctusToolTests: skipped, no ductus binary beside the test bundle")
    return nil
  }()

  /// Runs the binary with these arguments and with no standard input.
  func run(_ arguments: String..., environment: [String: String] = [:]) throws -> Result {
    try run(arguments, environment: environment)
  }

  /// Runs the binary with these arguments and with no standard input.
  ///
  /// - Parameter whileRunning: Called with the process's id once it runs.
  func run(
    _ arguments: [String], environment: [String: String] = [:],
    whileRunning: (pid_t) throws -> Void = { _ in }
  ) throws -> Result {
    let process = Process()
    process.executableURL = url
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    // Files, not pipes: no amount of output can block the process.
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("ductus-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    // Tests leave nothing in the user's log of runs, and read none of the user's models.
    let own = [
      "DUCTUS_RUNS": folder.appendingPathComponent("runs.sqlite").path,
      "DUCTUS_MODELS": folder.appendingPathComponent("models").path,
    ]
    process.environment = ProcessInfo.processInfo.environment.merging(own) { $1 }
      .merging(environment) { $1 }
    let output = folder.appendingPathComponent("output")
    let errors = folder.appendingPathComponent("errors")
    try Data().write(to: output)
    try Data().write(to: errors)
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: errors)
    try process.run()
    do {
      try whileRunning(process.processIdentifier)
    } catch {
      process.terminate()
      throw error
    }
    process.waitUntilExit()
    return Result(
      exitCode: process.terminationStatus,
      output: String(decoding: try Data(contentsOf: output), as: UTF8.self),
      errors: String(decoding: try Data(contentsOf: errors), as: UTF8.self))
  }
}

/// The content of the file of origins that the tool writes next to ink made from other data.
func origins(besideInk path: String) throws -> [DataOrigin] {
  let file = URL(fileURLWithPath: path + ".sources.json")
  return try JSONDecoder().decode([DataOrigin].self, from: Data(contentsOf: file))
}
