import LinearAlgebra
import Testing

@Suite("The processor")
struct ProcessorTests {
  @Test("This machine's processor has cores and, if the system reports them, a name and features")
  func current() {
    let processor = Processor.current
    #expect(processor.logicalCores >= 1)
    #expect(processor.physicalCores >= 1)
    #expect(processor.architecture == .current)
    #if os(Linux) && arch(x86_64)
      #expect(!processor.vendor.isEmpty)
      #expect(processor.family != nil)
      #expect((processor.x86Level ?? 0) >= 1)
    #elseif arch(arm64)
      #expect(processor.features.contains(.neon))
    #endif
  }

  @Test("Two packages of two cores with two threads each are four cores and eight threads")
  func countsCores() {
    var text = ""
    for thread in 0..<8 {
      text += """
        processor\t: \(thread)
        vendor_id\t: AuthenticAMD
        cpu family\t: 25
        model\t\t: 17
        model name\t: AMD EPYC 9654 96-Core Processor
        physical id\t: \(thread / 4)
        core id\t\t: \(thread % 2)
        flags\t\t: fpu sse4_2 avx avx2 fma f16c bmi1 bmi2 abm movbe


        """
    }
    let processor = Processor(cpuInfo: text, architecture: .x86_64)
    #expect(processor.logicalCores == 8)
    #expect(processor.physicalCores == 4)
    #expect(processor.vendor == "AuthenticAMD")
    #expect(processor.family == 25)
    #expect(processor.model == 17)
    #expect(processor.modelName == "AMD EPYC 9654 96-Core Processor")
    #expect(processor.x86Level == 3)
    #expect(!processor.hasAVX512)
  }

  @Test(
    "The x86-64 level follows from the features",
    arguments: [
      ("", 1),
      ("sse4_2", 2),
      ("sse4_2 avx avx2 fma", 2),
      ("sse4_2 avx avx2 fma f16c bmi1 bmi2 abm movbe", 3),
      ("sse4_2 avx avx2 fma f16c bmi1 bmi2 abm movbe avx512f avx512cd", 3),
      (
        "sse4_2 avx avx2 fma f16c bmi1 bmi2 abm movbe avx512f avx512cd avx512bw avx512dq avx512vl",
        4
      ),
    ])
  func level(flags: String, expected: Int) {
    let processor = Processor(cpuInfo: "flags : \(flags)", architecture: .x86_64)
    #expect(processor.x86Level == expected)
    #expect(processor.hasAVX512 == (expected == 4))
  }

  @Test("An ARM processor is read from its own keys")
  func arm() {
    let text = """
      processor\t: 0
      BogoMIPS\t: 243.75
      Features\t: fp asimd asimdhp asimddp sve bf16 i8mm
      CPU implementer\t: 0x41
      CPU part\t: 0xd40
      processor\t: 1
      """
    let processor = Processor(cpuInfo: text, architecture: .arm64)
    #expect(processor.logicalCores == 2)
    #expect(processor.modelName == "ARM implementer 0x41 part 0xd40")
    #expect(processor.features == [.neon, .neonFP16, .dotProduct, .sve, .bf16, .i8mm])
    #expect(processor.x86Level == nil)
    #expect(!processor.hasAVX512)
  }

  @Test("An empty text gives one core and no name")
  func empty() {
    let processor = Processor(cpuInfo: "", architecture: .x86_64)
    #expect(processor.logicalCores == 1)
    #expect(processor.modelName.isEmpty)
    #expect(processor.features.isEmpty)
  }
}
