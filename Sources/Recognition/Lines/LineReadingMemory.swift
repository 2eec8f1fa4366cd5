import Features
import InkCore
import LanguageModels
import LinearAlgebra
import Networks

/// The strokes of an ink in the form for aligning a text.
struct LineStrokes {
  var starts: StrokeStarts
  var delayed: DelayedStrokes
}

/// The memory of one recognition of a line at a time, which is reused.
package final class LineReadingMemory {
  let workspace: SequenceNetwork.Workspace
  var decoder = BeamDecoder()
  /// The timings of the last run.
  private(set) var timings = LineTimings()
  /// The ink of the last output.
  private var current: EncodedLine
  private var alignment = ForcedAlignment()
  private var scores = AlignedBuffer(count: 0)
  /// The network's weights, and the unit for products in mixed precision.
  private let weights: ReadingWeights
  private let unit: BFloat16Unit?
  /// nil if there is no recurrent language model.
  let recurrent: RecurrentScorer?

  init(_ model: LineModel, _ weights: ReadingWeights, _ recurrent: RecurrentLanguageModel?) {
    self.weights = weights
    unit = weights.makeUnit()
    workspace = model.network.makeWorkspace()
    current = EncodedLine(model.pipeline)
    self.recurrent = recurrent.flatMap { RecurrentScorer($0) }
  }

  /// The layout of the last output: one sequence.
  let layout = PackedSequences()

  /// The number of time steps of the last output.
  var steps: Int { layout.steps }

  /// The number of strokes of the last ink that exceeded the limit.
  var unreadStrokes: Int { current.encoder.unreadStrokes }

  /// The strokes of the last ink, in the form for aligning.
  func strokes(of ink: Ink) -> LineStrokes {
    let unit = current.trajectory.frame.unit
    let turned = ink.turned(current.encoder.pipeline.direction)
    let line = current.line
    // Horizontal order is that of the line as it was read.
    let ink = line.rowShifts.map { turned.moved(right: $0.map { Double($0) * unit }) } ?? turned
    return LineStrokes(
      starts: StrokeStarts(ink, order: line.strokeOrder),
      delayed: DelayedStrokes(ink, lineHeight: Double(line.unit) * unit))
  }

  /// Computes the log-probabilities [T, K] of an ink with points.
  func run(
    _ model: LineModel, _ ink: Ink, area: WritingArea?
  ) throws(InkError) -> UnsafePointer<Float> {
    let start = ContinuousClock.now
    try current.encode(ink, area: area)
    workspace.sequences.set(lengths: CollectionOfOne(current.encoder.steps))
    current.encoder.values.withUnsafeBufferPointer { values in
      if let base = values.baseAddress {
        workspace.input.update(from: base, count: values.count)
      }
    }
    let encoded = ContinuousClock.now
    timings.features = encoded - start
    defer { timings.network = ContinuousClock.now - encoded }
    let output = model.network.forward(workspace, context: weights.context(model, unit: unit))
    layout.set(lengths: workspace.outputSequences.lengths)
    return UnsafePointer(output)
  }

  /// Computes the log-probabilities of several inks with points in one batch. Adds to the timings.
  func run(
    _ model: LineModel, _ inks: [Ink], area: WritingArea?, _ timings: inout LineTimings
  ) throws(InkError) -> [LineOutput] {
    let start = ContinuousClock.now
    var lines: [EncodedLine] = []
    for ink in inks {
      try current.encode(ink, area: area)
      lines.append(current)
    }
    // Longest first.
    let order = lines.indices.sorted {
      let (a, b) = (lines[$0].encoder.steps, lines[$1].encoder.steps)
      return a == b ? $0 < $1 : a > b
    }
    workspace.sequences.set(lengths: order.map { lines[$0].encoder.steps })
    let (input, channels) = (workspace.input, model.pipeline.channels)
    for (sequence, index) in order.enumerated() {
      lines[index].encoder.values.withUnsafeBufferPointer { values in
        guard let base = values.baseAddress else { return }
        for step in 0..<lines[index].encoder.steps {
          let row = workspace.sequences.row(sequence: sequence, step: step)
          (input + row * channels).update(from: base + step * channels, count: channels)
        }
      }
    }
    let encoded = ContinuousClock.now
    timings.features += encoded - start
    defer { timings.network += ContinuousClock.now - encoded }
    let output = model.network.forward(workspace, context: weights.context(model, unit: unit))
    let (packed, classes) = (workspace.outputSequences, model.labels.count + 1)
    var result: [LineOutput?] = lines.map { _ in nil }
    for (sequence, index) in order.enumerated() {
      let steps = packed.lengths[sequence]
      let values = AlignedBuffer(count: steps * classes)
      for step in 0..<steps {
        (values.pointer + step * classes).update(
          from: output + packed.row(sequence: sequence, step: step) * classes, count: classes)
      }
      result[index] = LineOutput(line: lines[index], values: values, steps: steps)
    }
    return result.compactMap { $0 }
  }

  /// Makes an output of a batch the last one. Valid while the output lives.
  func take(_ output: LineOutput) -> UnsafePointer<Float> {
    current = output.line
    layout.set(lengths: CollectionOfOne(output.steps))
    return UnsafePointer(output.values.pointer)
  }

  /// The output [T, K] minus the corrections [K] at each time step; the output itself if there are
  /// none.
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

  /// For each class of a reading, the largest probability within its time steps; nil if the reading
  /// does not fit the output.
  func certainties(
    of labels: [Int32], _ output: UnsafePointer<Float>, steps: Int, _ model: LineModel
  ) -> [Float]? {
    let classes = model.labels.count + 1
    return alignment.align(output, steps: steps, classes: classes, labels: labels).map {
      ForcedAlignment.certainties(output, classes: classes, labels: labels, at: $0)
    }
  }

  /// Aligns a reading with the ink. The ink of a character lasts from its beginning to that of the
  /// next one, and includes marks that were drawn later. Also returns the probability of each
  /// character by the network alone.
  func align(
    _ labels: [Int32], _ output: UnsafePointer<Float>, _ model: LineModel, _ strokes: LineStrokes
  ) -> AlignedSymbols {
    let text = labels.map { model.labels[Int($0) - 1] }
    // A space without ink precedes the first time step.
    if text.first == " " {
      let written = align(Array(labels.dropFirst()), output, model, strokes)
      return AlignedSymbols(
        ink: [CharacterInk(parts: [])] + written.ink, certainties: [1] + written.certainties)
    }
    let classes = model.labels.count + 1
    guard
      let ranges = alignment.align(output, steps: steps, classes: classes, labels: labels)
    else {
      return AlignedSymbols(ink: labels.map { _ in CharacterInk(parts: []) }, certainties: [])
    }
    let (starts, sources) = (strokes.starts, current.encoder.sources)
    let (stride, last) = (model.network.stride, current.encoder.steps - 1)
    let begins = starts.begins(of: ranges, isSpace: text.map { $0 == " " }) { step in
      starts.place(ofDrawn: Int(sources[min(step * stride, last)]))
    }
    let end = starts.pointCount - 1
    var characters = text.indices.map { index in
      guard text[index] != " " else { return CharacterInk(parts: []) }
      let last = index + 1 < text.count ? begins[index + 1] - 1 : end
      return CharacterInk(
        parts: starts.parts(from: begins[index], through: max(last, begins[index])))
    }
    strokes.delayed.move(in: &characters, of: text)
    return AlignedSymbols(
      ink: characters,
      certainties: ForcedAlignment.certainties(
        output, classes: classes, labels: labels, at: ranges))
  }
}

