import Foundation
import InkCore
import InkDatasets
import LanguageModels
import ModelFormat
import PretrainedModels
import Recognition
import Testing

@Suite("Lines of Cyrillic, Greek, Georgian, Hebrew and Armenian")
struct ScriptLineTests {
  /// Words of several letters that no other script has, by language.
  private static let words: [(tag: String, words: [String])] = [
    ("ru", ["Жизнь", "только", "дружба"]), ("uk", ["Київ", "дякую", "людина"]),
    ("be", ["Ён", "вялікі", "зіма"]), ("bg", ["Добър", "човек", "къща"]),
    ("sr-Cyrl", ["Љубав", "дођи", "где"]), ("mk", ["Скопје", "ноќ", "денес"]),
    ("kk", ["Қазақ", "жұлдыз", "білім"]), ("tt", ["Казан", "дөнья", "бүген"]),
    ("ky", ["Бишкек", "менен", "болуп"]), ("mn", ["Монгол", "байна", "хүн"]),
    ("el", ["Ελλάδα", "θάλασσα", "ψυχή"]), ("ka", ["საქართველო", "გამარჯობა", "მადლობა"]),
    ("he", ["שלום", "תודה", "אנשים"]), ("hy", ["Հայաստան", "լեզու", "նամակ"]),
  ]

  @Test("The words of a language are read, by most of the virtual writers", arguments: words)
  func reading(tag: String, words: [String]) throws {
    let recognizer = DigitalInkRecognizer(model: tag, provider: try PretrainedModels())
    var right = 0
    var found: [String] = []
    for word in words {
      for ink in try Ink.printed(word) {
        let text = try recognizer.recognizeNow(ink).candidates.first?.text ?? ""
        // Without a line, nothing but the size tells many capitals from small letters.
        right += text.lowercased() == word.lowercased() ? 1 : 0
        found.append(text)
      }
    }
    #expect(right >= 9, "\(tag): \(right) of 12, \(found.joined(separator: " "))")
  }

