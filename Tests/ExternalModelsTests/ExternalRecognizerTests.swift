import Evaluation
import ExternalModels
import Foundation
import InkCore
import InkDatasets
import Recognition
import Testing

@Suite("Outside programs as recognisers", .serialized)
struct ExternalRecognizerTests {
  private static let program = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("stand-in.py").path

  private static func command(_ mode: String, at request: Int = 2) -> String {
    "exec python3 '\(program)' \(mode) \(request)"
  }

  private func recognizer(
    _ mode: String, at request: Int = 2, labels: [String]? = ["1", "2"], timeLimit: Double = 20
  ) throws -> ExternalRecognizer {
    try ExternalRecognizer(
      Self.command(mode, at: request), labels: labels, timeLimit: timeLimit)
  }

  private static func ink(strokes: Int = 1) -> Ink {
    Ink(
      strokes: (0..<strokes).map { number in
        Stroke(points: (0..<5).map { StrokePoint(x: Double($0) / 3, y: Double(number)) })
      })
  }

  @Test("Answers are those of the program, and its time and memory are known at the end")
  func answers() throws {
    let recognizer = try recognizer("good")
    for strokes in 1...3 {
      let result = try recognizer.recognize(Self.ink(strokes: strokes))
      #expect(result.candidates.map(\.text) == ["\(strokes)"])
      #expect(result.candidates.map(\.score) == [-0.25])
    }
    let figures = try recognizer.finish()
    #expect(figures.cpuSeconds > 0)
    #expect(try #require(figures.firstAnswerSeconds) > 0)
    #if os(Linux)
      // Python alone needs some megabytes, and this process more than it.
      let bytes = try #require(figures.peakResidentBytes)
      #expect((2_000_000..<200_000_000).contains(bytes), "\(bytes)")
    #endif
  }

  /// Each way to go wrong at the third request, and the problem that is reported.
  private static let problems:
    [(mode: String, problem: @Sendable (ExternalModelError.Problem) -> Bool)] = [
      ("garbage", { if case .malformed = $0 { true } else { false } }),
      ("half", { if case .malformed = $0 { true } else { false } }),
      ("no-candidates", { if case .malformed = $0 { true } else { false } }),
      ("positive", { if case .malformed = $0 { true } else { false } }),
      ("other-id", { $0 == .otherIdentifier }),
      ("exits", { $0 == .exited(code: 7) }),
      ("ends", { $0 == .exited(code: 0) }),
      ("killed", { $0 == .killed(signal: 9) }),
      ("closes", { $0 == .closed }),
    ]

  @Test("A program that goes wrong gives a typed error, again at each later call")
  func failures() throws {
    for (mode, isExpected) in Self.problems {
      let recognizer = try recognizer(mode)
      for _ in 0..<2 { _ = try recognizer.recognize(Self.ink()) }
      for _ in 0..<2 {
        let error = #expect(throws: ExternalModelError.self, "\(mode)") {
          try recognizer.recognize(Self.ink())
        }
        let found = try #require(error)
        #expect(isExpected(found.problem), "\(mode): \(found)")
        #expect(found.description.contains(Self.command(mode)))
        #expect(!found.description.contains("é"), "the text of the program is in the error")
        #expect(found.localizedDescription == found.description)
      }
      #expect(throws: ExternalModelError.self) { try recognizer.finish() }
    }
  }

  @Test("A program that answers too late or never ends after the time limit, with its children")
  func timeLimit() throws {
    for mode in ["late", "never", "hangs"] {
      // The first answer needs the start of Python.
      let recognizer = try recognizer(mode, at: 1, timeLimit: 4)
      let clock = ContinuousClock()
      _ = try recognizer.recognize(Self.ink())
      let time = clock.measure {
        let error = #expect(throws: ExternalModelError.self) {
          try recognizer.recognize(Self.ink())
        }
        #expect(error?.problem == .late(seconds: 4))
      }
      #expect(time < .seconds(20), "\(mode): \(time)")
    }
  }

  @Test("A second answer is found before the next request, or at the end")
  func twice() throws {
    let recognizer = try recognizer("twice", at: 0)
    _ = try recognizer.recognize(Self.ink())
    let error = #expect(throws: ExternalModelError.self) { try recognizer.recognize(Self.ink()) }
    #expect(error?.problem == .twice)

    let ending = try self.recognizer("twice-at-end")
    _ = try ending.recognize(Self.ink())
    let last = #expect(throws: ExternalModelError.self) { try ending.finish() }
    #expect(last?.problem == .twice)
  }

  @Test("A command that does not exist is the exit code of the shell")
  func missing() throws {
    let recognizer = try ExternalRecognizer("/nonexistent/recogniser 2>/dev/null")
    let error = #expect(throws: ExternalModelError.self) { try recognizer.recognize(Self.ink()) }
    #expect(error?.problem == .exited(code: 127))
  }

  @Test("Ink that is not finite is refused before the program sees it")
  func nonFinite() throws {
    let recognizer = try recognizer("good")
    let ink = Ink(strokes: [Stroke(points: [StrokePoint(x: .infinity, y: 0)])])
    #expect(throws: InkError.self) { try recognizer.recognize(ink) }
    #expect(try recognizer.recognize(Self.ink()).candidates.count == 1)
  }

  /// Data of ten inks of one to two strokes, all labelled "1".
  private func withData(_ body: (DataSpecification) throws -> Void) throws {
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("external-\(UUID().uuidString).jsonl")
    defer { try? FileManager.default.removeItem(at: file) }
    let stroke = #"{"x":[0,9,20],"y":[0,9,0]}"#
    let lines = (0..<10).map { number in
      let strokes = Array(repeating: stroke, count: 1 + number % 2).joined(separator: ",")
      return #"{"label":"1","writer":"w\#(number)","strokes":[\#(strokes)]}"#
    }
    try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: file)
    try body(DataSpecification(parsing: "ink:\(file.path)"))
  }

  @Test("An evaluation counts a refused ink and goes on; a failure names the ink's place")
  func evaluation() throws {
    try withData { data in
      let refusing = try recognizer("refuses", at: 4)
      let evaluation = try GlyphEvaluation(refusing, on: [data])
      #expect(evaluation.samples == 10 && evaluation.rejected == 1)
      #expect(evaluation.accuracy(at: 1) == 0.4)

      var kept = 0
      let error = #expect(throws: ExternalModelError.self) {
        try GlyphEvaluation(
          try recognizer("garbage", at: 4), on: [data], keep: { _ in kept += 1 })
      }
      #expect(kept == 4)
      let place = try #require(error?.place)
      #expect(place.hasPrefix("ink 4 (") && place.hasSuffix(".jsonl:5)"), "\(place)")
    }
  }

  @Test("Lines and robustness end with the same error")
  func linesAndRobustness() throws {
    try withData { data in
      let program = LineReader(program: try recognizer("exits", at: 3, labels: nil))
      let error = #expect(throws: ExternalModelError.self) {
        try LineEvaluation(program, on: [data], reading: .beam)
      }
      #expect(error?.place?.hasPrefix("ink 3 (") == true)
      let disturbed = #expect(throws: ExternalModelError.self) {
        try Robustness(glyphs: try recognizer("exits", at: 1), on: [data])
      }
      #expect(disturbed?.place?.hasPrefix("ink 0 (") == true)
    }
  }
}
