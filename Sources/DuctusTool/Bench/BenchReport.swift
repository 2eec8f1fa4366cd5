import Evaluation
import Foundation
import LinearAlgebra

/// The report of `ductus bench`.
struct BenchReport: Codable, Equatable {
  /// The speed of large single-precision matrix products, one on each worker simultaneously.
  struct Products: Codable, Equatable {
    var workers: Int
    /// 10^9 floating-point operations per second of all workers.
    var gigaflops: Spread
  }

  /// The speed of optimisation steps.
  struct Training: Codable, Equatable {
    var network: String
    /// The number of parameters.
    var parameters: Int
    /// Six times the multiply-adds of the forward pass: forward, weights' and inputs' gradients.
    var megaflopsPerSample: Double
    var batchSize: Int
    var workers: Int
    /// `single` or `mixed`.
    var precision: String
    /// True if the time includes augmentation and features; false if the inputs stay the same.
    var includesInk: Bool
    var samplesPerSecond: Spread
    var gigaflops: Spread
    /// `gigaflops` divided by that of the products of the same round and number of workers.
    var shareOfPeak: Spread
  }

  /// From raw points to calibrated candidates, for one ink at a time on one thread.
  struct Recognition: Codable, Equatable {
    var network: String
    var parameters: Int
    var labels: Int
    /// The number of inks recognised in all rounds.
    var inks: Int
    var pointsPerInk: Double
    var total: Percentiles
    /// Raw points to network input.
    var features: Percentiles
    var forward: Percentiles
    /// The median of each round.
    var roundMedians: Spread
    var featureInksPerSecond: Spread
  }

  /// Training of a line model preset, including augmentation and features.
  struct LineTraining: Codable, Equatable {
    var preset: String
    /// `single` or `mixed`.
    var precision: String
    var parameters: Int
    /// The number of symbols, including the blank.
    var classes: Int
    /// The mean number of points of a line, which are the network's input steps.
    var steps: Double
    var workers: Int
    var linesPerSecond: Spread
    /// Six times the multiply-adds of the forward pass divided by the speed of large products.
    var shareOfPeak: Spread
  }

  /// From raw points to candidates with one line model and its language model, for one line at a
  /// time on one thread.
  struct LineReading: Codable, Equatable {
    /// The model, as named on the command line.
    var model: String
    /// The number of parameters.
    var parameters: Int
    /// The size of the language model; nil if it reads without one.
    var languageBytes: Int?
    /// The number of symbols, including the blank.
    var classes: Int
    /// The mean number of points of a line, which are the network's input steps.
    var steps: Double
    /// The precision of the network's products: `single`, `mixed` or `8-bit`.
    var precision: String
    var milliseconds: Percentiles
    /// The median of each round.
    var roundMedians: Spread
    /// The mean time of the network alone.
    var networkMilliseconds: Spread
    /// The operations of the network per second, divided by those of a large product in the same
    /// precision and round.
    var shareOfPeak: Spread
  }

  /// Lines of text by virtual writers.
  struct Lines: Codable, Equatable {
    var charactersPerLine: Double
    var training: [LineTraining]
    var reading: [LineReading]
  }

  /// Opening the bundle of the default preset: hashes, weights, first recogniser.
  struct Load: Codable, Equatable {
    var bytes: Int
    var milliseconds: Spread
  }

  /// From starting the tool to the first answer of `recognize`, in milliseconds.
  struct Start: Codable, Equatable {
    /// The model that reads.
    var model: String
    var milliseconds: Spread
    /// The part before the command begins, including parsing of arguments.
    var process: Spread
    /// The part of opening the model: all bytes are hashed and a recogniser is made.
    var opening: Spread
    /// The part of the first ink.
    var reading: Spread
    /// nil if it was not measured.
    var training: TrainingStart?
  }

  /// From starting the tool to the first gradient of `train lines`.
  struct TrainingStart: Codable, Equatable {
    /// The training and validation data.
    var data: [String]
    var seconds: Spread
  }

  var ductus: String
  var processor: String
  var cores: Int
  var blas: BLASLibrary
  var rounds: Int
  var products: [Products]
  var training: [Training]
  var recognition: Recognition?
  var lines: Lines?
  var load: Load?
  var start: Start?
}

// MARK: - As text

