/// A crash that only a fuzzer with coverage of the build finds. It proves that coverage works.
///
/// If a parsed text contains `FUZZ` and `DEEP`, or the digits of a number contain 7319 and 6428,
/// the process ends. `canary.dict` has both halves. A fuzzer with coverage keeps an input with the
/// first half and finds the second from there; its effort is the sum of both searches. Without
/// coverage, both halves must occur in one input, and the effort is the product.
struct Canary {
  /// True if the canary ends the process. Otherwise it does nothing.
  let isArmed: Bool

  /// Checks a text that a parser read.
  func see(_ text: String) {
    if isArmed, text.contains("FUZZ") { Self.look(text, for: "DEEP") }
  }

  /// Checks a number that a parser read.
  func see(_ number: Double) {
    guard isArmed, let whole = Int64(exactly: number) else { return }
    let digits = String(whole)
    if digits.contains("7319") { Self.look(digits, for: "6428") }
  }

  /// Not inlined, so that a call is a branch of its own.
  @inline(never)
  private static func look(_ text: String, for half: String) {
    if text.contains(half) { fatalError("the canary") }
  }
}
