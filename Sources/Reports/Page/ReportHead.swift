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

/// The head of every page, down to its title.
enum HeadTemplate {
  // The policy forbids the page every script and every request, whatever its data holds.
  static let text = """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src \
    'unsafe-inline'">
    <title>{{title}}</title>
    <style>{{{style}}}</style>
    </head>
    <body>
    <header>
    <p class="kind">{{kind}}</p>
    <h1>{{title}}</h1>
    {{#sources}}<p class="source"><code>{{.}}</code></p>
    {{/sources}}
    <nav>{{#links}}<a href="#{{id}}">{{name}}</a>{{/links}}</nav>
    </header>
    <main>

    """
}

/// The end of every page, from the end of its sections.
enum FootTemplate {
  static let text = """
    </main>
    {{#hash}}<footer><p>Data, SHA-256 of the labelled records: <code>{{hash}}</code></p></footer>
    {{/hash}}</body>
    </html>

    """
}
