import InkCore
import Metrics
import Testing
import Training

@Suite("Judging inks by models that were not trained on them")
struct GlyphCrossValidationTests {
  @Test("Every ink is judged once, the same for any number of workers")
  func judges() throws {
    let set = try SyntheticInk.set(151, seed: 71)
    let parts = GlyphCrossValidation.parts(
      writers: set.samples.map { _ in nil }, labels: set.samples.map { Int($0.label) }, count: 3)
    var configuration = GlyphTrainingConfiguration.tiny
    configuration.epochs = 12
    func judge(workers: Int) throws -> [LabelJudgement?] {
      try GlyphCrossValidation(set, parts: parts, configuration: configuration, workers: workers)
        .judgements
    }
    let judgements = try judge(workers: 2)
    let right = zip(judgements, set.samples).count { $0?.likeliest == Int($1.label) }
    #expect(right > 120 && !judgements.contains(nil), "seed 71: \(right) of 151")
    #expect(try judge(workers: 1) == judgements)
    for count in [2, 4] {
      let shared = ThreadRanks.run(count) { ranks in
        try GlyphCrossValidation(
          set, parts: parts, configuration: configuration, workers: 1, ranks: ranks
        ).judgements
      }
      for result in shared { #expect(try result.get() == judgements, "\(count) ranks") }
    }
  }

  @Test("A class that occurs in one part only cannot be judged")
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
    for (sample, judgement) in zip(set.samples, result.judgements) {
      #expect((judgement != nil) == (sample.label != 0))
    }
  }

  @Test("Writers stay whole, and parts have about the same size")
  func writers() {
    var writers = (0..<100).map { "w\($0 * $0 / 150)" as String? }
    writers[31] = nil
    let labels = writers.indices.map { $0 % 36 }
    let parts = GlyphCrossValidation.parts(writers: writers, labels: labels, count: 3)
    let ofWriters = Dictionary(grouping: zip(writers, parts), by: { $0.0 ?? "" })
    #expect(ofWriters.values.allSatisfy { Set($0.map(\.1)).count == 1 })
    for part in 0..<3 { #expect((25...42).contains(parts.count { $0 == part })) }
  }

  @Test(
    "With few or no writers every part has every label, in any order of the labels",
    arguments: [1, 2, 3, 6, 36])
  func turns(cycle: Int) {
    let labels = (0..<360).map { $0 % cycle }
    for writer in ["a", nil] {
      let parts = GlyphCrossValidation.parts(
        writers: labels.map { _ in writer }, labels: labels, count: 3)
      for label in 0..<cycle {
        #expect(Set(zip(labels, parts).filter { $0.0 == label }.map(\.1)) == [0, 1, 2])
      }
      for part in 0..<3 { #expect(parts.count { $0 == part } == 120) }
    }
    #expect(GlyphCrossValidation.parts(writers: [], labels: [], count: 3).isEmpty)
  }
}
