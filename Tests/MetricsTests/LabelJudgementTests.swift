import Metrics
import Testing

@Suite struct LabelJudgementTests {
  @Test func aLabelIsSuspectWhereAnotherClassIsMuchLikelier() {
    let wrong = LabelJudgement(probabilities: [0.1, 0.85, 0.05], label: 0)
    #expect(wrong.likeliest == 1 && abs(wrong.margin - 0.75) < 1e-6 && wrong.isSuspect)
    let doubtful = LabelJudgement(probabilities: [0.3, 0.7], label: 0)
    #expect(doubtful.likeliest == 1 && !doubtful.isSuspect)
    let right = LabelJudgement(probabilities: [0.2, 0.8], label: 1)
    #expect(right.likeliest == 1 && right.margin == 0 && !right.isSuspect)
    // For equal probabilities, prefer the label.
    #expect(LabelJudgement(probabilities: [0.5, 0.5], label: 1).likeliest == 1)
  }
}
