import Evaluation
import Histogram
import InkCore
import ModelFormat
import Recognition

/// Measures reading with several line models. All models read each line before the next one, so
/// that other work on the machine affects all of them alike.
final class BenchLineReading {
  /// A model with its times.
  private struct Reader {
    let name: String
    let recognizer: LineRecognizer
    let languageBytes: Int?
    let precision: ReadingPrecision
    /// The input steps of each line.
    let steps: [Int]
    /// The speed of large products in the precision in each round, in 10^9 operations per second.
    var peaks: [Double] = []
    /// The time of the network for all lines in each round, in seconds.
    var networkTimes: [Double] = []
    var latency = Histogram<UInt64>(
      highestTrackableValue: 60_000_000_000, numberOfSignificantValueDigits: .three)
    /// Times of this round, in milliseconds.
    var round: [Double] = []
    /// Medians of the rounds, in milliseconds.
    var medians: [Double] = []
  }

  private let inks: [Ink]
  private var readers: [Reader]

  /// Opens the models and reads a line with each, so that all memory is allocated.
  ///
  /// - Parameters:
  ///   - models: The models, by path or name.
  ///   - languageModel: The file of the language model for all; nil for each bundle's own.
  ///   - precision: The precision of the networks; nil for the fastest of this processor.
  /// - Throws: The errors of opening the models.
  init(
    _ inks: [Ink], models: [String], languageModel: String?, precision: ReadingPrecision?
  ) throws {
    self.inks = inks
    let precision = precision ?? .fastest
    readers = try models.map { name in
      let bundle = try ModelBundle.open(ModelLibrary.local.url(of: name))
      var options = ReadingOptions()
      options.languageModel = languageModel
      var companions = try LineCompanions(languagesOf: bundle, options)
      companions.characters = try GlyphModel(companionOf: bundle)
      let recognizer = try LineRecognizer(
        OpenModel(bundle).line(), with: companions, precision: precision)
      for ink in inks.prefix(1) { _ = try recognizer.recognize(ink) }
      return Reader(
        name: name, recognizer: recognizer, languageBytes: companions.languageBytes,
        precision: precision,
        steps: try inks.map { try recognizer.inputSteps(of: $0) })
    }
  }

  /// The time in which the large product of a round is repeated, in seconds.
  private static let productSeconds = 0.1

  /// Reads every line once with each model.
  func measure() throws {
    for index in readers.indices {
      readers[index].networkTimes.append(0)
      readers[index].peaks.append(
        GEMMBenchmark.run(readers[index].precision, seconds: Self.productSeconds).gigaflops)
    }
    for ink in inks {
      for index in readers.indices {
        var timings = LineTimings()
        let start = ContinuousClock.now
        _ = try readers[index].recognizer.recognize(
          ink, context: RecognitionContext(), maximumCandidates: 10, timings: &timings)
        let nanoseconds = (ContinuousClock.now - start) / .nanoseconds(1)
        readers[index].networkTimes[readers[index].networkTimes.count - 1] +=
          timings.network / .seconds(1)
        readers[index].round.append(nanoseconds / 1e6)
        _ = readers[index].latency.record(UInt64(max(0, nanoseconds)))
      }
    }
    for index in readers.indices {
      readers[index].medians.append(Spread(readers[index].round).median)
      readers[index].round.removeAll(keepingCapacity: true)
    }
  }

  var report: [BenchReport.LineReading] {
    readers.map { reader in
      let network = reader.recognizer.model.network
      let operations = reader.steps.reduce(0) { $0 + 2 * Double(network.multiplyAdds($1)) }
      return BenchReport.LineReading(
        model: reader.name, parameters: network.parameterCount,
        languageBytes: reader.languageBytes,
        classes: network.architecture.classes,
        steps: Double(reader.steps.reduce(0, +)) / Double(reader.steps.count),
        precision: reader.precision.rawValue,
        milliseconds: Percentiles(of: reader.latency, unit: 1e6),
        roundMedians: Spread(reader.medians),
        networkMilliseconds: Spread(reader.networkTimes.map { 1000 * $0 / Double(inks.count) }),
        shareOfPeak: Spread(
          zip(reader.networkTimes, reader.peaks).map { operations / $0 / 1e9 / $1 }))
    }
  }
}
