import ArgumentParser
import Foundation
import LinearAlgebra

/// `ductus doctor`: shows the machine, the BLAS in use and its speed, and what to fix.
package struct Doctor: AsyncParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    abstract: "Show the machine, its BLAS and their speed, and suggest fixes.",
    discussion: """
      Takes a few seconds. Exits with 0 even if there is something to fix.

      Example:
        ductus doctor
      """)

  @OptionGroup var output: JSONOutput

  package func run() async throws {
    let report = DoctorReport.measured()
    try output.write(report, text: report.text())
  }
}

/// The report of `ductus doctor`.
package struct DoctorReport: Codable, Equatable {
  package struct Memory: Codable, Equatable {
    var totalBytes: UInt64
    /// The memory available to programs; nil if the system does not report it.
    var availableBytes: UInt64?

    package init(totalBytes: UInt64, availableBytes: UInt64? = nil) {
      self.totalBytes = totalBytes
      self.availableBytes = availableBytes
    }
  }

  package struct Datasets: Codable, Equatable {
    package var folder: String
    /// True if `INK_DATASETS` names the folder; false for the default.
    package var fromEnvironment: Bool
    /// The names of the installed datasets, sorted.
    package var found: [String]

    package init(folder: String, fromEnvironment: Bool, found: [String]) {
      self.folder = folder
      self.fromEnvironment = fromEnvironment
      self.found = found
    }
  }

  var ductus: String
  var swift: String
  var optimized: Bool
  var processor: Processor
  /// The clone of the vector kernels that the loader picks; nil if there is only one.
  var kernels: String?
  var memory: Memory
  var blas: BLASLibrary
  var coreTypeVariable: String?
  /// True if the tool restarted itself to set the core type.
  var restarted: Bool
  var gemm: [GEMMMeasurement]
  /// A product in mixed precision; nil if the processor does not support it.
  var bfloat16: GEMMMeasurement?
  var datasets: Datasets
  package var findings: [DoctorFinding]

  package init(
    ductus: String, swift: String, optimized: Bool, processor: Processor, kernels: String? = nil,
    memory: Memory, blas: BLASLibrary, coreTypeVariable: String? = nil, restarted: Bool,
    gemm: [GEMMMeasurement], bfloat16: GEMMMeasurement? = nil, datasets: Datasets,
    findings: [DoctorFinding]
  ) {
    self.ductus = ductus
    self.swift = swift
    self.optimized = optimized
    self.processor = processor
    self.kernels = kernels
    self.memory = memory
    self.blas = blas
    self.coreTypeVariable = coreTypeVariable
    self.restarted = restarted
    self.gemm = gemm
    self.bfloat16 = bfloat16
    self.datasets = datasets
    self.findings = findings
  }

  /// Examines and measures the machine; takes about two seconds.
  static func measured() -> DoctorReport {
    let environment = ProcessInfo.processInfo.environment
    // Before the measurement, which changes the number of threads.
    let blas = BLASLibrary.current
    let processor = Processor.current
    var report = DoctorReport(
      ductus: Ductus.configuration.version, swift: swiftVersion, optimized: isOptimized,
      processor: processor, kernels: kernelClone(of: processor), memory: currentMemory(),
      blas: blas, coreTypeVariable: environment[OpenBLASCoreType.variable],
      restarted: environment[CoreTypeRestart.guardVariable] != nil,
      gemm: GEMMBenchmark.run(cores: processor.logicalCores),
      bfloat16: GEMMBenchmark.runInMixedPrecision(),
      datasets: datasets(environment: environment), findings: [])
    report.findings = DoctorFinding.all(
      in: report, openBLASIsInstalled: DoctorFinding.openBLASIsInstalled())
    return report
  }

  // MARK: The parts

  private static var swiftVersion: String {
    #if compiler(>=6.5)
      "6.5 or later"
    #elseif compiler(>=6.4)
      "6.4"
    #elseif compiler(>=6.3)
      "6.3"
    #elseif compiler(>=6.2)
      "6.2"
    #else
      "6.1"
    #endif
  }

  private static var isOptimized: Bool {
    #if DEBUG
      false
    #else
      true
    #endif
  }

  private static func kernelClone(of processor: Processor) -> String? {
    #if os(Linux)
      switch processor.x86Level {
      case 4?: "x86-64-v4"
      case 3?: "x86-64-v3"
      case .some: "baseline x86-64"
      case nil: nil
      }
    #else
      nil
    #endif
  }

  private static func currentMemory() -> Memory {
    var available: UInt64?
    if let data = FileManager.default.contents(atPath: "/proc/meminfo") {
      let line = String(decoding: data, as: UTF8.self).split(separator: "\n")
        .first { $0.hasPrefix("MemAvailable:") }
      let kibibytes = line?.split(separator: " ").dropFirst().first.flatMap { UInt64($0) }
      available = kibibytes.map { $0 * 1024 }
    }
    return Memory(
      totalBytes: ProcessInfo.processInfo.physicalMemory, availableBytes: available)
  }

  /// The folders that datasets are unpacked to.
  static let datasetNames = [
    "dollar1", "flowchart", "helpinghand", "iam-ondb", "kanjivg", "laviola", "ndollar-mmg",
    "nicicon", "omniglot", "pencil-logs", "quickdraw", "splits", "text", "tomoe", "unipen",
  ]

  package static func datasets(environment: [String: String]) -> Datasets {
    let named = environment["INK_DATASETS"].flatMap { $0.isEmpty ? nil : $0 }
    let folder =
      named
      ?? FileManager.default.homeDirectoryForCurrentUser
      .appendingPathComponent(".cache/ink-datasets").path
    let found = datasetNames.filter { name in
      var isDirectory: ObjCBool = false
      return FileManager.default.fileExists(atPath: folder + "/" + name, isDirectory: &isDirectory)
        && isDirectory.boolValue
    }
    return Datasets(folder: folder, fromEnvironment: named != nil, found: found)
  }
}

