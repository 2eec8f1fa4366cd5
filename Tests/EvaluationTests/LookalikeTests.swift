import Evaluation
import Testing

@Suite("Characters that differ in size and position")
struct LookalikeTests {
  @Test(
    "Each is a member, and confused with its look-alike",
    arguments: [
      (Lookalike.small, "o", "O"), (.capital, "O", "o"), (.comma, ",", "'"), (.comma, ",", "’"),
      (.apostrophe, "'", ","), (.apostrophe, "`", ","), (.slash, "/", "l"), (.slash, "/", "1"),
      (.bar, "I", "/"), (.bar, "`", "/"),
    ] as [(Lookalike, Character, Character)])
  func confusions(lookalike: Lookalike, written: Character, read: Character) {
    #expect(lookalike.contains(written))
    #expect(lookalike.isConfusion(written: written, read: read))
    #expect(!lookalike.isConfusion(written: written, read: written))
    #expect(!lookalike.isConfusion(written: written, read: "q"))
  }

  @Test("Letters with a different capital, and other marks, are not members")
  func others() {
    for lookalike in Lookalike.allCases {
      for character in "aAß.;-ıİ5" {
        #expect(!lookalike.contains(character), "\(lookalike) \(character)")
      }
    }
    #expect(!Lookalike.small.contains("O") && !Lookalike.capital.contains("o"))
  }

  @Test(
    "The table has the measured areas, in order, with a dash for characters without samples")
  func table() throws {
    let figures = [
      "area.none.cer": 0.1, "area.none.caseErrors": 0.02, "area.none.small": 0.5,
      "area.line.cer": 0.05,
      "lookalikes.small.count": 4, "context.0.cer": 0.2,
    ]
    let table = try #require(AreaTable(figures))
    #expect(table.rows.map(\.title) == ["none", "of the line"])
    #expect(table.rows[0].rates == [0.1, 0.02, 0.5, nil, nil, nil, nil, nil])
    #expect(table.counts == [4, 0, 0, 0, 0, 0])
    #expect(figures.keys.filter(AreaTable.contains).count == 5)
    #expect(AreaTable(["context.0.cer": 0.2]) == nil)
  }
}
