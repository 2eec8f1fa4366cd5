import Foundation
import ModelFormat

/// Everything that a program needs beside an ONNX file: the JSON of `ductus models export`.
package struct OnnxDescription: Codable, Hashable, Sendable {
  /// An input or output.
  package struct Tensor: Codable, Hashable, Sendable {
    /// The name in the file.
    package var name: String
    /// The sizes, outermost first: numbers, and names of sizes that are free.
    package var shape: [String]
    /// The meaning of the values.
    package var meaning: String
  }

  /// The inputs and outputs of a network.
  struct Network {
    var inputs: [Tensor]
    var outputs: [Tensor]
    var inputStepsPerOutputStep: Int?
  }

  /// The version of this description.
  package var version = 1
  /// The identifier of the model.
  package var model: String
  /// `glyph`: one ink, one label. `line`: one ink, a text.
  package var kind: ModelManifest.Kind
  /// The version of the operators in the file.
  package var opset: Int
  /// The inputs of the network.
  package var inputs: [Tensor]
  /// The outputs of the network.
  package var outputs: [Tensor]
  /// For lines, the number of input steps of one output step; nil for glyphs.
  package var inputStepsPerOutputStep: Int?
  /// For lines, the class of the blank; nil for glyphs.
  package var blank: Int?
  /// The labels, in the order of the classes, without the blank.
  package var labels: [String]
  /// The features as the manifest of the model describes them.
  package var features: JSONValue
  /// The way from ink to the values of each channel, in words.
  package var featureSteps: [String]
  /// The licences and attributions of the data that the model was trained on.
  package var data: [ModelManifest.DataSource]

  init(_ manifest: ModelManifest, _ network: Network) {
    model = manifest.identifier
    kind = manifest.kind
    opset = OnnxGraph.opset
    inputs = network.inputs
    outputs = network.outputs
    inputStepsPerOutputStep = network.inputStepsPerOutputStep
    blank = manifest.kind == .line ? 0 : nil
    labels = manifest.labels
    features = manifest.features
    featureSteps = manifest.kind == .line ? Self.lineSteps : Self.glyphSteps
    data = manifest.data
  }

  /// The features of lines.
  private static let lineSteps = [
    "Coordinates grow to the right and down. Ink in another direction is turned into its reading frame.",
    "Rotate the line to be level, by the slope of its writing.",
    "Scale: one unit is the line height, four standard deviations of y along the path. x is 0 at the "
      + "left edge, y is 0 at the mean of y along the path.",
    "Resample each stroke: a point every 'spacing' units of its path, beginning with its first; the "
      + "last point is added if it is more than 0.3 of the spacing away.",
    "If 'placesMarks' is true, late dots, accents and bars are read at their letters.",
    "Channels 0, 1: cosine and sine of the direction from the previous point of the stroke; 0 at its "
      + "first point.",
    "Channel 2: 2 y, within -3 ... 3. Channels 3, 4: 1 at the first and at the last point of a stroke.",
    "Channels 5, 6: at the first point of a stroke, the jump from the point before, within -3 ... 3.",
    "Channel 7: the distance to the left of the rightmost point so far, at most 4.",
    "Channel 8: the sine of the turn from the direction before.",
    "Channels 9 to 12 describe the writing area; 0 if it is not known.",
    "If 'curveError' is there, each step is a cubic curve with 20 channels: see 'LineEncoder' in the "
      + "reference of Ductus.",
  ]

  /// The features of glyphs.
  private static let glyphSteps = [
    "Apply 'steps' of 'features' in their order to the points of each stroke; then resample the ink "
      + "as 'encoding' says: see 'FeaturePipeline' in the reference of Ductus.",
    "'sequence' has the resampled path; 'maps' the direction maps, 'grid' by 'grid' in eight "
      + "directions; 'globals' the values of the whole ink.",
  ]
}
