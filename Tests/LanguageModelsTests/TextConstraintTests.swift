import Foundation
import LanguageModels
import Testing

@Suite("Alphabets and lexicons")
struct TextConstraintTests {
  @Test("The digits allow digits and nothing else")
  func digits() {
    #expect(Alphabet.digits.allows("0123456789"))
    #expect(Alphabet.digits.allows(""))
    #expect(!Alphabet.digits.allows("12a"))
    #expect(!Alphabet.digits.allows("١"))
  }

  @Test("An explicit alphabet allows its characters after NFC")
  func explicit() throws {
    let alphabet = try Alphabet("abe\u{301}")
    #expect(alphabet.allows("baé"))
    #expect(alphabet.allows("e\u{301}"))
    #expect(!alphabet.allows("e"))
  }

  @Test("Alphabets of properties hold what Unicode says")
  func properties() throws {
    #expect(try Alphabet([.uppercase]).allows("ÄÖA"))
    #expect(try !Alphabet([.uppercase]).allows("a"))
    #expect(try Alphabet([.letters, .space]).allows("Äpfel und жук"))
    #expect(try !Alphabet([.letters]).allows("a1"))
    #expect(try Alphabet([.digits]).allows("٣4"))
    #expect(try Alphabet([.punctuation]).allows("!?«»-"))
    #expect(try Alphabet([.symbols]).allows("+€"))
    #expect(try Alphabet([.lowercase]).union(.digits).allows("a1"))
  }

