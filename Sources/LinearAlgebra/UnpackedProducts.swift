/// Products that the BLAS in use computes straight from the operands.
///
/// OpenBLAS with its AVX-512 kernels (0.3.17 and newer) does not copy the operands of a product of
/// up to 10^6 multiply-adds into packed panels first. On the matrices of glyph networks that is a
/// tenth to a fifth faster than one large packed product, so a product is cut into blocks of rows
/// that stay below the limit. Other libraries get the whole product at once.
enum UnpackedProducts {
  /// The most multiply-adds of a product that is not packed; 0 where the library packs every one.
  static let limit = multiplyAdds(of: .current)

  /// Rows of the register tile of those kernels, twice: other numbers leave part of it idle.
  private static let rowMultiple = 12

  /// The limit for a library.
  static func multiplyAdds(of library: BLASLibrary) -> Int {
    guard library.implementation == .openBLAS, library.usesAVX512Kernels,
      let version = library.version
    else { return 0 }
    let numbers = version.split(separator: ".").map { Int($0) ?? 0 }
    return numbers.lexicographicallyPrecedes([0, 3, 17]) ? 0 : 1_000_000
  }

  /// The rows of one block of a product [rows, inner] x [inner, columns], or nil where blocks of at
  /// least `minimum` rows, which pay for a call, are beyond the limit.
  static func rows(inner: Int, columns: Int, atLeast minimum: Int) -> Int? {
    let room = limit / max(1, inner * columns)
    return room < minimum ? nil : room - room % rowMultiple
  }
}
