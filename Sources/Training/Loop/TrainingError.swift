import Foundation

/// A reason why training ended without a model.
public enum TrainingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// No training inks are left after selection.
  case noTrainingData
  /// No validation inks whose labels are known.
  case noValidationData
  /// There are too few texts to hold one out for validation.
  case tooFewTexts(found: Int)
  /// The validation set was made with other labels than the training set.
  case differentLabels
  /// All training inks have one label.
  case tooFewClasses(found: Int)
  /// The loss or the gradient is not finite, or far above that of guessing.
  case diverged(epoch: Int, step: Int, loss: Double, rate: Float)
  /// Training was stopped on request; a checkpoint was saved.
  case interrupted(epoch: Int, step: Int)
  /// The model to start from has other layers or features than the configuration.
  case unusableStart
  /// A setting of the configuration is out of its range.
  case unusableConfiguration(name: String, expected: String, found: String)
  /// Mixed precision was requested on a processor without bfloat16 products.
  case noBFloat16Unit
  /// A checkpoint cannot be used.
  case unusableCheckpoint(path: String, reason: String)

  /// The message: what happened, where, and what to do.
  public var description: String {
    switch self {
    case .noTrainingData:
      "no training inks found: expected at least two classes; check --data, split= and labels="
    case .noValidationData:
      "no validation inks with a label of the training inks; check "
        + "--validation, or the split of --data if there is none"
    case .tooFewTexts(let found):
      "too little text: found \(found) paragraphs, expected at least 2, of which one is for "
        + "validation; separate paragraphs by empty lines"
    case .differentLabels:
      "validation set: its labels differ from the training set; make both sets with the same labels"
    case .tooFewClasses(let found):
      "training data: expected at least 2 classes, found \(found); check --data and labels="
    case .diverged(let epoch, let step, let loss, let rate):
      "training diverged in epoch \(epoch + 1), step \(step): the loss is \(loss) at learning rate "
        + "\(rate); start again with a lower --learning-rate"
    case .interrupted(let epoch, let step):
      "training stopped in epoch \(epoch + 1), step \(step); continue with --resume"
    case .unusableStart:
      "the model to start from does not fit the settings: it has other features, or other or wider "
        + "layers, or a larger time stride; check --encoding, and leave out --set of pipeline or layers"
    case .unusableConfiguration(let name, let expected, let found):
      "training setting \(name): expected \(expected), found \(found)"
    case .noBFloat16Unit:
      "mixed precision is not available: it needs AMX or AVX-512 BF16 on Linux; train in "
        + "single precision"
    case .unusableCheckpoint(let path, let reason):
      "\(path): \(reason); delete the folder and start again without --resume"
    }
  }
}

extension TrainingError {
  /// - Throws: ``TrainingError/unusableConfiguration(name:expected:found:)`` if the value is
  ///   outside the range or is not a number.
  static func check<Value: Comparable>(
    _ name: String, _ value: Value, in range: ClosedRange<Value>
  ) throws(TrainingError) {
    guard range.contains(value) else {
      throw .unusableConfiguration(
        name: name, expected: "\(range.lowerBound) to \(range.upperBound)", found: "\(value)")
    }
  }
}

extension TrainingError: LocalizedError {
  /// The text of `localizedDescription`: ``description``.
  public var errorDescription: String? { description }
}
