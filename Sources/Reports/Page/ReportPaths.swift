import Foundation
import InkDatasets

/// Names files in a report without telling where on the writer's machine they lie: a report is made
/// to be passed on.
struct ReportPaths {
  /// Folders whose paths are left out, the longest first.
  private let roots: [String]
  /// The dataset's file or folder, which keeps its name.
  private let located: String?

  /// Leaves out a dataset's folder, the folder of datasets, the home and the working folder.
  init(
    dataset: String? = nil, environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    located = dataset.map { DataSpecification.locate($0, environment: environment) }
    let named = [
      located, environment["INK_DATASETS"], environment["HOME"],
      FileManager.default.currentDirectoryPath,
    ]
    roots = named.compactMap { path in
      guard let path, path.hasPrefix("/"), path.count > 1 else { return nil }
      return path.hasSuffix("/") ? String(path.dropLast()) : path
    }.sorted { $0.count > $1.count }
  }

  /// The text without the paths of the roots, and with only the last part of other absolute paths.
  func redact(_ text: String) -> String {
    var text = text
    for root in roots {
      text = text.replacingOccurrences(of: root + "/", with: "…/")
      text = text.replacingOccurrences(
        of: root, with: root == located ? Self.name(of: root) : "…")
    }
    return text.replacingOccurrences(
      of: #"(?<![^\s"'(=:,])~?(?:/[^\s/:;,]+)+/"#, with: "…/", options: .regularExpression)
  }

  /// A path as it is where it is relative, else its last part.
  static func name(of path: String) -> String {
    guard path.hasPrefix("/") || path.hasPrefix("~") else { return path }
    return "…/" + (path.split(separator: "/").last.map(String.init) ?? "")
  }

  /// Data as it was named, `FORMAT:PATH?…`, without absolute paths.
  static func name(ofData text: String) -> String {
    guard let colon = text.firstIndex(of: ":") else { return text }
    let rest = text[text.index(after: colon)...]
    let halves = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let path = halves.first.map { name(of: String($0)) } ?? ""
    guard halves.count == 2 else { return text[...colon] + path }
    let items = halves[1].split(separator: "&").map { item -> String in
      let pair = item.split(separator: "=", maxSplits: 1).map(String.init)
      // The keys that name files.
      guard pair.count == 2, ["splits", "words"].contains(pair[0]) else { return String(item) }
      return pair[0] + "=" + name(of: pair[1].removingPercentEncoding ?? pair[1])
    }
    return "\(text[...colon])\(path)?\(items.joined(separator: "&"))"
  }
}
