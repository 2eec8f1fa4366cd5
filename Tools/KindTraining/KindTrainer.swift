import Foundation
import InkCore
import InkSynthesis
import Layout

func logarithm(_ value: Float) -> Float { log(value) }

/// A page as features and the true kinds of its rows.
struct PageSample: Sendable {
  let features: StrokeFeatures
  let kinds: [Int]

  init(_ page: ComposedPage) {
    features = StrokeFeatures(page.ink)
    kinds = features.items.map { page.kinds[$0].index }
  }
}

/// Trains a ``KindNetwork`` with Adam on composed pages, each of which is seen once.
struct KindTrainer {
  let composer: PageComposer
  /// The pages in all.
  let pages: Int
  /// The pages of one step, which are computed side by side.
  let batch = 8
  let rate: Float = 3e-3
  /// The number of pages from which the weights of the kinds are taken.
  private let counted = 300

  func train(seed: UInt64, report: (Int, Float) -> Void) -> KindNetwork {
    var network = KindNetwork(parameters: Self.initial(seed: seed))
    let weights = kindWeights()
    var (first, second) = (
      [Float](repeating: 0, count: network.parameters.count),
      [Float](repeating: 0, count: network.parameters.count)
    )
    let steps = pages / batch
    var (loss, number) = (Float(0), Float(0))
    for step in 0..<steps {
      let (gradient, count) = (KindGradient(network), network.parameters.count)
      let parts = parallel(batch) { place -> ([Float], Float, Float) in
        let sample = PageSample(composer.page(step * batch + place))
        var own = [Float](repeating: 0, count: count)
        let loss = gradient.add(
          sample.features, kinds: sample.kinds, weights: weights, to: &own)
        return (own, loss, sample.kinds.reduce(0) { $0 + weights[$1] })
      }
      // Large pages count less than by their strokes, small ones more.
      var total = [Float](repeating: 0, count: network.parameters.count)
      for (own, partLoss, weight) in parts where weight > 0 {
        let share = 1 / (weight.squareRoot() * 8 * Float(batch))
        for place in total.indices { total[place] += share * own[place] }
        loss += partLoss
        number += weight
      }
      let norm = total.reduce(0) { $0 + $1 * $1 }.squareRoot()
      let clip = min(1, 1 / max(norm, 1e-9))
      let progress = Float(step) / Float(steps)
      let warm = min(1, Float(step + 1) / 100)
      let speed = rate * warm * 0.5 * (1 + cos(.pi * progress))
      let (fading1, fading2) = (
        1 - pow(Float(0.9), Float(step + 1)), 1 - pow(Float(0.999), Float(step + 1))
      )
      for place in total.indices {
        let value = clip * total[place]
        first[place] = 0.9 * first[place] + 0.1 * value
        second[place] = 0.999 * second[place] + 0.001 * value * value
        network.parameters[place] -=
          speed * (first[place] / fading1) / ((second[place] / fading2).squareRoot() + 1e-7)
      }
      if step % 100 == 99 {
        report((step + 1) * batch, loss / max(number, 1))
        (loss, number) = (0, 0)
      }
    }
    return network
  }

  /// The weights of the kinds: the rarer, the higher, by the power 0.35.
  private func kindWeights() -> [Float] {
    var counts = [Float](repeating: 1, count: KindNetwork.K)
    let parts = parallel(counted) { composer.page(1_000_000 + $0).kinds }
    for kinds in parts { for kind in kinds { counts[kind.index] += 1 } }
    let total = counts.reduce(0, +)
    return counts.map { pow(total / $0, 0.35) }
  }

  private static func initial(seed: UInt64) -> [Float] {
    var generator = SeededGenerator(seed: seed, 77)
    var parameters = [Float](repeating: 0, count: KindNetwork.parameterCount)
    for block in KindNetwork.blocks where block.inputs > 1 {
      let deviation = 0.8 / Float(block.inputs).squareRoot()
      for place in block.start..<(block.start + block.count) {
        parameters[place] =
          deviation * (generator.next() % 2 == 0 ? 1 : -1) * Float(generator.next() >> 40) * 0x1p-24
          * 1.7
      }
    }
    return parameters
  }
}

/// Computes a value for each number, on all cores, in order.
func parallel<Value: Sendable>(_ count: Int, _ value: @Sendable (Int) -> Value) -> [Value] {
  let results = Results<Value>(count)
  DispatchQueue.concurrentPerform(iterations: count) { results.set($0, value($0)) }
  return results.all
}

private final class Results<Value: Sendable>: @unchecked Sendable {
  // Unchecked, because each place is written once, under the lock.
  private let lock = NSLock()
  private var values: [Value?]

  init(_ count: Int) { values = [Value?](repeating: nil, count: count) }

  func set(_ place: Int, _ value: Value) {
    lock.lock()
    values[place] = value
    lock.unlock()
  }

  var all: [Value] { values.compactMap(\.self) }
}
