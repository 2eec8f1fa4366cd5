import Foundation
import Testing

extension BuiltTool {
  /// The program that measures the library, beside the tool; nil when it is not built.
  fileprivate static let benchmarks: BuiltTool? = found.flatMap { tool in
    let url = tool.url.deletingLastPathComponent().appendingPathComponent("ProgramBenchmarks")
    return FileManager.default.isExecutableFile(atPath: url.path) ? BuiltTool(url: url) : nil
  }
}

/// The benchmarks of the library itself, with pages of few strokes.
@Suite(
  "The program that measures the library",
  .enabled(
    if: BuiltTool.benchmarks != nil,
    "the ProgramBenchmarks binary is not beside the test bundle"))
struct ProgramBenchmarksTests {
  private struct Spread: Decodable {
    var median: Double
    var low: Double
    var high: Double
  }

  private struct Times: Decodable {
    var p50: Spread
    var p95: Spread
    var p99: Spread
  }

  private func report<Report: Decodable>(_ arguments: String..., as: Report.Type) throws -> Report {
    let program = try #require(BuiltTool.benchmarks)
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("benchmarks-\(UUID().uuidString).json")
    defer { try? FileManager.default.removeItem(at: file) }
    let result = try program.run(
      arguments + ["--quick", "--rounds", "1", "--strokes", "200", "--json", file.path])
    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(result.output.hasPrefix("median (lowest ... highest) of 1 rounds\n"))
    return try JSONDecoder().decode(Report.self, from: Data(contentsOf: file))
  }

  @Test("Events per second and the editor's own times are measured on pages of the given size")
  func editor() throws {
    struct Report: Decodable {
      struct Events: Decodable {
        var singleCalls: Spread
        var batches: Spread
      }
      struct Editor: Decodable {
        var strokes: Int
        var words: Int
        var strokeOnEmptyPage: Times
        var strokeOnFullPage: Times
        var undo: Times
        var redo: Times
        var pointerMove: Times
        var growth: Spread
      }
      var editor: Events
      var editorTimes: Editor
    }
    let report = try report("--only", "editor", as: Report.self)
    #expect(report.editor.singleCalls.median > 0 && report.editor.batches.median > 0)
    let times = report.editorTimes
    #expect(times.strokes == 200 && times.words == 100 && times.growth.median > 0)
    for one in [times.strokeOnEmptyPage, times.strokeOnFullPage, times.undo, times.redo] {
      #expect(one.p50.median <= one.p95.median && one.p95.median <= one.p99.median)
    }
    #expect(0 < times.pointerMove.p50.median)
  }

  @Test("Draw commands are measured, and a stroke draws a small part of the page again")
  func drawing() throws {
    struct Report: Decodable {
      struct Drawing: Decodable {
        var strokes: Int
        var screen: Times
        var stroke: Times
        var shareOfPage: Double
      }
      var drawing: Drawing
    }
    let drawing = try report("--only", "drawing", as: Report.self).drawing
    #expect(drawing.strokes == 200 && drawing.shareOfPage > 0 && drawing.shareOfPage < 0.1)
    #expect(drawing.screen.p50.median > 0 && drawing.stroke.p50.median > 0)
  }

  @Test("A model is installed from a server on this machine, and the memory of reading is bounded")
  func storeAndMemory() throws {
    struct Store: Decodable {
      struct Figures: Decodable {
        var bytes: Int
        var installSeconds: Spread
        var openMilliseconds: Spread
        var hashing: Spread
      }
      var store: Figures
    }
    let store = try report("--only", "store", as: Store.self).store
    #expect(abs(store.bytes - 10_000_000) < 100_000)
    #expect(store.installSeconds.median > 0 && store.openMilliseconds.median > 0)
    #if os(Linux)
      struct Memory: Decodable {
        struct Figures: Decodable {
          var opened: Int
          var line: Int
          var strokeOfAMinute: Int
          var manyStrokes: Int
        }
        var memory: Figures
      }
      let memory = try report("--only", "memory", as: Memory.self).memory
      #expect(0 < memory.line && memory.opened <= memory.line && memory.line < 60_000_000)
      #expect(memory.strokeOfAMinute < 60_000_000 && memory.manyStrokes < 90_000_000)
    #endif
  }
}
