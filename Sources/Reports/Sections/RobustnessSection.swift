import Evaluation
import Foundation

/// The section of a page on disturbed ink. Its template is ``RobustnessTemplate``.
struct RobustnessSection {
  let robustness: Robustness
  let isOfLines: Bool

  /// The link to the section.
  let link = (id: "robustness", name: "Disturbed ink")

  /// The values of the template.
  var values: [String: Any] {
    let plain = robustness.rows.first?.errorRate
    return [
      "units": isOfLines ? "characters" : "inks",
      "rows": robustness.rows.map { row -> [String: Any] in
        [
          "title": row.title, "errors": ReportText.percent(row.errorRate),
          "more": row.disturbance == nil ? "" : Self.difference(row.errorRate, plain),
          "drawing": drawing(row),
        ]
      },
    ]
  }

  private static func difference(_ rate: Double?, _ plain: Double?) -> String {
    guard let rate, let plain else { return "–" }
    return ReportText.points(rate - plain) + " points"
  }

  private func drawing(_ row: Robustness.Row) -> String {
    guard let example = row.example else { return "" }
    return InkDrawing(
      example.ink, area: isOfLines ? nil : example.writingArea, caption: "Ink, \(row.title)",
      style: InkDrawing.Style(
        maximumWidth: isOfLines ? 360 : 64, height: isOfLines ? 48 : 64, showsOrder: false)
    ).svg
  }
}

/// The section on disturbed ink; see ``Robustness``.
enum RobustnessTemplate {
  static let text = """
    {{#robustness}}
    <section id="robustness">
    <h2>Disturbed ink</h2>
    <p class="lead">The same inks as other people, pens or programs would have written them, with the \
    number of wrong {{units}}. The drawing shows one of them.</p>
    <div class="scroll" tabindex="0" role="region" aria-label="Errors on disturbed ink">
    <table><thead><tr><th scope="col">Ink</th><th scope="col">Errors</th><th scope="col">More</th>\
    <th scope="col" class="list">For example</th></tr></thead>
    <tbody>
    {{#rows}}<tr><th scope="row">{{title}}</th><td>{{errors}}</td><td>{{more}}</td>\
    <td class="list">{{{drawing}}}</td></tr>
    {{/rows}}
    </tbody></table></div>
    </section>

    {{/robustness}}
    """
}
