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
