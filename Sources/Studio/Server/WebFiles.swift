import Files
import Foundation

/// The files of the web app: one page, its style and its modules, from the resources of this module.
struct WebFiles: Sendable {
  /// A file in the form in which it is served.
  struct File: Sendable {
    let type: String
    let bytes: Data
    /// A tag that changes with the content.
    let entityTag: String
  }

  /// The paths of the app. Each is answered with the same page.
  static let views: Set<String> = [
    "/", "/try", "/page", "/collect", "/data", "/train", "/evaluate", "/models",
    "/intensity", "/notes",
  ]

  private let files: [String: File]

  /// Reads all files.
  ///
  /// - Throws: ``StudioError`` if they are missing.
  init() throws(StudioError) {
    let places = ResourceFolder.places(of: "Web", in: "Studio", marker: Marker.self)
    guard let folder = ResourceFolder.first(of: places) else {
      throw StudioError(
        .unusableFile,
        "the pages of the studio: expected them in one of "
          + "\(places.map(\.path).joined(separator: ", ")), found none; keep them next to the "
          + "executable")
    }
    // The folder may be a link to the sources, so that pages can be changed without a build.
    let root = folder.resolvingSymlinksInPath()
    var files: [String: File] = [:]
    for name in FileManager.default.enumerator(atPath: root.path)?.compactMap({ $0 as? String })
      ?? []
    {
      guard let type = Self.types[(name as NSString).pathExtension],
        let bytes = try? Data(contentsOf: root.appendingPathComponent(name))
      else { continue }
      files["/\(name)"] = File(type: type, bytes: bytes, entityTag: Self.tag(bytes))
    }
    self.files = files
    guard files[Self.index] != nil else {
      throw StudioError(
        .unusableFile, "\(root.path): expected index.html, found none; install Ductus again")
    }
  }

  private static let index = "/index.html"

  private static let types = [
    "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml",
  ]

  /// Returns the file at a path; nil if there is none.
  subscript(path: String) -> File? {
    Self.views.contains(path) ? files[Self.index] : files[path]
  }

  /// FNV-1a (Fowler, Noll, Vo) over the bytes.
  private static func tag(_ bytes: Data) -> String {
    let hash = bytes.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    return "\"\(String(hash, radix: 16))\""
  }
}

/// A class of this module, used to find its bundle.
private final class Marker {}
