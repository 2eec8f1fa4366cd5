import Features
import InkCore
import LanguageModels
import LinearAlgebra
import Networks

/// What aligning a text needs of the strokes of an ink.
struct LineStrokes {
  var starts: StrokeStarts
  var delayed: DelayedStrokes
}

/// What one recognition of a line at a time needs; its memory is kept for the next.
final class LineReadingMemory {
  let workspace: SequenceNetwork.Workspace
  var decoder = BeamDecoder()
  /// Of the last run of the network.
  private(set) var timings = LineTimings()
  private var trajectory = Trajectory()
  private var line = NormalizedLine()
  private var encoder: LineEncoder
  private var alignment = ForcedAlignment()
  private var scores = AlignedBuffer(count: 0)
  /// What the network's products are computed on, with its weights; nil for single precision.
  private let unit: BFloat16Unit?
  private let weights: PackedWeights?
  /// nil where there is no recurrent language model.
  let recurrent: RecurrentScorer?

  init(_ model: LineModel, _ weights: PackedWeights?, _ recurrent: RecurrentLanguageModel?) {
    self.weights = weights
    unit = weights.flatMap { _ in BFloat16Unit() }
    workspace = model.network.makeWorkspace()
    encoder = LineEncoder(model.pipeline)
    self.recurrent = recurrent.flatMap { RecurrentScorer($0) }
  }

  /// Time steps of the last output.
  var steps: Int { workspace.outputSequences.lengths.first ?? 0 }

  /// Strokes of the ink of the last run that were too many.
  var unreadStrokes: Int { encoder.unreadStrokes }

  /// What aligning needs of the ink of the last run.
  func strokes(of ink: Ink) -> LineStrokes {
    let unit = trajectory.frame.unit
    // What is left of what, is asked along the line that was read.
    let ink = line.rowShifts.map { ink.moved(right: $0.map { Double($0) * unit }) } ?? ink
    return LineStrokes(
      starts: StrokeStarts(ink, order: line.strokeOrder),
      delayed: DelayedStrokes(ink, lineHeight: Double(line.unit) * unit))
  }

  /// The log-probabilities [T, K] of an ink with points.
  func run(
    _ model: LineModel, _ ink: Ink, area: WritingArea?
  ) throws(InkError) -> UnsafePointer<Float> {
    let start = ContinuousClock.now
    try trajectory.load(ink)
    line.load(trajectory, area: area.map { LocalArea($0, in: trajectory.frame) })
    encoder.encode(line)
    workspace.sequences.set(lengths: CollectionOfOne(encoder.steps))
    encoder.values.withUnsafeBufferPointer { values in
      if let base = values.baseAddress {
        workspace.input.update(from: base, count: values.count)
      }
    }
    let encoded = ContinuousClock.now
    timings.features = encoded - start
    defer { timings.network = ContinuousClock.now - encoded }
    return UnsafePointer(
      model.network.forward(
        workspace,
        context: LayerContext(
          parameters: model.parameters.pointer, unit: unit, packed: weights)))
  }

  /// The output [T, K] less the corrections [K] of each time step; itself where there are none.
  func corrected(
    _ output: UnsafePointer<Float>, steps: Int, by corrections: [Float]
  ) -> UnsafePointer<Float> {
    let classes = corrections.count
    guard classes > 0 else { return output }
    if scores.count < steps * classes {
      scores = AlignedBuffer(count: steps * classes + steps * classes / 4)
    }
    let target = scores.pointer
    corrections.withUnsafeBufferPointer { corrections in
      for step in 0..<steps {
        for label in 0..<classes {
          target[step * classes + label] = output[step * classes + label] - corrections[label]
        }
      }
    }
    return UnsafePointer(target)
  }

  /// For each class of a reading the largest probability at the time steps that it was read at; nil
  /// where it does not go with the output.
  func certainties(
    of labels: [Int32], _ output: UnsafePointer<Float>, steps: Int, _ model: LineModel
  ) -> [Float]? {
    let classes = model.labels.count + 1
    return alignment.align(output, steps: steps, classes: classes, labels: labels).map {
      ForcedAlignment.certainties(output, classes: classes, labels: labels, at: $0)
    }
  }

  /// The ink of each character of a reading: what was drawn from its beginning to the next one's, and
  /// what was drawn over it later; and the probability of each by the network alone.
  func align(
    _ labels: [Int32], _ output: UnsafePointer<Float>, _ model: LineModel, _ strokes: LineStrokes
  ) -> (ink: [CharacterInk], certainties: [Float]) {
    let text = labels.map { model.labels[Int($0) - 1] }
    // A space that was not written stands before the first time step.
    if text.first == " " {
      let written = align(Array(labels.dropFirst()), output, model, strokes)
      return ([CharacterInk(parts: [])] + written.ink, [1] + written.certainties)
    }
    let classes = model.labels.count + 1
    guard
      let ranges = alignment.align(output, steps: steps, classes: classes, labels: labels)
    else { return (labels.map { _ in CharacterInk(parts: []) }, []) }
    let starts = strokes.starts
    let begins = starts.begins(of: ranges, isSpace: text.map { $0 == " " }) { step in
      let source = encoder.sources[min(step * model.network.stride, encoder.steps - 1)]
      return starts.place(ofDrawn: Int(source))
    }
    let end = starts.pointCount - 1
    var characters = text.indices.map { index in
      guard text[index] != " " else { return CharacterInk(parts: []) }
      let last = index + 1 < text.count ? begins[index + 1] - 1 : end
      return CharacterInk(
        parts: starts.parts(from: begins[index], through: max(last, begins[index])))
    }
    strokes.delayed.move(in: &characters, of: text)
    return (
      characters,
      ForcedAlignment.certainties(output, classes: classes, labels: labels, at: ranges)
    )
  }
}

extension Ink {
  /// The ink with each stroke that has points moved by its own distance.
  fileprivate func moved(right distances: [Double]) -> Ink {
    var result = self
    let strokes = result.strokes.indices.filter { !result.strokes[$0].points.isEmpty }
    for (stroke, distance) in zip(strokes, distances) {
      for point in result.strokes[stroke].points.indices {
        result.strokes[stroke].points[point].x += distance
      }
    }
    return result
  }
}

/// The models that lines are read with. Recognisers that differ in what may be read share them.
struct LineReadingModels: Sendable {
  /// Tells symbols from ink.
  var line: LineModel
  /// Its weights for mixed precision, packed once for all threads; nil where products are in single
  /// precision.
  var weights: PackedWeights?
  /// Weighs texts while they are searched.
  var language: LanguageModel?
  /// Orders the best readings anew.
  var recurrent: RecurrentLanguageModel?
  /// Has its say where an ink may be one character.
  var character: GlyphModel?
}

/// How long the stages of one recognition took.
package struct LineTimings: Sendable {
  /// From raw points to numbers.
  package var features = Duration.zero
  /// The network.
  package var network = Duration.zero
  /// The search, and finding the ink of every character.
  package var decoding = Duration.zero

  /// Nothing measured yet.
  package init() {}
}
