import Metrics
import Testing

@Suite struct SuspectLabelsTests {
  @Test func aLabelIsSuspectWhereAnotherClassIsMuchLikelier() {
    let rows: [[Float]] = [
      [0.9, 0.1], [0.1, 0.9], [0.3, 0.7], [0.95, 0.05], [0.5, 0.5], [1, 0],
    ]
    let found = SuspectLabels(
      probabilities: rows.flatMap { $0 }, classCount: 2, labels: [0, 0, 0, 1, 1, nil])
    #expect(found.suspects.map(\.sample) == [3, 1])
    #expect(found.suspects.map(\.suggested) == [0, 1])
    #expect(abs(found.suspects[0].margin - 0.9) < 1e-6)
    #expect(found.judged == 5 && found.agreeing == 2)
  }

  @Test func equalMarginsStandInTheOrderOfTheSamples() {
    let found = SuspectLabels(
      probabilities: [0, 0, 1, 0, 0, 1, 1, 0, 0], classCount: 3, labels: [0, 1, 2])
    #expect(found.suspects.map(\.sample) == [0, 1, 2])
    #expect(found.suspects.map(\.suggested) == [2, 2, 0])
    #expect(SuspectLabels(probabilities: [], classCount: 3, labels: []).suspects.isEmpty)
  }
}
