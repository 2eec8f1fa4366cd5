import InkCore
import InkSynthesis
import Testing

@Suite("Letters of the Arabic script") struct ArabicLettersTests {
  private static let joiningBoth = "بپتثٹنیيئجحخچسشصضطظعغفقکگكلمهہھ".map(String.init)
  private static let joiningBefore = [
    "ا", "آ", "أ", "إ", "اً", "د", "ذ", "ڈ", "ر", "ز", "ژ", "ڑ", "و", "ؤ", "ة", "ۀ", "ى", "ے", "ں",
    "لا", "لآ", "لأ", "لإ",
  ]

  private func forms(_ label: String) throws -> [Prototype] {
    try #require(try PrototypeLibrary.alphabets.get().prototypes[label], "\(label)")
  }

  @Test("A letter that joins both neighbours has four kinds of forms", arguments: joiningBoth)
  func four(_ label: String) throws {
    #expect(Set(try forms(label).map(\.joints)) == [.none, .after, .both, .before])
  }

  @Test("A letter that joins only the one before has two", arguments: joiningBefore)
  func two(_ label: String) throws {
    #expect(Set(try forms(label).map(\.joints)) == [.none, .before])
  }

  @Test(
    "Joints are on the line, and the pen goes to the left", arguments: joiningBoth + joiningBefore)
  func joints(_ label: String) throws {
    let line = -4.0...12.0
    for form in try forms(label) {
      let stroke = try #require(form.strokes.first)
      let (entry, exit) = (try #require(stroke.first), try #require(stroke.last))
      if form.joints == .both || form.joints == .before {
        #expect(line.contains(entry.y), "\(label) \(stroke)")
        #expect(exit.x < entry.x || label == "ی" || label == "ى" || label == "ي" || label == "ے")
      }
      if form.joints == .both || form.joints == .after {
        #expect(line.contains(exit.y), "\(label) \(stroke)")
        #expect(stroke.allSatisfy { $0.x >= exit.x }, "\(label) \(stroke)")
      }
    }
  }

  @Test("A digit has forms in both sets, and the shapes differ where people's do")
  func digits() throws {
    for (persian, arabic) in zip("۱۲۳۷۸۹", "١٢٣٧٨٩") {
      #expect(
        try forms(String(persian)).map(\.strokes) == (try forms(String(arabic)).map(\.strokes)))
    }
    for (persian, arabic) in zip("۴۵۶", "٤٥٦") {
      #expect(
        try forms(String(persian)).map(\.strokes) != (try forms(String(arabic)).map(\.strokes)))
    }
  }

  @Test("The first of two brackets opens to the left", arguments: 0..<8)
  func brackets(_ writer: Int) throws {
    let library = try PrototypeLibrary.alphabets.get()
    let addresses = Dictionary(
      uniqueKeysWithValues: library.labels.enumerated().map { ($1, UInt64($0)) })
    let composer = WordComposer(
      synthesizer: InkSynthesizer(writer: VirtualWriter(seed: 5, index: writer)),
      library: library, addresses: addresses, joining: 0)
    var generator = SeededGenerator(seed: 5, UInt64(writer))
    let bracket = try #require(composer.strokes(of: "(ا", using: &generator).first).knots
    let (first, last) = (try #require(bracket.first), try #require(bracket.last))
    let middle = bracket.reduce(0) { $0 + $1.x } / Double(bracket.count)
    // A bracket that opens to the left bulges to the right.
    #expect(middle > (first.x + last.x) / 2)
  }
}
