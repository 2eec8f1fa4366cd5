/// The symbols of a language model: four special ones and the Unicode scalars it knows.
///
/// Symbol 0 is the start of a text, 1 its end, 2 stands for every scalar that is not known, 3 is the
/// start of a line; the scalars follow in ascending order. Lookups are O(log S) for S scalars, O(1) below U+0080.
public struct SymbolTable: Hashable, Sendable {
  /// A symbol's number.
  public typealias Symbol = UInt8

  /// The symbol before the first character of a text; it is never predicted.
  public static let startOfText: Symbol = 0
  /// The symbol behind the last character of a text.
  public static let endOfText: Symbol = 1
  /// The symbol of every scalar that is not in the table.
  public static let unknown: Symbol = 2
  /// The symbol before the first character of a line that may stand anywhere in its text; it is
  /// never predicted.
  public static let startOfLine: Symbol = 3
  /// The most scalars a table holds: symbols are bytes.
  public static let maximumScalarCount = 256 - specialCount

  static let specialCount = 4

  /// The scalars, ascending; the first is symbol 4.
  public let scalars: [Unicode.Scalar]
  private let ascii: [Symbol]

  /// The number of symbols, the special ones included.
  public var count: Int { scalars.count + Self.specialCount }

  /// Makes a table of scalars in strictly ascending order, or nil where they are not or are more
  /// than ``maximumScalarCount``.
  public init?(scalars: [Unicode.Scalar]) {
    guard scalars.count <= Self.maximumScalarCount,
      zip(scalars, scalars.dropFirst()).allSatisfy({ $0 < $1 })
    else { return nil }
    self.scalars = scalars
    var ascii = [Symbol](repeating: Self.unknown, count: 128)
    for (index, scalar) in scalars.enumerated() where scalar.isASCII {
      ascii[Int(scalar.value)] = Symbol(index + Self.specialCount)
    }
    self.ascii = ascii
  }

  /// The symbol of a scalar; ``unknown`` where the table does not hold it.
  public func symbol(of scalar: Unicode.Scalar) -> Symbol {
    if scalar.isASCII { return ascii[Int(scalar.value)] }
    var low = 0
    var high = scalars.count
    while low < high {
      let middle = (low + high) / 2
      if scalars[middle] < scalar { low = middle + 1 } else { high = middle }
    }
    guard low < scalars.count, scalars[low] == scalar else { return Self.unknown }
    return Symbol(low + Self.specialCount)
  }

  /// The scalar of a symbol; nil for the special ones and for numbers from ``count`` on.
  public func scalar(of symbol: Symbol) -> Unicode.Scalar? {
    let index = Int(symbol) - Self.specialCount
    return scalars.indices.contains(index) ? scalars[index] : nil
  }
}
