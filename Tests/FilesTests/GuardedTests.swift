import Dispatch
import Files
import Testing

struct GuardedTests {
  @Test("Threads that change a value do so one after the other")
  func exclusion() {
    let sum = Guarded(0)
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<2_000 { sum.withLock { $0 += 1 } }
    }
    #expect(sum.withLock { $0 } == 16_000)
  }

  @Test("Copies share one value")
  func copies() {
    let first = Guarded(["a"])
    let second = first
    second.withLock { $0.append("b") }
    #expect(first.withLock { $0 } == ["a", "b"])
  }

  @Test("An error leaves the lock free, keeps its type, and what was changed before it")
  func errors() {
    struct Refusal: Error, Equatable { var number: Int }
    let value = Guarded(1)
    var caught: Refusal?
    do throws(Refusal) {
      try value.withLock { (value) throws(Refusal) in
        value = 2
        throw Refusal(number: value)
      }
    } catch {
      caught = error
    }
    #expect(caught == Refusal(number: 2))
    #expect(value.withLock { $0 } == 2)
  }

  @Test("A value is changed in place: an array does not move")
  func inPlace() {
    let array = Guarded([Int](repeating: 1, count: 1_000))
    func place(_ array: borrowing [Int]) -> UInt {
      array.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
    }
    let before = array.withLock { place($0) }
    for index in 0..<1_000 { array.withLock { $0[index] += 1 } }
    #expect(array.withLock { place($0) } == before)
  }

  @Test("The value goes when the last copy does")
  func end() {
    final class Part: Sendable {}
    weak var part: Part?
    do {
      let guarded = Guarded(Part())
      part = guarded.withLock { $0 }
      #expect(part != nil)
    }
    #expect(part == nil)
  }
}
