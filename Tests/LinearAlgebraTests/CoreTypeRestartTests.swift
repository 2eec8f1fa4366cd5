import LinearAlgebra
import Testing

@Suite("The restart for the core type")
struct CoreTypeRestartTests {
  private let zen4 = Processor(
    vendor: "AuthenticAMD", modelName: "test", architecture: .x86_64, family: 25,
    logicalCores: 2, physicalCores: 2,
    features: [.avx2, .fma, .avx512f, .avx512cd, .avx512bw, .avx512dq, .avx512vl])

  private func openBLAS(core: String) -> BLASLibrary {
    BLASLibrary(implementation: .openBLAS, version: "0.3.21", core: core)
  }

  @Test("It sets the core and a guard, and with the guard there is no second restart")
  func once() throws {
    let wrong = openBLAS(core: "Haswell")
    let additions = try #require(
      CoreTypeRestart.additions(processor: zen4, library: wrong, environment: [:]))
    #expect(additions["OPENBLAS_CORETYPE"] == "SkylakeX")
    #expect(
      CoreTypeRestart.additions(processor: zen4, library: wrong, environment: additions) == nil)
    // Even when the variable is lost or has no effect.
    #expect(
      CoreTypeRestart.additions(
        processor: zen4, library: wrong, environment: [CoreTypeRestart.guardVariable: "1"]) == nil)
  }

  @Test("There is no restart if the library chose well")
  func notNeeded() {
    #expect(
      CoreTypeRestart.additions(
        processor: zen4, library: openBLAS(core: "SkylakeX"), environment: [:]) == nil)
  }
}
