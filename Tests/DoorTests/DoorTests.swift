import Foundation
import InkCore
import InkFormats
import InstalledModels
import ModelFormat
import ModelStore
import Recognition
import Testing

/// Every door answers the same to the same name.
@Suite("Doors", .serialized)
struct DoorTests {
  /// A name, and what every door answers to it.
  struct Row {
    /// The model, the language or the path; nil if nothing is named.
    var name: String?
    var kind = DoorKind.line
    /// The identifier of the model, at the doors that tell it.
    var model: String
    var language: String?
    /// The text of the ink, or the label.
    var text: String
    /// Another answer of the editor, whose language is a setting.
    var inEditor: String?
  }

  static let german = "was beinhaltet die Produkt. Ma"
  static let inEnglish = "was beinhallet die Produlct. Ma"
  static let inBoth = "was beinhaltet die Produkt. Ma"
  static let inPortuguese = "Was beinhallet die Prodult. Ma"

  static let rows: [Row] = [
    Row(name: nil, model: "latin-lines", language: "de", text: german, inEditor: inEnglish),
    Row(name: "latin-lines", model: "latin-lines", language: "en", text: inEnglish),
    Row(name: "en", model: "latin-lines", language: "en", text: inEnglish),
    Row(name: "en-US", model: "latin-lines", language: "en", text: inEnglish),
    Row(name: "de", model: "de", language: "de", text: german),
    Row(name: "de,en", model: "de,latin-lines", language: "de,en", text: inBoth),
    Row(name: "pt-BR", model: "pt", language: "pt", text: inPortuguese),
    Row(name: "latin-characters", kind: .glyph, model: "latin-characters", text: "o"),
    Row(name: "shapes", kind: .glyph, model: "shapes", text: "ellipse"),
    Row(name: "zxx-Zsym-x-shapes", kind: .glyph, model: "shapes", text: "ellipse"),
    Row(name: "en-x-gesture", kind: .glyph, model: "gestures", text: "surround"),
    Row(name: "PATH", kind: .glyph, model: "shapes", text: "ellipse"),
  ]

  @Test("The same twelve names give the same model, language and text at every door")
  func names() async throws {
    let page = try Self.page()
    try await DoorPlace.run { place in
      let path = try InstalledModels.library().url(of: "shapes").path
      for row in Self.rows {
        let name = row.name == "PATH" ? path : row.name
        for door in Door.allCases {
          let answer = await door.answer(
            row.kind == .line ? page : Self.ring, name, kind: row.kind, in: place)
          let place: Comment = "\(row.name ?? "nothing") at \(door): \(answer)"
          if row.name == "PATH", door.refusesPaths || door == .swift || door == .editor {
            // Programs that answer others, and libraries of an app without paths.
            #expect(answer.message?.contains("found a path") == true, place)
            continue
          }
          #expect(answer.message == nil, place)
          let isEnglish = door == .editor && row.inEditor != nil
          #expect(answer.text == (isEnglish ? row.inEditor : row.text), place)
          #expect(answer.language == (isEnglish ? "en" : row.language), place)
          // The editor and the Swift API give a result, which does not name its model.
          let tells = door != .swift && door != .editor
          #expect(answer.model == (tells ? row.model : nil), place)
        }
      }
    }
  }

  /// A name that cannot be read with, and what every door says.
  struct BadRow {
    var name: String
    var kind = DoorKind.line
    var code: String
    /// A part of the message.
    var says: String
  }

  static let badRows = [
    BadRow(name: "nope", code: "unknownModel", says: "'ductus models list' names them"),
    BadRow(name: "xx", code: "unknownModel", says: "no language has this tag"),
    BadRow(name: "th", code: "unknownModel", says: "Thai is a language, but there is no pack"),
    BadRow(name: "th", code: "unknownModel", says: "'ductus language new th --from"),
    BadRow(name: "what is this?", code: "unknownModel", says: "expected a language tag"),
    BadRow(name: "de,en,fr", code: "unknownModel", says: "expected a language tag"),
    BadRow(
      name: "de,shapes", code: "unusableModel", says: "share a network"),
    BadRow(name: "damaged", kind: .glyph, code: "unusableModel", says: "network.safetensors"),
    BadRow(name: "partless", kind: .glyph, code: "unusableModel", says: "network.safetensors"),
  ]

