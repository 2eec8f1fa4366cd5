import Evaluation
import InkCore

/// A section of a page: inks, and below each what was written, read or found. Its template is
/// ``InkSectionTemplate``.
struct InkSection {
  /// What is said of an ink, in a row of its own.
  struct Row {
    /// What kind of text it is.
    let tag: String
    let text: String
    /// Whether the text is right.
    let isTrue: Bool
    /// A figure of the text.
    var figure: String?

    var values: [String: Any] {
      var values: [String: Any] = ["tag": tag, "text": text, "class": isTrue ? "truth" : "read"]
      if let figure { values["figure"] = figure }
      return values
    }
  }

  /// An ink and what is said of it.
  struct Card {
    /// What is drawn; nil for an empty frame.
    let ink: LabeledInk?
    /// What those hear who do not see the drawing.
    let caption: String
    var rows: [Row]
    /// What is odd about the ink.
    var problem: String?
    /// Whence the ink is, besides its writer.
    var origin: String?
  }

  /// The name that links of the page have for it.
  let id: String
  let title: String
  /// What the inks are, where there are some.
  let note: String
  /// What is said where there are none.
  var absence = "None."
  /// Whether inks are lines of writing, below each other, and not glyphs side by side in their
  /// writing areas.
  let isOfLines: Bool
  let cards: [Card]
  /// Inks that are not shown.
  var omitted = 0

  /// What the template needs.
  var values: [String: Any] {
    var values: [String: Any] = [
      "id": id, "title": title, "note": note, "absence": absence, "isOfLines": isOfLines,
      "hasInks": !cards.isEmpty, "inks": cards.map(values),
    ]
    if omitted > 0 { values["omitted"] = CountText.count(omitted) }
    return values
  }

  private func values(_ card: Card) -> [String: Any] {
    var values: [String: Any] = [
      "drawing": card.ink.map { drawing($0, card.caption) } ?? "", "rows": card.rows.map(\.values),
    ]
    if let problem = card.problem { values["problem"] = problem }
    let by = [card.origin, card.ink?.writer.map { "writer " + ReportText.label($0) }]
      .compactMap { $0 }
    if !by.isEmpty { values["by"] = by.joined(separator: ", ") }
    return values
  }

  private func drawing(_ labeled: LabeledInk, _ caption: String) -> String {
    InkDrawing(
      labeled.ink, area: isOfLines ? nil : labeled.writingArea, caption: caption,
      style: isOfLines
        ? InkDrawing.Style(maximumWidth: 960, height: 90)
        : InkDrawing.Style(maximumWidth: 120, height: 120)
    ).svg
  }
}

/// A section of drawn inks with what is said of each; see ``InkSection``.
enum InkSectionTemplate {
  static let text = """
    <section id="{{id}}">
    <h2>{{title}}</h2>
    {{#hasInks}}
    <p class="lead">{{note}}</p>
    <div class="{{^isOfLines}}cards{{/isOfLines}}">
    {{#inks}}
    <figure class="{{^isOfLines}}card{{/isOfLines}}{{#isOfLines}}line{{/isOfLines}}">{{{drawing}}}\
    <figcaption>{{#rows}}<div><span class="tag">{{tag}}</span> <bdi class="{{class}}">{{text}}</bdi>\
    {{#figure}} {{figure}}{{/figure}}</div>{{/rows}}{{#problem}}<div class="by">{{problem}}</div>\
    {{/problem}}{{#by}}<p class="by"><bdi>{{by}}</bdi></p>{{/by}}</figcaption></figure>
    {{/inks}}
    </div>
    {{#omitted}}<p class="lead">And {{omitted}} more.</p>{{/omitted}}
    {{/hasInks}}
    {{^hasInks}}<p class="lead">{{absence}}</p>{{/hasInks}}
    </section>

    """
}

/// An error, drawn, with its label and its candidates.
enum CardTemplate {
  static let text = """
    <figure class="card">
    {{{drawing}}}
    <figcaption>
    <p><bdi class="truth">{{label}}</bdi>{{#predicted}} <span class="as">read as</span> \
    <bdi class="read">{{predicted}}</bdi>{{/predicted}}{{^predicted}} <span class="as">no answer\
    </span>{{/predicted}}</p>
    <ol>{{#candidates}}<li{{#isTrue}} class="true"{{/isTrue}} style="--p:{{share}}%"><bdi>{{text}}\
    </bdi><span>{{probability}}</span></li>{{/candidates}}</ol>
    {{#writer}}<p class="by">writer <bdi>{{writer}}</bdi></p>{{/writer}}
    </figcaption>
    </figure>

    """
}
