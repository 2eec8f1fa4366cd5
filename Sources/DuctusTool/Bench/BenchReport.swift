import Evaluation
import Foundation
import LinearAlgebra

/// The report of `ductus bench`.
struct BenchReport: Codable, Equatable {
  /// The speed of large single-precision matrix products, one on each worker simultaneously.
  struct Products: Codable, Equatable {
    var workers: Int
    /// 10^9 floating-point operations per second of all workers.
    var gigaflops: BenchSpread
  }

  /// A package of many strokes, in milliseconds.
  struct Documents: Codable, Equatable {
    var strokes: Int
    var blocks: Int
    /// The size of the file.
    var bytes: Int
    /// Opening it to the tree of blocks with their boxes.
    var outlineMilliseconds: BenchSpread
    /// Loading all strokes, words and candidates into an editor.
    var loadMilliseconds: BenchSpread
    /// Storing the first change, which makes the working copy.
    var firstChangeMilliseconds: BenchSpread
    /// Storing one more stroke.
    var autosaveMilliseconds: BenchSpread
    var saveMilliseconds: BenchSpread
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
    var samplesPerSecond: BenchSpread
    var gigaflops: BenchSpread
    /// `gigaflops` divided by that of the products of the same round and number of workers.
    var shareOfPeak: BenchSpread
  }

  /// Percentiles, in microseconds unless their name says otherwise.
  struct Latency: Codable, Equatable {
    var p50: Double
    var p95: Double
    var p99: Double
  }

  /// From raw points to calibrated candidates, for one ink at a time on one thread.
  struct Recognition: Codable, Equatable {
    var network: String
    var parameters: Int
    var labels: Int
    /// The number of inks recognised in all rounds.
    var inks: Int
    var pointsPerInk: Double
    var total: Latency
    /// Raw points to network input.
    var features: Latency
    var forward: Latency
    /// The median of each round.
    var roundMedians: BenchSpread
    var featureInksPerSecond: BenchSpread
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
    var linesPerSecond: BenchSpread
    /// Six times the multiply-adds of the forward pass divided by the speed of large products.
    var shareOfPeak: BenchSpread
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
    var milliseconds: Latency
    /// The median of each round.
    var roundMedians: BenchSpread
    /// nil if it was not measured: with several models, and on other systems than Linux.
    var memory: Memory?
  }

  /// The peak memory of a line model's recogniser up to each stage, without the program and the
  /// language models.
  struct Memory: Codable, Equatable {
    /// After it was made.
    var opened: Int
    /// After it read a line of text.
    var line: Int
    /// After a stroke of a minute, 12,000 points.
    var strokeOfAMinute: Int
    /// After 10,000 strokes.
    var manyStrokes: Int
  }

  /// Lines of text by virtual writers.
  struct Lines: Codable, Equatable {
    var charactersPerLine: Double
    var training: [LineTraining]
    var reading: [LineReading]
  }

  /// Pointer events per second that an editor accepts on one core, with recognition off.
  struct PointerEvents: Codable, Equatable {
    /// With one call for each event.
    var singleCalls: BenchSpread
    /// With one call for a thousand strokes.
    var batches: BenchSpread
  }

  /// The times that the editor itself takes, in milliseconds, without the recogniser. Each percentile
  /// is measured in every round.
  struct EditorTimes: Codable, Equatable {
    /// Percentiles of all rounds.
    struct Percentiles: Codable, Equatable {
      var p50: BenchSpread
      var p95: BenchSpread
      var p99: BenchSpread
    }

    /// The number of strokes of the full page.
    var strokes: Int
    /// The number of words of the page for undo, redo and moves.
    var words: Int
    /// From pen-up to the event of the reading.
    var strokeOnEmptyPage: Percentiles
    var strokeOnFullPage: Percentiles
    /// The time of a stroke on the full page over that on the empty page, from pen-down to idle.
    var growth: BenchSpread
    var undo: Percentiles
    var redo: Percentiles
    /// While another thread recognises and a third reads the page.
    var pointerMove: Percentiles
  }

