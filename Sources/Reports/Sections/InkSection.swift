import Evaluation
import InkCore

/// A section with inks and, below each, its reference and readings or findings. Its template is
/// ``InkSectionTemplate``.
package struct InkSection {
  /// A text about an ink, in its own row.
  package struct Row {
    /// The kind of text.
    let tag: String
    let text: String
    /// True if the text is correct.
    let isTrue: Bool
    /// A figure of the text.
    var figure: String?
    /// MathML of our own writer that is shown instead of the text.
    var markup: String?

    package init(
      tag: String, text: String, isTrue: Bool, figure: String? = nil, markup: String? = nil
    ) {
      self.markup = markup
      self.tag = tag
      self.text = text
      self.isTrue = isTrue
      self.figure = figure
    }

    var values: [String: Any] {
      var values: [String: Any] = ["tag": tag, "text": text, "class": isTrue ? "truth" : "read"]
      if let direction = ReportText.direction(of: text) { values["direction"] = direction }
      if let figure { values["figure"] = figure }
      if let markup { values["markup"] = markup }
      return values
    }
  }

  /// An ink with its texts.
  package struct Card {
    /// The ink; nil for an empty frame.
    let ink: LabeledInk?
    /// The description for screen readers.
    let caption: String
    var rows: [Row]
    /// The problem of the ink.
    var problem: String?
    /// The origin of the ink, in addition to its writer.
    var origin: String?

    package init(
      ink: LabeledInk?, caption: String, rows: [Row], problem: String? = nil, origin: String? = nil
    ) {
      self.ink = ink
      self.caption = caption
      self.rows = rows
      self.problem = problem
      self.origin = origin
    }

    /// The value of `dir`, if the texts are written from right to left: the ink is then at the right
    /// edge, and the texts below it begin there.
    var direction: String? {
      rows.lazy.compactMap { ReportText.direction(of: $0.text) }.first
    }
  }

  /// The anchor of the section.
  let id: String
  let title: String
  /// The description of the inks, if there are any.
  let note: String
  /// The text if there are no inks.
  var absence = "None."
  /// True if inks are lines of writing, one below the other; false if they are glyphs in their
  /// writing areas, in rows.
  let isOfLines: Bool
  let cards: [Card]
  /// The number of inks that are not shown.
  var omitted = 0

  package init(
    id: String, title: String, note: String, absence: String = "None.", isOfLines: Bool,
    cards: [Card], omitted: Int = 0
  ) {
    self.id = id
    self.title = title
    self.note = note
    self.absence = absence
    self.isOfLines = isOfLines
    self.cards = cards
    self.omitted = omitted
  }

  /// The values of the template.
  package var values: [String: Any] {
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
    if let direction = card.direction { values["cardDirection"] = direction }
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
        ? Self.style(of: labeled.ink) : InkDrawing.Style(maximumWidth: 120, height: 120)
    ).svg
  }

  /// The style of a line, or of a page that is as wide as the text below it.
  private static func style(of ink: Ink) -> InkDrawing.Style {
    guard let box = ink.boundingBox, box.height > 0.3 * box.width,
      ink.strokes.count > mostStrokesOfLine
    else { return InkDrawing.Style(maximumWidth: 960, height: 90) }
    let width = 560.0
    return InkDrawing.Style(
      maximumWidth: width, height: min(width, width * box.height / max(box.width, 1e-9)),
      showsOrder: false, maximumPoints: 6000)
  }

  /// Ink of more strokes that is not flat is a page.
  private static let mostStrokesOfLine = 20
}

/// A section of drawn inks with texts about each; see ``InkSection``.
enum InkSectionTemplate {
  static let text = """
    <section id="{{id}}">
    <h2>{{title}}</h2>
    {{#hasInks}}
    <p class="lead">{{note}}</p>
    <div class="{{^isOfLines}}cards{{/isOfLines}}">
    {{#inks}}
    <figure class="{{^isOfLines}}card{{/isOfLines}}{{#isOfLines}}line{{/isOfLines}}"\
    {{#cardDirection}} dir="{{cardDirection}}"{{/cardDirection}}>{{{drawing}}}\
    <figcaption>{{#rows}}<div><span class="tag">{{tag}}</span> \
    <bdi class="{{class}}"{{#direction}} dir="{{direction}}"{{/direction}}>\
    {{#markup}}{{{markup}}}{{/markup}}{{^markup}}{{text}}{{/markup}}</bdi>\
    {{#figure}} <bdi>{{figure}}</bdi>{{/figure}}</div>{{/rows}}{{#problem}}<div class="by">{{problem}}</div>\
    {{/problem}}{{#by}}<p class="by"><bdi>{{by}}</bdi></p>{{/by}}</figcaption></figure>
    {{/inks}}
    </div>
    {{#omitted}}<p class="lead">And {{omitted}} more.</p>{{/omitted}}
    {{/hasInks}}
    {{^hasInks}}<p class="lead">{{absence}}</p>{{/hasInks}}
    </section>

    """
}

/// An error: drawing, label and candidates.
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
