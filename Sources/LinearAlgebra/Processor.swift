import Foundation

/// The name and the vector instructions of the processor that this process runs on.
///
/// A value; ``current`` is read once and is safe to use from any thread.
@usableFromInline package struct Processor: Sendable, Hashable, Codable {
  /// The instruction set that this binary was built for.
  @usableFromInline package enum Architecture: String, Sendable, Hashable, Codable {
    /// 64-bit x86.
    case x86_64
    /// 64-bit ARM.
    case arm64
    /// Anything else.
    case other

    /// The architecture of this build.
    @usableFromInline package static var current: Architecture {
      #if arch(x86_64)
        .x86_64
      #elseif arch(arm64)
        .arm64
      #else
        .other
      #endif
    }
  }

  /// An instruction set extension that matters to matrix products or to the vector kernels.
  ///
  /// Raw values are the names that Linux prints in `/proc/cpuinfo`.
  package enum Feature: String, Sendable, Hashable, Codable, CaseIterable, Comparable {
    /// SSE 4.2.
    case sse42 = "sse4_2"
    /// 256-bit floating point.
    case avx
    /// Half-precision conversion.
    case f16c
    /// Fused multiply-add.
    case fma
    /// 256-bit integers.
    case avx2
    /// Bit manipulation, first set.
    case bmi1
    /// Bit manipulation, second set.
    case bmi2
    /// Count of leading zeros; Linux calls it `abm`.
    case lzcnt = "abm"
    /// Moves that swap bytes.
    case movbe
    /// AVX-512 foundation.
    case avx512f
    /// AVX-512 conflict detection.
    case avx512cd
    /// AVX-512 bytes and words.
    case avx512bw
    /// AVX-512 doublewords and quadwords.
    case avx512dq
    /// AVX-512 on 128 and 256 bits.
    case avx512vl
    /// AVX-512 8-bit dot products.
    case avx512vnni = "avx512_vnni"
    /// AVX-512 bfloat16.
    case avx512bf16 = "avx512_bf16"
    /// AVX-512 half precision.
    case avx512fp16 = "avx512_fp16"
    /// Matrix tiles.
    case amxTile = "amx_tile"
    /// ARM vectors of 128 bits.
    case neon = "asimd"
    /// ARM half-precision arithmetic.
    case neonFP16 = "asimdhp"
    /// ARM 8-bit dot products.
    case dotProduct = "asimddp"
    /// ARM scalable vectors.
    case sve
    /// ARM scalable vectors, second version.
    case sve2
    /// ARM bfloat16.
    case bf16
    /// ARM 8-bit matrix products.
    case i8mm

    /// The name people use: `AVX-512F`, `NEON`.
    package var displayName: String {
      switch self {
      case .sse42: "SSE4.2"
      case .avx512f: "AVX-512F"
      case .avx512cd: "AVX-512CD"
      case .avx512bw: "AVX-512BW"
      case .avx512dq: "AVX-512DQ"
      case .avx512vl: "AVX-512VL"
      case .avx512vnni: "AVX-512VNNI"
      case .avx512bf16: "AVX-512BF16"
      case .avx512fp16: "AVX-512FP16"
      case .amxTile: "AMX"
      case .lzcnt: "LZCNT"
      case .neon: "NEON"
      case .neonFP16: "NEON-FP16"
      case .dotProduct: "DotProd"
      default: rawValue.uppercased()
      }
    }

    /// Orders features as they are declared, older extensions first.
    package static func < (lhs: Feature, rhs: Feature) -> Bool {
      (allCases.firstIndex(of: lhs) ?? 0) < (allCases.firstIndex(of: rhs) ?? 0)
    }
  }

  /// The manufacturer's identifier, such as `GenuineIntel` or `AuthenticAMD`; empty when unknown.
  package var vendor: String
  /// The marketing name; empty when unknown.
  package var modelName: String
  /// The instruction set of this build.
  package var architecture: Architecture
  /// The x86 family number with the extended family added (AMD Zen 4 is 25, Zen 5 is 26).
  package var family: Int?
  /// The x86 model number with the extended model added.
  package var model: Int?
  /// Hardware threads that this process may run on.
  package var logicalCores: Int
  /// Physical cores of the machine.
  package var physicalCores: Int
  /// The extensions that processor and operating system both support.
  package var features: Set<Feature>

  /// Creates a description from its parts.
  package init(
    vendor: String, modelName: String, architecture: Architecture, family: Int? = nil,
    model: Int? = nil, logicalCores: Int, physicalCores: Int, features: Set<Feature>
  ) {
    self.vendor = vendor
    self.modelName = modelName
    self.architecture = architecture
    self.family = family
    self.model = model
    self.logicalCores = logicalCores
    self.physicalCores = physicalCores
    self.features = features
  }

  /// The processor of this machine, read once.
  package static let current: Processor = detect()

  /// True if the AVX-512 subsets that all AVX-512 BLAS kernels need are present.
  package var hasAVX512: Bool {
    features.isSuperset(of: [.avx512f, .avx512cd, .avx512bw, .avx512dq, .avx512vl])
  }

  /// The x86-64 level of the System V ABI, 1 to 4; nil on other architectures.
  ///
  /// The vector kernels have one clone each for level 4, level 3 and the baseline; on Linux the
  /// loader picks the highest that the processor supports.
  package var x86Level: Int? {
    guard architecture == .x86_64 else { return nil }
    guard features.contains(.sse42) else { return 1 }
    guard features.isSuperset(of: [.avx, .avx2, .bmi1, .bmi2, .f16c, .fma, .lzcnt, .movbe])
    else { return 2 }
    return hasAVX512 ? 4 : 3
  }
}

