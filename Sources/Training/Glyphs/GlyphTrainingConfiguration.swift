import Features
import Foundation
import InkCore
import Networks
import Recognition

/// Everything that decides the outcome of training a glyph model, besides the data. Saved with the
/// training state; a run is resumed with the configuration it was started with.
public struct GlyphTrainingConfiguration: TrainingConfiguration {
  /// Seed of the starting weights, the order of the samples, augmentation and dropout.
  public var seed: UInt64 = 1
  /// Passes over the training data.
  public var epochs = 30
  /// Samples of one optimisation step.
  public var batchSize = 128
  /// Micro-shards of one step: part of the result, unlike the number of workers.
  public var shards = 4
  /// Peak of the one-cycle learning rate.
  public var peakRate: Float = 4e-3
  /// Decoupled weight decay.
  public var weightDecay: Float = 0.02
  /// Share of the target that is spread over all classes.
  public var labelSmoothing: Float = 0.05
  /// Decay of the moving average of the weights, per step.
  public var averageDecay: Float = 0.998
  /// Gradients longer than this are scaled down to it.
  public var maximumGradientNorm = 2.0
  /// 0 leaves the classes as frequent as they are in the data, 1 makes them equally frequent.
  public var balance: Float = 0
  /// Training ends after this many validations without an improvement; 0 never ends early.
  public var patience = 0
  /// Random changes to the training inks.
  public var augmentation = Augmentation()
  /// Whose weights training ends with.
  public var keptEpoch = KeptEpoch.best
  /// How the factors of matrix products are rounded.
  public var precision = TrainingPrecision.single
  /// How ink becomes numbers.
  public var pipeline = FeaturePipeline.standard
  /// The network's layers.
  public var layers = GlyphLayers.standard

  /// Makes the default configuration.
  public init() {}

  /// - Throws: ``TrainingError`` where training with these numbers is not possible.
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
  /// The pipeline of the presets: 48 equidistant points in the ink's own box, and direction maps.
  public static let standard = FeaturePipeline(
    steps: [
      .removeDuplicates(distance: 0.008), .removeSpikes(leg: 0.7), .normalizeByBox,
      .smooth(passes: 1), .normalizeByBox,
    ],
    encoding: .points(PointEncoding(count: 48)), maps: DirectionMaps(grid: 8))
}

extension FeaturePipeline {
  /// The same with curves for points: up to 24 cubic Bézier curves within 2 % of the ink's size.
  /// Resampling first bounds the time of the fit, whatever the ink.
  public static let curves = FeaturePipeline(
    steps: FeaturePipeline.standard.steps + [.resampleByDistance(spacing: 0.02, limit: 512)],
    encoding: .curves(CurveEncoding(limit: 24, maximumError: 0.02)),
    maps: DirectionMaps(grid: 8))
}

/// The sizes of a glyph network that a preset fixes; the rest follows from features and classes.
public struct GlyphLayers: Hashable, Codable, Sendable {
  /// Convolutions over the sequence: channels and kernel; each is normalised and rectified.
  public struct Stage: Hashable, Codable, Sendable {
    /// Channels out.
    public var channels: Int
    /// Odd number of steps the kernel spans.
    public var kernel: Int
    /// Whether each two steps are pooled after it.
    public var pools: Bool

    /// Makes a stage.
    public init(channels: Int, kernel: Int, pools: Bool) {
      self.channels = channels
      self.kernel = kernel
      self.pools = pools
    }
  }

  /// The trunk, from the input up.
  public var stages: [Stage]
  /// Units of the dense layer over the direction maps; 0 joins them as they are.
  public var mapUnits: Int
  /// Units of the dense layer over size and place.
  public var contextUnits: Int
  /// Units of the dense layer before the classes.
  public var headUnits: Int
  /// Dropout after the trunk, after the maps and before the classes.
  public var dropout: Float

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
  public func architecture(_ pipeline: FeaturePipeline, classes: Int) -> GlyphArchitecture {
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
      // Size and place are few numbers that decide between whole classes: they are not dropped.
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
  /// A quarter of the size of `standard` and a third of its time, and nearly as good: within 0.3 points on
  /// digits and letters, 1.5 on symbols.
  case small
  /// What is used unless another is named.
  case standard
  /// Half as many operations again as `standard`: better by 0.4 points where 94 characters are learned
  /// from forms and from words, and no better from forms alone.
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
      // Areas that are up to half too tall are learned too.
      result.augmentation.areaScale = 0.25
      // It has room for letters in pieces, and reads whole ones as well.
      result.augmentation.interruption = 0.08
    }
    return result
  }
}
