import Evaluation
import Foundation
import Recognition

/// What tuning found, in short lines.
struct TuningText {
  let result: DecoderTuner.Result

  init(_ result: DecoderTuner.Result) {
    self.result = result
  }

  var text: String {
    let found = result.configuration
    var lines = [
      "\(TerminalText.count(result.lines, "line")), which the model is tuned on: expect more errors of new "
        + "ink",
      String(
        format: "CER: %.2f %% greedy, %.2f %% tuned", 100 * result.greedyErrorRate,
        100 * result.errorRate),
      String(
        format: "weights: language weight %.3f, character bonus %.2f, word bonus %.2f",
        found.languageModelWeight, found.characterBonus, found.wordBonus),
      String(
        format: "  prior weight %.2f, space bonus %.1f", found.priorWeight, found.spaceBonus),
      String(
        format: "confidences: temperature %.2f, certainty weight %.2f", found.temperature,
        found.certaintyWeight),
      String(
        format: "calibration error: %.2f %% of texts, %.2f %% of words",
        100 * result.textCalibrationError, 100 * result.calibrationError),
    ]
    if let second = found.rescoring {
      lines += [
        String(
          format: "second pass: recurrent weight %.3f, language weight %.3f",
          second.recurrentWeight, second.languageModelWeight),
        String(
          format: "  character bonus %.2f, word bonus %.2f", second.characterBonus,
          second.wordBonus),
      ]
    }
    return lines.joined(separator: "\n")
  }
}

/// How far tuning has come: one line, or all that it tries.
final class TuningProgress {
  private let isVerbose: Bool
  private var line = ProgressLine()
  private var tried = 0

  init(isVerbose: Bool) { self.isVerbose = isVerbose }

  func show(_ text: String) {
    tried += 1
    if isVerbose { line.note(text) } else { line.show(nil, "tried \(tried)  \(text)") }
  }

  func clear() { line.clear() }
}
