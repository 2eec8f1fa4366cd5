import Features
import Foundation
import InkCore
import LinearAlgebra
import Networks
import Recognition

/// Cuts training lines into words with the network that is learning them, so that they can be put
/// together to other lines: a network that meets the same lines again and again learns their texts,
/// where it should learn hands.
///
/// Lines are cut when an eighth, a quarter and a half of the epochs are over, better each time, by the
/// averaged weights of that moment; where training began with the weights of a model, at once too.
/// Those weights belong to a checkpoint, so that a resumed run cuts the same words.
final class LineCutting {
  /// The training lines, and behind them the words of this epoch: what lines were cut into, and words that
  /// were spliced of those.
  private(set) var set: LineTrainingSet
  /// Those that lines were cut with last.
  let weights: AlignedBuffer
  private let network: SequenceNetwork
  private let pipeline: LinePipeline
  private let precision: TrainingPrecision
  private let workers: WorkerPool
  private let epochs: [Int]
  /// The lines of several words.
  private let lines: [Int]
  private let sampleCount: Int
  /// The words of the lines, once those are cut.
  private(set) var splicing: WordSplicing?
  private let seed: UInt64
  private let splicedWords: Float

  /// - Parameter isTrained: Whether the first weights are those of a model that can read.
  init(
    _ set: LineTrainingSet, _ configuration: LineTrainingConfiguration, _ network: SequenceNetwork,
    isTrained: Bool, workers: Int
  ) {
    self.set = set
    self.network = network
    pipeline = configuration.pipeline
    precision = configuration.precision
    self.workers = WorkerPool(count: workers)
    seed = configuration.seed
    splicedWords = configuration.splicedWords
    sampleCount = set.samples.count
    lines =
      configuration.cuts
      ? set.samples.indices.filter { set.isCuttable(set.samples[$0]) } : []
    weights = AlignedBuffer(count: lines.isEmpty ? 0 : network.parameterCount)
    let later = [8, 4, 2].map { configuration.epochs / $0 }.filter { $0 > 0 }
    epochs = (isTrained ? [0] : []) + later
  }

  /// Whether no line can be cut.
  var isIdle: Bool { lines.isEmpty }

  /// Cuts the lines if this is the time, and makes the words that this epoch's lines are put together of.
  ///
  /// - Parameters:
  ///   - epoch: The epoch that begins or goes on.
  ///   - begins: Whether no step of it was taken.
  ///   - average: The averaged weights.
  /// - Returns: The lines and the words that they were cut into now; nil where none were cut.
  func update(
    epoch: Int, begins: Bool, average: AlignedBuffer
  ) -> (lines: Int, words: Int)? {
    guard !isIdle, let last = epochs.last(where: { $0 <= epoch }) else { return nil }
    let isTime = last == epoch && begins
    if isTime { weights.copy(from: average) }
    let isCut = isTime || splicing == nil
    if isCut { splicing = WordSplicing(cut(), of: set, seed: seed, share: splicedWords) }
    guard let splicing, isCut || splicing.isOn else { return nil }
    set.keepFirst(sampleCount)
    for (line, word) in splicing.words(of: epoch) { set.append(word, of: line) }
    return isCut ? (Set(splicing.words.map(\.line)).count, splicing.words.count) : nil
  }

  private func cut() -> [WordSplicing.Word] {
    let model = LineModel(
      labels: set.labels, pipeline: pipeline, network: network, parameters: weights)
    let recognizer =
      precision == .single
      ? try? LineRecognizer(inSinglePrecision: model) : try? LineRecognizer(model: model)
    guard let recognizer else { return [] }
    let cutter = InkCutter(recognizer: recognizer)
    var words = [[CutWord]](repeating: [], count: lines.count)
    words.withUnsafeMutableBufferPointer { words in
      let target = UncheckedWords(words)
      workers.run(lines.count) { [set, lines] index in
        let sample = set.samples[lines[index]]
        target.words[index] = CutWord.words(of: sample, set.text(of: sample), by: cutter)
      }
    }
    return zip(lines, words).flatMap { line, words in words.map { (line, $0) } }
  }

  private struct UncheckedWords: @unchecked Sendable {
    // Unchecked because workers write to disjoint elements.
    let words: UnsafeMutableBufferPointer<[CutWord]>

    init(_ words: UnsafeMutableBufferPointer<[CutWord]>) { self.words = words }
  }
}
