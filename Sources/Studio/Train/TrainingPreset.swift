import Foundation

/// The amount of training that a page asks for, in plain words.
package enum TrainingPreset: String, Codable, CaseIterable, Sendable {
  /// About a minute at most: enough to see whether the data works.
  case quick
  /// The setting for most models.
  case good
  /// Several times as long, for the last bit of accuracy.
  case best
}

/// The kind of model to train.
package enum TrainedKind: String, Codable, CaseIterable, Sendable {
  /// One ink, one label.
  case glyphs
  /// One ink, a text.
  case lines
}

/// The settings of `ductus train` for a preset and an amount of data.
package struct TrainingSettings: Encodable, Hashable, Sendable {
  /// The value of `--preset`.
  package var network: String
  package var epochs: Int
  /// The value of `--batch-size`; nil for that of the network's preset.
  package var batchSize: Int?
  /// The seconds of training on this machine, roughly.
  package var seconds: Double

  /// Settings that were found by training on parts of one person's symbols: see the table.
  ///
  /// Top-1 on 300 other inks of the person, and on 2,000 inks of 10 other people, of models from
  /// 5 inks of each of 20 symbols (LaViola; one seed, so that 2 points are noise):
  ///
  /// | Network | Batch | Epochs | Own | Others | Seconds on 2 cores |
  /// |---|---|---|---|---|---|
  /// | small | 16 | 60 | 88.0 % | 80.0 % | 0.4 |
  /// | small | 16 | 150 | 88.3 % | 82.3 % | 1.0 |
  /// | small | 64 | 60 | 87.7 % | 74.0 % | 0.4 |
  /// | standard | 16 | 150 | 87.7 % | 81.5 % | 3.5 |
  /// | standard | 16 | 300 | 86.7 % | 81.1 % | 7.2 |
  /// | large | 16 | 300 | 87.3 % | 79.1 % | 19.9 |
  ///
  /// So few inks need small batches, and a large network does not help.
  ///
  /// - Parameters:
  ///   - inks: The number of inks of the data, of which eight tenths are trained on.
  ///   - isStarted: True if training starts from a model.
  ///   - rates: Measured samples per second by ``rateKey(network:batchSize:)``.
  package init(
    _ preset: TrainingPreset, _ kind: TrainedKind, inks: Int, isStarted: Bool,
    rates: [String: Double] = [:]
  ) {
    let samples = max(1, inks * 8 / 10)
    switch kind {
    case .glyphs:
      let isSmall = samples < 1000
      network = preset == .quick ? "small" : preset == .good || isSmall ? "standard" : "large"
      batchSize = isSmall ? 16 : samples < 5000 ? 64 : nil
    case .lines:
      // A model to start from may have narrower layers, which then become wider.
      network = preset == .quick && !isStarted ? "small" : "base"
      batchSize = nil
    }
    let key = Self.rateKey(network: network, batchSize: batchSize.map(String.init))
    let rate = rates[key] ?? Self.usualRate(kind, network)
    epochs =
      switch (kind, preset) {
      case (.glyphs, .quick): min(60, max(3, Int(Self.quickSeconds * rate / Double(samples))))
      case (.glyphs, .good): samples < 1000 ? 150 : samples < 5000 ? 60 : 30
      case (.glyphs, .best): samples < 1000 ? 300 : samples < 5000 ? 120 : 60
      case (.lines, .quick):
        min(isStarted ? 10 : 40, max(1, Int(Self.quickSeconds * rate / Double(samples))))
      case (.lines, .good): isStarted ? 20 : 60
      case (.lines, .best): isStarted ? 60 : 120
      }
    // A tenth more for validation, and the time to read, score and write.
    let rest: Double = kind == .lines ? 10 : 1
    seconds = 1.1 * Double(samples * epochs) / rate + rest
  }

  /// The name of a measured rate, which depends on the network and on the size of batches.
  static func rateKey(network: String, batchSize: String?) -> String {
    "\(network) \(batchSize ?? "")"
  }

  /// Seconds of the steps of a quick look.
  private static let quickSeconds = 45.0

  /// Samples per second that were measured on two cores, scaled to this machine.
  private static func usualRate(_ kind: TrainedKind, _ network: String) -> Double {
    let measured: Double =
      switch (kind, network) {
      case (.glyphs, "small"): 12_000
      case (.glyphs, "standard"): 3500
      case (.glyphs, _): 1500
      case (.lines, "small"): 300
      case (.lines, _): 130
      }
    let cores = Double(max(1, ProcessInfo.processInfo.activeProcessorCount))
    return measured * min(cores, 8) / 2
  }
}
