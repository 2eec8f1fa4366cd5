/// The progress of training. Together with the weights, it is all that a resumed run needs.
public struct TrainingState: Hashable, Codable, Sendable {
  package init() {}

  /// The current epoch, from 0.
  package var epoch = 0
  /// Steps done in the current epoch.
  var stepInEpoch = 0
  /// Steps done in all epochs.
  package var step = 0
  /// Sums over the current epoch.
  var lossSum = 0.0
  var correct = 0
  var units = 0
  var rate: Float = 0
  /// The loss of the first step; nil before it, and in checkpoints of older versions.
  var firstLoss: Double?
  /// The finished epochs.
  package internal(set) var history: [EpochRecord] = []
  /// The score of the best epoch; nil before the first epoch ends.
  package var bestScore: Double?
  package var epochsWithoutGain = 0
  /// Seconds of training in previous sessions; nil before the first session ends, and in
  /// checkpoints of older versions.
  package var seconds: Double?

  package init(
    epoch: Int = 0, stepInEpoch: Int = 0, step: Int = 0, lossSum: Double = 0.0, correct: Int = 0,
    units: Int = 0, rate: Float = 0, firstLoss: Double? = nil, history: [EpochRecord] = [],
    bestScore: Double? = nil, epochsWithoutGain: Int = 0, seconds: Double? = nil
  ) {
    self.epoch = epoch
    self.stepInEpoch = stepInEpoch
    self.step = step
    self.lossSum = lossSum
    self.correct = correct
    self.units = units
    self.rate = rate
    self.firstLoss = firstLoss
    self.history = history
    self.bestScore = bestScore
    self.epochsWithoutGain = epochsWithoutGain
    self.seconds = seconds
  }

  mutating func note(_ outcome: StepOutcome, rate: Float) {
    if step == 0 { firstLoss = outcome.meanLoss }
    lossSum += outcome.loss
    correct += outcome.correct
    units += outcome.units
    self.rate = rate
    step += 1
    stepInEpoch += 1
  }

  /// The number of finished epochs.
  public var epochs: Int { history.count }

  /// The training loss and accuracy of the current epoch so far.
  func trainingFigures() -> (loss: Double, accuracy: Double) {
    (lossSum / Double(max(units, 1)), Double(correct) / Double(max(units, 1)))
  }

  package mutating func finishEpoch(_ record: EpochRecord) {
    history.append(record)
    epoch += 1
    stepInEpoch = 0
    (lossSum, correct, units) = (0, 0, 0)
    let isBest = bestScore.map { record.score > $0 } ?? true
    epochsWithoutGain = isBest ? 0 : epochsWithoutGain + 1
    if isBest { bestScore = record.score }
  }

  /// Returns whether the counts agree with each other and with the number of steps in an epoch.
  func isConsistent(stepsPerEpoch: Int) -> Bool {
    epoch == history.count && (0...stepsPerEpoch).contains(stepInEpoch)
      && step == epoch * stepsPerEpoch + stepInEpoch
  }
}
