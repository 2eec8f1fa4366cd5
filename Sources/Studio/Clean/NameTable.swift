/// Assigns numbers to texts, in the order of their first use. Texts are compared by their bytes, so
/// that two spellings of one character stay two.
package struct NameTable: Sendable {
  /// The texts by their numbers.
  package private(set) var names: [String] = []
  private var numbers: [[UInt8]: Int32] = [:]

  /// Returns the number of a text, which is added if it is new. O(bytes).
  mutating func number(of name: String) -> Int32 {
    let bytes = Array(name.utf8)
    if let known = numbers[bytes] { return known }
    let number = Int32(names.count)
    numbers[bytes] = number
    names.append(name)
    return number
  }

  /// Returns the number of a text; nil if it is not in the table. O(bytes).
  package func known(_ name: String) -> Int32? { numbers[Array(name.utf8)] }

  /// Returns the text of a number; nil for a negative one.
  package subscript(number: Int32) -> String? { number >= 0 ? names[Int(number)] : nil }

  /// The place of each number in the sorted order of the texts. O(n log n).
  var ranks: [Int32] {
    var ranks = [Int32](repeating: 0, count: names.count)
    for (rank, number) in names.indices.sorted(by: { names[$0] < names[$1] }).enumerated() {
      ranks[number] = Int32(rank)
    }
    return ranks
  }
}
