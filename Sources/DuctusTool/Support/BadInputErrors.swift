import EditorStorage
import Evaluation
import EventFiles
import Formulas
import InkCore
import InkDatasets
import InkEditor
import InkFormats
import ModelFormat
import ModelStore
import Networks
import OnnxFormat
import Recognition
import Reports
import RunLog
import SafeTensors
import Studio
import Training

// Errors of the libraries that are caused by the caller: exit code 2.

extension InkError: BadInputError {}
extension FormulaError: BadInputError {}
extension ModelFormatError: BadInputError {}
extension ModelError: BadInputError {}
extension SafeTensorsError: BadInputError {}
extension RecognitionError: BadInputError {}
extension ComparisonRuleError: BadInputError {}
extension RunLogError: BadInputError {}
extension StudioError: BadInputError {}

extension EditorError: BadInputError {}

extension PackageError: BadInputError {
  /// False if the system refused to read or write.
  package var isBadInput: Bool {
    if case .unusable = self { false } else { true }
  }
}

extension ModelStoreError: BadInputError {
  /// True for a wrong name or bundle; false for errors of a server or the network.
  package var isBadInput: Bool {
    switch self {
    case .notFound, .noCatalog, .damaged, .incompatible, .conditionsNotMet: true
    case .download, .signatureInvalid, .malformedCatalog, .expired, .downgradeRefused: false
    }
  }
}

extension ReportError: BadInputError {
  /// True for a folder without write permission; false for an invalid template.
  package var isBadInput: Bool {
    switch self {
    case .unwritableFolder: true
    case .unusableTemplate: false
    }
  }
}

extension TrainingError: BadInputError {
  /// True for data that cannot be trained on and a checkpoint that does not fit; false for a failed
  /// run.
  package var isBadInput: Bool {
    switch self {
    case .noTrainingData, .noValidationData, .tooFewTexts, .differentLabels, .tooFewClasses,
      .unusableStart, .noBFloat16Unit, .unusableConfiguration, .unusableCheckpoint:
      true
    case .diverged, .interrupted: false
    }
  }
}

extension EventFileError: BadInputError {}
extension OnnxError: BadInputError {}
