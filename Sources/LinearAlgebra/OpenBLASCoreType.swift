import Foundation

/// The one restart that lets OpenBLAS use the right kernels.
///
/// OpenBLAS reads `OPENBLAS_CORETYPE` while it loads, before any code of this process runs. If the
/// loaded version is known to choose the wrong kernels for this processor, the program replaces
/// itself once, with the same arguments and the variable set. Programs call this first; the library
/// never does.
package enum CoreTypeRestart {
  /// Set in the environment of the restarted process, so that there is never a second restart.
  package static let guardVariable = "DUCTUS_RESTARTED"

  /// The variables to add for the restart, or nil if no restart is needed.
  package static func additions(
    processor: Processor, library: BLASLibrary, environment: [String: String]
  ) -> [String: String]? {
    guard environment[guardVariable] == nil,
      let core = OpenBLASCoreType.recommended(
        processor: processor, library: library, environment: environment)
    else { return nil }
    return [OpenBLASCoreType.variable: core, guardVariable: "1"]
  }

  /// Replaces the process if that is needed. Returns if it is not needed or not possible: the
  /// slower kernels compute the same results, and `ductus doctor` names them.
  package static func restartOnceIfNeeded() {
    #if os(Linux) && arch(x86_64)
      guard
        let additions = additions(
          processor: .current, library: .current,
          environment: ProcessInfo.processInfo.environment)
      else { return }
      for (name, value) in additions { setenv(name, value, 1) }
      // By its path if that is still the same file, so that the process keeps its name.
      let own = "/proc/self/exe"
      let path = (try? FileManager.default.destinationOfSymbolicLink(atPath: own)) ?? own
      execv(path, CommandLine.unsafeArgv)
      execv(own, CommandLine.unsafeArgv)
    #endif
  }
}

/// The kernels that OpenBLAS should use if its own choice is bad.
///
/// OpenBLAS reads `OPENBLAS_CORETYPE` once, while it loads, so the variable must be in the
/// environment before the process starts. Libraries never set it: programs run themselves again with
/// it (``CoreTypeRestart``), and scripts export it.
package enum OpenBLASCoreType {
  /// The environment variable that OpenBLAS reads while it loads.
  package static let variable = "OPENBLAS_CORETYPE"

  /// The versions that were measured, or read, to use old kernels on processors newer than they are:
  /// AVX2 on AMD processors with AVX-512, and SSE3 ("Prescott") on Intel processors whose model number
  /// they do not know, such as Emerald Rapids. Older releases were not measured. Newer releases choose
  /// the right kernels, and some crash when a core is forced.
  private static let versionsInNeed: Set<String> = ["0.3.20", "0.3.21"]

  /// AMD families with AVX-512: 19h (Zen 4) and 1Ah (Zen 5).
  private static let zenFamilies: Set<Int> = [0x19, 0x1A]

  /// The makers of the processors that the names of cores stand for.
  private static let vendors: Set<String> = ["AuthenticAMD", "GenuineIntel"]

  /// Cores without AVX2. OpenBLAS falls back to them if it does not know a processor.
  private static let oldKernels: Set<String> = [
    "prescott", "core2", "penryn", "dunnington", "nehalem", "sandybridge",
  ]

  /// The value to set, or nil if the library chooses well or is not known to choose badly.
  ///
  /// A pure function of its arguments.
  ///
  /// - Parameters:
  ///   - processor: the processor that will compute.
  ///   - library: the BLAS that is loaded.
  ///   - environment: the environment; a variable that is already set is the user's choice.
  /// - Returns: `SkylakeX` for OpenBLAS 0.3.20 and 0.3.21 on Intel and AMD processors with AVX-512 if
  ///   they do not use it, `Haswell` on such processors with AVX2 if they use neither; otherwise nil.
  package static func recommended(
    processor: Processor, library: BLASLibrary,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> String? {
    guard environment[variable] == nil,
      library.implementation == .openBLAS,
      let version = library.version, versionsInNeed.contains(version),
      processor.architecture == .x86_64, vendors.contains(processor.vendor)
    else { return nil }
    let isOld = oldKernels.contains(library.core?.lowercased() ?? "")
    let isZen = processor.vendor == "AuthenticAMD" && zenFamilies.contains(processor.family ?? 0)
    if processor.hasAVX512, isOld || isZen && !library.usesAVX512Kernels { return "SkylakeX" }
    return isOld && processor.features.isSuperset(of: [.avx2, .fma]) ? "Haswell" : nil
  }
}
