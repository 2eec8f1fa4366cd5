import Evaluation
import InkCore
import Layout

/// The section of a page on the pages of an evaluation: their text in any order, the kinds of strokes, and
/// drawings of the worst pages with the kinds as colours. Its template is ``PageTemplate``.
struct PageSection {
  /// The figures.
  let figures: EvaluationSummary.Pages
  /// The worst pages.
  let worst: [PageEvaluation.Page]

  /// The link to the section.
  let link = (id: "pages", name: "Pages")

  /// The most phrases of a page that are listed.
  private static let mostPhrases = 12
  /// The most characters of a phrase.
  private static let mostCharacters = 80
  /// The greatest width and height of a drawing, in CSS pixels.
  private static let (width, height) = (720.0, 900.0)

  /// The values of the template.
  var values: [String: Any] {
    var facts = [
      ("Pages", CountText.count(figures.pages)),
      ("Character errors, lines in any order", ReportText.percent(figures.cer)),
      ("Phrases", CountText.count(figures.phrases)),
      ("Phrases read whole", ReportText.percent(figures.wholePhrases)),
    ]
    if let accuracy = figures.kindAccuracy {
      facts.append(("Strokes of the right kind", ReportText.percent(accuracy)))
    }
    let shown = Set(worst.flatMap { $0.kinds ?? [] })
    return [
      "facts": facts.map { ["name": $0.0, "value": $0.1] },
      "hasKinds": !figures.kinds.isEmpty,
      "kinds": figures.kinds.map { one in
        [
          "kind": Self.title(one.label), "count": CountText.count(one.samples),
          "recall": ReportText.percent(one.recall), "share": ReportText.share(one.recall ?? 0),
          "precision": ReportText.percent(one.precision),
        ]
      },
      "confusions": figures.kindConfusions.prefix(10).map { one in
        [
          "kind": Self.title(one.label), "predicted": Self.title(one.predicted),
          "count": CountText.count(one.count),
        ]
      },
      "hasPages": !worst.isEmpty,
      "legend": StrokeColors.legend(of: shown),
      "pages": worst.map(Self.values),
    ]
  }

  private static func title(_ name: String) -> String {
    StrokeKind(rawValue: name)?.title ?? ReportText.label(name)
  }

  private static func values(of page: PageEvaluation.Page) -> [String: Any] {
    var values: [String: Any] = [
      "drawing": drawing(of: page), "edits": CountText.count(page.text.edits, "edit"),
      "characters": CountText.count(page.text.characters, "character"),
    ]
    if let writer = page.writer { values["writer"] = ReportText.label(writer) }
    let wrong = page.wrongStrokes.count
    if wrong > 0 { values["wrong"] = CountText.count(wrong, "stroke") }
    if !page.missingPhrases.isEmpty {
      values["missing"] = page.missingPhrases.prefix(mostPhrases).map { phrase in
        var values: [String: Any] = ["text": ReportText.label(phrase, limit: mostCharacters)]
        if let direction = ReportText.direction(of: phrase) { values["direction"] = direction }
        return values
      }
      let more = page.missingPhrases.count - mostPhrases
      if more > 0 { values["more"] = CountText.count(more) }
    }
    return values
  }

  private static func drawing(of page: PageEvaluation.Page) -> String {
    let box = page.ink.boundingBox
    let size = (width: max(box?.width ?? 0, 1e-9), height: max(box?.height ?? 0, 1e-9))
    let scale = min(width / size.width, height / size.height)
    return InkDrawing(
      page.ink, caption: "A page",
      style: InkDrawing.Style(
        maximumWidth: width, height: min(height, max(48, scale * size.height)), showsOrder: false,
        maximumPoints: 12_000),
      kinds: page.kinds.map { StrokeColors($0, wrong: page.wrongStrokes) }
    ).svg
  }
}

/// The section on pages; see ``PageSection``.
enum PageTemplate {
  static let text = """
    {{#pageSection}}
    <section id="pages">
    <h2>Pages</h2>
    <p class="lead">The lines of a label are compared with those lines of the reading that need the \
    fewest edits, so the order of lines and blocks does not count. A phrase is a line of the label; it \
    is read whole if it occurs within one line of the reading.</p>
    <dl class="facts wide">{{#facts}}<dt>{{name}}</dt><dd>{{value}}</dd>{{/facts}}</dl>
    {{#hasKinds}}
    <h3>Kinds of strokes</h3>
    <div class="scroll" tabindex="0" role="region" aria-label="Recall and precision by kind of stroke">
    <table><thead><tr><th scope="col">Kind</th><th scope="col">Strokes</th>\
    <th scope="col">Recall</th><th scope="col">Precision</th></tr></thead>
    <tbody>
    {{#kinds}}<tr><th scope="row">{{kind}}</th><td>{{count}}</td><td class="bar" \
    style="--p:{{share}}%">{{recall}}</td><td>{{precision}}</td></tr>
    {{/kinds}}
    </tbody></table></div>
    <ul class="pairs">{{#confusions}}<li>{{kind}} taken for {{predicted}}<b>{{count}}</b></li>\
    {{/confusions}}</ul>
    {{/hasKinds}}
    {{#hasPages}}
    <h3>Worst pages</h3>
    <p class="lead">The pages with the most edits and strokes of a wrong kind. The colour of a stroke is \
    its kind in the reading; strokes of a wrong kind are thick.</p>
    <ul class="legend">{{#legend}}<li><span class="{{class}}"></span>{{name}}</li>{{/legend}}</ul>
    {{#pages}}
    <figure class="line">{{{drawing}}}<figcaption>\
    <div>{{edits}} of {{characters}}{{#wrong}}, {{wrong}} of a wrong kind{{/wrong}}</div>\
    {{#missing}}<div><span class="tag">not read</span> \
    <bdi class="truth"{{#direction}} dir="{{direction}}"{{/direction}}>{{text}}</bdi></div>{{/missing}}\
    {{#more}}<div class="by">and {{more}} more</div>{{/more}}\
    {{#writer}}<p class="by">writer <bdi>{{writer}}</bdi></p>{{/writer}}</figcaption></figure>
    {{/pages}}
    {{/hasPages}}
    </section>
    {{/pageSection}}

    """
}
