import Foundation

/// The folder of the unpacked public datasets; nil without IAM-OnDB.
let datasets: String? = {
  let environment = ProcessInfo.processInfo.environment
  let home = environment["HOME"].map { $0 + "/.cache/ink-datasets" }
  return [environment["INK_DATASETS"], home].compactMap { $0 }
    .first { FileManager.default.fileExists(atPath: $0 + "/iam-ondb") }
}()
