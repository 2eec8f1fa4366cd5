import Training

/// What was read to train on, whatever the kind of model.
protocol TrainingData {
  /// Which records these are.
  var identity: DataIdentity { get }
  /// Different writers among the training inks; nil where the data names none.
  var writers: Int? { get }
  /// Inks of both kinds that name no writer.
  var unnamed: Int { get }
  /// Different validation writers that are training writers too.
  var sharedWriters: Int { get }
  /// Records that could not be used.
  var rejected: RejectedRecords { get }
  /// Training inks.
  var trainingCount: Int { get }
  /// Validation inks.
  var validationCount: Int { get }
  /// What is learned of how much: `28078 inks of 256 writers, 111 classes; validation: 3501 inks`.
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
