import Foundation
import PackagePlugin

/// Gives a target the revision of the sources that it is built from, as `SourceRevision.current`:
/// what `git describe --always --dirty` says, or `unknown` where git or the repository is missing.
///
/// The file changes only when the revision does, so a build of the same sources compiles nothing.
@main struct SourceRevision: BuildToolPlugin {
  private static let script = """
    revision=$(git -C "$1" describe --always --dirty --abbrev=12 --exclude '*' 2>/dev/null ||
      echo unknown)
    mkdir -p "$2" && cd "$2" || exit 1
    printf '%s\\n' '/// The sources that this was built from.' 'enum SourceRevision {' \\
      "  static let current = \\"$revision\\"" '}' >next
    if cmp -s next SourceRevision.swift; then rm next; else mv next SourceRevision.swift; fi
    """

  func createBuildCommands(context: PluginContext, target: any Target) -> [Command] {
    let output = context.pluginWorkDirectoryURL.appendingPathComponent("Sources")
    return [
      .prebuildCommand(
        displayName: "Asking git for the revision",
        executable: URL(fileURLWithPath: "/bin/sh"),
        arguments: [
          "-c", Self.script, "revision", context.package.directoryURL.path, output.path,
        ], outputFilesDirectory: output)
    ]
  }
}
