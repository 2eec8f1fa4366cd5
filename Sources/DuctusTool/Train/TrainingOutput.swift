import Foundation

/// The destination of a bundle.
package enum TrainingOutput {
  /// Creates the parent folder of the bundle, and checks before any work that the bundle can be
  /// written.
  static func check(_ bundle: URL, named output: String) throws {
    let parent = bundle.deletingLastPathComponent()
    do {
      try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
    } catch {
      throw ToolError.unusableOutput(
        output, "the folder \(parent.path) cannot be created")
    }
    if let problem = OutputPlace.problem(with: parent.path) {
      throw ToolError.unusableOutput(
        output, "the folder \(parent.path) cannot be written to: \(problem)")
    }
    let manifest = bundle.appendingPathComponent("manifest.json").path
    if FileManager.default.fileExists(atPath: bundle.path),
      !FileManager.default.fileExists(atPath: manifest)
    {
      throw ToolError.unusableOutput(
        output, "the path exists and is not a model bundle")
    }
  }
}

extension ToolError {
  /// The error for an `--output` where no model can be written.
  static func unusableOutput(_ path: String, _ problem: String) -> ToolError {
    .badInput("--output \(path): \(problem); choose another path")
  }
}
