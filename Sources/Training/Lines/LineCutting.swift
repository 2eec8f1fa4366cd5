import Features
import Files
import Foundation
import InkCore
import LinearAlgebra
import Networks
import Recognition

/// Cuts training lines into words with the network that is being trained, and recombines the words
/// to new lines. A network that sees the same lines again and again memorises their texts and
/// generalises less to unseen writers.
///
/// Lines are cut after an eighth, a quarter and a half of the epochs, more accurately each time, by
/// the averaged weights of that moment. If training starts from the weights of a model, lines are
/// also cut at the start. A checkpoint holds those weights, so that a resumed run cuts the same
/// words.
package final class LineCutting {
  /// The training lines, followed by the words that they were cut into.
  package private(set) var set: LineTrainingSet
  /// The weights that lines were cut with last.
  let weights: AlignedBuffer
  private let network: SequenceNetwork
  private let pipeline: LinePipeline
  private let precision: TrainingPrecision
  private let workers: WorkerPool
  private let epochs: [Int]
  /// The lines of several words.
  private let lines: [Int]
  private let sampleCount: Int
  private var isCut = false

  /// - Parameter isTrained: True if the first weights are those of a model that can read.
  init(
    _ set: LineTrainingSet, _ configuration: LineTrainingConfiguration, _ network: SequenceNetwork,
    isTrained: Bool, workers: Int
  ) {
    self.set = set
    self.network = network
    pipeline = configuration.pipeline
    precision = configuration.precision
    self.workers = WorkerPool(count: workers)
    sampleCount = set.samples.count
    lines =
      configuration.cuts
      ? set.samples.indices.filter { set.isCuttable(set.samples[$0]) } : []
    weights = AlignedBuffer(count: lines.isEmpty ? 0 : network.parameterCount)
    let later = [8, 4, 2].map { configuration.epochs / $0 }.filter { $0 > 0 }
    epochs = (isTrained ? [0] : []) + later
  }

  /// True if no line can be cut.
  var isIdle: Bool { lines.isEmpty }

  /// Cuts the lines if it is time to do so.
  ///
  /// - Parameters:
  ///   - epoch: The current epoch.
  ///   - begins: True if no step of the epoch has been taken.
  ///   - average: The averaged weights.
  /// - Returns: The number of lines and of words cut from them; nil if none were cut now.
  func update(
    epoch: Int, begins: Bool, average: AlignedBuffer
  ) -> (lines: Int, words: Int)? {
    guard !isIdle, let last = epochs.last(where: { $0 <= epoch }) else { return nil }
    if last == epoch, begins {
      weights.copy(from: average)
    } else if isCut {
      return nil
    }
    isCut = true
    return cut()
  }

  private func cut() -> (lines: Int, words: Int) {
    set.keepFirst(sampleCount)
    let model = LineModel(
      labels: set.labels, pipeline: pipeline, network: network, parameters: weights)
    let recognizer =
      precision == .single
      ? try? LineRecognizer(inSinglePrecision: model) : try? LineRecognizer(model: model)
    guard let recognizer else { return (0, 0) }
    let cutter = InkCutter(recognizer: recognizer)
    let words = workers.map(lines.count) { [set, lines] index in
      let sample = set.samples[lines[index]]
      return CutWord.words(
        of: sample, set.text(of: sample), direction: set.direction, by: cutter)
    }
    for (line, words) in zip(lines, words) {
      for word in words { set.append(word, of: line) }
    }
    return (words.count { !$0.isEmpty }, set.samples.count - sampleCount)
  }
}

/// A word that was cut from a line.
package struct CutWord {
  /// Its ink, in units of the line.
  var trajectory: Trajectory
  /// The line's area, in the trajectory's frame.
  var area: LocalArea
  var text: String

  package init(trajectory: Trajectory, area: LocalArea, text: String) {
    self.trajectory = trajectory
    self.area = area
    self.text = text
  }

  /// The words of a line that consist of whole strokes and of letters or digits, as they are on the
  /// page; none if the line is read as a different text. The line is in the reading frame.
  static func words(
    of sample: LineTrainingSet.Sample, _ text: String, direction: WritingDirection,
    by cutter: InkCutter
  ) -> [CutWord] {
    guard let area = sample.line.writingArea,
      let pieces = try? cutter.cut(
        LabeledInk(
          ink: sample.line.ink.turned(direction), label: text,
          writingArea: area.turned(direction)), into: .words)
    else { return [] }
    return pieces.compactMap { piece in
      guard piece.label.contains(where: { $0.isLetter || $0.isNumber }),
        let trajectory = try? Trajectory(piece.ink)
      else { return nil }
      return CutWord(
        trajectory: trajectory, area: LocalArea(area, in: trajectory.frame), text: piece.label)
    }
  }
}

extension NormalizedLine {
  /// The points in line heights.
  fileprivate var ink: Ink {
    Ink(
      strokes: trajectory.strokeEnds.indices.map { stroke in
        Stroke(
          points: trajectory.stroke(stroke).map {
            StrokePoint(x: Double(trajectory.x[$0]), y: Double(trajectory.y[$0]))
          })
      })
  }

  /// The area in line heights.
  fileprivate var writingArea: WritingArea? {
    area.flatMap {
      try? WritingArea(
        x: 0, y: Double($0.top), width: max(1, Double(trajectory.x.max() ?? 0)),
        height: Double($0.height))
    }
  }
}
