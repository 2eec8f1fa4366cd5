/// A property of Unicode scalars that an ``Alphabet`` can be made of, by the Unicode version of the
/// standard library.
public struct CharacterClass: Hashable, Sendable {
  /// What has the property.
  enum Rule: Hashable, Sendable {
    /// Scalars of these general categories.
    case categories(Set<Unicode.GeneralCategory>)
    /// Scalars with a property that is true or false.
    case binary(BinaryProperty)
  }

  private let rule: Rule
  private var isComplement = false

  init(_ rule: Rule) { self.rule = rule }

  /// Letters of any script: Alphabetic.
  public static let letters = CharacterClass(.binary(.alphabetic))
  /// Upper-case letters: Uppercase.
  public static let uppercase = CharacterClass(.binary(.uppercase))
  /// Lower-case letters: Lowercase.
  public static let lowercase = CharacterClass(.binary(.lowercase))
  /// Decimal digits of any script: general category Nd.
  public static let digits = CharacterClass(.categories([.decimalNumber]))
  /// Punctuation: the general categories P*.
  public static let punctuation = CharacterClass(.categories(GeneralCategoryName.of(group: "P")))
  /// Symbols of mathematics, money and others: the general categories S*.
  public static let symbols = CharacterClass(.categories(GeneralCategoryName.of(group: "S")))
  /// White space: White_Space.
  public static let space = CharacterClass(.binary(.whiteSpace))

  /// The scalars that lack this property.
  public var complement: CharacterClass {
    var copy = self
    copy.isComplement.toggle()
    return copy
  }

  /// Whether a scalar has the property.
  public func contains(_ scalar: Unicode.Scalar) -> Bool {
    let has =
      switch rule {
      case .categories(let categories): categories.contains(scalar.properties.generalCategory)
      case .binary(let property): property.contains(scalar)
      }
    return has != isComplement
  }
}
