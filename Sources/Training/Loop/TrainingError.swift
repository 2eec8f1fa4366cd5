/// Why training ended without a model.
public enum TrainingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// No training inks are left after selection.
  case noTrainingData
  /// No validation inks whose labels are known.
  case noValidationData
  /// Of so few texts none can be held out.
  case tooFewTexts(found: Int)
  /// The validation set was made with other labels than the training set.
  case differentLabels
  /// All training inks have one label.
  case tooFewClasses(found: Int)
  /// The loss or the gradient is not finite, or far above that of guessing.
  case diverged(epoch: Int, step: Int, loss: Double, rate: Float)
  /// Asked to stop; a checkpoint was saved.
  case interrupted(epoch: Int, step: Int)
  /// The model to start from has other layers or features than the configuration.
  case unusableStart
  /// A number of the configuration is out of range.
  case unusableConfiguration(name: String, expected: String, found: String)
  /// Mixed precision was asked of a processor that has no products in bfloat16.
  case noBFloat16Unit
  /// A checkpoint cannot be used.
  case unusableCheckpoint(path: String, reason: String)

  /// What happened, where, and what to do.
  public var description: String {
    switch self {
    case .noTrainingData:
      "no training inks: expected at least two classes, found none; check --data, split= and labels="
    case .noValidationData:
      "validation: expected inks with labels that training inks have, found none; check "
        + "--validation, or the split of --data where none is named"
    case .tooFewTexts(let found):
      "text: expected 2 paragraphs or more, of which one is held out, found \(found); an empty line ends "
        + "a paragraph"
    case .differentLabels:
      "validation set: expected the labels of the training set, found others; make both with the same"
    case .tooFewClasses(let found):
      "training data: expected at least 2 classes, found \(found); check --data and labels="
    case .diverged(let epoch, let step, let loss, let rate):
      "training diverged in epoch \(epoch + 1), step \(step): the loss is \(loss) at learning rate "
        + "\(rate); start again with a lower --learning-rate"
    case .interrupted(let epoch, let step):
      "training stopped in epoch \(epoch + 1), step \(step); continue with --resume"
    case .unusableStart:
      "the model to start from has other or wider layers, or other features, than the preset; name its "
        + "preset"
    case .unusableConfiguration(let name, let expected, let found):
      "training with \(name): expected \(expected), found \(found)"
    case .noBFloat16Unit:
      "mixed precision: expected a processor with AMX or AVX-512 BF16 on Linux, found none; train in "
        + "single precision"
    case .unusableCheckpoint(let path, let reason):
      "\(path): \(reason); delete the folder and start again without --resume"
    }
  }
}

extension TrainingError {
  /// - Throws: ``TrainingError/unusableConfiguration(name:expected:found:)`` where the value is outside
  ///   the range, or is no number.
  static func check<Value: Comparable>(
    _ name: String, _ value: Value, in range: ClosedRange<Value>
  ) throws(TrainingError) {
    guard range.contains(value) else {
      throw .unusableConfiguration(
        name: name, expected: "\(range.lowerBound) to \(range.upperBound)", found: "\(value)")
    }
  }
}
