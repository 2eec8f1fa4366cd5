import Foundation

/// Which kernels OpenBLAS should be told to use, where it chooses badly by itself.
///
/// OpenBLAS reads `OPENBLAS_CORETYPE` once, while it loads, so the variable must be in the
/// environment before the process starts. Libraries never set it: programs run themselves again with
/// it (``CoreTypeRestart``), and scripts export it.
public enum OpenBLASCoreType {
  /// The environment variable that OpenBLAS reads while it loads.
  public static let variable = "OPENBLAS_CORETYPE"

  /// The versions measured or read to use AVX2 kernels on AMD processors with AVX-512. Older
  /// releases are left alone because nobody measured them, newer ones choose right by themselves
  /// and some crash when a core is forced.
  private static let versionsInNeed: Set<String> = ["0.3.20", "0.3.21"]

  /// AMD families with AVX-512: 19h (Zen 4) and 1Ah (Zen 5).
  private static let familiesInNeed: Set<Int> = [0x19, 0x1A]

  /// The value to set, or nil when the library already chooses well or is not known to err.
  ///
  /// A pure function of its arguments.
  ///
  /// - Parameters:
  ///   - processor: the processor that will compute.
  ///   - library: the BLAS that is loaded.
  ///   - environment: the environment; a variable that is already set is the user's choice.
  /// - Returns: `SkylakeX`, for OpenBLAS 0.3.20 and 0.3.21 on AMD Zen 4 and Zen 5; else nil.
  public static func recommended(
    processor: Processor, library: BLASLibrary,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> String? {
    guard environment[variable] == nil,
      library.implementation == .openBLAS,
      let version = library.version, versionsInNeed.contains(version),
      processor.architecture == .x86_64, processor.vendor == "AuthenticAMD",
      let family = processor.family, familiesInNeed.contains(family),
      processor.hasAVX512, !library.usesAVX512Kernels
    else { return nil }
    return "SkylakeX"
  }
}
