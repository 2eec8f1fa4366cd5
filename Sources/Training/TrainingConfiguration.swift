import Recognition

/// Everything that decides the outcome of training, besides the data.
public protocol TrainingConfiguration: Hashable, Codable, Sendable {
  /// Seed of everything random.
  var seed: UInt64 { get set }
  /// Passes over the training data.
  var epochs: Int { get set }
  /// Samples of one optimisation step.
  var batchSize: Int { get set }
  /// Micro-shards of one step.
  var shards: Int { get }
  /// Peak of the one-cycle learning rate.
  var peakRate: Float { get set }
  /// Decoupled weight decay.
  var weightDecay: Float { get }
  /// Decay of the moving average of the weights, per step.
  var averageDecay: Float { get }
  /// Gradients longer than this are scaled down to it.
  var maximumGradientNorm: Double { get }
  /// Whose weights training ends with.
  var keptEpoch: KeptEpoch { get set }
  /// How the factors of matrix products are rounded.
  var precision: TrainingPrecision { get set }

  /// - Parameter classes: Outputs of the network.
  /// - Throws: ``TrainingError`` where training with these numbers is not possible.
  func check(classes: Int) throws(TrainingError)
}

extension TrainingConfiguration {
  /// Checks what all configurations have.
  ///
  /// - Parameters:
  ///   - augmentation: The numbers of the augmentation.
  ///   - fault: What is wrong with the features or the network.
  /// - Throws: ``TrainingError`` where training with these numbers is not possible.
  func check(augmentation: [Float], fault: DescriptionFault?) throws(TrainingError) {
    try precision.check()
    try TrainingError.check("epochs", epochs, in: 1...100_000)
    try TrainingError.check("batchSize", batchSize, in: 1...65536)
    try TrainingError.check("shards", shards, in: 1...1024)
    try TrainingError.check("peakRate", peakRate, in: 1e-9...1e9)
    try TrainingError.check("weightDecay", weightDecay, in: 0...10)
    try TrainingError.check("averageDecay", averageDecay, in: 0...0.999999)
    try TrainingError.check("maximumGradientNorm", maximumGradientNorm, in: 1e-6...1e9)
    for value in augmentation { try TrainingError.check("augmentation", value, in: 0...10) }
    if let fault {
      throw TrainingError.unusableConfiguration(
        name: fault.what, expected: fault.expected, found: fault.found)
    }
  }
}
