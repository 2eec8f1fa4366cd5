import InkDatasets
import InkSynthesis
import Testing

@Suite struct TextProfileTests {
  @Test func lettersLieWhereTheyAreWritten() throws {
    let small = try #require(TextProfile("noon"))
    let tall = try #require(TextProfile("BILL"))
    let deep = try #require(TextProfile("gypsy"))
    #expect(abs(small.mean - 0.25) < 0.06)
    #expect(abs(tall.mean - 0.5) < 0.1)
    #expect(deep.mean < small.mean)
    #expect(deep.deviation > small.deviation && tall.deviation > small.deviation)
    #expect(tall.length > small.length)
  }

  @Test func aProfileIsThatOfAllLetters() throws {
    let one = try #require(TextProfile("ab"))
    let two = try #require(TextProfile("ab ab"))
    #expect(abs(one.mean - two.mean) < 1e-9 && abs(one.deviation - two.deviation) < 1e-9)
    #expect(abs(2 * one.length - two.length) < 1e-9)
  }

  @Test func unknownCharactersHaveNone() {
    #expect(TextProfile("") == nil)
    #expect(TextProfile("\u{4E2D}") == nil)
  }
}
