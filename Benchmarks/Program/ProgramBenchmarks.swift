import ArgumentParser
import Evaluation
import Foundation
import LinearAlgebra
import PretrainedModels

/// Measures the library itself: the editor, documents, the model store and memory. `ductus bench`
/// measures a user's machine.
///
///     swift run -c release ProgramBenchmarks [--only PART] [--quick] [--json FILE]
@main
struct ProgramBenchmarks: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measure the editor, documents, the model store and memory.",
    discussion: """
      Every figure is the median of several rounds, with the lowest and the highest one. Run it on \
      an idle machine. The documents are measured only when they are named, because a package of \
      100,000 strokes is made first.
      """)

  /// A part of the measurements.
  enum Part: String, ExpressibleByArgument, CaseIterable {
    /// Pointer events, strokes, undo and redo.
    case editor
    /// Draw commands.
    case drawing
    /// Content packages.
    case documents
    /// Installing and opening models.
    case store
    /// The memory of reading.
    case memory
    /// A long text with intensities.
    case intensity
  }

  @Option(help: "Measure one part; default: all but documents.")
  var only: Part?

  @Flag(help: "Fewer and shorter rounds.")
  var quick = false

  @Option(help: "Rounds; default: 9, or 3 with --quick.")
  var rounds: Int?

  @Option(help: "Strokes that an editor gets in each round; default: 10000, or 2000 with --quick.")
  var strokes: Int?

  @Option(help: ArgumentHelp("Write the figures as JSON to a file.", valueName: "file"))
  var json: String?

  func validate() throws {
    if let rounds, rounds < 1 { throw ValidationError("--rounds: expected 1 or more") }
    if let strokes, strokes < 100 { throw ValidationError("--strokes: expected 100 or more") }
  }

  func run() async throws {
    CoreTypeRestart.restartOnceIfNeeded()
    BLASLibrary.setThreadCount(1)
    let report = try await measured()
    print(report.text())
    guard let json else { return }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try encoder.encode(report).write(to: URL(fileURLWithPath: json), options: .atomic)
  }

  /// Measures the chosen parts. Each round includes every measurement once, so that other work on the
  /// machine affects all of them alike.
  private func measured() async throws -> ProgramReport {
    let rounds = rounds ?? (quick ? 3 : 9)
    let strokes = strokes ?? (quick ? 2000 : 10_000)
    let (words, repetitions) = quick ? (100, 20) : (500, 100)
    func measures(_ part: Part) -> Bool { only == nil && part != .documents || only == part }
    // Memory first: what is measured later leaves memory that would be used again.
    let memory = measures(.memory) ? try ReadingMemory.measured() : nil
    var events: [EditorThroughput] = []
    var times: [EditorLatency] = []
    var drawing: [EditorDrawing] = []
    for _ in 0..<rounds {
      if measures(.editor) {
        events.append(try .measured(strokes: strokes))
        times.append(
          try .measured(strokes: strokes, words: words, repetitions: repetitions))
      }
      if measures(.drawing) {
        drawing.append(try .measured(strokes: strokes, repetitions: repetitions))
      }
    }
    return ProgramReport(
      rounds: rounds,
      editor: events.isEmpty
        ? nil
        : ProgramReport.PointerEvents(
          singleCalls: Spread(events.map(\.singleCalls)), batches: Spread(events.map(\.batches))),
      editorTimes: ProgramReport.EditorTimes(times), drawing: ProgramReport.DrawingTimes(drawing),
      documents: measures(.documents) ? try DocumentTimes.measured(rounds: rounds) : nil,
      store: measures(.store) ? try await StoreTimes.measured(rounds: rounds) : nil,
      memory: memory,
      intensity: measures(.intensity) ? try IntensityTimes.measured(rounds: rounds) : nil)
  }
}