  /// The times that an editor takes to make draw commands, in milliseconds.
  struct DrawingTimes: Codable, Equatable {
    /// The number of strokes of the page, and those of a screen on average.
    var strokes: Int
    var strokesOfScreen: Double
    /// The commands of a screen whose ink was drawn before, and of one whose ink was not.
    var screen: EditorTimes.Percentiles
    var firstScreen: EditorTimes.Percentiles
    /// From pen-up to the commands of the part that a stroke changed.
    var stroke: EditorTimes.Percentiles
    /// The greatest share of the page that one stroke drew again.
    var shareOfPage: Double
  }

  /// Opening the bundle of the default preset: hashes, weights, first recogniser.
  struct Load: Codable, Equatable {
    var bytes: Int
    var milliseconds: BenchSpread
  }

  /// Installing models.
  struct Store: Codable, Equatable {
    /// SHA-256 of memory, in 10^6 bytes per second.
    var hashing: BenchSpread
    /// The size of the installed bundle.
    var bytes: Int
    /// From the request to the model in the store, with a server on this machine.
    var installSeconds: BenchSpread
    /// The time of opening it: all bytes are hashed and a recogniser is made.
    var openMilliseconds: BenchSpread
    /// The size of the shipped line model, and the time of opening it.
    var shippedBytes: Int
    var openShippedMilliseconds: BenchSpread
  }

  /// From starting the tool to the first answer of `recognize`, in milliseconds.
  struct Start: Codable, Equatable {
    /// The model that reads.
    var model: String
    var milliseconds: BenchSpread
    /// The part before the command begins, including parsing of arguments.
    var process: BenchSpread
    /// The part of opening the model: all bytes are hashed and a recogniser is made.
    var opening: BenchSpread
    /// The part of the first ink.
    var reading: BenchSpread
    /// nil if it was not measured.
    var training: TrainingStart?
  }

  /// From starting the tool to the first gradient of `train lines`.
  struct TrainingStart: Codable, Equatable {
    /// The training and validation data.
    var data: [String]
    var seconds: BenchSpread
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
  var store: Store?
  var editor: PointerEvents?
  var editorTimes: EditorTimes?
  var documents: Documents?
  var drawing: DrawingTimes?
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
    if let store {
      lines.append("")
      lines.append("SHA-256: \(Self.text(store.hashing, 0)) MB/s")
      lines.append(
        "installing a bundle of \(store.bytes) bytes from loopback: "
          + "\(Self.text(store.installSeconds, 3)) s")
      lines.append("opening it: \(Self.text(store.openMilliseconds, 2)) ms")
      lines.append(
        "opening the shipped line model, \(store.shippedBytes) bytes: "
          + "\(Self.text(store.openShippedMilliseconds, 2)) ms")
    }
    if let editor {
      lines.append("")
      lines.append("pointer events into an editor, recognition off")
      lines.append("  in batches      \(Self.text(editor.batches, 0)) events/s")
      lines.append("  in single calls \(Self.text(editor.singleCalls, 0)) events/s")
    }
    if let editorTimes { lines += [""] + Self.text(editorTimes) }
    if let documents { lines += [""] + Self.text(documents) }
    if let drawing { lines += [""] + Self.text(drawing) }
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

  private static func text(_ one: Documents) -> [String] {
    [
      "a document of \(one.strokes) strokes in \(one.blocks) blocks, \(one.bytes) bytes",
      "  open to the blocks and boxes \(text(one.outlineMilliseconds, 1)) ms",
      "  load all strokes and words   \(text(one.loadMilliseconds, 0)) ms",
      "  store the first change       \(text(one.firstChangeMilliseconds, 1)) ms",
      "  store one more stroke        \(text(one.autosaveMilliseconds, 2)) ms",
      "  save                         \(text(one.saveMilliseconds, 0)) ms",
    ]
  }

  private static func text(_ one: Recognition) -> String {
    func row(_ name: String, _ latency: Latency) -> String {
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
          + (one.languageBytes.map { "language model of \($0) bytes" } ?? "no language model"),
        String(
          format: "    p50 %.1f, p95 %.1f, p99 %.1f ms", one.milliseconds.p50, one.milliseconds.p95,
          one.milliseconds.p99) + ", medians of the rounds \(text(one.roundMedians, 1))",
      ] + (one.memory.map { [text($0)] } ?? [])
    }
    return (training.isEmpty ? [] : ["\(title), training"] + training)
      + ["\(title), reading one by one"] + reading
  }

