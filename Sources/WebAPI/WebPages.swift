import Files
import Foundation

/// The page for trying the server, and the module for other pages, from the resources of this
/// module.
package struct WebPages: Sendable {
  /// A file in the form in which it is served.
  struct Page: Sendable {
    let type: String
    let bytes: Data
  }

  private let pages: [String: Page]

  /// Reads the pages.
  ///
  /// - Throws: ``WebAPIError/pagesMissing(places:)``, or Foundation's error for a page that cannot
  ///   be read.
  init() throws {
    let places = ResourceFolder.places(of: "Pages", in: "WebAPI", marker: Marker.self)
    guard let folder = ResourceFolder.first(of: places) else {
      throw WebAPIError.pagesMissing(places: places.map(\.path))
    }
    let html = "text/html; charset=utf-8"
    let script = "text/javascript; charset=utf-8"
    func page(_ name: String, _ type: String) throws -> Page {
      Page(type: type, bytes: try Data(contentsOf: folder.appendingPathComponent(name)))
    }
    pages = [
      "/": try page("demo.html", html),
      "/demo.js": try page("demo.js", script),
      "/ductus-handwriting.js": try page("ductus-handwriting.js", script),
    ]
  }

  subscript(path: String) -> Page? { pages[path] }
}

/// A class of this module, used to find its bundle.
private final class Marker {}