  @Test(
    "Packs share the network of their script, whose licence and makers are named",
    arguments: [
      ("ru", "cyrillic-lines"), ("mn", "cyrillic-lines"), ("el", "greek-lines"),
      ("ka", "georgian-lines"), ("he", "hebrew-lines"), ("hy", "armenian-lines"),
    ])
  func sharing(tag: String, base: String) throws {
    let models = try PretrainedModels()
    let manifests = try [tag, base].map {
      try ModelBundle.manifest(of: #require(models.bundleURL(of: $0)))
    }
    let networks = manifests.map { $0.part(role: ModelManifest.Part.networkRole)?.sha256 }
    #expect(networks[0] != nil && networks[0] == networks[1])
    #expect(manifests[1].data.contains { $0.attribution.contains("UNIPEN") })
    for licence in manifests[1].data.map(\.licence) {
      #expect(!licence.contains("GPL") && !licence.contains("NC"))
    }
  }

  @Test("An answer has letters of the script only, and an alphabet may name it")
  func letters() throws {
    let models = try PretrainedModels()
    let alphabet = try Alphabet(pattern: #"\p{Greek}"#)
    for (tag, script, other) in [
      ("ru", 0x400...0x4FF, nil), ("el", 0x370...0x3FF, nil), ("el", 0x370...0x3FF, alphabet),
      ("ka", 0x10D0...0x10FF, nil), ("he", 0x5D0...0x5EA, nil), ("hy", 0x531...0x587, nil),
    ] as [(String, ClosedRange<UInt32>, Alphabet?)] {
      let recognizer = DigitalInkRecognizer(
        options: .init(model: tag, alphabet: other), provider: models)
      for ink in try Ink.printed("house") {
        let texts = try recognizer.recognizeNow(ink).candidates.map(\.text)
        #expect(!texts.isEmpty)
        for scalar in texts.joined().unicodeScalars where scalar.properties.isAlphabetic {
          #expect(script.contains(scalar.value), "\(tag): \(texts)")
        }
      }
    }
  }

  @Test("Tags of regions and of scripts find the pack, and und-Cyrl the network")
  func tags() throws {
    let models = try PretrainedModels()
    for (tag, identifier) in [
      ("ru-RU", "ru"), ("sr", "sr-Cyrl"), ("sr-Cyrl-BA", "sr-Cyrl"), ("sr-Latn", "sr-Latn"),
      ("el-GR", "el"), ("und-Cyrl", "cyrillic-lines"), ("und-Grek", "greek-lines"),
      ("he-IL", "he"), ("iw", "he"), ("hy-AM", "hy"), ("und-Hebr", "hebrew-lines"),
    ] {
      #expect(try models.model(for: tag, kind: .line)?.identifier == identifier, "\(tag)")
    }
  }

  /// Texts of one virtual writer in one ink; each but the first is placed beside or below the last.
  private func ink(
    of texts: [String], step: (BoundingBox) -> (dx: Double, dy: Double)
  ) throws -> Ink {
    var strokes: [Stroke] = []
    var (left, top) = (0.0, 0.0)
    for text in texts {
      let ink = try #require(try Ink.printed(text).first)
      let box = try #require(ink.boundingBox)
      let step = step(box)
      // Words of a line keep their baseline.
      let dy = step.dy == 0 ? 0 : top - box.minY
      strokes += ink.strokes.map { stroke in
        Stroke(
          points: stroke.points.map { point in
            var point = point
            (point.x, point.y) = (point.x - box.minX + left, point.y + dy)
            return point
          })
      }
      (left, top) = (left + step.dx, top + step.dy)
    }
    return Ink(strokes: strokes)
  }

  /// A page of lines, from top to bottom.
  private func page(_ lines: [String]) throws -> Ink {
    try ink(of: lines) { (0, 2.2 * $0.height) }
  }

  @Test("Lines in the two languages of de,ru are each read in their script")
  func pairs() throws {
    let library = ModelLibrary([try PretrainedModels()])
    let recognizer = try library.reader(for: ReadingSpecification(language: "de,ru"))
    let result = try recognizer.recognize(page(["guten Tag und danke", "добрый день, спасибо"]))
    try #require(result.lines.count == 2)
    #expect(result.lines[0].text.contains("danke"))
    #expect(result.lines[1].text.contains("спасибо"))
    for line in result.lines {
      let strokes = line.candidates[0].characters.flatMap { $0.parts.map(\.stroke) }
      #expect(Set(strokes).isSubset(of: line.strokes))
    }
  }

  /// Words on a line, with wide gaps.
  private func line(_ words: [String]) throws -> Ink {
    try ink(of: words) { ($0.width + 35, 0) }
  }

  @Test(
    "Each word of a line is read in its script, in either order of the languages",
    arguments: [
      (["купил", "Windows", "сегодня", "утром"], "de,ru"),
      (["купил", "Windows", "сегодня", "утром"], "ru,de"),
      (["das", "Wort", "пожалуйста", "bedeutet", "bitte"], "de,ru"),
      (["λέξη", "Computer", "σήμερα", "καλημέρα"], "el,en"),
    ])
  func mixedWords(_ words: [String], languages: String) throws {
    let library = ModelLibrary([try PretrainedModels()])
    let recognizer = try library.reader(for: ReadingSpecification(language: languages))
    let ink = try line(words)
    let result = try recognizer.recognize(ink)
    let best = try #require(result.candidates.first)
    #expect(best.text.lowercased() == words.joined(separator: " ").lowercased())
    #expect(best.characters.count == best.text.count)
    // Every stroke belongs to one word, and the words are the pieces of the text.
    #expect(best.words.map(\.text) == best.text.split(separator: " ").map(String.init))
    let strokes = best.words.flatMap { best.strokes(of: $0) }
    #expect(strokes.count == Set(strokes).count && Set(strokes) == Set(ink.strokes.indices))
  }

  @Test(
    "Where nothing is named, the script is found",
    arguments: [
      ("добрый день, спасибо за письмо", "ru"), ("Дякую, усе буде добре", "uk"),
      ("καλημέρα σε όλους", "el"), ("დილა მშვიდობისა ყველას", "ka"),
      ("תודה רבה על המכתב", "he"), ("բարի լույս բոլորին", "hy"),
      ("thank you for the letter", "en"),
    ])
  func automatic(text: String, language: String) throws {
    let library = ModelLibrary([try PretrainedModels()])
    let recognizer = try library.reader(for: ReadingSpecification())
    var found: [String] = []
    for ink in try Ink.printed(text) {
      let result = try recognizer.recognize(ink)
      found.append("\(result.language ?? "none") \(result.candidates.first?.text ?? "")")
    }
    #expect(found.count { $0.hasPrefix(language + " ") } >= 3, "\(found)")
  }

  /// The languages that are found for printed lines with their writing areas, each line by several
  /// virtual writers.
  private func languages(of texts: [String]) throws -> [String] {
    let recognizer = try ModelLibrary([try PretrainedModels()]).reader(for: ReadingSpecification())
    return try Ink.labelled(texts, count: 8 * texts.count).map {
      let context = RecognitionContext(writingArea: $0.writingArea)
      return try recognizer.recognize($0.ink, context: context).language ?? "none"
    }
  }

  @Test("Hebrew is found where Latin reads signs without letters")
  func withoutLetters() throws {
    let found = try languages(of: [
      "כל פנקסי הכתובות", "ממיר טקסט למספר", "קישורים שביקרת בהם", "ערכת הנושא הותקנה",
      "הפריט לא הוגדר לגדול", "סרגל כלים של חלונית תיקיות",
    ])
    #expect(found.count { $0 == "he" } >= 43, "\(found)")
  }

  @Test("Alphabets, capitals and code are not taken for another script")
  func code() throws {
    let found = try languages(of: [
      "abcde fghij klmno pqrst uvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "IJUYP VB YD RV W",
      "#include <stdio.h>", "cp[8] = cp[22];", "Pay $1.23 @ 4:56 PM",
    ])
    #expect(Set(found).isDisjoint(with: ["ja", "ka", "el", "he", "ru", "hy"]), "\(found)")
  }

  @Test("An alphabet alone finds a network that has its letters")
  func alphabet() throws {
    let library = ModelLibrary([try PretrainedModels()])
    var specification = ReadingSpecification()
    specification.options.alphabet = try Alphabet(pattern: #"\p{Cyrillic}"#)
    let ink = try #require(try Ink.printed("только").first)
    let result = try library.reader(for: specification).recognize(ink)
    #expect(result.candidates.first?.text.lowercased() == "только")
  }
}