// MARK: - As text

extension DoctorReport {
  /// The report as aligned lines.
  package func text() -> String {
    var lines: [String] = []
    func line(_ name: String, _ value: String) {
      lines.append(name.padding(toLength: Self.nameWidth, withPad: " ", startingAt: 0) + value)
    }
    line("ductus", "\(ductus), built with Swift \(swift)\(optimized ? "" : ", not optimised")")
    let name = processor.modelName.isEmpty ? "unknown processor" : processor.modelName
    line("processor", "\(name), \(processor.architecture.rawValue)")
    line(
      "cores",
      "\(processor.logicalCores) usable"
        + (processor.physicalCores == processor.logicalCores
          ? "" : ", \(processor.physicalCores) physical"))
    let features = processor.features.sorted().map(\.displayName)
    for (index, part) in Self.wrapped(features).enumerated() {
      line(index == 0 ? "features" : "", part)
    }
    if let kernels { line("kernels", kernels) }
    line(
      "memory",
      Self.gibibytes(memory.totalBytes)
        + (memory.availableBytes.map { ", \(Self.gibibytes($0)) available" } ?? ""))
    line(
      "BLAS",
      ([blas.implementation.rawValue] + [blas.version].compactMap(\.self))
        .joined(separator: " "))
    if let core = blas.core {
      let why =
        coreTypeVariable == nil
        ? "" : restarted ? " (core type set by ductus)" : " (core type set by you)"
      line("", "core \(core)\(why)")
    }
    if let threads = blas.threads { line("", "\(threads) thread\(threads == 1 ? "" : "s")") }
    if let path = blas.path { line("", path) }
    for (index, one) in gemm.enumerated() {
      line(index == 0 ? "sgemm" : "", one.text)
    }
    if let bfloat16 { line("bfloat16", bfloat16.text) }
    line("datasets", datasets.folder + (datasets.fromEnvironment ? "" : " (default)"))
    let found = datasets.found.isEmpty ? ["none found"] : datasets.found
    for part in Self.wrapped(found) { line("", part) }
    lines.append("")
    if findings.isEmpty {
      lines.append("Nothing to fix.")
    } else {
      lines.append("To fix:")
      for finding in findings {
        lines.append("- \(finding.problem)")
        if let cure = finding.cure { lines.append("    \(cure)") }
      }
    }
    return lines.joined(separator: "\n")
  }

  private static func gibibytes(_ bytes: UInt64) -> String {
    String(format: "%.1f GiB", Double(bytes) / Double(1 << 30))
  }

  /// The widths of the columns of names and values.
  private static let (nameWidth, valueWidth) = (12, 72)

  /// Wraps words to lines of at most ``valueWidth`` characters.
  private static func wrapped(_ words: [String]) -> [String] {
    var lines: [String] = []
    for word in words {
      if let last = lines.last, last.count + 1 + word.count <= valueWidth {
        lines[lines.count - 1] = last + " " + word
      } else {
        lines.append(word)
      }
    }
    return lines
  }
}

extension GEMMMeasurement {
  /// One aligned line: size, threads, speed, time.
  var text: String {
    let size = "\(rows)x\(inner)x\(columns)".padding(toLength: 16, withPad: " ", startingAt: 0)
    let share = threads.map { "\($0) thread\($0 == 1 ? " " : "s")" } ?? "         "
    let time =
      microseconds < 1000
      ? String(format: "%8.1f us", microseconds) : String(format: "%8.1f ms", microseconds / 1000)
    return size + share + String(format: "%9.1f GFLOP/s", gigaflops) + time
  }
}
