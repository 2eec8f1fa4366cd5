extension CharacterClass {
  /// The class of a property by its name in Unicode: a general category (`Lu`, `Uppercase_Letter`, `L`,
  /// also `gc=Lu` and `General_Category=Lu`) or a property that is true or false (`Alphabetic`).
  /// Case, spaces, hyphens and underscores in names do not count (UAX #44, loose matching).
  ///
  /// - Throws: ``TextConstraintError/unknownProperty(_:)`` with a name that is not among ``names``.
  public init(named name: String) throws(TextConstraintError) {
    let parts = name.split(separator: "=", omittingEmptySubsequences: false).map(Self.loose)
    let isCategory = parts.count == 2 && ["gc", "generalcategory"].contains(parts[0])
    let value = isCategory ? parts[1] : Self.loose(name)
    let category = GeneralCategoryName.all.first {
      Self.loose($0.short) == value || Self.loose($0.long) == value
    }
    if let category {
      self.init(.categories(category.categories))
    } else if !isCategory,
      let property = BinaryProperty.allCases.first(where: { Self.loose($0.rawValue) == value })
    {
      self.init(.binary(property))
    } else {
      throw .unknownProperty(name)
    }
  }

  /// The names of all classes: of general categories the short and the long one.
  public static let names: [String] =
    GeneralCategoryName.all.flatMap { [$0.short, $0.long] }
    + BinaryProperty.allCases.map(\.rawValue)

  private static func loose(_ name: some StringProtocol) -> String {
    name.lowercased().filter { $0 != " " && $0 != "_" && $0 != "-" }
  }
}
