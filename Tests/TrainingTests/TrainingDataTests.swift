import Foundation
import InkDatasets
import Testing
import Training

@Suite("Reading training data")
struct TrainingDataTests {
  /// Reads data of one point per ink, some of it malformed, from a file that is removed after use.
  private func read<Value>(
    writers: [String?], malformed: Int,
    _ body: ([DataSpecification], [DataSpecification]) throws -> Value
  ) throws -> Value {
    let path = NSTemporaryDirectory() + "/training-data-\(UUID().uuidString).ndjson"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let lines =
      writers.enumerated().map { index, writer in
        let name = writer.map { "\"\($0)\"" } ?? "null"
        return #"{"label":"l\#(index % 2)","subject":\#(name),"strokes":[[[1,2],[3,4]]]}"#
      } + Array(repeating: "{}", count: malformed)
    try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(fileURLWithPath: path))
    let data = try DataSpecification(parsing: "ndjson:\(path)")
    return try body([data.withSplit(.train)], [data.withSplit(.val)])
  }

  @Test("A malformed record counts once, though the file is read for training and validation")
  func malformedOnce() throws {
    let writers = (0..<40).map { "w\($0)" }
    try read(writers: writers, malformed: 3) { training, validation in
      let glyphs = try GlyphTrainingData(training: training, validation: validation)
      #expect(glyphs.rejected.malformed == 3 && glyphs.unnamed == 0)
      #expect(glyphs.training.samples.count == 32)
      let twice = try GlyphTrainingData(training: training + training, validation: validation)
      #expect(twice.rejected.malformed == 3)
      let lines = try LineTrainingData(training: training, validation: validation)
      #expect(lines.rejected.malformed == 3)
    }
  }

  @Test("Inks without a writer are counted")
  func unnamed() throws {
    try read(writers: ["a", nil, "b", nil], malformed: 0) { training, _ in
      let all = training.map { $0.withSplit(.all) }
      let data = try GlyphTrainingData(training: all, validation: all)
      #expect(data.unnamed == 4 && data.writers == 2)
    }
    try read(writers: [nil, nil], malformed: 0) { training, _ in
      let all = training.map { $0.withSplit(.all) }
      let data = try GlyphTrainingData(training: all, validation: [])
      #expect(data.writers == nil)
    }
  }
}
