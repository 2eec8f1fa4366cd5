import InkCore

/// A short hash of the label and the points of an ink: the same ink has it in every format.
///
/// The first 64 bits of the SHA-256 that ``DataHasher`` makes of one record with this label and
/// these strokes, without a writer and an area. As text, 16 lowercase hex digits.
package struct InkFingerprint: Hashable, Sendable {
  /// The bits.
  package let bits: UInt64

  /// Hashes an ink and its label. O(points).
  package init(label: String, ink: Ink) {
    var hasher = DataHasher()
    hasher.update(with: LabeledInk(ink: ink, label: label))
    bits = hasher.prefix()
  }

  /// Parses 16 lowercase hex digits; nil for anything else.
  package init?(_ text: String) {
    let digits = text.utf8
    guard digits.count == 16,
      digits.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }),
      let bits = UInt64(text, radix: 16)
    else { return nil }
    self.bits = bits
  }
}

extension InkFingerprint: CustomStringConvertible {
  /// 16 lowercase hex digits.
  package var description: String {
    let digits = String(bits, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

/// Names one record of some data for a decision: its fingerprint, and its place among the records
/// with the same fingerprint.
package struct InkKey: Hashable, Sendable {
  /// The hash of its label and points, as read.
  package var fingerprint: InkFingerprint
  /// The number of earlier records with this fingerprint, in reading order over all parts of the
  /// data.
  package var nth: Int

  /// Makes a key.
  package init(_ fingerprint: InkFingerprint, nth: Int = 0) {
    self.fingerprint = fingerprint
    self.nth = nth
  }
}
