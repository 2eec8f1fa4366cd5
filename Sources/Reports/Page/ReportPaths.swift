import Foundation
import InkDatasets

/// Removes the folders of the local machine from the file names in a report, because reports are
/// meant to be shared.
package struct ReportPaths {
  /// The folders to remove, the longest first.
  private let roots: [String]
  /// The dataset's file or folder, whose name is kept.
  private let located: String?

  /// Removes a dataset's folder, the folder of datasets, the home folder and the working folder.
  package init(
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

  /// The text without the paths of the roots; other absolute paths are reduced to their last part.
  package func redact(_ text: String) -> String {
    var text = text
    for root in roots {
      text = text.replacingOccurrences(of: root + "/", with: "…/")
      text = text.replacingOccurrences(
        of: root, with: root == located ? Self.name(of: root) : "…")
    }
    return text.replacingOccurrences(
      of: #"(?<![^\s"'(=:,])~?(?:/[^\s/:;,]+)+/"#, with: "…/", options: .regularExpression)
  }

  /// A relative path unchanged, or the last part of an absolute path.
  package static func name(of path: String) -> String {
    guard path.hasPrefix("/") || path.hasPrefix("~") else { return path }
    return "…/" + (path.split(separator: "/").last.map(String.init) ?? "")
  }

  /// The name of data, `FORMAT:PATH?…`, without absolute paths.
  package static func name(ofData text: String) -> String {
    guard let colon = text.firstIndex(of: ":") else { return text }
    let rest = text[text.index(after: colon)...]
    let halves = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let path = halves.first.map { name(of: String($0)) } ?? ""
    guard halves.count == 2 else { return text[...colon] + path }
    let items = halves[1].split(separator: "&").map { item -> String in
      let pair = item.split(separator: "=", maxSplits: 1).map(String.init)
      // The keys whose values are files.
      guard pair.count == 2, ["splits", "words"].contains(pair[0]) else { return String(item) }
      return pair[0] + "=" + name(of: pair[1].removingPercentEncoding ?? pair[1])
    }
    return "\(text[...colon])\(path)?\(items.joined(separator: "&"))"
  }
}
