/// The symbols of a language model: four special symbols and the known Unicode scalars.
///
/// Symbol 0 is the start of a text, 1 the end of a text, 2 any unknown scalar, and 3 the start of a
/// line. The scalars follow in ascending order. Lookups are O(log S) for S scalars, and O(1) below
/// U+0080.
public struct SymbolTable: Hashable, Sendable {
  /// A symbol's number.
  package typealias Symbol = UInt8

  /// The symbol before the first character of a text; it is never predicted.
  package static let startOfText: Symbol = 0
  /// The symbol after the last character of a text.
  package static let endOfText: Symbol = 1
  /// The symbol of every scalar that is not in the table.
  package static let unknown: Symbol = 2
  /// The symbol before the first character of a line anywhere in a text; it is never predicted.
  package static let startOfLine: Symbol = 3
  /// The most scalars a table holds: symbols are bytes.
  package static let maximumScalarCount = 256 - specialCount

  static let specialCount = 4

  /// The scalars, ascending; the first is symbol 4.
  package let scalars: [Unicode.Scalar]
  private let ascii: [Symbol]

  /// The number of symbols, including the special ones.
  public var count: Int { scalars.count + Self.specialCount }

  /// Makes a table of scalars, or nil if they do not ascend strictly or are more than
  /// ``maximumScalarCount``.
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

  /// The symbol of a scalar; ``unknown`` if the table does not contain it.
  package func symbol(of scalar: Unicode.Scalar) -> Symbol {
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

  /// The scalar of a symbol; nil for special symbols and numbers from ``count`` on.
  package func scalar(of symbol: Symbol) -> Unicode.Scalar? {
    let index = Int(symbol) - Self.specialCount
    return scalars.indices.contains(index) ? scalars[index] : nil
  }
}

extension SymbolTable {
  /// Reads the table of a file whose header was checked.
  init(
    of bytes: UnsafeRawBufferPointer, _ layout: NGramFileLayout
  ) throws(LanguageModelError.Reason) {
    var scalars: [Unicode.Scalar] = []
    for index in 0..<layout.symbolCount {
      let value = UInt32(
        littleEndian: bytes.loadUnaligned(
          fromByteOffset: layout.scalars + 4 * index, as: UInt32.self))
      if index < Self.specialCount {
        guard value == 0 else { throw .malformed(part: "symbols", index: index, expected: "0") }
        continue
      }
      guard let scalar = Unicode.Scalar(value), scalars.last.map({ $0 < scalar }) ?? true else {
        throw .malformed(part: "symbols", index: index, expected: "a greater Unicode scalar")
      }
      scalars.append(scalar)
    }
    guard let table = SymbolTable(scalars: scalars) else {
      throw .malformed(part: "symbols", index: 0, expected: "ascending Unicode scalars")
    }
    self = table
  }
}