extension BenchReport {
  /// The report as aligned lines.
  func text() -> String {
    var lines: [String] = []
    let name = [blas.implementation.rawValue, blas.version, blas.core].compactMap(\.self)
    lines.append("\(processor), \(cores) cores, \(name.joined(separator: " "))")
    lines.append("median (lowest ... highest) of \(rounds) rounds")
    lines.append("")
    lines.append("large matrix products, one per worker")
    for one in products {
      lines.append("  \(Self.workers(one.workers))  \(Self.text(one.gigaflops, 1)) GFLOP/s")
    }
    for one in training where one.workers == 1 && one.includesInk && one.precision == "single" {
      lines.append("")
      lines.append(
        "training, \(one.network) network: \(one.parameters) parameters, "
          + String(format: "%.1f", one.megaflopsPerSample)
          + " MFLOP per sample and step, batches of \(one.batchSize)")
      lines += training.filter { $0.network == one.network }.map(Self.line)
    }
    if let recognition { lines += ["", Self.text(recognition)] }
    if let found = self.lines { lines += [""] + Self.text(found) }
    if let load {
      lines.append("")
      lines.append(
        "opening a bundle of \(load.bytes) bytes: \(Self.text(load.milliseconds, 2)) ms")
    }
    if let start { lines += [""] + Self.text(start) }
    return lines.joined(separator: "\n")
  }

  private static func line(_ one: Training) -> String {
    let what =
      one.precision.padding(toLength: 7, withPad: " ", startingAt: 0)
      + (one.includesInk ? "with augmentation" : "network alone    ")
    return "  \(workers(one.workers))  \(what) \(text(one.samplesPerSecond, 0)) samples/s"
      + String(
        format: "  %6.1f GFLOP/s  %3.0f %% of peak (%.0f ... %.0f)", one.gigaflops.median,
        100 * one.shareOfPeak.median, 100 * one.shareOfPeak.low, 100 * one.shareOfPeak.high)
  }

  private static func text(_ one: Recognition) -> String {
    func row(_ name: String, _ latency: Percentiles) -> String {
      "  " + name.padding(toLength: 12, withPad: " ", startingAt: 0)
        + String(format: "%9.1f%9.1f%9.1f", latency.p50, latency.p95, latency.p99)
    }
    return [
      "recognition, \(one.network) network: \(one.parameters) parameters, \(one.labels) labels, "
        + String(format: "%.0f points per ink, microseconds", one.pointsPerInk),
      "                    p50      p95      p99",
      row("all", one.total) + "   medians of the rounds \(text(one.roundMedians, 1))",
      row("features", one.features)
        + "   \(text(one.featureInksPerSecond, 0)) inks/s",
      row("network", one.forward),
    ].joined(separator: "\n")
  }

  private static func text(_ found: Lines) -> [String] {
    let title = String(format: "lines of %.0f characters", found.charactersPerLine)
    let training = found.training.map { one in
      "  \(workers(one.workers))  "
        + one.preset.padding(toLength: 6, withPad: " ", startingAt: 0)
        + one.precision.padding(toLength: 7, withPad: " ", startingAt: 0)
        + "\(text(one.linesPerSecond, 0)) lines/s  "
        + String(
          format: "%d parameters, %.0f %% of peak", one.parameters, 100 * one.shareOfPeak.median)
    }
    let reading = found.reading.flatMap { one in
      [
        "  \(one.model): \(one.parameters) parameters, "
          + (one.languageBytes.map { "language model of \($0) bytes" } ?? "no language model")
          + ", \(one.precision)",
        String(
          format: "    p50 %.1f, p95 %.1f, p99 %.1f ms", one.milliseconds.p50, one.milliseconds.p95,
          one.milliseconds.p99) + ", medians of the rounds \(text(one.roundMedians, 1))",
        "    network \(text(one.networkMilliseconds, 2)) ms, "
          + String(
            format: "%.0f %% of peak (%.0f ... %.0f)", 100 * one.shareOfPeak.median,
            100 * one.shareOfPeak.low, 100 * one.shareOfPeak.high),
      ]
    }
    return (training.isEmpty ? [] : ["\(title), training"] + training)
      + ["\(title), reading one by one"] + reading
  }

  private static func text(_ start: Start) -> [String] {
    [
      "from starting the tool to the first answer of \(start.model): "
        + "\(text(start.milliseconds, 1)) ms",
      "  process \(text(start.process, 1)) ms",
      "  opening \(text(start.opening, 1)) ms",
      "  reading \(text(start.reading, 1)) ms",
    ]
      + (start.training.map {
        [
          "to the first gradient of train lines on \($0.data.joined(separator: " and ")): "
            + "\(text($0.seconds, 2)) s"
        ]
      } ?? [])
  }

  private static func workers(_ count: Int) -> String {
    "\(count) worker\(count == 1 ? " " : "s")"
  }

  private static func text(_ spread: Spread, _ digits: Int) -> String {
    spread.text(digits: digits)
  }
}