  @Test(
    "A pattern allows its characters and those of its properties, and no others",
    arguments: [
      (#"\p{Nd}"#, "0٣", "a-"), (#"\d."#, "2024٢٠٢٤۲۰۲۴१.", "a½Ⅳ²"), (#"\p{Lu}"#, "ÄA", "a1"),
      (#"\p{Letter}"#, "aÄж", "1."),
      (#"\p{L}\p{Nd}-."#, "aB7-.", ",_"), (#"\p{uppercase letter}!"#, "A!", "a"),
      (#"\p{gc=Sc}"#, "$€", "+"), (#"\p{White_Space}ab"#, "a b", "c"),
      (#"\P{Alphabetic}"#, "1 .", "a"),
      (#"\\\-\p{P}"#, "\\-!", "a"), ("a-z", "a-z", "b"), ("e\u{301}", "é", "e"), (#"\."#, ".", "a"),
    ])
  func patterns(pattern: String, allowed: String, refused: String) throws {
    let alphabet = try Alphabet(pattern: pattern)
    #expect(alphabet.allows(allowed))
    for character in refused { #expect(!alphabet.allows(String(character)), "\(character)") }
  }

  @Test("Malformed patterns are refused with the place, unknown properties with the known ones")
  func badPatterns() {
    for (pattern, place) in [(#"a\p"#, 1), (#"\p{Lu"#, 0), (#"ab\w"#, 2), ("\\", 0), (#"\pL"#, 0)] {
      let error = #expect(throws: TextConstraintError.self) { try Alphabet(pattern: pattern) }
      guard case .malformedAlphabet(place, _)? = error else {
        Issue.record("\(pattern): \(String(describing: error))")
        continue
      }
      #expect(error?.description.contains("character \(place + 1)") == true)
    }
    for name in ["Klingon", "", "gc=Alphabetic", "sc=Klin"] {
      let error = #expect(throws: TextConstraintError.unknownProperty(name)) {
        try Alphabet(pattern: "\\p{\(name)}")
      }
      #expect(error?.description.contains("Lu, Uppercase_Letter") == true)
    }
    #expect(throws: TextConstraintError.emptyAlphabet) { try Alphabet(pattern: "") }
  }

  @Test("Every name that is listed is known, and every category is in its group")
  func propertyNames() throws {
    for name in CharacterClass.names { _ = try CharacterClass(named: name) }
    let letters = try CharacterClass(named: "L")
    #expect(["a", "Z", "ǅ", "ʰ", "ж", "字"].allSatisfy { letters.contains($0) })
    #expect(try CharacterClass(named: "Nd") == .digits && CharacterClass(named: "S") == .symbols)
  }

  @Test("A script is named by its name or its code, and signs that scripts share are in none")
  func scripts() throws {
    for name in ["Hiragana", "hira", "Script=Hiragana", "sc=Hira", "SCRIPT=hira"] {
      let hiragana = try CharacterClass(named: name)
      #expect("あがっん".unicodeScalars.allSatisfy(hiragana.contains), "\(name)")
      #expect(!"アーa漢。".unicodeScalars.contains(where: hiragana.contains), "\(name)")
    }
    for (name, text) in [
      ("Katakana", "アヴッヶ"), ("Han", "漢字々〇"), ("Cyrillic", "Жщё"), ("Greek", "Ωλ"),
      ("Latin", "aÉß"), ("Arabic", "سلام"), ("Hebrew", "שלום"), ("Devanagari", "हिन"),
      ("Hangul", "한글"), ("Thai", "ไทย"),
    ] {
      let script = try CharacterClass(named: name)
      #expect(text.unicodeScalars.allSatisfy(script.contains), "\(name)")
      #expect(!"0 .!".unicodeScalars.contains(where: script.contains), "\(name)")
    }
    for name in ["Klingon", "sc=Lu", "gc=Latin", "Script=", "sc=Alphabetic"] {
      #expect(throws: TextConstraintError.unknownProperty(name)) { try CharacterClass(named: name) }
    }
    let kana = try Alphabet(pattern: #"\p{Hiragana}\p{Katakana}ー"#)
    #expect("ラーメンです".unicodeScalars.allSatisfy { kana.advance(kana.start, $0) != nil })
    #expect(kana.advance(kana.start, "漢") == nil)
  }

  @Test("An alphabet of nothing is refused")
  func emptyAlphabet() {
    #expect(throws: TextConstraintError.emptyAlphabet) { try Alphabet("") }
    #expect(throws: TextConstraintError.emptyAlphabet) { try Alphabet([]) }
  }

  @Test("A lexicon contains its words and their prefixes")
  func lexicon() throws {
    let lexicon = try Lexicon(words: ["cat", "cats", "car", "dogs", "cat", "", "café"])
    #expect(lexicon.wordCount == 5)
    for word in ["cat", "cats", "car", "dogs", "cafe\u{301}"] { #expect(lexicon.contains(word)) }
    for word in ["", "c", "ca", "catss", "dog", "x", "cafe"] { #expect(!lexicon.contains(word)) }
    for prefix in ["", "c", "ca", "dog", "cats"] { #expect(lexicon.isPrefix(prefix)) }
    #expect(!lexicon.isPrefix("cb"))
    let state = try #require(lexicon.state(after: "ca"))
    #expect(lexicon.scalars(after: state) == ["f", "r", "t"])
    #expect(MemoryLayout<Lexicon.State>.size == 4)
  }

  @Test("A lexicon agrees with a set of words, and shares their ends")
  func lexiconAgreesWithSet() throws {
    var words: Set<String> = []
    for first in "abcdefgh" {
      for second in "aeiou" {
        for end in ["", "s", "ing", "ings"] { words.insert("\(first)\(second)\(end)") }
      }
    }
    words.remove("hu")
    let lexicon = try Lexicon(words: words)
    #expect(lexicon.wordCount == words.count)
    for word in words { #expect(lexicon.contains(word)) }
    #expect(!lexicon.contains("hu"))
    // A trie would take eight states for each of the 40 stems.
    #expect(lexicon.layout.stateCount < 20)
  }

  @Test("A lexicon of no words is refused")
  func emptyLexicon() {
    #expect(throws: TextConstraintError.emptyLexicon) { try Lexicon(words: ["", " "]) }
  }

  @Test("A text of lexicon words may have any characters between them")
  func lexiconText() throws {
    let text = LexiconText(try Lexicon(words: ["the", "cat", "don't", "Paris"]))
    for allowed in ["the cat", "The CAT.", "(don't) — Paris!", "", " "] {
      #expect(text.allows(allowed), "\(allowed)")
    }
    for refused in ["th", "thecat", "the ca", "paris", "dog", "the1"] {
      #expect(!text.allows(refused), "\(refused)")
    }
  }

  @Test("A capital in one word does not exclude a capital in another")
  func capitalsOfWords() throws {
    let text = LexiconText(try Lexicon(words: ["book", "Bill", "iPad"]))
    for allowed in ["Book", "BOOK", "Bill", "BILL", "iPad", "IPAD", "bOOk"] {
      #expect(text.allows(allowed), "\(allowed)")
    }
    for refused in ["bill", "ipad", "Boll", "Bil"] { #expect(!text.allows(refused), "\(refused)") }
  }

  @Test("A text may continue a begun word or begin a new one")
  func begunWords() throws {
    let text = LexiconText(try Lexicon(words: ["argument", "ument", "book"]))
    func allows(_ more: String, after begun: String) -> Bool {
      var state: LexiconText.State? = text.start(after: begun)
      for scalar in more.unicodeScalars { state = state.flatMap { text.advance($0, scalar) } }
      return state.map(text.isAccepting) ?? false
    }
    #expect(allows("ument", after: "arg") && allows("ument", after: "boo"))
    #expect(allows("k", after: "boo") && !allows("k", after: "arg") && !allows("k", after: ""))
    #expect(allows(" book", after: "qqq") && allows("", after: "boo"))
    #expect(!text.endsWord(text.start(after: "boo")) && text.endsWord(text.start(after: "book")))
  }

  @Test("A word with a capital may begin after a text that may go on, and after begun words")
  func capitalsBegin() throws {
    func allows(_ more: String, after begun: String = "", of words: [String]) throws -> Bool {
      let text = LexiconText(try Lexicon(words: words))
      var state: LexiconText.State? = text.start(after: begun)
      for scalar in more.unicodeScalars { state = state.flatMap { text.advance($0, scalar) } }
      return state.map(text.isAccepting) ?? false
    }
    let cities = ["New", "York", "New Yorker", "new"]
    for text in ["New York", "New Yorker", "New New York", "NEW York", "new York"] {
      #expect(try allows(text, of: cities), "\(text)")
    }
    #expect(try !allows("New york", of: cities) && !allows("New Yo", of: cities))
    #expect(try allows("Peter", after: "Dear", of: ["Peter"]))
    #expect(try allows(" Peter", after: "Dear", of: ["Peter"]))
    #expect(try allows("Peter", after: "Pe", of: ["Peter"]))
    #expect(try allows("ter", after: "Pe", of: ["Peter"]))
    #expect(try !allows("peter", after: "Dear", of: ["Peter"]))
  }

  @Test("A byte-order mark is not part of a word of a list")
  func byteOrderMark() throws {
    let folder = try TemporaryFolder()
    try "\u{FEFF}aardvark 3\nbee\n".write(
      toFile: folder.file("words"), atomically: true, encoding: .utf8)
    #expect(try WordList.words(of: folder.file("words")) == ["aardvark", "bee"])
  }

  @Test("A lexicon can be written with letters of either case, or not at all")
  func writableWords() throws {
    let text = LexiconText(try Lexicon(words: ["cab", "Zoo"]))
    #expect(text.canWrite(with: ["a", "b", "c"]) && text.canWrite(with: ["A", "B", "C"]))
    #expect(text.canWrite(with: ["Z", "o"]))
    #expect(!text.canWrite(with: ["z", "o", "a", "b"]) && !text.canWrite(with: []))
  }

  @Test("Word lists are read with and without frequencies")
  func wordLists() throws {
    let folder = try TemporaryFolder()
    try "the 22761659\r\ncat 12\n\ndog\n".write(
      toFile: folder.file("words"), atomically: true, encoding: .utf8)
    #expect(try WordList.words(of: folder.file("words")) == ["the", "cat", "dog"])
    #expect(throws: LanguageModelError.self) { try WordList.words(of: folder.file("none")) }
    #expect(
      try WordList.entries(of: folder.file("words")).map(\.frequency) == [22_761_659, 12, 1])
    try "a -3\nb nan\nc 0.5 x\nd x 7\n".write(
      toFile: folder.file("odd"), atomically: true, encoding: .utf8)
    #expect(try WordList.entries(of: folder.file("odd")).map(\.frequency) == [1, 1, 0.5, 1])
  }

  @Test("A list with frequencies is a text of its words with these frequencies, at least 1 each")
  func textOfWords() throws {
    let words: [WordList.Entry] = [
      .init(word: "that", frequency: 800), .init(word: "than", frequency: 200),
      .init(word: "thaw", frequency: 0),
    ]
    let text = NormalizedText(words: words, count: 1000)
    var string = ""
    string.unicodeScalars.append(contentsOf: text.scalars)
    let found = string.lowercased().split { !$0.isLetter }
    #expect(found.count { $0 == "that" } == 800 && found.count { $0 == "than" } == 200)
    #expect(found.count { $0 == "thaw" } == 1 && found.count == 1001)
    // 84 sentences, eight in a paragraph.
    #expect(text.ends.count == 11 && string.count { $0 == "." } == 84)
    for sentence in text.texts {
      #expect(sentence.first?.properties.isUppercase == true && sentence.last == ".")
    }
    #expect(NormalizedText(words: words, count: 1000).scalars == text.scalars)
    #expect(NormalizedText(words: []).scalars.isEmpty)
    var options = LanguageModelTrainer.Options()
    (options.order, options.minimumCount) = (5, 1)
    let model = try LanguageModel(bytes: LanguageModelTrainer.train(text, options: options))
    let completions = model.completions(of: "tha", after: "than ", limit: 3)
    #expect(completions.first?.text == "that", "\(completions)")
  }

  @Test(
    "Words of a lexicon may have hyphens, dots and spaces; a text may continue with two")
  func wordsWithMarks() throws {
    let words = LexiconText(try Lexicon(words: ["part-time", "part", "e.g.", "New York"]))
    for text in [
      "part-time", "Part-time", "(part-time) part", "part-part", "e.g. part", "New York", "part.",
    ] {
      #expect(words.allows(text), "\(text)")
    }
    for text in ["part-tim", "time", "e.g", "York", "part-timepart"] {
      #expect(!words.allows(text), "\(text)")
    }
  }
}
