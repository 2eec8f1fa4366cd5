import Foundation
import LinearAlgebra

/// A problem of this machine that slows Ductus down or hides data, with its solution.
package struct DoctorFinding: Codable, Equatable {
  /// The subject.
  package enum Kind: String, Codable {
    case referenceBLAS, unknownBLAS, wrongCoreType, debugBuild, noDatasets
  }

  package var kind: Kind
  package var problem: String
  /// The command or step that solves it.
  package var cure: String?

  /// All problems in a report, the most costly first.
  package static func all(in report: DoctorReport, openBLASIsInstalled: Bool) -> [DoctorFinding] {
    [
      library(report.blas, openBLASIsInstalled: openBLASIsInstalled),
      core(report),
      report.optimized
        ? nil
        : DoctorFinding(
          kind: .debugBuild, problem: "This is a debug build, many times slower.",
          cure: "swift build -c release"),
      report.datasets.found.isEmpty
        ? DoctorFinding(
          kind: .noDatasets, problem: "No datasets in \(report.datasets.folder).",
          cure: "Set INK_DATASETS to the folder that contains them.") : nil,
    ].compactMap(\.self)
  }

  private static func library(
    _ blas: BLASLibrary, openBLASIsInstalled: Bool
  ) -> DoctorFinding? {
    switch blas.implementation {
    case .reference:
      DoctorFinding(
        kind: .referenceBLAS,
        problem: "The reference BLAS computes: 20 to 50 times slower than OpenBLAS.",
        cure: "sudo apt-get install libopenblas-dev"
          + (openBLASIsInstalled
            ? "   (it is installed but not chosen: unset LD_LIBRARY_PATH, or choose it with"
              + " sudo update-alternatives --config libblas.so.3-\(debianArchitecture)-linux-gnu)"
            : ""))
    case .unknown:
      DoctorFinding(
        kind: .unknownBLAS,
        problem: "The BLAS in use is not known to Ductus; check its speed above.",
        cure: nil)
    default: nil
    }
  }

  /// Kernels of OpenBLAS that use at most SSE, or AVX without FMA.
  private static let coresBelowAVX2: Set<String> = [
    "prescott", "core2", "penryn", "dunnington", "nehalem", "sandybridge", "atom", "nano",
    "opteron", "opteron_sse3", "barcelona", "bobcat", "bulldozer", "piledriver", "katmai",
    "coppermine", "northwood", "banias", "athlon", "generic",
  ]

  private static func core(_ report: DoctorReport) -> DoctorFinding? {
    let blas = report.blas
    let processor = report.processor
    guard blas.implementation == .openBLAS, processor.architecture == .x86_64,
      let core = blas.core
    else { return nil }
    let missed: String
    if processor.hasAVX512 && !blas.usesAVX512Kernels {
      missed = "AVX-512"
    } else if processor.features.contains(.avx2) && coresBelowAVX2.contains(core.lowercased()) {
      missed = "AVX2"
    } else {
      return nil
    }
    var cure = "Use a newer OpenBLAS."
    if let set = report.coreTypeVariable, !report.restarted {
      cure = "OPENBLAS_CORETYPE is \(set.isEmpty ? "set but empty" : set): unset it."
    } else if !report.restarted,
      let better = OpenBLASCoreType.recommended(
        processor: processor, library: blas, environment: [:])
    {
      cure = "export OPENBLAS_CORETYPE=\(better)"
    }
    return DoctorFinding(
      kind: .wrongCoreType,
      problem: "OpenBLAS computes with its \(core) kernels; this processor has \(missed),"
        + " which is up to twice as fast.",
      cure: cure)
  }

  /// Returns whether Debian's OpenBLAS is installed, selected or not.
  static func openBLASIsInstalled() -> Bool {
    ["pthread", "openmp", "serial"].contains { kind in
      FileManager.default.fileExists(
        atPath: "/usr/lib/\(debianArchitecture)-linux-gnu/openblas-\(kind)/libblas.so.3")
    }
  }

  private static var debianArchitecture: String {
    Processor.Architecture.current == .arm64 ? "aarch64" : "x86_64"
  }
}
