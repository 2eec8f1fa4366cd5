import Evaluation
import Foundation

/// The figures of the benchmarks.
struct ProgramReport: Codable, Equatable {
  /// A package of many strokes, in milliseconds.
  struct Documents: Codable, Equatable {
    var strokes: Int
    var blocks: Int
    /// The size of the file.
    var bytes: Int
    /// Opening it to the tree of blocks with their boxes.
    var outlineMilliseconds: Spread
    /// Loading all strokes, words and candidates into an editor.
    var loadMilliseconds: Spread
    /// Storing the first change, which makes the working copy.
    var firstChangeMilliseconds: Spread
    /// Storing one more stroke.
    var autosaveMilliseconds: Spread
    var saveMilliseconds: Spread
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

  /// Pointer events per second that an editor accepts on one core, with recognition off.
  struct PointerEvents: Codable, Equatable {
    /// With one call for each event.
    var singleCalls: Spread
    /// With one call for a thousand strokes.
    var batches: Spread
  }

  /// The times that the editor itself takes, in milliseconds, without the recogniser. Each percentile
  /// is measured in every round.
  struct EditorTimes: Codable, Equatable {
    /// Percentiles, each with its spread over the rounds.
    struct PercentileSpreads: Codable, Equatable {
      var p50: Spread
      var p95: Spread
      var p99: Spread
    }

    /// The number of strokes of the full page.
    var strokes: Int
    /// The number of words of the page for undo, redo and moves.
    var words: Int
    /// From pen-up to the event of the reading.
    var strokeOnEmptyPage: PercentileSpreads
    var strokeOnFullPage: PercentileSpreads
    /// The time of a stroke on the full page over that on the empty page, from pen-down to idle.
    var growth: Spread
    var undo: PercentileSpreads
    var redo: PercentileSpreads
    /// While another thread recognises and a third reads the page.
    var pointerMove: PercentileSpreads
  }

  /// The times that an editor takes to make draw commands, in milliseconds.
  struct DrawingTimes: Codable, Equatable {
    /// The number of strokes of the page, and those of a screen on average.
    var strokes: Int
    var strokesOfScreen: Double
    /// The commands of a screen whose ink was drawn before, and of one whose ink was not.
    var screen: EditorTimes.PercentileSpreads
    var firstScreen: EditorTimes.PercentileSpreads
    /// From pen-up to the commands of the part that a stroke changed.
    var stroke: EditorTimes.PercentileSpreads
    /// A lasso around all strokes of the page.
    var lasso: EditorTimes.PercentileSpreads
    /// The greatest share of the page that one stroke drew again.
    var shareOfPage: Double
  }

  /// Installing models.
  struct Store: Codable, Equatable {
    /// SHA-256 of memory, in 10^6 bytes per second.
    var hashing: Spread
    /// The size of the installed bundle.
    var bytes: Int
    /// From the request to the model in the store, with a server on this machine.
    var installSeconds: Spread
    /// The time of opening it: all bytes are hashed and a recogniser is made.
    var openMilliseconds: Spread
    /// The size of the shipped line model, and the time of opening it.
    var shippedBytes: Int
    var openShippedMilliseconds: Spread
  }

  /// A long text with intensities; processor time in milliseconds.
  struct Intensity: Codable, Equatable {
    /// UTF-16 units.
    var units: Int
    var worstEdit: Spread
    var meanEdit: Spread
    var smoothing: Spread
    /// Rendering and HTML.
    var html: Spread
    /// JSON out and in.
    var json: Spread
    /// The time of rendering a run for each character of ten times the text, over that of the text.
    var growth: Spread
  }

  var rounds: Int
  var editor: PointerEvents?
  var editorTimes: EditorTimes?
  var drawing: DrawingTimes?
  var documents: Documents?
  var store: Store?
  var memory: Memory?
  var intensity: Intensity?
}

// MARK: - As text

extension ProgramReport {
  /// The report as aligned lines.
  func text() -> String {
    var lines = ["median (lowest ... highest) of \(rounds) rounds"]
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
    if let memory { lines += ["", Self.text(memory)] }
    if let intensity {
      lines += ["", "a text of \(intensity.units) units with intensities, processor time"]
      for (name, spread) in [
        ("the slowest edit", intensity.worstEdit), ("an edit", intensity.meanEdit),
        ("smoothing by word", intensity.smoothing), ("rendering and HTML", intensity.html),
        ("JSON out and in", intensity.json),
      ] {
        lines.append(
          "  " + name.padding(toLength: 20, withPad: " ", startingAt: 0)
            + "\(Self.text(spread, 3)) ms")
      }
      lines.append(
        "  rendering ten times the text, a run for each character, takes "
          + "\(Self.text(intensity.growth, 1)) times as long")
    }
    return lines.joined(separator: "\n")
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

  private static func row(
    _ name: String, _ one: EditorTimes.PercentileSpreads, digits: Int = 3
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
      row("a lasso around \(times.strokes) strokes", times.lasso),
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

  private static func text(_ memory: Memory) -> String {
    let megabytes = [memory.opened, memory.line, memory.strokeOfAMinute, memory.manyStrokes].map {
      Double($0) / 1e6
    }
    return String(
      format: "memory of reading: opened %.1f MB, a line read %.1f, a stroke of a minute %.1f, "
        + "10,000 strokes %.1f", megabytes[0], megabytes[1], megabytes[2], megabytes[3])
  }

  private static func text(_ spread: Spread, _ digits: Int) -> String {
    spread.text(digits: digits)
  }
}

extension ProgramReport.EditorTimes {
  /// The spreads of the rounds; nil if there are none.
  init?(_ rounds: [EditorLatency]) {
    guard let first = rounds.first else { return nil }
    func spread(
      _ value: (EditorLatency) -> Percentiles
    ) -> PercentileSpreads {
      let all = rounds.map(value)
      return PercentileSpreads(
        p50: Spread(all.map(\.p50)), p95: Spread(all.map(\.p95)),
        p99: Spread(all.map(\.p99)))
    }
    (strokes, words) = (first.strokes, first.words)
    strokeOnEmptyPage = spread(\.strokeOnEmptyPage)
    strokeOnFullPage = spread(\.strokeOnFullPage)
    growth = Spread(rounds.map(\.growth))
    (undo, redo) = (spread(\.undo), spread(\.redo))
    pointerMove = spread(\.pointerMove)
  }
}

extension ProgramReport.DrawingTimes {
  /// The spreads of the rounds; nil if there are none.
  init?(_ rounds: [EditorDrawing]) {
    guard let first = rounds.first else { return nil }
    func spread(
      _ value: (EditorDrawing) -> Percentiles
    ) -> ProgramReport.EditorTimes.PercentileSpreads {
      let all = rounds.map(value)
      return .init(
        p50: Spread(all.map(\.p50)), p95: Spread(all.map(\.p95)),
        p99: Spread(all.map(\.p99)))
    }
    (strokes, strokesOfScreen) = (first.strokes, first.strokesOfScreen)
    (screen, firstScreen) = (spread(\.screen), spread(\.firstScreen))
    stroke = spread(\.stroke)
    lasso = spread(\.lasso)
    shareOfPage = rounds.map(\.shareOfPage).max() ?? 0
  }
}
