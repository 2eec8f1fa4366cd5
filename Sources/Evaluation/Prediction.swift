import Foundation
import Recognition

/// The answer of a model to one labelled record, as a line of `ductus evaluate --predictions`.
///
///     {"candidates":[{"score":-0.02,"text":"a"}],"index":0,"label":"a","language":null}
public struct Prediction: Codable, Hashable, Sendable {
  /// One reading of the ink.
  public struct Candidate: Codable, Hashable, Sendable {
    /// The label or the text.
    public var text: String
    /// Its calibrated log-probability; null for the network alone, which gives none.
    @OrNull public var score: Double?

    /// Makes a candidate. A score that is not finite counts as none.
    public init(text: String, score: Double?) {
      self.text = text
      self.score = score.flatMap { $0.isFinite ? $0 : nil }
    }
  }

  /// The number of the record among the labelled records of the data, in their order, from 0.
  /// Records that cannot be read have no number.
  public var index: Int
  /// The label as it is compared: for line models, the normalised reference.
  public var label: String
  /// The candidates, the best first; empty if the ink was refused or has no reading.
  public var candidates: [Candidate]
  /// The tag of the language in which the ink was read; null if the model has none.
  @OrNull public var language: String?

  /// Makes a prediction.
  public init(index: Int, label: String, candidates: [Candidate], language: String? = nil) {
    self.index = index
    self.label = label
    self.candidates = candidates
    self.language = language
  }

  /// The line of the file, with its newline.
  public func line() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    var line = try encoder.encode(self)
    line.append(UInt8(ascii: "\n"))
    return line
  }
}
