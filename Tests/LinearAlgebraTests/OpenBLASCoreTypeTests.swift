import LinearAlgebra
import Testing

@Suite("The OpenBLAS core type")
struct OpenBLASCoreTypeTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var vendor = "AuthenticAMD"
    var architecture = Processor.Architecture.x86_64
    var family = 25
    var features = Case.avx512
    var implementation = BLASLibrary.Implementation.openBLAS
    var version: String? = "0.3.21"
    var core: String? = "Haswell"
    var environment: [String: String] = [:]
    var expected: String?

    static let avx512: Set<Processor.Feature> = [
      .avx2, .fma, .avx512f, .avx512cd, .avx512bw, .avx512dq, .avx512vl,
    ]
  }

  static let cases: [Case] = [
    Case(testDescription: "Zen 4 with 0.3.21", expected: "SkylakeX"),
    Case(testDescription: "Zen 5 with 0.3.21", family: 26, expected: "SkylakeX"),
    Case(testDescription: "Zen 4 with 0.3.20", version: "0.3.20", expected: "SkylakeX"),
    Case(testDescription: "Zen 4 running Zen kernels", core: "Zen", expected: "SkylakeX"),
    Case(testDescription: "Zen 4 whose core is not told", core: nil, expected: "SkylakeX"),
    Case(testDescription: "Zen 3, no AVX-512", features: [.avx2, .fma], expected: nil),
    Case(
      testDescription: "AVX-512 foundation alone", features: [.avx2, .fma, .avx512f],
      expected: nil),
    Case(testDescription: "Zen 2", family: 23, features: [.avx2, .fma], expected: nil),
    Case(testDescription: "an unknown later family", family: 27, expected: nil),
    Case(testDescription: "Intel with AVX-512", vendor: "GenuineIntel", family: 6, expected: nil),
    Case(
      testDescription: "Intel with AVX-512 that is not known", vendor: "GenuineIntel", family: 6,
      core: "Prescott", expected: "SkylakeX"),
    Case(
      testDescription: "Intel with AVX2 that is not known", vendor: "GenuineIntel", family: 6,
      features: [.avx2, .fma], core: "Prescott", expected: "Haswell"),
    Case(
      testDescription: "an old Intel", vendor: "GenuineIntel", family: 6, features: [],
      core: "Prescott", expected: nil),
    Case(
      testDescription: "an unknown later family with old kernels", family: 27, core: "Prescott",
      expected: "SkylakeX"),
    Case(
      testDescription: "Intel that is not known, a later version", vendor: "GenuineIntel",
      family: 6, version: "0.3.25", core: "Prescott", expected: nil),
    Case(testDescription: "another vendor", vendor: "HygonGenuine", expected: nil),
    Case(testDescription: "a version that detects it", version: "0.3.25", expected: nil),
    Case(testDescription: "a version that crashes", version: "0.3.34", expected: nil),
    Case(testDescription: "a version never measured", version: "0.3.5", expected: nil),
    Case(testDescription: "no version told", version: nil, expected: nil),
    Case(testDescription: "the right core already", core: "SkylakeX", expected: nil),
    Case(testDescription: "Cooperlake already", core: "COOPERLAKE", expected: nil),
    Case(testDescription: "reference BLAS", implementation: .reference, expected: nil),
    Case(testDescription: "BLIS", implementation: .blis, version: "0.9.0", expected: nil),
    Case(testDescription: "ARM", architecture: .arm64, expected: nil),
    Case(
      testDescription: "set by the user", environment: ["OPENBLAS_CORETYPE": "Haswell"],
      expected: nil),
    Case(testDescription: "set but empty", environment: ["OPENBLAS_CORETYPE": ""], expected: nil),
  ]

  @Test("It is recommended only if the version is known to choose wrongly", arguments: cases)
  func recommended(_ one: Case) {
    let processor = Processor(
      vendor: one.vendor, modelName: "test", architecture: one.architecture, family: one.family,
      logicalCores: 2, physicalCores: 2, features: one.features)
    let library = BLASLibrary(
      implementation: one.implementation, version: one.version, core: one.core)
    #expect(
      OpenBLASCoreType.recommended(
        processor: processor, library: library, environment: one.environment) == one.expected)
  }
}
