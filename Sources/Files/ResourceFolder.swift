import Foundation

/// Finds the resources of a module.
///
/// The accessor that SwiftPM generates traps if the resources are missing, for example after moving
/// an executable without them.
package enum ResourceFolder {
  /// The places where a resource of a module may be, the likeliest first: beside the executable, in
  /// the app or framework that contains the module, and in the build folder of the tests.
  ///
  /// - Parameters:
  ///   - name: The file or folder among the module's resources.
  ///   - module: The module's name.
  ///   - marker: A class of the module, used to find its bundle.
  package static func places(
    of name: String, in module: String, marker: AnyClass
  ) -> [URL] {
    let names = ["ductus_\(module).resources", "ductus_\(module).bundle"]
    let main = Bundle.main
    let own = Bundle(for: marker)
    let executable = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    let roots = [
      main.resourceURL, main.bundleURL, main.executableURL?.deletingLastPathComponent(),
      own.resourceURL, own.bundleURL, own.bundleURL.deletingLastPathComponent(),
      executable.deletingLastPathComponent(),
    ]
    var seen: Set<String> = []
    return roots.compactMap(\.self).flatMap { root in
      names.flatMap { folder in
        [
          root.appendingPathComponent(folder).appendingPathComponent(name),
          root.appendingPathComponent(folder).appendingPathComponent("Contents/Resources/\(name)"),
        ]
      }
    }.filter { seen.insert($0.path).inserted }
  }

  /// The first of the places that is there, or nil.
  package static func first(of places: [URL]) -> URL? {
    places.first { FileManager.default.fileExists(atPath: $0.path) }
  }
}
