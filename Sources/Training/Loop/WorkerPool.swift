import Dispatch

/// Runs numbered pieces of work on a number of threads.
struct WorkerPool: Sendable {
  /// Threads, at least 1.
  let count: Int

  /// Names the number of threads; below 1 counts as 1.
  init(count: Int) {
    self.count = max(1, count)
  }

  /// Runs `body` for 0 ..< pieces and returns when all are done; each thread takes every
  /// `count`-th piece.
  func run(_ pieces: Int, _ body: @Sendable (Int) -> Void) {
    let threads = min(count, pieces)
    if threads <= 1 {
      for piece in 0..<pieces { body(piece) }
      return
    }
    DispatchQueue.concurrentPerform(iterations: threads) { thread in
      var piece = thread
      while piece < pieces {
        body(piece)
        piece += threads
      }
    }
  }
}
