import Evaluation

/// The beginning and end of every page: ``HeadTemplate`` and ``FootTemplate``.
package struct ReportHead {
  /// The kind of page.
  let kind: String
  let title: String
  /// The data, as named on the command line; absolute paths are reduced to their last part.
  var data: [String] = []
  /// SHA-256 of the labelled records, or nil if the sections contain theirs.
  var hash: String?
  /// The sections that the page links to.
  let links: [(id: String, name: String)]

  package init(
    kind: String, title: String, data: [String] = [], hash: String? = nil,
    links: [(id: String, name: String)]
  ) {
    self.kind = kind
    self.title = title
    self.data = data
    self.hash = hash
    self.links = links
  }

  /// The values of the templates.
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
  /// Makes the head of an evaluation's page.
  init(
    kind: String, of summary: EvaluationSummary, links: [(id: String, name: String)]
  ) {
    self.init(
      kind: kind, title: summary.modelTitle, data: summary.data, hash: summary.dataHash,
      links: links)
  }
}

extension EvaluationSummary {
  /// The file or name of the model, without its folder.
  var modelTitle: String { model.split(separator: "/").last.map(String.init) ?? model }
}

/// The head of every page, down to its title.
enum HeadTemplate {
  // The policy forbids all scripts and requests, for any data in the page.
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
