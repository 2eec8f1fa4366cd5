import Foundation
import Metrics
import Recognition

// Fits the confidences of texts and words to their observed accuracy, with the weights that were
// found.

extension DecoderTuner {
  /// The reading of a line with the weights that were found.
  private struct Outcome {
    var readings: [(text: String, score: Float)]
    /// The certainties of the characters of the best reading.
    var certainties: [Float]
    /// True if the best reading equals the reference.
    var isRight: Bool
    /// For each word of the best reading, true if it is in the reference.
    var keptWords: [Bool]
  }

  /// Fits the temperatures, and the accuracy of words by their evidence.
  func calibrate(_ result: inout Result, fitsWords: Bool) throws {
    let outcomes = try outcomes(result.configuration)
    var next = result.configuration
    var least = Double.infinity
    for temperature in Self.temperatures {
      next.wordTemperature = temperature
      let words = outcomes.flatMap { self.words(of: $0, temperature: temperature) }
      for weight in fitsWords ? Self.certaintyWeights : [0] {
        next.certaintyWeight = weight
        if fitsWords {
          let fit = MonotoneFit(
            words.map { ($0.evidence.logOdds(certaintyWeight: weight), $0.isKept) })
          next.wordLogOdds = fit.x.map { Float($0) }
          next.wordConfidences = fit.y.map { Float($0) }
        }
        var (loss, calibration) = (0.0, ExpectedCalibrationError())
        for word in words {
          let confidence = next.confidence(of: word.evidence)
          loss += Self.surprise(confidence, word.isKept)
          calibration.add(confidence: confidence, isCorrect: word.isKept)
        }
        guard loss < least else { continue }
        least = loss
        result.calibrationError = calibration.value ?? 0
        result.configuration = next
        note(
          String(
            format: "word temperature %.2f, certainty weight %.2f: %.4f nats a word",
            temperature, weight, loss / Double(max(1, words.count))))
      }
    }
    result.textCalibrationError = fitTexts(&result.configuration, outcomes)
  }

  /// Fewer single words than this do not determine the temperature of texts alone.
  private static let fewestSingleWords = 50

  /// Sets the temperature of texts; returns the calibration error. Texts of several words have the
  /// probability that all words are right (``TextConfidence``), so the temperature is that of single
  /// words, if there are enough.
  private func fitTexts(
    _ configuration: inout DecoderConfiguration, _ outcomes: [Outcome]
  ) -> Double {
    let fitted = configuration
    let products = outcomes.map { outcome -> Double? in
      guard !fitted.wordConfidences.isEmpty else { return nil }
      return TextConfidence.product(
        of: words(of: outcome, temperature: fitted.wordTemperature).map {
          fitted.confidence(of: $0.evidence)
        })
    }
    let isOfSingleWords = products.count { $0 == nil } >= Self.fewestSingleWords
    var (least, error) = (Double.infinity, 0.0)
    for temperature in Self.temperatures {
      var (loss, calibration) = (0.0, ExpectedCalibrationError())
      for (outcome, product) in zip(outcomes, products) {
        let best =
          WordConfidences.probabilities(
            outcome.readings.map(\.score), temperature: temperature
          ).first ?? 0
        if product == nil || !isOfSingleWords { loss += Self.surprise(best, outcome.isRight) }
        calibration.add(confidence: product ?? best, isCorrect: outcome.isRight)
      }
      guard loss < least else { continue }
      (least, error) = (loss, calibration.value ?? 0)
      configuration.temperature = temperature
    }
    return error
  }

  /// The candidate temperatures: from 0.5 in steps of 20 %.
  private static let temperatures = (0..<20).map { 0.5 * pow(Float(1.2), Float($0)) }
  /// The candidate weights of the network's certainty.
  private static let certaintyWeights: [Float] = [0, 0.25, 0.5, 1, 2]

  /// The logarithmic loss of a probability, which is clamped away from 0 and 1.
  private static func surprise(_ probability: Double, _ isTrue: Bool) -> Double {
    let kept = min(max(probability, 1e-4), 1 - 1e-4)
    return -log(isTrue ? kept : 1 - kept)
  }

  private func outcomes(_ configuration: DecoderConfiguration) throws -> [Outcome] {
    let recognizer = try LineRecognizer(model: model)
    return zip(lines, try readings(configuration, count: configuration.beam)).map {
      line, readings in
      let best = readings.first?.text ?? ""
      return Outcome(
        readings: readings, certainties: recognizer.certainties(of: best, in: line.output),
        isRight: TextErrorRate.reference(best, without: []) == line.reference,
        keptWords: WordAlignment.kept(
          reference: line.reference.split(separator: " ").map(String.init),
          hypothesis: best.split(separator: " ").map(String.init)))
    }
  }

  /// The evidence for the words of a best reading, and whether they are correct.
  private func words(
    of outcome: Outcome, temperature: Float
  ) -> [(evidence: WordConfidences.Evidence, isKept: Bool)] {
    guard let best = outcome.readings.first else { return [] }
    let evidence = WordConfidences(outcome.readings, temperature: temperature)
      .evidence(of: best.text, certainties: outcome.certainties)
    return zip(evidence, outcome.keptWords).map { ($0, $1) }
  }
}
