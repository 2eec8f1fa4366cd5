import Foundation

/// The probabilities of the classes at one time step, relative to the best one that may be read.
///
/// Only those that are asked for are computed. Not thread-safe.
struct SymbolChances: ~Copyable {
  /// A probability that was computed at a time step.
  private struct Known: BitwiseCopyable {
    var step: Int32
    var chance: Float
  }

  private static let lanes = 16
  private typealias Lanes = SIMD16<Float>

  private var classes = 0
  private var areAllAllowed = true
  private var allowed: [Bool] = []
  private var row: UnsafePointer<Float>?
  /// The value of the best class at this time step.
  private var best: Float = 0
  /// The probability of each class, if its step is the present one.
  private var known = ScratchList<Known>()
  private var step: Int32 = 0

  /// Begins an output [T, K].
  mutating func begin(classes: Int, allowed: [Bool]) {
    self.classes = classes
    self.allowed = allowed
    areAllAllowed = allowed.allSatisfy { $0 }
    known.fill(Known(step: -1, chance: 0), count: classes)
    step = -1
  }

  /// Begins a time step, whose log-probabilities [K] stay valid until the next one.
  ///
  /// - Returns: The log-probability of the best class, to which those of the others are relative;
  ///   zero if no class is possible.
  mutating func begin(_ row: UnsafePointer<Float>) -> Double {
    self.row = row
    step += 1
    best = areAllAllowed ? maximum(row) : allowedMaximum(row)
    if !best.isFinite { best = 0 }
    return Double(best)
  }

  private func maximum(_ row: UnsafePointer<Float>) -> Float {
    var place = 0
    var best = row[0]
    if classes >= Self.lanes {
      var most = Lanes(repeating: -.infinity)
      while place + Self.lanes <= classes {
        most.replace(with: values(row, place), where: values(row, place) .> most)
        place += Self.lanes
      }
      best = most.max()
    }
    while place < classes {
      best = max(best, row[place])
      place += 1
    }
    return best
  }

  private func allowedMaximum(_ row: UnsafePointer<Float>) -> Float {
    var best = row[0]
    for label in 1..<classes where allowed[label] { best = max(best, row[label]) }
    return best
  }

  @inline(__always)
  private func values(_ row: UnsafePointer<Float>, _ place: Int) -> Lanes {
    UnsafeRawPointer(row + place).loadUnaligned(as: Lanes.self)
  }

  /// Calls a function with each class that may be read, except the blank, whose log-probability
  /// relative to the best class is above a value.
  @inline(__always)
  func forEach(above relative: Float, _ body: (_ label: Int, _ value: Float) -> Void) {
    guard let row else { return }
    let floor = best + relative
    var place = 1
    while place < classes {
      let end = min(place + Self.lanes, classes)
      // Most runs have no class above the floor.
      if end - place == Self.lanes, !any(values(row, place) .> floor) {
        place = end
        continue
      }
      for label in place..<end where row[label] > floor && (areAllAllowed || allowed[label]) {
        body(label, row[label])
      }
      place = end
    }
  }

  /// The probability of a class relative to the best one.
  @inline(__always)
  subscript(_ label: Int) -> Double {
    if known[label].step == step { return Double(known[label].chance) }
    let chance = row.map { exp($0[label] - best) } ?? 0
    known[label] = Known(step: step, chance: chance)
    return Double(chance)
  }
}
