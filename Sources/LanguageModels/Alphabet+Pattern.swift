extension Alphabet {
  /// Characters and properties, in the notation of sets in Unicode regular expressions (UTS #18).
  ///
  /// Each character stands for itself; `\p{NAME}` for all that have a property
  /// (``CharacterClass/init(named:)``), `\P{NAME}` for all that lack it; a backslash before anything
  /// but an ASCII letter or digit for that. There are no ranges: a hyphen is a hyphen.
  ///
  ///     let prices = try Alphabet(pattern: #"\p{Nd}\p{Sc}.,"#)
  ///
  /// - Throws: ``TextConstraintError``: `malformedAlphabet`, `unknownProperty` or `emptyAlphabet`.
  public init(pattern: String) throws(TextConstraintError) {
    var characters = String.UnicodeScalarView()
    var classes: Set<CharacterClass> = []
    let scalars = Array(pattern.unicodeScalars)
    var place = 0
    while place < scalars.count {
      guard scalars[place] == "\\" else {
        characters.append(scalars[place])
        place += 1
        continue
      }
      let (start, escaped) = (place, place + 1 < scalars.count ? scalars[place + 1] : nil)
      place += 2
      switch escaped {
      case "p", "P":
        guard place < scalars.count, scalars[place] == "{",
          let end = scalars[place...].firstIndex(of: "}")
        else { throw .malformedAlphabet(place: start, expected: #"\p{NAME} or \P{NAME}"#) }
        var name = String.UnicodeScalarView()
        name.append(contentsOf: scalars[(place + 1)..<end])
        let named = try CharacterClass(named: String(name))
        classes.insert(escaped == "p" ? named : named.complement)
        place = end + 1
      case let scalar?
      where !(scalar.isASCII && scalar.properties.isAlphabetic)
        && !("0"..."9" ~= scalar):
        characters.append(scalar)
      default:
        throw .malformedAlphabet(
          place: start, expected: #"a sign behind a backslash, or \p{NAME}; \\ is a backslash"#)
      }
    }
    let plain = String(characters)
    guard !classes.isEmpty else {
      try self.init(plain)
      return
    }
    let properties = try Alphabet(classes)
    self = plain.isEmpty ? properties : try Alphabet(plain).union(properties)
  }
}
