import Foundation
import Testing

@Suite(
  "The built command line",
  .enabled(if: BuiltTool.found != nil, "the ductus binary is not beside the test bundle"))
struct CommandLineTests {
  let tool: BuiltTool

  init() throws { tool = try #require(BuiltTool.found) }

  @Test("No argument and --help print the help and exit with 0")
  func help() throws {
    for result in [try tool.run(), try tool.run("--help"), try tool.run("help")] {
      #expect(result.exitCode == 0)
      #expect(result.output.contains("doctor"))
      #expect(result.errors.isEmpty)
    }
  }

  @Test("--version prints the version and the revision of the sources alone")
  func version() throws {
    let result = try tool.run("--version")
    #expect(result.exitCode == 0)
    #expect(result.output.wholeMatch(of: /0\.1\.0 \((unknown|[0-9a-f]{12}(-dirty)?)\)\n/) != nil)
    #expect(result.errors.isEmpty)
  }

  @Test(
    "Wrong arguments exit with 2 and one line on standard error",
    arguments: [
      ["nonsense"], ["doctor", "--nonsense"], ["doctor", "extra"], ["doctor", "--json"],
    ])
  func wrongArguments(arguments: [String]) throws {
    let result =
      arguments.count == 1 ? try tool.run(arguments[0]) : try tool.run(arguments[0], arguments[1])
    #expect(result.exitCode == 2)
    #expect(result.output.isEmpty)
    #expect(result.errors.hasPrefix("ductus: error: "))
    #expect(result.errors.hasSuffix("\n"))
    #expect(result.errors.filter { $0 == "\n" }.count == 1)
    if let culprit = arguments.last { #expect(result.errors.contains(culprit)) }
  }

  @Test("A bad record is told, the others are read, and the exit code says so")
  func badRecordBetweenGoodOnes() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("records-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("ink.jsonl").path
    let line = #"{"label":"line","strokes":[{"x":[0,50,100],"y":[0,1,0]}]}"#
    try "\(line)\n{\"label\":\n\(line)\n".write(toFile: file, atomically: true, encoding: .utf8)
    let read = try tool.run("recognize", "--model", "shapes", file)
    #expect(read.exitCode == 2)
    #expect(read.output.split(separator: "\n").map { $0.prefix(1) } == ["0", "2"])
    #expect(read.errors.contains("ink.jsonl:2"))
    try "{\"label\":\n".write(toFile: file, atomically: true, encoding: .utf8)
    let scored = try tool.run("evaluate", "--model", "shapes", "--data", "ink:\(file)")
    #expect(scored.exitCode == 2 && scored.errors.contains("1 unreadable"))
  }

  @Test("Doctor names the processor, the BLAS and its speed, and exits with 0")
  func doctor() throws {
    let result = try tool.run("doctor")
    #expect(result.exitCode == 0)
    #expect(result.errors.isEmpty)
    for word in ["processor", "cores", "memory", "BLAS", "sgemm", "GFLOP/s", "datasets", "Swift"] {
      #expect(result.output.contains(word), "\(word) is missing")
    }
    #expect(result.output.contains("Nothing to fix.") || result.output.contains("To fix:"))
  }

  #if os(Linux)
    @Test("JSON for a place that takes no files is refused before the work, and a device stays one")
    func unwritableJSON() throws {
      let refused = try tool.run("doctor", "--json", "/proc/x.json")
      #expect(refused.exitCode == 2 && refused.output.isEmpty)
      #expect(refused.errors.contains("/proc/x.json: cannot be written for --json"))

      let link = FileManager.default.temporaryDirectory
        .appendingPathComponent("null-\(UUID().uuidString)").path
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "/dev/null")
      defer { try? FileManager.default.removeItem(atPath: link) }
      #expect(try tool.run("doctor", "--json", link).exitCode == 0)
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "/dev/null")
    }
  #endif

  @Test("Doctor writes its report as JSON to standard output or to a file")
  func doctorJSON() throws {
    let printed = try tool.run("doctor", "--json", "-")
    #expect(printed.exitCode == 0)
    try check(Data(printed.output.utf8))

    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("doctor-\(UUID().uuidString).json")
    defer { try? FileManager.default.removeItem(at: file) }
    let written = try tool.run("doctor", "--json", file.path)
    #expect(written.exitCode == 0)
    #expect(written.output.contains("GFLOP/s"))
    try check(try Data(contentsOf: file))
  }

  private func check(_ data: Data) throws {
    let object = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
    for key in ["ductus", "swift", "processor", "memory", "blas", "gemm", "datasets", "findings"] {
      #expect(object[key] != nil, "\(key) is missing")
    }
    let gemm = try #require(object["gemm"] as? [[String: Any]])
    #expect(gemm.count >= 2)
    for one in gemm {
      let speed = try #require(one["gigaflops"] as? Double)
      #expect(speed.isFinite && speed > 0)
    }
  }

  @Test("A report file that cannot be written is named before the work")
  func unwritableReport() throws {
    let path = "/nonexistent-\(UUID().uuidString)/report.json"
    let result = try tool.run("doctor", "--json", path)
    #expect(result.exitCode == 2)
    #expect(result.output.isEmpty)
    #expect(result.errors.hasPrefix("ductus: error: \(path): "))
  }

  @Test("A core type that the user chose is kept, and doctor says when it wastes the processor")
  func userCoreType() throws {
    let result = try tool.run(
      "doctor", "--json", "-", environment: ["OPENBLAS_CORETYPE": "Nehalem"])
    #expect(result.exitCode == 0)
    let object = try #require(
      JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
    #expect(object["coreTypeVariable"] as? String == "Nehalem")
    #expect(object["restarted"] as? Bool == false)
    let blas = try #require(object["blas"] as? [String: Any])
    if blas["core"] as? String == "Nehalem", result.output.contains("avx2") {
      #expect(result.output.contains("wrongCoreType"))
      #expect(result.output.contains("OPENBLAS_CORETYPE is Nehalem: unset it."))
    }
  }

  #if os(Linux) && arch(x86_64)
    @Test("With only the reference BLAS doctor works and says how to get the fast one")
    func referenceBLAS() throws {
      let root = "/usr/lib/x86_64-linux-gnu"
      guard FileManager.default.fileExists(atPath: "\(root)/blas/libblas.so.3") else {
        print("DuctusToolTests: skipped, no reference BLAS in \(root)/blas")
        return
      }
      let result = try tool.run(
        "doctor", environment: ["LD_LIBRARY_PATH": "\(root)/blas:\(root)/lapack"])
      #expect(result.exitCode == 0)
      #expect(result.output.contains("reference BLAS"))
      #expect(result.output.contains("20 to 50 times slower"))
      #expect(result.output.contains("sudo apt-get install libopenblas-dev"))
    }
  #endif
}
