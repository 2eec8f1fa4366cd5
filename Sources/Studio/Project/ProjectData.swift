import Foundation
import InkDatasets

/// The data that pages may name: files of the project, synthetic ink, and what the studio was
/// started with.
package struct ProjectData: Sendable {
  let project: Project
  /// Data outside the project that the command line named.
  let allowed: [String]

  package init(project: Project, allowed: [String]) {
    self.project = project
    self.allowed = allowed
  }

  /// Returns data by its text, with paths that can be opened from anywhere.
  ///
  /// - Throws: `DataError` for a malformed text, ``StudioError`` for files outside the project.
  package func specification(_ text: String) throws -> DataSpecification {
    var data = try DataSpecification(parsing: text)
    // The text of the command line decides for its format and path; keys are free.
    let isAllowed = allowed.contains { each in
      (try? DataSpecification(parsing: each)).map {
        $0.format == data.format && $0.path == data.path
      } ?? false
    }
    if !isAllowed, data.format != .starter { data.path = try project.url(of: data.path).path }
    if let splits = data.splits, splits.contains("/") || splits.contains(".") {
      data.splits = try project.url(of: splits).path
    }
    if let texts = data.texts { data.texts = try project.url(of: texts).path }
    if let file = data.decisions { data.decisions = try project.url(of: file).path }
    if let words = data.starter.words { data.starter.words = try project.url(of: words).path }
    return data
  }
}

extension ProjectData {
  /// The suffixes of ink files, with their formats.
  private static let formats: [(suffix: String, format: DataFormat)] = [
    (".jsonl", .ink), (".jsonl.gz", .ink), (".ndjson", .ndjson), (".inkml", .inkML),
    (".jiix", .jiix), (".xopp", .xournal), (".excalidraw", .excalidraw), (".tldr", .tldraw),
    (".rm", .remarkable), (".rmdoc", .remarkable), (".rnote", .rnote), (".uim", .uim),
    (".will", .will), (".sbn2", .saber), (".sba", .saber), (".bfly", .butterfly),
    (".note", .supernote), (".isf", .isf),
  ]
  /// The most files that are listed.
  private static let mostFiles = 500

  /// Returns the ink files of the project as data, sorted by their paths.
  func files() -> [String] {
    let walk = FileManager.default.enumerator(
      at: project.root, includingPropertiesForKeys: [.isRegularFileKey],
      options: [.skipsHiddenFiles, .skipsPackageDescendants])
    var result: [String] = []
    for case let url as URL in walk ?? .init() {
      // The folders of the studio hold models, reports and decisions, but no ink.
      if ["models", "reports", "decisions", "pages"].contains(url.lastPathComponent),
        url.deletingLastPathComponent().path == project.root.path
      {
        walk?.skipDescendants()
        continue
      }
      guard let format = Self.formats.first(where: { url.path.hasSuffix($0.suffix) })?.format
      else { continue }
      result.append("\(format.rawValue):\(url.path.dropFirst(project.root.path.count + 1))")
      if result.count == Self.mostFiles { break }
    }
    return result.sorted()
  }
}