// MARK: - Reading it from the system

extension Processor {
  /// Reads a description from the text of Linux's `/proc/cpuinfo`.
  ///
  /// Missing lines leave their fields empty.
  ///
  /// - Parameters:
  ///   - cpuInfo: the text of the file.
  ///   - architecture: the architecture the text comes from; the keys differ.
  ///   - logicalCores: hardware threads to report; nil counts the processors in the text.
  package init(
    cpuInfo: String, architecture: Architecture = .current, logicalCores: Int? = nil
  ) {
    var first: [String: String] = [:]
    var processors = 0
    var cores: Set<[String]> = []
    var package = ""
    for line in cpuInfo.split(separator: "\n") {
      guard let colon = line.firstIndex(of: ":") else { continue }
      let key = line[..<colon].trimmingCharacters(in: .whitespaces)
      let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
      switch key {
      case "processor": processors += 1
      case "physical id": package = value
      case "core id": cores.insert([package, value])
      default: break
      }
      if first[key] == nil { first[key] = value }
    }
    let words = (first["flags"] ?? first["Features"] ?? "").split(separator: " ")
    var name = first["model name"] ?? ""
    if name.isEmpty, let implementer = first["CPU implementer"], let part = first["CPU part"] {
      name = "ARM implementer \(implementer) part \(part)"
    }
    let logical = max(1, logicalCores ?? processors)
    self.init(
      vendor: first["vendor_id"] ?? "", modelName: name, architecture: architecture,
      family: first["cpu family"].flatMap { Int($0) }, model: first["model"].flatMap { Int($0) },
      logicalCores: logical, physicalCores: cores.isEmpty ? logical : cores.count,
      features: Set(words.compactMap { Feature(rawValue: String($0)) }))
  }

  private static func detect() -> Processor {
    let logical = max(1, ProcessInfo.processInfo.activeProcessorCount)
    #if os(Linux)
      let text = FileManager.default.contents(atPath: "/proc/cpuinfo") ?? Data()
      return Processor(cpuInfo: String(decoding: text, as: UTF8.self), logicalCores: logical)
    #elseif canImport(Darwin)
      return appleProcessor(logicalCores: logical)
    #else
      return Processor(
        vendor: "", modelName: "", architecture: .current, logicalCores: logical,
        physicalCores: logical, features: [])
    #endif
  }
}

#if canImport(Darwin)
  extension Processor {
    private static func appleProcessor(logicalCores: Int) -> Processor {
      let switches: [(String, Feature)] = [
        ("hw.optional.sse4_2", .sse42), ("hw.optional.avx1_0", .avx),
        ("hw.optional.f16c", .f16c), ("hw.optional.fma", .fma), ("hw.optional.avx2_0", .avx2),
        ("hw.optional.bmi1", .bmi1), ("hw.optional.bmi2", .bmi2),
        ("hw.optional.avx512f", .avx512f), ("hw.optional.avx512cd", .avx512cd),
        ("hw.optional.avx512bw", .avx512bw), ("hw.optional.avx512dq", .avx512dq),
        ("hw.optional.avx512vl", .avx512vl), ("hw.optional.AdvSIMD", .neon),
        ("hw.optional.arm.FEAT_FP16", .neonFP16), ("hw.optional.arm.FEAT_DotProd", .dotProduct),
        ("hw.optional.arm.FEAT_BF16", .bf16), ("hw.optional.arm.FEAT_I8MM", .i8mm),
      ]
      var features = Set(switches.filter { systemNumber($0.0) == 1 }.map(\.1))
      if Architecture.current == .arm64 { features.insert(.neon) }
      // Every Intel processor with AVX2 has these two, and the system does not report them.
      if features.contains(.avx2) { features.formUnion([.lzcnt, .movbe]) }
      return Processor(
        vendor: systemText("machdep.cpu.vendor")
          ?? (Architecture.current == .arm64 ? "Apple" : ""),
        modelName: systemText("machdep.cpu.brand_string") ?? systemText("hw.machine") ?? "",
        architecture: .current, family: systemNumber("machdep.cpu.family"),
        model: systemNumber("machdep.cpu.model"), logicalCores: logicalCores,
        physicalCores: systemNumber("hw.physicalcpu") ?? logicalCores, features: features)
    }

    private static func systemText(_ name: String) -> String? {
      var size = 0
      guard sysctlbyname(name, nil, &size, nil, 0) == 0, size > 0 else { return nil }
      var bytes = [UInt8](repeating: 0, count: size)
      guard sysctlbyname(name, &bytes, &size, nil, 0) == 0 else { return nil }
      return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }

    private static func systemNumber(_ name: String) -> Int? {
      var value: Int64 = 0
      var size = MemoryLayout<Int64>.size
      guard sysctlbyname(name, &value, &size, nil, 0) == 0 else { return nil }
      return size == 4 ? Int(Int32(truncatingIfNeeded: value)) : Int(value)
    }
  }
#endif
