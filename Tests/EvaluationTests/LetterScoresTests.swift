import Evaluation
import Foundation
import Metrics
import Testing

@Suite("Letters beyond a to z")
struct LetterScoresTests {
  private func scores(_ pairs: [(String, String?)]) -> LetterScores {
    var scores = LetterScores()
    for (reference, hypothesis) in pairs {
      scores.add(reference: reference, hypothesis: hypothesis)
    }
    return scores
  }

  @Test("Only letters beyond a to z count, each with the character that was read for it")
  func recall() throws {
    let scores = scores([("žluť", "zluť"), ("kůň", "kúň!"), ("plain text, 12 €", "plain")])
    #expect(scores.beyondASCII.total == 4)
    #expect(scores.beyondASCII.rate == 0.5)
    #expect(scores.letters.count(of: "ž", predictedAs: "z") == 1)
    #expect(scores.letters.count(of: "ů", predictedAs: "ú") == 1)
    let figures = try #require(LetterFigures(scores))
    #expect(figures.letters.map(\.letter) == ["ů", "ž", "ň", "ť"])
    #expect(figures.letters[0].readAs == [LetterFigures.Reading(character: "ú", count: 1)])
    #expect(figures.meanRecall == 0.5)
  }

  @Test("Decomposed and precomposed texts are the same, and only letters of the label count")
  func normalForms() {
    let scores = scores([("e\u{301}te\u{301}", "\u{E9}t\u{E9}"), ("ete", "été")])
    #expect(scores.beyondASCII.total == 2)
    #expect(scores.beyondASCII.rate == 1)
  }

  @Test("A letter that was left out is not read, and inserted text does not shift the others")
  func alignment() throws {
    let scores = scores([("façade", "faade"), ("çà", "xx çà")])
    #expect(scores.letters.count(of: "ç", predictedAs: nil) == 1)
    #expect(scores.letters.count(of: "ç", predictedAs: "ç") == 1)
    #expect(scores.letters.count(of: "à", predictedAs: "à") == 1)
    let figures = try #require(LetterFigures(scores))
    #expect(
      figures.markConfusions == [
        LetterFigures.MarkConfusion(mark: "cedilla", predicted: nil, count: 1)
      ])
  }

  @Test("An ink without an answer counts for each of its letters")
  func noAnswer() {
    let scores = scores([("äöü", nil)])
    #expect(scores.beyondASCII.total == 3)
    #expect(scores.beyondASCII.rate == 0)
  }

  @Test("Each mark of a letter counts on any base letter; letters without marks have none")
  func marks() throws {
    #expect(LetterScores.marks(of: "ế") == ["circumflex accent", "acute accent"])
    #expect(LetterScores.marks(of: "ß").isEmpty && LetterScores.marks(of: "a").isEmpty)
    let scores = scores([("ế", "ê"), ("é", "ó"), ("ß", "B"), ("ěšč", "ěsč")])
    let figures = try #require(LetterFigures(scores))
    let recalls = Dictionary(uniqueKeysWithValues: figures.marks.map { ($0.mark, $0.recall) })
    #expect(recalls["circumflex accent"] == 1)
    #expect(recalls["acute accent"] == 0.5)
    #expect(recalls["caron"] == 2.0 / 3)
    #expect(recalls.count == 3)
  }

  @Test("Confusions of marks hold marks read as others, none read, and marks that are not there")
  func confusions() throws {
    let scores = scores([("èé", "éé"), ("ö", "o"), ("ete ö", "éte ö"), ("a ö", "é ö")])
    let figures = try #require(LetterFigures(scores))
    func count(_ mark: String, _ predicted: String?) -> Int {
      figures.markConfusions.first { $0.mark == mark && $0.predicted == predicted }?.count ?? 0
    }
    #expect(count("grave accent", "acute accent") == 1)
    #expect(count("diaeresis", LetterScores.unmarked) == 1)
    // Another base letter says nothing about marks.
    #expect(count(LetterScores.unmarked, "acute accent") == 1)
    #expect(figures.markConfusions.count == 3)
  }

  @Test("The letters that are read worst come first, and rare ones are left out")
  func worstLetters() {
    let scores = scores([("äöü", "aöu"), ("äüß", "äuß")])
    #expect(scores.worstLetters(9, total: 2).keys.sorted() == ["ä", "ü"])
    #expect(scores.worstLetters(1, total: 2) == ["ü": LetterScores.Count(total: 2)])
    #expect(LetterScores().beyondASCII.rate == nil)
  }

  @Test("Letters of other scripts count too")
  func otherScripts() {
    let scores = scores([("мир", "мнр")])
    #expect(scores.beyondASCII.total == 3)
    #expect(scores.letters.count(of: "и", predictedAs: "н") == 1)
  }

  @Test("Without such letters there are no figures")
  func absent() {
    #expect(LetterFigures(scores([("plain 12 €", "plain"), ("co-op", "coop")])) == nil)
    #expect(LetterFigures(LetterScores()) == nil)
  }

  @Test("One line names the recall and the letters that are read worst")
  func line() throws {
    let figures = try #require(LetterFigures(scores([("äö", "äo")])))
    #expect(figures.line.contains("50.0 % of 2 are right"))
    #expect(figures.line.hasSuffix("lowest: ö 0.0 %"))
  }

  @Test("Figures survive JSON, and a summary without the key has none")
  func json() throws {
    let figures = try #require(LetterFigures(scores([("äö", "ä"), ("çé", "cé")])))
    let bytes = try JSONEncoder().encode(figures)
    #expect(try JSONDecoder().decode(LetterFigures.self, from: bytes) == figures)
    let summary = EvaluationSummary(
      model: "m", data: [], dataHash: "", samples: 0, modelBytes: 0)
    var object = try #require(
      JSONSerialization.jsonObject(with: JSONEncoder().encode(summary)) as? [String: Any])
    object["letters"] = nil
    let older = try JSONSerialization.data(withJSONObject: object)
    #expect(try JSONDecoder().decode(EvaluationSummary.self, from: older) == summary)
  }
}
