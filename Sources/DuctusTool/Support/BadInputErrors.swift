import Evaluation
import InkCore
import InkDatasets
import InkFormats
import ModelFormat
import ModelStore
import Networks
import Recognition
import Reports
import RunLog
import SafeTensors
import Training

// Errors of the libraries that mean the caller gave something wrong: exit code 2.

extension InkError: BadInputError {}
extension ModelFormatError: BadInputError {}
extension ModelError: BadInputError {}
extension SafeTensorsError: BadInputError {}
extension RecognitionError: BadInputError {}
extension ComparisonRuleError: BadInputError {}
extension RunLogError: BadInputError {}

extension ModelStoreError: BadInputError {
  /// A name or bundle that is not right; not what a server or the network did.
  var isBadInput: Bool {
    switch self {
    case .notFound, .noCatalog, .damaged, .incompatible, .conditionsNotMet: true
    default: false
    }
  }
}

extension ReportError: BadInputError {
  /// A folder that cannot be written to; not a template that is not sound.
  var isBadInput: Bool {
    switch self {
    case .unwritableFolder: true
    case .unusableTemplate: false
    }
  }
}

extension TrainingError: BadInputError {
  /// Data that cannot be trained on and a checkpoint that does not fit; not a run that went wrong.
  var isBadInput: Bool {
    switch self {
    case .noTrainingData, .noValidationData, .tooFewTexts, .differentLabels, .tooFewClasses,
      .unusableStart, .noBFloat16Unit, .unusableConfiguration, .unusableCheckpoint:
      true
    case .diverged, .interrupted: false
    }
  }
}
