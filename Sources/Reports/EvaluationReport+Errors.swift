import Evaluation
import Foundation

extension EvaluationReport {
  /// Cards of the errors.
  var errorValues: [String: Any] {
    let gallery = evaluation.errors
    let more = gallery.mostConfident.prefix(Self.mostErrors).dropFirst(Self.openErrors)
    var values: [String: Any] = [
      "hasErrors": !gallery.mostConfident.isEmpty,
      "errors": gallery.mostConfident.prefix(Self.openErrors).map(Self.card),
      "hasRefused": !gallery.refused.isEmpty,
      "refused": gallery.refused.prefix(Self.openErrors).map(Self.card),
    ]
    if !more.isEmpty {
      values["moreErrors"] =
        ["count": CountText.count(more.count), "cards": more.map(Self.card)] as [String: Any]
    }
    return values
  }

  private static func card(_ error: MisreadInk) -> [String: Any] {
    let labeled = error.labeled
    let label = ReportText.label(labeled.label)
    let predicted = error.candidates.first.map { ReportText.label($0.text) }
    let caption = "Ink of \(label), " + (predicted.map { "read as \($0)" } ?? "without an answer")
    var card: [String: Any] = [
      "drawing": InkDrawing(
        labeled.ink, area: labeled.writingArea, caption: caption,
        style: InkDrawing.Style(maximumWidth: 120, height: 120)
      ).svg,
      "label": label,
      "candidates": error.candidates.prefix(5).map { candidate -> [String: Any] in
        let probability = exp(candidate.score)
        return [
          "text": ReportText.label(candidate.text), "isTrue": candidate.text == labeled.label,
          "share": ReportText.share(probability),
          "probability": ReportText.percent(probability, digits: 1),
        ]
      },
    ]
    if let predicted { card["predicted"] = predicted }
    if let writer = labeled.writer { card["writer"] = ReportText.label(writer) }
    return card
  }

  /// The most frequent errors, and the matrix.
  var confusionValues: [String: Any] {
    let pairs = evaluation.confusion.mostConfused(limit: 30)
    let map = ConfusionHeatMap(evaluation.confusion)
    var values: [String: Any] = [
      "hasConfusions": !pairs.isEmpty,
      "confusions": pairs.map {
        [
          "label": ReportText.label($0.label), "predicted": ReportText.label($0.predicted),
          "count": CountText.count($0.count),
        ]
      },
      "matrix": map.svg,
    ]
    if map.omitted > 0 { values["matrixOmitted"] = CountText.count(map.omitted) }
    return values
  }
}
