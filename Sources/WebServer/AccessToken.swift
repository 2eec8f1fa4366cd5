/// The secret that a client of a server sends to be let in.
package enum AccessToken {
  /// Returns a new token of 192 random bits, in hexadecimal.
  package static func random() -> String {
    (0..<3).map { _ in
      let digits = String(UInt64.random(in: 0 ... .max), radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }

  /// Compares two texts in a time that does not depend on how much of them is equal.
  package static func isEqual(_ left: String, _ right: String) -> Bool {
    let (left, right) = (Array(left.utf8), Array(right.utf8))
    guard left.count == right.count else { return false }
    return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
