import Files
import Testing

@Suite("Worker threads")
struct WorkerPoolTests {
  private struct Failure: Error, Equatable {
    let piece: Int
  }

  @Test("Results come in the order of the pieces", arguments: [1, 2, 3, 8])
  func order(threads: Int) {
    let pool = WorkerPool(count: threads)
    for pieces in [0, 1, 2, 7, 100] {
      let squares = pool.map(pieces) { $0 * $0 }
      #expect(squares == (0..<pieces).map { $0 * $0 })
    }
  }

  @Test("The error of the first piece that fails is thrown", arguments: [1, 2, 5])
  func firstError(threads: Int) {
    let error = #expect(throws: Failure.self) {
      try WorkerPool(count: threads).map(40) { (piece) throws(Failure) -> Int in
        if piece % 7 == 6 { throw Failure(piece: piece) }
        return piece
      }
    }
    #expect(error == Failure(piece: 6))
  }

  @Test("Only pieces of one thread share its memory", arguments: [1, 2, 4])
  func scratch(threads: Int) {
    let counts = WorkerPool(count: threads).map(20, scratch: { 0 }) { _, seen in
      seen += 1
      return seen
    }
    // Each thread takes every so-many-th piece.
    #expect(counts == (0..<20).map { $0 / threads + 1 })
  }
}
