import Foundation

/// The characters that a text may consist of.
///
/// An automaton of one state: every text of these characters is allowed, the empty one too. O(1)
/// below U+0080, else as fast as the set or property.
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
  /// - Throws: ``TextConstraintError/emptyAlphabet`` where there is none.
  public init(_ characters: String) throws(TextConstraintError) {
    let scalars = Set(characters.precomposedStringWithCanonicalMapping.unicodeScalars)
    guard !scalars.isEmpty else { throw .emptyAlphabet }
    self.init { scalars.contains($0) }
  }

  /// The scalars that have one of some properties.
  ///
  /// - Throws: ``TextConstraintError/emptyAlphabet`` where no property is given.
  public init(_ classes: Set<CharacterClass>) throws(TextConstraintError) {
    guard !classes.isEmpty else { throw .emptyAlphabet }
    self.init { scalar in classes.contains { $0.contains(scalar) } }
  }

  private init(_ contains: @escaping @Sendable (Unicode.Scalar) -> Bool) {
    self.contains = contains
    ascii = (0..<128).map { contains(Unicode.Scalar(UInt8($0))) }
  }

  /// The scalars of this alphabet and of another.
  public func union(_ other: Alphabet) -> Alphabet {
    Alphabet { [self] in contains($0) || other.contains($0) }
  }

  /// The same state where the alphabet holds the scalar, else nil.
  public func advance(_ state: State, _ scalar: Unicode.Scalar) -> State? {
    (scalar.isASCII ? ascii[Int(scalar.value)] : contains(scalar)) ? state : nil
  }

  /// True: an alphabet says nothing of where a text ends.
  public func isAccepting(_ state: State) -> Bool { true }
}
