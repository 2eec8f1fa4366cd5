/// A crash that only a fuzzer that sees into the build finds: it proves that the build is not blind.
///
/// A text that a parser read ends the process where it holds `FUZZ` and `DEEP`, a number where its
/// digits hold 7319 and 6428. `canary.dict` has both halves. A fuzzer that learns of the first half
/// by coverage keeps that input and finds the second from there, with the sum of both efforts; a
/// blind one needs both halves in one input, the product.
struct Canary {
  /// Whether the canary ends the process. Without this it does nothing.
  let isArmed: Bool

  /// Looks at a text that a parser read.
  func see(_ text: String) {
    if isArmed, text.contains("FUZZ") { Self.look(text, for: "DEEP") }
  }

  /// Looks at a number that a parser read.
  func see(_ number: Double) {
    guard isArmed, let whole = Int64(exactly: number) else { return }
    let digits = String(whole)
    if digits.contains("7319") { Self.look(digits, for: "6428") }
  }

  /// Not inlined, so that to come here is a branch of its own.
  @inline(never)
  private static func look(_ text: String, for half: String) {
    if text.contains(half) { fatalError("the canary") }
  }
}
