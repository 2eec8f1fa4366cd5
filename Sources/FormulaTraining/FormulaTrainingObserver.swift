import Training

/// Receives the reports of the training of a formula model, which has several parts.
package protocol FormulaTrainingObserver: TrainingObserver {
  /// Called before the training of a glyph model.
  ///
  /// - Parameters:
  ///   - name: The name of the part.
  ///   - samples: Its training inks.
  func stageDidBegin(_ name: String, samples: Int)
  /// Called with a line about the progress of anything else.
  func note(_ text: String)
  /// Called after every pass of a glyph model.
  ///
  /// - Parameter history: The passes of all glyph models so far. Epochs are counted over all of them.
  func historyDidGrow(_ history: [EpochRecord])
}

/// Passes the reports of one glyph model on, and adds its passes to those of the others.
final class StageObserver: TrainingObserver {
  private let observer: (any FormulaTrainingObserver)?
  private let stages: TrainingStages?
  private let first: Int

  /// - Parameter first: The passes of the glyph models before.
  init(_ observer: (any FormulaTrainingObserver)?, _ stages: TrainingStages?, first: Int) {
    (self.observer, self.stages, self.first) = (observer, stages, first)
  }

  func trainingDidStep(_ progress: TrainingProgress) { observer?.trainingDidStep(progress) }

  func trainingDidFinishEpoch(_ record: EpochRecord) {
    observer?.trainingDidFinishEpoch(record)
    guard let stages else { return }
    var numbered = record
    numbered.epoch = first + record.epoch
    // A pass that is repeated after a kill replaces what was known of it.
    let history = stages.history().prefix(numbered.epoch) + [numbered]
    // The log of passes is for people: a full disk must not end the training here.
    try? stages.save(Array(history))
    observer?.historyDidGrow(Array(history))
  }

  var shouldStop: Bool { observer?.shouldStop ?? false }
}
