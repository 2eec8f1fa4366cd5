import Features
import Foundation
import InkCore
import Networks
import Recognition

/// All settings that, together with the data, determine the result of training a glyph model. Saved
/// with the training state: a run is resumed with the configuration that it was started with.
public struct GlyphTrainingConfiguration: TrainingConfiguration {
  /// The settings of the optimisation.
  public var optimization = Optimization(
    epochs: 30, batchSize: 128, shards: 4, peakRate: 4e-3, weightDecay: 0.02, averageDecay: 0.998,
    maximumGradientNorm: 2)
  /// Share of the target that is spread over all classes.
  package var labelSmoothing: Float = 0.05
  /// 0 leaves class frequencies as in the data, 1 makes all classes equally frequent.
  package var balance: Float = 0
  /// Training ends after this many validations without an improvement; 0 never ends early.
  public var patience = 0
  /// Random changes to the training inks.
  package var augmentation = Augmentation()
  /// The conversion of ink to numbers.
  package var pipeline = FeaturePipeline.standard
  /// The network's layers.
  package var layers = GlyphLayers.standard

  /// Makes the default configuration.
  public init() {}

  private enum CodingKeys: String, CodingKey {
    case labelSmoothing, balance, patience, augmentation, pipeline, layers
  }

  /// Decodes a configuration, whose settings of the optimisation are beside the others.
  public init(from decoder: any Decoder) throws {
    optimization = try Optimization(from: decoder)
    let values = try decoder.container(keyedBy: CodingKeys.self)
    labelSmoothing = try values.decode(Float.self, forKey: .labelSmoothing)
    balance = try values.decode(Float.self, forKey: .balance)
    patience = try values.decode(Int.self, forKey: .patience)
    augmentation = try values.decode(Augmentation.self, forKey: .augmentation)
    pipeline = try values.decode(FeaturePipeline.self, forKey: .pipeline)
    layers = try values.decode(GlyphLayers.self, forKey: .layers)
  }

  /// Encodes the configuration in the same form.
  public func encode(to encoder: any Encoder) throws {
    try optimization.encode(to: encoder)
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(labelSmoothing, forKey: .labelSmoothing)
    try values.encode(balance, forKey: .balance)
    try values.encode(patience, forKey: .patience)
    try values.encode(augmentation, forKey: .augmentation)
    try values.encode(pipeline, forKey: .pipeline)
    try values.encode(layers, forKey: .layers)
  }

  /// - Throws: ``TrainingError`` if a setting is out of its range.
  public func check(classes: Int) throws(TrainingError) {
    try TrainingError.check("patience", patience, in: 0...100_000)
    try TrainingError.check("labelSmoothing", labelSmoothing, in: 0...0.999)
    try TrainingError.check("balance", balance, in: 0...1)
    try check(
      augmentation: augmentation.values, features: pipeline.check,
      network: { () throws(NetworkError) in
        _ = try GlyphNetwork(layers.architecture(pipeline, classes: classes))
      })
  }
}

extension FeaturePipeline {
  /// The pipeline of the presets: 48 equidistant points, normalised by the ink's own box, and
  /// direction maps.
  public static let standard = FeaturePipeline(
    steps: [
      .removeDuplicates(distance: 0.008), .removeSpikes(leg: 0.7), .normalizeByBox,
      .smooth(passes: 1), .normalizeByBox,
    ],
    encoding: .points(PointEncoding(count: 48)), maps: DirectionMaps(grid: 8))
}

extension FeaturePipeline {
  /// The same with curves instead of points: up to 24 cubic Bézier curves, accurate to 2 % of the
  /// ink's size. The ink is resampled first, which bounds the time of the fit.
  package static let curves = FeaturePipeline(
    steps: FeaturePipeline.standard.steps + [.resampleByDistance(spacing: 0.02, limit: 512)],
    encoding: .curves(CurveEncoding(limit: 24, maximumError: 0.02)),
    maps: DirectionMaps(grid: 8))
}

/// The layer sizes of a glyph network that a preset fixes; the rest follows from features and
/// classes.
public struct GlyphLayers: Hashable, Codable, Sendable {
  /// A convolution over the sequence, followed by normalisation and ReLU.
  public struct Stage: Hashable, Codable, Sendable {
    /// Output channels.
    package var channels: Int
    /// Steps that the kernel spans; odd.
    package var kernel: Int
    /// True if pairs of steps are pooled afterwards.
    package var pools: Bool

    /// Makes a stage.
    public init(channels: Int, kernel: Int, pools: Bool) {
      self.channels = channels
      self.kernel = kernel
      self.pools = pools
    }
  }

