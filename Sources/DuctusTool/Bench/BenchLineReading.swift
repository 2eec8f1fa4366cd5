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
    let memory: BenchReport.Memory?
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
  /// - Throws: The errors of opening the models.
  init(_ inks: [Ink], models: [String], languageModel: String?) throws {
    self.inks = inks
    readers = try models.map { name in
      let bundle = try ModelBundle.open(ModelLibrary.local.url(of: name))
      var options = ReadingOptions()
      options.languageModel = languageModel
      var companions = try LineCompanions(languagesOf: bundle, options)
      func open() throws -> LineRecognizer {
        companions.characters = try GlyphModel(companionOf: bundle)
        return try LineRecognizer(OpenModel(bundle).line(), with: companions)
      }
      // With several models, memory is not measured: a later model would reuse memory released by
      // the first.
      let line = models.count == 1 ? inks.first : nil
      let (recognizer, memory) =
        try line.map { try BenchMemory.measured(line: $0, open) } ?? (open(), nil)
      for ink in inks.prefix(1) { _ = try recognizer.recognize(ink) }
      return Reader(
        name: name, recognizer: recognizer, languageBytes: companions.languageBytes, memory: memory)
    }
  }

  /// Reads every line once with each model.
  func measure() throws {
    for ink in inks {
      for index in readers.indices {
        let start = ContinuousClock.now
        _ = try readers[index].recognizer.recognize(ink)
        let nanoseconds = (ContinuousClock.now - start) / .nanoseconds(1)
        readers[index].round.append(nanoseconds / 1e6)
        _ = readers[index].latency.record(UInt64(max(0, nanoseconds)))
      }
    }
    for index in readers.indices {
      readers[index].medians.append(BenchSpread(readers[index].round).median)
      readers[index].round.removeAll(keepingCapacity: true)
    }
  }

  var report: [BenchReport.LineReading] {
    readers.map { reader in
      func milliseconds(_ percentile: Double) -> Double {
        Double(reader.latency.valueAtPercentile(percentile)) / 1e6
      }
      return BenchReport.LineReading(
        model: reader.name, parameters: reader.recognizer.model.network.parameterCount,
        languageBytes: reader.languageBytes,
        milliseconds: BenchReport.Latency(
          p50: milliseconds(50), p95: milliseconds(95), p99: milliseconds(99)),
        roundMedians: BenchSpread(reader.medians), memory: reader.memory)
    }
  }
}