  private static func row(
    _ name: String, _ one: EditorTimes.Percentiles, digits: Int = 3
  ) -> String {
    "  " + name.padding(toLength: 34, withPad: " ", startingAt: 0)
      + [one.p50, one.p95, one.p99].map { text($0, digits) }.joined()
  }

  private static func text(_ times: DrawingTimes) -> [String] {
    [
      "draw commands, milliseconds: p50, p95 and p99",
      row("a screen of \(Int(times.strokesOfScreen)) of \(times.strokes) strokes", times.screen),
      row("the same for the first time", times.firstScreen),
      row("a new stroke", times.stroke),
      "  a new stroke draws at most "
        + String(format: "%.4f", 100 * times.shareOfPage) + " % of the page again",
    ]
  }

  private static func text(_ times: EditorTimes) -> [String] {
    [
      "an editor's own time, milliseconds: p50, p95 and p99",
      row("stroke to event, empty page", times.strokeOnEmptyPage),
      row("stroke to event, \(times.strokes) strokes", times.strokeOnFullPage),
      row("undo, \(times.words) words", times.undo),
      row("redo, \(times.words) words", times.redo),
      row("pointerMove, others reading", times.pointerMove, digits: 5),
      "  a stroke on the full page costs \(text(times.growth, 2)) times that on the empty page",
    ]
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

  private static func text(_ memory: Memory) -> String {
    let megabytes = [memory.opened, memory.line, memory.strokeOfAMinute, memory.manyStrokes].map {
      Double($0) / 1e6
    }
    return String(
      format: "    memory: opened %.1f MB, a line read %.1f, a stroke of a minute %.1f, "
        + "10,000 strokes %.1f", megabytes[0], megabytes[1], megabytes[2], megabytes[3])
  }

  private static func workers(_ count: Int) -> String {
    "\(count) worker\(count == 1 ? " " : "s")"
  }

  private static func text(_ spread: BenchSpread, _ digits: Int) -> String {
    String(
      format: "%8.\(digits)f (%.\(digits)f ... %.\(digits)f)", spread.median, spread.low,
      spread.high)
  }
}

extension BenchReport.EditorTimes {
  /// The spreads of the rounds; nil if there are none.
  init?(_ rounds: [EditorLatency]) {
    guard let first = rounds.first else { return nil }
    func spread(
      _ value: (EditorLatency) -> EditorLatency.Percentiles
    ) -> BenchReport.EditorTimes.Percentiles {
      let all = rounds.map(value)
      return Percentiles(
        p50: BenchSpread(all.map(\.p50)), p95: BenchSpread(all.map(\.p95)),
        p99: BenchSpread(all.map(\.p99)))
    }
    (strokes, words) = (first.strokes, first.words)
    strokeOnEmptyPage = spread(\.strokeOnEmptyPage)
    strokeOnFullPage = spread(\.strokeOnFullPage)
    growth = BenchSpread(rounds.map(\.growth))
    (undo, redo) = (spread(\.undo), spread(\.redo))
    pointerMove = spread(\.pointerMove)
  }
}

extension BenchReport.DrawingTimes {
  /// The spreads of the rounds; nil if there are none.
  init?(_ rounds: [EditorDrawing]) {
    guard let first = rounds.first else { return nil }
    func spread(
      _ value: (EditorDrawing) -> EditorDrawing.Percentiles
    ) -> BenchReport.EditorTimes.Percentiles {
      let all = rounds.map(value)
      return .init(
        p50: BenchSpread(all.map(\.p50)), p95: BenchSpread(all.map(\.p95)),
        p99: BenchSpread(all.map(\.p99)))
    }
    (strokes, strokesOfScreen) = (first.strokes, first.strokesOfScreen)
    (screen, firstScreen) = (spread(\.screen), spread(\.firstScreen))
    stroke = spread(\.stroke)
    shareOfPage = rounds.map(\.shareOfPage).max() ?? 0
  }
}

/// Median, lowest and highest of repeated measurements.
struct BenchSpread: Codable, Equatable {
  var median: Double
  var low: Double
  var high: Double

  /// The spread of the values; all NaN if there are none.
  init(_ values: [Double]) {
    let sorted = values.sorted()
    low = sorted.first ?? .nan
    high = sorted.last ?? .nan
    let middle = sorted.count / 2
    median =
      sorted.isEmpty
      ? .nan
      : sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
  }
}
