import Foundation

/// The characters allowed in a text.
///
/// An automaton with one state: every text of these characters is allowed, including the empty one.
/// O(1) below U+0080, otherwise as fast as the set or property.
public struct Alphabet: TextConstraint {
  /// The only state.
  public struct State: Hashable, Sendable, BitwiseCopyable {}

  /// The state of every text.
  public var start: State { State() }

  private let ascii: [Bool]
  private let contains: @Sendable (Unicode.Scalar) -> Bool

  /// The digits 0 to 9.
  public static let digits = Alphabet { "0"..."9" ~= $0 }

  /// The scalars of a text.
  ///
  /// - Throws: ``TextConstraintError/emptyAlphabet`` if the text has none.
  public init(_ characters: String) throws(TextConstraintError) {
    let scalars = Set(characters.precomposedStringWithCanonicalMapping.unicodeScalars)
    guard !scalars.isEmpty else { throw .emptyAlphabet }
    self.init { scalars.contains($0) }
  }

  /// The scalars that have one of some properties.
  ///
  /// - Throws: ``TextConstraintError/emptyAlphabet`` if no property is given.
  public init(_ classes: Set<CharacterClass>) throws(TextConstraintError) {
    guard !classes.isEmpty else { throw .emptyAlphabet }
    self.init { scalar in classes.contains { $0.contains(scalar) } }
  }

  private init(_ contains: @escaping @Sendable (Unicode.Scalar) -> Bool) {
    self.contains = contains
    ascii = (0..<128).map { contains(Unicode.Scalar(UInt8($0))) }
  }

  /// The scalars of this alphabet and of another.
  package func union(_ other: Alphabet) -> Alphabet {
    Alphabet { [self] in contains($0) || other.contains($0) }
  }

  /// Returns the same state if the alphabet contains the scalar, otherwise nil.
  public func advance(_ state: State, _ scalar: Unicode.Scalar) -> State? {
    (scalar.isASCII ? ascii[Int(scalar.value)] : contains(scalar)) ? state : nil
  }

  /// True: an alphabet does not restrict the end of a text.
  public func isAccepting(_ state: State) -> Bool { true }
}

extension Alphabet {
  /// An alphabet of characters and properties, in the notation of sets in Unicode regular
  /// expressions (UTS #18).
  ///
  /// A character means itself. `\p{NAME}` means all characters with a property
  /// (``CharacterClass/init(named:)``), `\P{NAME}` all without it. `\d` means the decimal digits of all
  /// scripts, as `\p{Nd}`: 0 to 9, ٠ to ٩, ۰ to ۹ and others. A backslash before anything but an
  /// ASCII letter or digit means that character. There are no ranges: a hyphen is a hyphen.
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
      case "d": classes.insert(.digits)
      case let scalar?
      where !(scalar.isASCII && scalar.properties.isAlphabetic)
        && !("0"..."9" ~= scalar):
        characters.append(scalar)
      default:
        throw .malformedAlphabet(
          place: start, expected: #"a sign after a backslash, \d, or \p{NAME}; \\ is a backslash"#)
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