  @Test("Bad names and bad models give the same error at every door")
  func badNames() async throws {
    try await DoorPlace.run { place in
      for row in Self.badRows {
        for door in Door.allCases {
          let isBundle = row.name == "damaged" || row.name == "partless"
          // The command line and C use the models of this machine, so they name the path.
          let byPath = isBundle && (door == .file || door == .pipe || door == .c)
          let answer = await door.answer(
            Self.ring, byPath ? place.path("\(row.name).ductus") : row.name, kind: row.kind,
            in: place)
          let comment: Comment = "\(row.name) at \(door): \(answer)"
          if door == .editor, row.name == "de,shapes" {
            // The editor asks for a line model, which this is not.
            #expect(answer.message?.contains("expected a model of kind line") == true, comment)
            continue
          }
          #expect(answer.message?.contains(row.says) == true, comment)
          #expect(answer.code == nil || answer.code == row.code, comment)
          let hasCode = [.pipe, .http, .studio, .c].contains(door)
          #expect((answer.code != nil) == hasCode, comment)
        }
      }
    }
  }

  @Test("A model that no trusted key signed is refused if keys are given")
  func trust() throws {
    var library = InstalledModels.library()
    let signature = try #require(try ModelBundle.signature(of: library.url(of: "shapes")))
    library.trustedKeys = [signature.key]
    _ = try library.reader(for: ReadingSpecification(model: "shapes"))
    _ = try library.reader(for: ReadingSpecification(language: "de"))
    library.trustedKeys = [SigningKey().verifyingKey]
    for name in ["shapes", "de", "de,en", nil] {
      #expect(throws: ModelFormatError.self, "\(name ?? "nothing")") {
        try library.reader(for: ReadingSpecification(model: name))
      }
    }
  }

  @Test("A confined glyph model reads within its limits at every door that takes them")
  func confinedGlyphs() async throws {
    try await DoorPlace.run { place in
      let strokes = place.request(Self.ring, "latin-characters").dropLast()
      for (limits, allowed) in [
        (#""alphabet":"abco""#, "o"), (#""lexicon":["O","x"]"#, "O"),
        (#""lexicon":["O"],"lexiconBonus":20"#, "O"),
      ] {
        for url in [place.server, place.studio] {
          let answer = try await place.send("\(strokes),\(limits)}", to: url)
          #expect(answer.text == allowed, "\(limits): \(answer)")
        }
      }
      let none = try await place.send(#"\#(strokes),"alphabet":"Ж"}"#, to: place.server)
      #expect(none.code == "invalidValue", "\(none)")
    }
  }

  // MARK: - Ink

  /// The first words of a page in German.
  private static func page() throws -> Ink {
    struct Page: Decodable {
      struct Stroke: Decodable {
        var x: [Double]
        var y: [Double]
      }
      var strokes: [Stroke]
    }
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../Cases/languages/de.jsonl")
    let page = try JSONDecoder().decode(Page.self, from: Data(contentsOf: file))
    return Ink(
      strokes: page.strokes.prefix(30).map { stroke in
        Stroke(points: zip(stroke.x, stroke.y).map { StrokePoint(x: $0, y: $1) })
      })
  }

  /// A ring of 41 points.
  private static let ring = Ink(strokes: [
    Stroke(
      points: (0...40).map {
        let angle = Double($0) * 2 * .pi / 40
        return StrokePoint(x: 50 + 30 * sin(angle), y: 50 - 30 * cos(angle))
      })
  ])
}
