/// Finds a short list of operations that still fails, by delta debugging.
struct OperationShrinker {
  /// Returns the failure of a list, or nil if it passes.
  let failure: ([EditorOperation]) -> String?
  /// The most lists to try.
  var limit = 3000
  /// The greatest time for all of them.
  var time = Duration.seconds(120)

  /// Drops chunks, and then single operations, as long as the rest fails. If the limit is reached,
  /// the list is the shortest found so far.
  func shrunk(_ operations: [EditorOperation]) -> [EditorOperation] {
    var best = operations
    var tries = 0
    let start = ContinuousClock.now
    var chunk = max(1, best.count / 2)
    while true {
      var place = 0
      var hasShrunk = false
      while place < best.count {
        guard tries < limit, ContinuousClock.now - start < time else { return best }
        tries += 1
        var shorter = best
        shorter.removeSubrange(place..<min(place + chunk, best.count))
        if failure(shorter) != nil {
          best = shorter
          hasShrunk = true
        } else {
          place += chunk
        }
      }
      if chunk > 1 { chunk /= 2 } else if !hasShrunk { return best }
    }
  }
}
