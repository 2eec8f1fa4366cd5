import Evaluation
import Metrics

/// The section of a page on the letters beyond a to z: recall by letter and by mark, and the
/// confusions of marks as a matrix. Its template is ``LetterTemplate``.
struct LetterSection {
  /// The figures.
  let figures: LetterFigures
  /// The marks of labels and readings.
  let marks: ConfusionMatrix

  /// The link to the section.
  let link = (id: "letters", name: "Letters beyond a to z")

  /// The values of the template.
  var values: [String: Any] {
    var values = FoldedRows.values(figures.letters, names: ("letters", "moreLetters")) { one in
      [
        "letter": ReportText.label(one.letter), "count": CountText.count(one.count),
        "recall": ReportText.percent(one.recall), "share": ReportText.share(one.recall),
        "readAs": one.readAs.map {
          [
            "label": $0.character.map { ReportText.label($0) } ?? "nothing",
            "count": CountText.count($0.count),
          ]
        },
      ]
    }
    values["facts"] = [
      ("Letters beyond a to z", CountText.count(figures.count)),
      ("Read correctly", ReportText.percent(figures.recall)),
      ("Distinct letters", CountText.count(figures.letters.count)),
      ("Mean recall of a letter", ReportText.percent(figures.meanRecall)),
    ].map { ["name": $0.0, "value": $0.1] }
    values["hasMarks"] = !figures.marks.isEmpty
    values["marks"] = figures.marks.map { one in
      [
        "mark": ReportText.label(one.mark), "count": CountText.count(one.count),
        "recall": ReportText.percent(one.recall), "share": ReportText.share(one.recall),
      ]
    }
    values["hasConfusions"] = !figures.markConfusions.isEmpty
    values["matrix"] = ConfusionHeatMap(marks).svg
    return values
  }
}

/// The section on letters; see ``LetterSection``.
enum LetterTemplate {
  static let text = """
    {{#letterSection}}
    <section id="letters">
    <h2>Letters beyond a to z</h2>
    <p class="lead">These letters are few, so an error rate over all characters hides them. Label \
    and reading are aligned by their edit distance.</p>
    <dl class="facts">{{#facts}}<dt>{{name}}</dt><dd>{{value}}</dd>{{/facts}}</dl>
    <div class="scroll" tabindex="0" role="region" aria-label="Recall by letter">
    <table><thead><tr><th scope="col">Letter</th><th scope="col">Written</th>\
    <th scope="col">Recall</th><th scope="col" class="list">Read as</th></tr></thead>
    <tbody>
    {{#letters}}
    {{> letterRows}}
    {{/letters}}
    </tbody></table></div>
    {{#moreLetters}}
    <details><summary>{{count}} more{{#omitted}}; {{omitted}} with better recall are left out\
    {{/omitted}}</summary>
    <div class="scroll" tabindex="0" role="region" aria-label="Recall of more letters">
    <table><tbody>
    {{> letterRows}}
    </tbody></table></div></details>
    {{/moreLetters}}
    {{#hasMarks}}
    <h3>Marks</h3>
    <p class="lead">A mark is right if the letter that was read has it too, on any base letter.</p>
    <table><thead><tr><th scope="col">Mark</th><th scope="col">Written</th>\
    <th scope="col">Recall</th></tr></thead>
    <tbody>
    {{#marks}}<tr><th scope="row"><bdi>{{mark}}</bdi></th><td>{{count}}</td><td class="bar" \
    style="--p:{{share}}%">{{recall}}</td></tr>
    {{/marks}}
    </tbody></table>
    {{/hasMarks}}
    {{#hasConfusions}}
    <h3>Confusions of marks</h3>
    <p class="lead">A row for each mark written, a column for each mark read. <q>no mark</q> as a \
    row counts only letters that were read with a mark that is not there.</p>
    <div class="scroll" tabindex="0" role="region" aria-label="Confusions of marks">{{{matrix}}}</div>
    {{/hasConfusions}}
    </section>
    {{/letterSection}}

    """
}

/// Rows of the table of letters.
enum LetterRowsTemplate {
  static let text = """
    {{#rows}}
    <tr><th scope="row"><bdi>{{letter}}</bdi></th><td>{{count}}</td><td class="bar" \
    style="--p:{{share}}%">{{recall}}</td><td class="list">{{#readAs}}<span><bdi>{{label}}</bdi> \
    {{count}}</span> {{/readAs}}</td></tr>
    {{/rows}}

    """
}
