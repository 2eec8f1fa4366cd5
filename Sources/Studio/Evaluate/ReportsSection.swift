import FlyingFox
import Foundation

/// `GET /reports/…`: the reports of the project, in the form in which `ductus` wrote them.
///
/// A report shows texts of the data, so it gets a policy without scripts and without the origin of
/// the studio.
struct ReportsSection: StudioSection {
  private let project: Project

  init(_ project: Project) { self.project = project }

  private static let types = [
    "html": "text/html; charset=utf-8", "svg": "image/svg+xml", "png": "image/png",
  ]
  /// The largest report that is shown.
  private static let mostBytes = 64 << 20

  var routes: [StudioRoute] {
    [
      StudioRoute(.GET, "/reports/*path") { try answer(path: $0.parameter("path")) }
    ]
  }

  private func answer(path: String) throws -> StudioAnswer {
    let missing = StudioError(
      .notFound, "expected a report of the project, found none; evaluate a model first",
      field: "path")
    let url = try project.url(of: "reports/\(path)")
    guard let type = Self.types[url.pathExtension.lowercased()],
      let attributes = try? FileManager.default.attributesOfItem(atPath: url.path),
      attributes[.type] as? FileAttributeType == .typeRegular,
      let size = attributes[.size] as? Int
    else { throw missing }
    guard size <= Self.mostBytes else {
      throw StudioError(.tooLarge, "the report is too large to show; open its file")
    }
    return StudioAnswer(
      content: .file(url, type: type),
      headers: [
        HTTPHeader("Content-Security-Policy"): StudioAccess.reportPolicy,
        // A page with a sandbox policy may not have another value.
        HTTPHeader("Cross-Origin-Opener-Policy"): "unsafe-none",
      ])
  }
}
