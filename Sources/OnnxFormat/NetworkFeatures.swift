import Features
import InkCore
import Networks
import Recognition

/// Computes the features of a model: the inputs of its network, with the names of the ONNX file.
///
/// Reuses its memory from ink to ink. Not thread-safe: use one per thread.
package struct NetworkFeatures {
  /// An input of the network.
  package struct Tensor: Hashable, Sendable {
    /// The name in the ONNX file.
    package var name: String
    /// The sizes, outermost first; the first is 1, the batch.
    package var shape: [Int]
    /// The values, row by row.
    package var values: [Float]
  }

  private enum Kind {
    case glyph(GlyphModel, GlyphInput, FeatureExtractor)
    case line(LineModel, LineEncoder)
    /// Several networks that read each other's answers.
    case formula
  }

  private var kind: Kind
  private var trajectory = Trajectory()

  /// Begins with the pipeline of a model.
  package init(of model: OpenModel) { self.init(model.content) }

  init(_ content: OpenModel.Content) {
    switch content {
    case .glyph(let model): kind = Self.kind(of: model)
    case .characterLine(let model): kind = Self.kind(of: model.glyphs)
    case .line(let model): kind = .line(model, LineEncoder(model.pipeline))
    case .formula: kind = .formula
    }
  }

  private static func kind(of model: GlyphModel) -> Kind {
    .glyph(
      model, GlyphInput(model.network.architecture, batch: 1), FeatureExtractor(model.pipeline))
  }

  /// The inputs of a glyph network for the last ink; nil for lines.
  var glyphInput: GlyphInput? {
    guard case .glyph(_, let input, _) = kind else { return nil }
    return input
  }

  /// Computes the inputs for an ink. O(points).
  ///
  /// - Parameter area: The writing area, or nil.
  /// - Returns: The inputs; empty for an ink without points, and for models of formulas.
  /// - Throws: `InkError` for a coordinate that is not finite.
  package mutating func tensors(
    of ink: Ink, area: WritingArea?
  ) throws(InkError) -> [Tensor] {
    guard !ink.isEmpty else { return [] }
    try trajectory.load(ink)
    switch kind {
    case .formula: return []
    case .glyph(let model, let input, var extractor):
      let area = (model.usesWritingArea ? area : nil).map {
        LocalArea($0, in: trajectory.frame)
      }
      extractor.extract(
        trajectory, area: area, sequence: input.sequence.pointer, maps: input.maps.pointer,
        globals: input.globals.pointer)
      kind = .glyph(model, input, extractor)
      let architecture = model.network.architecture
      let sequence = architecture.sequence
      let tensors = [
        Tensor(
          name: "sequence", shape: [1, sequence.steps, sequence.channels],
          values: Array(input.sequence.buffer.prefix(sequence.count))),
        Tensor(
          name: "maps", shape: [1, architecture.maps],
          values: Array(input.maps.buffer.prefix(architecture.maps))),
        Tensor(
          name: "globals", shape: [1, architecture.globals],
          values: Array(input.globals.buffer.prefix(architecture.globals))),
      ]
      return tensors.filter { !$0.values.isEmpty }
    case .line(let model, var encoder):
      trajectory.turn(model.pipeline.direction)
      let area = area.flatMap { $0.turned(model.pipeline.direction) }
      var line = NormalizedLine()
      line.load(trajectory, area: area.map { LocalArea($0, in: trajectory.frame) })
      encoder.encode(line)
      kind = .line(model, encoder)
      return [
        Tensor(
          name: "steps", shape: [1, encoder.steps, model.pipeline.channels],
          values: encoder.values)
      ]
    }
  }
}
