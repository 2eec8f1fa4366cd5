import Evaluation
import Metrics

/// A confusion matrix as SVG: a row for each written label, a column for each label read.
///
/// Right answers are green, wrong ones red, stronger with their share of the row. Red is scaled by
/// a square root, so that one error in a hundred is visible. Only cells that are not 0 are drawn.
package struct ConfusionHeatMap {
  /// The most labels. If there are more, those with the most errors are shown.
  package static let mostLabels = 130
  /// The most labels with numbers. If there are more, cells are small.
  private static let mostNumbered = 40

  /// The labels of rows and columns.
  package let labels: [String]
  /// The number of labels that are left out.
  package let omitted: Int
  private let matrix: ConfusionMatrix
  private let counts: [Int]
  private let hasRefusals: Bool

  /// Chooses the labels.
  package init(_ matrix: ConfusionMatrix) {
    let all = matrix.labelStatistics()
    let errors = all.sorted {
      ($1.count + $1.predictedCount - 2 * $1.correctCount, $0.label)
        < ($0.count + $0.predictedCount - 2 * $0.correctCount, $1.label)
    }
    let shown = errors.prefix(Self.mostLabels).sorted { $0.label < $1.label }
    labels = shown.map(\.label)
    counts = shown.map(\.count)
    omitted = all.count - shown.count
    hasRefusals = matrix.refusedCount > 0
    self.matrix = matrix
  }

  private var isNumbered: Bool { labels.count <= Self.mostNumbered }
  private var cell: Int { isNumbered ? (labels.count <= 12 ? 44 : 28) : 13 }
  /// The space for the labels, in units of the SVG.
  private var margin: Int {
    let longest = labels.map { ReportText.label($0).count }.max() ?? 1
    return 16 + min(longest, 14) * (isNumbered ? 8 : 7)
  }

  /// The least readable width, in CSS pixels. A narrower page scrolls.
  var minimumWidth: Int { isNumbered ? min(width, 26 * labels.count + margin) : width }
  /// The width at its natural size, in CSS pixels.
  var width: Int { margin + cell * (labels.count + (hasRefusals ? 1 : 0)) + 2 }

  /// The matrix as an `svg` element; empty without labels.
  package var svg: String {
    guard !labels.isEmpty else { return "" }
    let height = margin + cell * labels.count + 2
    return #"<svg class="matrix" role="img" viewBox="0 0 \#(width) \#(height)" style="width:"#
      + #"\#(width)px;min-width:\#(minimumWidth)px" aria-label="Confusion matrix: a row for each "#
      + #"label written, a column for each label read">"#
      + field + names + labels.indices.map(row).joined() + "</svg>"
  }

  private var field: String {
    let (across, down) = (width - margin - 2, cell * labels.count)
    return
      #"<rect class="field" x="\#(margin)" y="\#(margin)" width="\#(across)" height="\#(down)"/>"#
  }

  private var names: String {
    let size = isNumbered ? 14 : 11
    var text = #"<g font-size="\#(size)">"#
    for (index, label) in labels.enumerated() {
      let place = margin + index * cell + cell / 2
      let shown = ReportText.label(label)
      let name = HTMLEscaping.escape(shown.count > 14 ? shown.prefix(13) + "…" : shown)
      text += #"<text class="end" x="\#(margin - 5)" y="\#(place)">\#(name)</text>"#
      // Labels of one character are upright over their column; words run along it.
      text +=
        shown.count == 1
        ? #"<text class="mid" x="\#(place)" y="\#(margin - 10)">\#(name)</text>"#
        : #"<text transform="translate(\#(place) \#(margin - 5))rotate(-90)">\#(name)</text>"#
    }
    if hasRefusals {
      let place = margin + labels.count * cell + cell / 2
      text += #"<text transform="translate(\#(place) \#(margin - 5))rotate(-90)">none</text>"#
    }
    return text + "</g>"
  }

  private func row(_ row: Int) -> String {
    guard counts[row] > 0 else { return "" }
    var text = ""
    for (column, predicted) in labels.enumerated() {
      text += square(row, column, matrix.count(of: labels[row], predictedAs: predicted), predicted)
    }
    if hasRefusals {
      text += square(row, labels.count, matrix.count(of: labels[row], predictedAs: nil), nil)
    }
    return text
  }

  private func square(_ row: Int, _ column: Int, _ count: Int, _ predicted: String?) -> String {
    guard count > 0 else { return "" }
    let share = Double(count) / Double(counts[row])
    let isRight = row == column
    let strength = isRight ? 0.15 + 0.75 * share * share : 0.12 + 0.88 * share.squareRoot()
    let (x, y) = (margin + column * cell, margin + row * cell)
    let title =
      "\(ReportText.label(labels[row])) read as \(predicted.map { ReportText.label($0) } ?? "nothing"): "
      + "\(count) of \(counts[row])"
    var text =
      #"<rect class="\#(isRight ? "right" : "wrong")" x="\#(x)" y="\#(y)" width="\#(cell - 1)" "#
      + #"height="\#(cell - 1)" fill-opacity="\#(ChartFrame.number(100 * strength))%"><title>"#
      + HTMLEscaping.escape(title) + "</title></rect>"
    if isNumbered {
      let style = strength > 0.55 ? "mid on" : "mid"
      text += #"<text class="\#(style)" x="\#(x + cell / 2)" y="\#(y + cell / 2)">\#(count)</text>"#
    }
    return text
  }
}
