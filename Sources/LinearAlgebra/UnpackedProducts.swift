/// Products that the BLAS in use computes straight from the operands.
///
/// OpenBLAS with its AVX-512 kernels (0.3.17 and newer) does not first copy the operands of a
/// product of up to 10^6 multiply-adds into packed panels. On the matrices of glyph networks this
/// is 10 to 20 % faster than one large packed product, and twice as fast if one side is a batch of
/// 32. Products are therefore cut into blocks below the limit. Other libraries get the whole
/// product at once.
enum UnpackedProducts {
  /// The most multiply-adds of a product that is not packed; 0 if the library packs every product.
  static let limit = multiplyAdds(of: .current)

  /// Twice the rows of the register tile of those kernels: other counts leave part of it idle.
  private static let rowMultiple = 12
  /// The fewest columns of `a` that are worth another pass over the result.
  private static let shortestInner = 64

  /// The limit for a library.
  static func multiplyAdds(of library: BLASLibrary) -> Int {
    guard library.implementation == .openBLAS, library.usesAVX512Kernels,
      let version = library.version
    else { return 0 }
    let numbers = version.split(separator: ".").map { Int($0) ?? 0 }
    return numbers.lexicographicallyPrecedes([0, 3, 17]) ? 0 : 1_000_000
  }

  /// The block for [rows, inner] x [inner, columns]: as many rows as the limit allows, or twelve
  /// rows and part of the inner size; nil if that part would be too short.
  static func block(rows: Int, inner: Int, columns: Int) -> (rows: Int, inner: Int)? {
    let room = limit / max(1, inner * columns)
    if room >= rows { return (rows, inner) }
    if room >= rowMultiple { return (room - room % rowMultiple, inner) }
    let height = min(rows, rowMultiple)
    let depth = limit / max(1, height * columns)
    guard depth >= shortestInner else { return nil }
    let parts = (inner + depth - 1) / depth
    return (height, (inner + parts - 1) / parts)
  }

  /// The rows of a block of aᵀ b with `inner` rows in a and b; nil if they are too few to be worth
  /// reading b once for each block.
  static func rows(inner: Int, columns: Int) -> Int? {
    let room = limit / max(1, inner * columns)
    return room < 2 * rowMultiple ? nil : room - room % rowMultiple
  }
}
