import DuctusTool
import Foundation
import LinearAlgebra
import Testing

@Suite("Findings of doctor")
struct DoctorTests {
  static let zen4 = Processor(
    vendor: "AuthenticAMD", modelName: "AMD EPYC 9R14", architecture: .x86_64, family: 25,
    model: 17, logicalCores: 2, physicalCores: 2,
    features: [
      .sse42, .avx, .avx2, .fma, .avx512f, .avx512cd, .avx512bw, .avx512dq, .avx512vl,
    ])

  static func report(
    blas: BLASLibrary, processor: Processor = zen4, variable: String? = nil,
    datasets: [String] = ["unipen"], optimized: Bool = true, restarted: Bool = false
  ) -> DoctorReport {
    DoctorReport(
      ductus: "0.1.0", swift: "6.3", optimized: optimized, processor: processor,
      kernels: "x86-64-v4", memory: .init(totalBytes: 8 << 30, availableBytes: 4 << 30),
      blas: blas, coreTypeVariable: variable, restarted: restarted,
      gemm: [
        GEMMMeasurement(
          rows: 2048, inner: 2048, columns: 2048, threads: 1, microseconds: 73_000,
          gigaflops: 235.4)
      ],
      datasets: .init(folder: "/data", fromEnvironment: true, found: datasets), findings: [])
  }

  static let good = BLASLibrary(
    implementation: .openBLAS, version: "0.3.21", core: "SkylakeX", threads: 2)

  @Test("Nothing is found on a good machine")
  func inOrder() {
    let report = Self.report(blas: Self.good)
    #expect(DoctorFinding.all(in: report, openBLASIsInstalled: true).isEmpty)
    #expect(report.text().hasSuffix("Nothing to fix."))
  }

  @Test("The reference BLAS is reported with its cost and solution")
  func reference() throws {
    let report = Self.report(
      blas: BLASLibrary(implementation: .reference, version: "3.11.0", threads: 1))
    let finding = try #require(
      DoctorFinding.all(in: report, openBLASIsInstalled: false).first)
    #expect(finding.kind == .referenceBLAS)
    #expect(finding.problem.contains("20 to 50 times slower"))
    #expect(finding.cure == "sudo apt-get install libopenblas-dev")

    let installed = DoctorFinding.all(in: report, openBLASIsInstalled: true).first
    #expect(installed?.cure?.contains("update-alternatives --config libblas.so.3") == true)
  }

  @Test("AVX2 kernels on an AVX-512 processor are the wrong core type, with the right one")
  func wrongCore() throws {
    var blas = Self.good
    blas.core = "Haswell"
    let found = DoctorFinding.all(in: Self.report(blas: blas), openBLASIsInstalled: true)
    #expect(found.map(\.kind) == [.wrongCoreType])
    #expect(found.first?.cure == "export OPENBLAS_CORETYPE=SkylakeX")
    #expect(found.first?.problem.contains("Haswell") == true)

    let chosen = Self.report(blas: blas, variable: "Haswell")
    #expect(
      DoctorFinding.all(in: chosen, openBLASIsInstalled: true).first?.cure
        == "OPENBLAS_CORETYPE is Haswell: unset it.")

    // The tool's own choice had no effect: the user has nothing to unset.
    let restarted = Self.report(blas: blas, variable: "SkylakeX", restarted: true)
    #expect(
      DoctorFinding.all(in: restarted, openBLASIsInstalled: true).first?.cure
        != "OPENBLAS_CORETYPE is SkylakeX: unset it.")
  }

  @Test("Haswell kernels on a processor without AVX-512 are right, Nehalem ones are not")
  func avx2Only() {
    var processor = Self.zen4
    processor.features = [.sse42, .avx, .avx2, .fma]
    var blas = Self.good
    blas.core = "Haswell"
    let right = Self.report(blas: blas, processor: processor)
    #expect(DoctorFinding.all(in: right, openBLASIsInstalled: true).isEmpty)
    blas.core = "Nehalem"
    let wrong = Self.report(blas: blas, processor: processor)
    #expect(
      DoctorFinding.all(in: wrong, openBLASIsInstalled: true).map(\.kind) == [.wrongCoreType])
  }

  @Test("A debug build and missing datasets are reported")
  func debugBuild() {
    let report = Self.report(blas: Self.good, datasets: [], optimized: false)
    #expect(
      DoctorFinding.all(in: report, openBLASIsInstalled: true).map(\.kind)
        == [.debugBuild, .noDatasets])
  }

  @Test("The text is aligned, and every value starts in the same column")
  func aligned() {
    var report = Self.report(blas: Self.good)
    report.findings = DoctorFinding.all(in: report, openBLASIsInstalled: true)
    let lines = report.text().split(separator: "\n").dropLast()
    for line in lines {
      let padding = line.prefix(12).drop { $0 != " " }
      #expect(padding.allSatisfy { $0 == " " }, "\(line)")
      #expect(line.dropFirst(12).first != " ", "\(line)")
    }
  }

  @Test("Datasets are looked for in INK_DATASETS, else in the default folder")
  func datasetFolder() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("datasets-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(
      at: folder.appendingPathComponent("unipen"), withIntermediateDirectories: true)
    let named = DoctorReport.datasets(environment: ["INK_DATASETS": folder.path])
    #expect(named.found == ["unipen"])
    #expect(named.fromEnvironment)
    let other = DoctorReport.datasets(environment: [:])
    #expect(!other.fromEnvironment)
    #expect(other.folder.hasSuffix("/.cache/ink-datasets"))
  }
}
