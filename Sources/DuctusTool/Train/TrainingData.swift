import Training

/// The training data of any kind of model.
protocol TrainingData {
  /// The identity of the records.
  var identity: DataIdentity { get }
  /// The number of different writers among the training inks; nil if the data names none.
  var writers: Int? { get }
  /// The number of training and validation inks that name no writer.
  var unnamed: Int { get }
  /// The number of validation writers that are also training writers.
  var sharedWriters: Int { get }
  /// The records that could not be used.
  var rejected: RejectedRecords { get }
  /// The number of training inks.
  var trainingCount: Int { get }
  /// The number of validation inks.
  var validationCount: Int { get }
  /// A summary: `28078 inks of 256 writers, 111 classes; validation: 3501 inks`.
  var summary: String { get }
}

extension GlyphTrainingData: TrainingData {
  var trainingCount: Int { training.samples.count }
  var validationCount: Int { validation.samples.count }
  var summary: String {
    TerminalText.count(trainingCount, "ink") + TrainingConsole.writers(writers) + ", "
      + TerminalText.count(training.labels.count, "class", "classes") + "; validation: "
      + TerminalText.count(validationCount, "ink")
  }
}

extension LineTrainingData: TrainingData {
  var trainingCount: Int { training.samples.count }
  var validationCount: Int { validation.samples.count }
  var summary: String {
    TerminalText.count(trainingCount, "line") + TrainingConsole.writers(writers) + ", "
      + TerminalText.count(training.labels.count, "symbol") + "; validation: "
      + TerminalText.count(validationCount, "line")
  }
}