  /// The stages of the trunk, from the input up.
  package var stages: [Stage]
  /// Units of the dense layer over the direction maps; 0 concatenates the maps without a layer.
  package var mapUnits: Int
  /// Units of the dense layer over size and position.
  package var contextUnits: Int
  /// Units of the dense layer before the classes.
  package var headUnits: Int
  /// Dropout after the trunk, after the maps and before the classes.
  package var dropout: Float

  /// Makes the sizes.
  public init(
    stages: [Stage], mapUnits: Int, contextUnits: Int, headUnits: Int, dropout: Float
  ) {
    self.stages = stages
    self.mapUnits = mapUnits
    self.contextUnits = contextUnits
    self.headUnits = headUnits
    self.dropout = dropout
  }

  /// Layers of the default preset.
  public static let standard = GlyphLayers(
    stages: [
      Stage(channels: 48, kernel: 5, pools: true), Stage(channels: 80, kernel: 3, pools: false),
      Stage(channels: 80, kernel: 3, pools: true), Stage(channels: 112, kernel: 3, pools: false),
      Stage(channels: 112, kernel: 3, pools: true),
    ], mapUnits: 128, contextUnits: 48, headUnits: 160, dropout: 0.3)

  /// Layers of the large preset.
  public static let large = GlyphLayers(
    stages: [
      Stage(channels: 64, kernel: 5, pools: true), Stage(channels: 96, kernel: 3, pools: false),
      Stage(channels: 96, kernel: 3, pools: true), Stage(channels: 144, kernel: 3, pools: false),
      Stage(channels: 144, kernel: 3, pools: true),
    ], mapUnits: 128, contextUnits: 48, headUnits: 224, dropout: 0.3)

  /// Layers of the small preset.
  public static let small = GlyphLayers(
    stages: [
      Stage(channels: 32, kernel: 5, pools: true), Stage(channels: 48, kernel: 3, pools: true),
      Stage(channels: 64, kernel: 3, pools: true),
    ], mapUnits: 64, contextUnits: 32, headUnits: 96, dropout: 0.2)

  /// The architecture for a pipeline and a number of classes.
  package func architecture(_ pipeline: FeaturePipeline, classes: Int) -> GlyphArchitecture {
    var trunk: [LayerSpecification] = []
    for stage in stages {
      trunk.append(
        .convolution(channels: stage.channels, kernel: stage.kernel, bias: false, relu: false))
      trunk.append(.batchNormalization(relu: true))
      if stage.pools { trunk.append(.maxPool) }
    }
    trunk.append(.dropout(rate: dropout))
    let hasMaps = pipeline.mapCount > 0 && mapUnits > 0
    return GlyphArchitecture(
      sequence: Shape(steps: pipeline.sequenceSteps, channels: pipeline.sequenceChannels),
      trunk: trunk, maps: pipeline.mapCount,
      side: hasMaps
        ? [
          .dense(units: mapUnits, bias: false, relu: false), .batchNormalization(relu: true),
          .dropout(rate: dropout),
        ] : [],
      globals: pipeline.globalCount,
      // Size and position are few values that decide between whole classes, so they get no dropout.
      context: [
        .dense(units: contextUnits, bias: false, relu: false), .batchNormalization(relu: true),
      ],
      head: [
        .dense(units: headUnits, bias: false, relu: false),
        .batchNormalization(relu: true), .dropout(rate: dropout),
        .dense(units: classes, bias: true, relu: false),
      ])
  }
}

/// Named configurations of glyph training.
public enum GlyphPreset: String, CaseIterable, Sendable {
  /// A quarter of the size of `standard`, a third of its time, and nearly as accurate: within 0.3
  /// points on digits and letters, 1.5 points on symbols.
  case small
  /// The default.
  case standard
  /// Half as many operations again as `standard`. Better by 0.4 points when 94 characters are
  /// trained from forms and from words; no better from forms alone.
  case large

  /// The configuration.
  public var configuration: GlyphTrainingConfiguration {
    var result = GlyphTrainingConfiguration()
    switch self {
    case .small:
      result.layers = .small
      result.pipeline.encoding = .points(PointEncoding(count: 32))
      result.pipeline.maps = DirectionMaps(grid: 6)
    case .standard:
      break
    case .large:
      result.layers = .large
      // Also trains on areas that are up to half too tall.
      result.augmentation.areaScale = 0.25
      // The network is large enough to read letters in pieces without reading whole ones worse.
      result.augmentation.interruption = 0.08
    }
    return result
  }
}
