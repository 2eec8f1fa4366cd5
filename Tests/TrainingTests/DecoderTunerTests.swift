import Foundation
import Testing
import Training

@Suite("Decoder tuning")
struct DecoderTunerTests {
  @Test("The space is tuned on lines with both kinds of cuts, if there are any")
  func balancedCuts() {
    func balanced(_ lines: [[String]], count: Int = 9) -> (cuts: [[String]], cut: Int) {
      var cut = 0
      let cuts = DecoderTuner.balanced(lines, count: count) { line in
        cut += 1
        return line
      }
      return (cuts, cut)
    }
    let both = ["in", "between"]
    #expect(balanced([["in"], both, [], ["in"]]).cuts == [both])
    #expect(balanced([["in"], []]).cuts == [["in"], []])
    #expect(balanced([["in"], [], ["in"]], count: 2).cuts == [["in"], []])
    // No more lines are cut than are used.
    let few = balanced([["in"], both, both, both], count: 2)
    #expect(few.cuts == [both, both] && few.cut == 3)
  }

  @Test("Priors compare a symbol's frequency with the average, and are bounded below")
  func priors() {
    let found = DecoderTuner.logPriors(of: [90, 6, 3, 1, 0], rarest: 0.2)
    let logarithms = [0.6, 0.3, 0.2, 0.2].map { log($0) }
    let mean = 0.6 * logarithms[0] + 0.3 * logarithms[1] + 0.1 * logarithms[2]
    #expect(found.count == 5 && found[0] == 0)
    for (prior, expected) in zip(found.dropFirst(), logarithms) {
      #expect(abs(Double(prior) - (expected - mean)) < 1e-6)
    }
    let nothing = DecoderTuner.logPriors(of: [7, 0, 0], rarest: 0.001)
    #expect(nothing.allSatisfy { $0.isFinite })
  }
}
