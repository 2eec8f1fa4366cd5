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
    #if canImport(Darwin)
      let own: Bundle? = Bundle(for: marker)
    #else
      // There are no frameworks, and asking for the bundle of a class leaks memory.
      let own: Bundle? = nil
    #endif
    // A program in another language may have none, for example if it has changed its environment.
    let executable = CommandLine.arguments.first.map {
      URL(fileURLWithPath: $0).resolvingSymlinksInPath()
    }
    let image = imageFolder
    let roots = [
      main.resourceURL, main.bundleURL, main.executableURL?.deletingLastPathComponent(),
      own?.resourceURL, own?.bundleURL, own?.bundleURL.deletingLastPathComponent(),
      executable?.deletingLastPathComponent(),
      // The places where `scripts/install` puts them: next to a library, or next to a program's
      // folder.
      image, image?.appendingPathComponent("ductus"),
      image?.deletingLastPathComponent().appendingPathComponent("lib/ductus"),
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

  /// Returns the folder of the library or program that contains this code; nil if it is unknown.
  private static let imageFolder: URL? = {
    let address = UInt(bitPattern: #dsohandle)
    #if canImport(Darwin)
      var info = Dl_info()
      guard dladdr(#dsohandle, &info) != 0, let name = info.dli_fname else { return nil }
      let path = String(cString: name)
    #else
      // Lines of "from-to rights offset device inode path".
      let line = memoryMap().split(separator: "\n").first { line in
        let ends = line.prefix { $0 != " " }.split(separator: "-")
        guard ends.count == 2, let from = UInt(ends[0], radix: 16),
          let to = UInt(ends[1], radix: 16)
        else { return false }
        return from <= address && address < to
      }
      guard let path = line?.split(separator: " ", maxSplits: 5).last?.drop(while: { $0 == " " }),
        path.hasPrefix("/")
      else { return nil }
    #endif
    return URL(fileURLWithPath: String(path)).resolvingSymlinksInPath().deletingLastPathComponent()
  }()

  #if !canImport(Darwin)
    /// Returns the regions of this process. The system returns them page by page, and Foundation
    /// reads only the first page.
    private static func memoryMap() -> String {
      let file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC)
      guard file >= 0 else { return "" }
      defer { close(file) }
      var bytes: [UInt8] = []
      var chunk = [UInt8](repeating: 0, count: 1 << 14)
      while true {
        let count = chunk.withUnsafeMutableBytes { Descriptor.read(file, into: $0) }
        guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
        bytes.append(contentsOf: chunk[..<count])
      }
    }
  #endif

  /// Returns the first of the places that exists, or nil.
  package static func first(of places: [URL]) -> URL? {
    places.first { FileManager.default.fileExists(atPath: $0.path) }
  }
}
