import InkCore
import Testing

@testable import Training

@Suite("Judging inks by models that have not learned from them")
struct GlyphCrossValidationTests {
  @Test("Every ink is judged once, the same for any number of workers")
  func judges() throws {
    let set = try SyntheticInk.set(151, seed: 71)
    let parts = GlyphCrossValidation.parts(writers: set.samples.map { _ in nil }, count: 3)
    var configuration = GlyphTrainingConfiguration.tiny
    configuration.epochs = 12
    func judge(workers: Int) throws -> GlyphCrossValidation {
      try GlyphCrossValidation(set, parts: parts, configuration: configuration, workers: workers)
    }
    let result = try judge(workers: 2)
    let classes = set.labels.count
    #expect(result.isJudged.allSatisfy { $0 })
    var right = 0
    for (index, sample) in set.samples.enumerated() {
      let row = Array(result.probabilities[index * classes..<(index + 1) * classes])
      #expect(abs(row.reduce(0, +) - 1) < 1e-4)
      if row.max() == row[Int(sample.label)] { right += 1 }
    }
    #expect(right > 120, "seed 71: \(right) of 151")
    #expect(try judge(workers: 1).probabilities == result.probabilities)
  }

  @Test("A class that is in one part alone cannot be judged")
  func unknownClass() throws {
    var set = GlyphTrainingSet(labels: SyntheticInk.labels)
    var parts: [Int] = []
    for (index, record) in try SyntheticInk.records(60, seed: 72).enumerated() {
      try set.append(record)
      parts.append(record.label == SyntheticInk.labels[0] ? 0 : index % 2)
    }
    var configuration = GlyphTrainingConfiguration.tiny
    configuration.epochs = 1
    let result = try GlyphCrossValidation(
      set, parts: parts, configuration: configuration, workers: 2)
    for (sample, isJudged) in zip(set.samples, result.isJudged) {
      #expect(isJudged == (sample.label != 0))
    }
  }

  @Test("Writers stay whole, and parts come out even")
  func parts() {
    let writers = (0..<100).map { "w\($0 * $0 / 150)" as String? }
    let parts = GlyphCrossValidation.parts(writers: writers, count: 3)
    let partsOfWriters = Dictionary(grouping: zip(writers, parts), by: { $0.0 ?? "" })
    #expect(partsOfWriters.values.allSatisfy { Set($0.map(\.1)).count == 1 })
    for part in 0..<3 { #expect((25...42).contains(parts.count { $0 == part })) }
    // Too few writers, or an ink without one: by turns.
    #expect(GlyphCrossValidation.parts(writers: ["a", "a", "b", "c"], count: 2) == [0, 1, 0, 1])
    #expect(GlyphCrossValidation.parts(writers: [nil, "a", "b", "c"], count: 3) == [0, 1, 2, 0])
    #expect(GlyphCrossValidation.parts(writers: [], count: 3).isEmpty)
  }
}
