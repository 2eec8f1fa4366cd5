import Dispatch

/// Runs numbered pieces of work on a number of threads.
package struct WorkerPool: Sendable {
  /// The number of threads, at least 1.
  package let count: Int

  /// Sets the number of threads; values below 1 count as 1.
  package init(count: Int) {
    self.count = max(1, count)
  }

  /// Runs `body` for 0 ..< pieces and returns when all are done. Each thread takes every `count`-th
  /// piece.
  package func run(_ pieces: Int, _ body: @Sendable (Int) -> Void) {
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

  /// Returns the results of `body` for 0 ..< pieces, in this order for any number of threads.
  ///
  /// - Parameters:
  ///   - scratch: Makes the memory of one thread, which its pieces share.
  ///   - body: Gets the index of a piece and the memory of the thread that runs it.
  /// - Throws: The error of the first piece that fails. Later pieces may have run.
  package func map<Scratch, Output, Failure: Error>(
    _ pieces: Int, scratch: @Sendable () -> Scratch,
    _ body: @Sendable (_ piece: Int, _ scratch: inout Scratch) throws(Failure) -> Output
  ) throws(Failure) -> [Output] {
    let threads = max(1, min(count, pieces))
    var results = [Result<Output, Failure>?](repeating: nil, count: pieces)
    results.withUnsafeMutableBufferPointer { results in
      // Safe because each piece writes to its own element.
      nonisolated(unsafe) let results = results
      run(threads) { thread in
        var memory = scratch()
        for piece in stride(from: thread, to: pieces, by: threads) {
          do throws(Failure) {
            results[piece] = .success(try body(piece, &memory))
          } catch {
            results[piece] = .failure(error)
          }
        }
      }
    }
    var outputs: [Output] = []
    outputs.reserveCapacity(pieces)
    for result in results {
      if let result { outputs.append(try result.get()) }
    }
    return outputs
  }

  /// The results of a `body` without memory of its own.
  package func map<Output, Failure: Error>(
    _ pieces: Int, _ body: @Sendable (_ piece: Int) throws(Failure) -> Output
  ) throws(Failure) -> [Output] {
    try map(pieces, scratch: {}) { (piece, _) throws(Failure) in try body(piece) }
  }
}
