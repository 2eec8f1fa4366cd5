import Foundation

/// The one restart that lets OpenBLAS use the right kernels.
///
/// OpenBLAS reads `OPENBLAS_CORETYPE` while it loads, before any code of this process runs. Where
/// the loaded version is known to choose badly for this processor, a program replaces itself, once,
/// with the same program and arguments and the variable set. It calls this before anything else;
/// the library never does.
public enum CoreTypeRestart {
  /// Set in the environment of the restarted process, so that there is never a second restart.
  public static let guardVariable = "DUCTUS_RESTARTED"

  /// The variables to add for the restart, or nil when there is nothing to restart for.
  static func additions(
    processor: Processor, library: BLASLibrary, environment: [String: String]
  ) -> [String: String]? {
    guard environment[guardVariable] == nil,
      let core = OpenBLASCoreType.recommended(
        processor: processor, library: library, environment: environment)
    else { return nil }
    return [OpenBLASCoreType.variable: core, guardVariable: "1"]
  }

  /// Replaces the process where that is needed; returns where it is not, or cannot be done: the
  /// slower kernels compute the same, and `ductus doctor` names them.
  public static func restartOnceIfNeeded() {
    #if os(Linux) && arch(x86_64)
      guard
        let additions = additions(
          processor: .current, library: .current,
          environment: ProcessInfo.processInfo.environment)
      else { return }
      for (name, value) in additions { setenv(name, value, 1) }
      // By its path where that is still the same file, so that the process keeps its name.
      let own = "/proc/self/exe"
      let path = (try? FileManager.default.destinationOfSymbolicLink(atPath: own)) ?? own
      execv(path, CommandLine.unsafeArgv)
      execv(own, CommandLine.unsafeArgv)
    #endif
  }
}

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
