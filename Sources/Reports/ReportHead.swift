import Evaluation

/// What every page begins and ends with: ``HeadTemplate`` and ``FootTemplate``.
struct ReportHead {
  /// What kind of page it is.
  let kind: String
  let title: String
  /// The data as it was named; absolute paths are cut to their last part.
  var data: [String] = []
  /// SHA-256 of the labelled records, or nil where sections give theirs.
  var hash: String?
  /// Sections that can be jumped to.
  let links: [(id: String, name: String)]

  /// What the templates need.
  var values: [String: Any] {
    var values: [String: Any] = [
      "kind": kind, "title": title, "sources": data.map { ReportPaths.name(ofData: $0) },
      "links": links.map { ["id": $0.id, "name": $0.name] },
    ]
    if let hash { values["hash"] = hash }
    return values
  }
}

extension ReportHead {
  /// The head of an evaluation's page.
  init(
    kind: String, of summary: EvaluationSummary, links: [(id: String, name: String)]
  ) {
    self.init(
      kind: kind, title: summary.modelTitle, data: summary.data, hash: summary.dataHash,
      links: links)
  }
}

extension EvaluationSummary {
  /// The model's file or name, without its folder.
  var modelTitle: String { model.split(separator: "/").last.map(String.init) ?? model }
}
