import Foundation
import IntensityText
import Testing

@Suite("Intensity strings")
struct IntensityStringTests {
  @Test("A text has one intensity for each UTF-16 unit, and its characters have one each")
  func units() throws {
    let family = "👩‍👧"
    #expect(IntensityString(family, intensity: 30).intensities == [30, 30, 30, 30, 30])
    let flag = try IntensityString("a🇩🇪", intensities: [1, 2, 3, 4, 5])
    #expect(flag.intensities == [1, 2, 2, 2, 2])
    var accent = IntensityString("e", intensity: 10)
    accent.append(IntensityString("\u{301}x", intensity: 90))
    #expect(accent.intensities == [10, 10, 90])
    #expect(accent.count == accent.string.utf16.count)
  }

  @Test("The average is the cut mean of all units, and 0 for no text")
  func average() throws {
    #expect(IntensityString().averageIntensity == 0)
    #expect(try IntensityString("abc", intensities: [0, 1, 1]).averageIntensity == 0)
    #expect(try IntensityString("abc", intensities: [10, 20, 31]).averageIntensity == 20)
    #expect(
      try IntensityString("abc", intensities: [10, 20, 31]).averageIntensity(in: 1..<3) == 25)
  }

  @Test("Base attributes have the documented bits")
  func bits() throws {
    #expect(BaseAttributes(size: 17).rawValue == 17)
    #expect(BaseAttributes(size: 0, isBold: true).rawValue == 0x100)
    #expect(BaseAttributes(size: 0, isItalic: true).rawValue == 0x200)
    #expect(BaseAttributes(size: 0, isUnderlined: true).rawValue == 0x400)
    #expect(BaseAttributes(size: 0, isStruckThrough: true).rawValue == 0x800)
    #expect(BaseAttributes(rawValue: 0x1000) == nil && BaseAttributes(rawValue: -1) == nil)
    var attributes = try #require(BaseAttributes(rawValue: 0xFFF))
    attributes.size = 300
    attributes.isItalic = false
    #expect(attributes.size == 255 && attributes.isBold && !attributes.isItalic)
    #expect(attributes.isUnderlined && attributes.isStruckThrough)
  }

  @Test("Neighbouring runs of equal attributes are one")
  func runs() throws {
    let bold = BaseAttributes(isBold: true)
    var text = IntensityString("abcdef")
    try text.setAttributes(bold, in: 1..<2)
    try text.setAttributes(bold, in: 2..<4)
    #expect(text.attributes.map(\.range) == [0..<1, 1..<4, 4..<6])
    try text.changeAttributes(in: 0..<6) { $0.isBold = true }
    #expect(text.attributes.map(\.range) == [0..<6])
    #expect(text.isConsistent)
  }

  @Test("Ranges outside of the text or in a surrogate pair are refused, and nothing changes")
  func refusals() throws {
    var text = IntensityString("a😀b", intensity: 20)
    let before = text
    for range in [-1..<0, 0..<5, 5..<6, 2..<3, 1..<2, 0..<2] {
      #expect(throws: IntensityTextError.self) { try text.remove(range) }
      #expect(throws: IntensityTextError.self) { try text.substring(range) }
      #expect(throws: IntensityTextError.self) { try text.setIntensity(1, in: range) }
      #expect(throws: IntensityTextError.self) { try text.setLink(nil, in: range) }
      #expect(throws: IntensityTextError.self) { try text.setAttributes(.init(), in: range) }
    }
    #expect(throws: IntensityTextError.self) { try text.insert(IntensityString("x"), at: 2) }
    #expect(throws: IntensityTextError.self) { try text.setIntensity(101, in: 0..<1) }
    #expect(throws: IntensityTextError.self) { try text.intensity(at: 4) }
    #expect(throws: IntensityTextError.self) { try IntensityString("ab", intensities: [1]) }
    #expect(throws: IntensityTextError.self) { try IntensityString("ab", intensities: [1, 101]) }
    do {
      try text.remove(2..<4)
    } catch {
      #expect(error.code == .insideSurrogatePair && error.position == 2 && error.field == "range")
    }
    #expect(text == before)
  }

  @Test("Links and attachments move with their text")
  func links() throws {
    let url = try #require(URL(string: "https://example.org"))
    var text = IntensityString("see here now")
    try text.setLink(url, in: 4..<8)
    try text.insert(IntensityString("please "), at: 0)
    #expect(text.links.map(\.range) == [11..<15])
    try text.attach(Attachment(file: .reference("a.pdf"), mimeType: "application/pdf"), at: 3)
    #expect(text.links.map(\.range) == [12..<16])
    #expect(text.attachments.map(\.index) == [3])
    try text.insert(IntensityString("abc"), at: 0)
    #expect(text.attachments.map(\.index) == [6])
    // A link keeps its ends, and text within it that has none cuts it.
    try text.insert(IntensityString("-"), at: 17)
    #expect(text.links.map(\.range) == [15..<17, 18..<20])
    try text.remove(0..<20)
    #expect(text.links.isEmpty && text.attachments.isEmpty && text.string == " now")
  }

  @Test("Neighbouring attachments stay two")
  func neighbours() throws {
    let file = Attachment(file: .reference("a"), mimeType: "text/plain")
    var text = IntensityString("ab")
    try text.attach(file, at: 1)
    try text.attach(file, at: 1)
    #expect(text.attachments.map(\.index) == [1, 2])
    #expect(text.string == "a\u{FFFC}\u{FFFC}b")
    #expect(text.isConsistent)
  }

  @Test("A copy costs nothing and is not changed by edits of the original")
  func copies() throws {
    var text = IntensityString(String(repeating: "abc ", count: 1000))
    let copy = text
    try text.remove(100..<200)
    #expect(copy.count == 4000 && text.count == 3900)
    #expect(try copy.substring(0..<100) == text.substring(0..<100))
  }

  @Test("The cost of an edit grows with the logarithm of the length")
  func cost() throws {
    var costs: [Int] = []
    for length in [10_000, 1_000_000] {
      var text = IntensityString(String(repeating: "word ", count: length / 5))
      var generator = Seeded(7)
      for _ in 0..<500 {
        let index = Int.random(in: 0...text.count, using: &generator)
        try text.insert(IntensityString("x", intensity: Int.random(in: 0...100)), at: index)
      }
      costs.append(text.editCost)
    }
    // A hundred times the length is less than 7 doublings, and AVL trees are at most 1.45 times as
    // high as full ones.
    #expect(costs[1] - costs[0] <= 10, "\(costs)")
  }

  @Test("Random edits agree with plain arrays", arguments: [1, 2, 3, 4] as [UInt64])
  func random(seed: UInt64) throws {
    var generator = Seeded(seed)
    let pieces = [
      "a", "b c", "\r", "\n", "é", "e", "\u{301}", "😀", "👩", "\u{200D}", "👧", "🇩🇪", "🇫",
      "\u{1F1EA}", "क", "\u{94D}", "ष", "한", "글", "\u{FE0F}", "word word ", "\u{600}",
    ]
    var text = IntensityString()
    var model = PlainModel()
    for step in 0..<2500 {
      func border() -> Int {
        while true {
          let index = Int.random(in: 0...text.count, using: &generator)
          if model.isScalarBorder(index) { return index }
        }
      }
      let (a, b) = (border(), border())
      let range = min(a, b)..<max(a, b)
      let short = range.lowerBound..<(range.count > 6 ? range.lowerBound : range.upperBound)
      switch Int.random(in: 0..<12, using: &generator) {
      case 0, 1, 2, 3, 4:
        var new = IntensityString()
        for _ in 0..<Int.random(in: 1...3, using: &generator) {
          let piece = pieces.randomElement(using: &generator) ?? ""
          new.append(
            IntensityString(
              piece, intensity: Int.random(in: 0...100, using: &generator),
              attributes: BaseAttributes(isBold: Bool.random(using: &generator))))
        }
        try text.replace(short, with: new)
        model.replace(short, with: PlainModel(new))
      case 5, 6:
        try text.remove(short)
        model.replace(short, with: PlainModel())
      case 7:
        let number = Int.random(in: 0...100, using: &generator)
        try text.setIntensity(number, in: range)
        for index in range { model.numbers[index] = number }
        model.unify()
      case 8:
        let attributes = BaseAttributes(size: Int.random(in: 18...20, using: &generator))
        try text.setAttributes(attributes, in: range)
        for index in range { model.attributes[index] = attributes }
      case 9:
        let url = Bool.random(using: &generator) ? URL(string: "https://example.org") : nil
        try text.setLink(url, in: short)
        for index in short { model.links[index] = url }
      case 10:
        let file = Attachment(file: .reference("f"), mimeType: "text/plain", name: "\(step)")
        try text.attach(file, at: range.lowerBound, intensity: 9)
        var piece = PlainModel(IntensityString("\u{FFFC}", intensity: 9))
        piece.attachments = [file]
        model.replace(range.lowerBound..<range.lowerBound, with: piece)
      default:
        let part = try text.substring(range)
        try #require(PlainModel(part).numbers == model.part(range).numbers, "\(seed) \(step)")
        if range.count < 100, text.count < 600 {
          text.append(part)
          model.replace(model.units.count..<model.units.count, with: model.part(range))
        }
      }
      let now = PlainModel(text)
      try #require(now.units == model.units, "seed \(seed), step \(step)")
      try #require(now.numbers == model.numbers, "seed \(seed), step \(step)")
      try #require(now.links == model.links, "seed \(seed), step \(step)")
      if step % 20 == 0 {
        try #require(now.attributes == model.attributes, "seed \(seed), step \(step)")
        try #require(now.attachments == model.attachments, "seed \(seed), step \(step)")
        try #require(text.isConsistent, "seed \(seed), step \(step)")
      }
    }
  }
}

/// A generator of random numbers with a seed (SplitMix64).
struct Seeded: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
