import LanguageModels

/// How fast a language model is on a text: one thread, rounds over the whole text.
struct LanguageSpeed: Encodable {
  /// States advanced by the characters of the text, per second.
  let advances: BenchSpread
  /// Probabilities of symbols by queries for all successors of the states along the text, per second.
  let successors: BenchSpread

  private static let rounds = 5
  /// A query for all successors takes a hundred times as long: one in so many states is asked.
  private static let successorStride = 64

  init(_ model: LanguageModel, on text: NormalizedText) {
    let texts = text.texts.map { $0.map { model.symbols.symbol(of: $0) } }
    var (advances, successors): ([Double], [Double]) = ([], [])
    for _ in 0..<Self.rounds {
      advances.append(Self.rate { Self.advance(model, along: texts) })
      successors.append(Self.rate { Self.querySuccessors(model, along: texts) })
    }
    self.advances = BenchSpread(advances)
    self.successors = BenchSpread(successors)
  }

  /// Repeats some work for a fifth of a second; what it counts, per second.
  private static func rate(_ work: () -> Int) -> Double {
    let start = ContinuousClock.now
    var count = 0
    var seconds = 0.0
    repeat {
      count += work()
      seconds = (ContinuousClock.now - start) / .seconds(1)
    } while seconds < 0.2 && count > 0
    return Double(count) / seconds
  }

  private static func advance(_ model: LanguageModel, along texts: [[LanguageModel.Symbol]]) -> Int
  {
    var count = 0
    var sum: Float = 0
    for text in texts {
      var state = model.start
      for symbol in text {
        let step = model.advance(state, symbol)
        state = step.state
        sum += step.logProbability
      }
      count += text.count
    }
    // A sum that nobody looks at would be no work.
    return sum.isFinite ? count : 0
  }

  private static func querySuccessors(
    _ model: LanguageModel, along texts: [[LanguageModel.Symbol]]
  ) -> Int {
    var (count, place) = (0, 0)
    var sum: Float = 0
    var buffer = [Float](repeating: 0, count: model.symbols.count)
    for text in texts {
      var state = model.start
      for symbol in text {
        state = model.advance(state, symbol).state
        place += 1
        guard place.isMultiple(of: successorStride) else { continue }
        buffer.withUnsafeMutableBufferPointer { model.logProbabilities(state, into: $0) }
        sum += buffer[buffer.count / 2]
        count += buffer.count
      }
    }
    return sum.isFinite ? count : 0
  }
}