/// An ink in the form of the network's input.
struct EncodedLine: Sendable {
  private(set) var trajectory = Trajectory()
  private(set) var line = NormalizedLine()
  private(set) var encoder: LineEncoder

  init(_ pipeline: LinePipeline) { encoder = LineEncoder(pipeline) }

  /// Encodes an ink with points. O(points + steps).
  mutating func encode(_ ink: Ink, area: WritingArea?) throws(InkError) {
    try trajectory.load(ink)
    trajectory.turn(encoder.pipeline.direction)
    let area = area.flatMap { $0.turned(encoder.pipeline.direction) }
    line.load(trajectory, area: area.map { LocalArea($0, in: trajectory.frame) })
    encoder.encode(line)
  }
}

/// The network's output for one of several lines that were read as a batch.
struct LineOutput {
  fileprivate let line: EncodedLine
  /// [T, K]
  fileprivate let values: AlignedBuffer
  fileprivate let steps: Int
}

/// The ink and the probability of each symbol of a text.
package struct AlignedSymbols {
  package var ink: [CharacterInk]
  /// Empty if the text does not fit the output.
  package var certainties: [Float]

  package init(ink: [CharacterInk], certainties: [Float]) {
    self.ink = ink
    self.certainties = certainties
  }

  /// Joins symbols that combine to one character of the text: it has the ink of all and the least of
  /// their probabilities. O(symbols).
  package mutating func gather(_ symbols: [String], in text: String) {
    guard let sizes = TextSymbols.clusters(of: symbols, in: text) else { return }
    let (symbolInk, symbolCertainties) = (ink, certainties)
    ink.removeAll()
    certainties.removeAll()
    var first = 0
    for size in sizes {
      let range = first..<first + size
      if range.upperBound <= symbolInk.count {
        ink.append(CharacterInk(parts: symbolInk[range].flatMap(\.parts)))
      }
      if range.upperBound <= symbolCertainties.count {
        certainties.append(symbolCertainties[range].min() ?? 1)
      }
      first = range.upperBound
    }
  }
}

extension Ink {
  /// The ink with each non-empty stroke moved by its own distance.
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

/// The models for reading lines. Recognisers that only differ in alphabet or vocabulary share them.
struct LineReadingModels: Sendable {
  /// The model of symbols in ink.
  var line: LineModel
  /// Its weights.
  var weights = ReadingWeights.single
  /// The language model of the beam search.
  var language: LanguageModel?
  /// The model that rescores the best readings.
  var recurrent: RecurrentLanguageModel?
  /// The model that is consulted if an ink may be one character.
  var character: GlyphModel?
  /// The letters and rules of the language.
  var rules: LanguageRules?
  /// The tag of the language.
  var tag: String?
  /// The language model of a second language in the same line.
  var second: LanguageModel?

  /// The texts that the language writes for each label, one or two; empty without rules.
  var writtenForms: [[String]] {
    guard let rules else { return [] }
    return line.labels.map { rules.forms(of: $0) }
  }

  /// The prior of each label by the rules of the language; empty without rules.
  var letterPriors: [Float] {
    guard let rules else { return [] }
    let (letters, rare) = (rules.letterSet, Set(rules.rareLetters))
    return zip(line.labels, writtenForms).map { label, forms in
      let label = forms.first ?? label
      guard label.unicodeScalars.first?.properties.isAlphabetic == true else { return 0 }
      return rare.contains(label)
        ? rules.priors.rare
        : letters.contains(label) ? 0 : rules.priors.foreign
    }
  }
}

/// The times of the stages of one recognition.
package struct LineTimings: Sendable {
  /// The time from raw points to network input.
  package var features = Duration.zero
  /// The time of the network.
  package var network = Duration.zero
  /// The time of the search and the alignment of characters.
  package var decoding = Duration.zero

  /// Makes timings of zero.
  package init() {}
}
