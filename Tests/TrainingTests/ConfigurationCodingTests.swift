import Foundation
import Testing
import Training

/// The configurations of checkpoints and logs that were written when each kind of model had its own
/// members for the optimisation.
@Suite("Configurations on disk")
struct ConfigurationCodingTests {
  private static let glyphs = """
    {"augmentation": {"areaDrop": 0.4, "areaScale": 0.25, "areaShift": 0.05, "elastic": 0.06, \
    "exchange": 0.03, "interruption": 0.08, "reversal": 0.02, "rotation": 0.1, "scale": 0.1, \
    "shear": 0.15, "speed": 0.15, "strokeShift": 0.06, "timeDrop": 0.3}, "averageDecay": 0.997, \
    "balance": 0.5, "batchSize": 96, "epochs": 50, "keptEpoch": "last", "labelSmoothing": 0.04, \
    "layers": {"contextUnits": 48, "dropout": 0.3, "headUnits": 224, "mapUnits": 128, "stages": \
    [{"channels": 64, "kernel": 5, "pools": true}]}, "maximumGradientNorm": 2.5, "patience": 7, \
    "peakRate": 0.003, "pipeline": {"encoding": {"points": {"_0": {"count": 48}}}, "maps": \
    {"grid": 8}, "steps": [{"normalizeByBox": {}}]}, "precision": "single", "seed": 11, \
    "shards": 3, "weightDecay": 0.03}
    """
  private static let lines = """
    {"augmentation": {"areaDrop": 0.5, "areaScale": 0.15, "areaShift": 0.05, "areaTall": 0.1, \
    "elastic": 0.06, "interruption": 0.08, "maskLength": 2, "maskedShare": 0, "reversal": 0.01, \
    "rotation": 0.03, "scale": 0.12, "shear": 0.25, "shift": 0.08, "smallStrokeDrop": 0.01, \
    "spacing": 0.1, "stretch": 0.12, "strokeShift": 0.02, "tremor": 0.008}, "averageDecay": 0.99, \
    "batchSize": 12, "cutsLines": false, "epochs": 500, "finalDivisor": 10, "joinedDigits": 4, \
    "joinedWords": 3, "keptEpoch": "best", "layers": {"dropout": 0.2, "hidden": [64, 64], \
    "normalizes": false, "stages": [{"channels": 32, "kernel": 7, "stride": 1}]}, \
    "maximumGradientNorm": 4, "peakRate": 0.005, "pipeline": {"maximumSteps": 8192, \
    "placesMarks": true, "spacing": 0.1}, "precision": "single", "seed": 12, "shards": 1, \
    "start": "abc", "weightDecay": 0.01}
    """
  private static let language = """
    {"averageDecay": 0.998, "batchSize": 32, "dropout": 0.1, "epochs": 200, "finalDivisor": 100, \
    "hidden": [16], "keptEpoch": "best", "maximumGradientNorm": 1.5, "minimumCount": 9, \
    "passageLength": 150, "peakRate": 0.02, "precision": "single", "seed": 13, "shards": 4, \
    "validationShare": 50, "weightDecay": 0.02}
    """

  private func decoded<Configuration: TrainingConfiguration>(
    _ text: String, as: Configuration.Type
  ) throws -> Configuration {
    let configuration = try JSONDecoder().decode(Configuration.self, from: Data(text.utf8))
    let again = try JSONDecoder().decode(
      Configuration.self, from: JSONEncoder().encode(configuration))
    #expect(again == configuration)
    return configuration
  }

  private func keys(_ bytes: Data) throws -> Set<String> {
    Set(try #require(JSONSerialization.jsonObject(with: bytes) as? [String: Any]).keys)
  }

  @Test("An earlier configuration of a glyph model is read, and ends at the usual rate")
  func glyphs() throws {
    let old = try decoded(Self.glyphs, as: GlyphTrainingConfiguration.self)
    #expect(old.seed == 11 && old.epochs == 50 && old.batchSize == 96 && old.shards == 3)
    #expect(old.peakRate == 0.003 && old.weightDecay == 0.03 && old.averageDecay == 0.997)
    #expect(old.maximumGradientNorm == 2.5 && old.keptEpoch == .last && old.precision == .single)
    #expect(old.labelSmoothing == 0.04 && old.balance == 0.5 && old.patience == 7)
    #expect(old.augmentation.areaScale == 0.25 && old.layers.headUnits == 224)
    #expect(old.finalDivisor == 10_000)
    #expect(
      try keys(JSONEncoder().encode(old)) == keys(Data(Self.glyphs.utf8)).union(["finalDivisor"]))
  }

  @Test("An earlier configuration of a line model has the same keys")
  func lines() throws {
    let old = try decoded(Self.lines, as: LineTrainingConfiguration.self)
    #expect(old.seed == 12 && old.epochs == 500 && old.batchSize == 12 && old.shards == 1)
    #expect(old.peakRate == 0.005 && old.finalDivisor == 10 && old.weightDecay == 0.01)
    #expect(old.averageDecay == 0.99 && old.maximumGradientNorm == 4 && old.start == "abc")
    #expect(old.joinedWords == 3 && !old.cutsLines && old.joinedDigits == 4)
    #expect(old.pipeline.placesMarks && old.layers.hidden == [64, 64] && old.layers.stride == 1)
    #expect(try keys(JSONEncoder().encode(old)) == keys(Data(Self.lines.utf8)))
  }

  @Test("An earlier configuration of a language model has the same keys")
  func language() throws {
    let old = try decoded(Self.language, as: LanguageTrainingConfiguration.self)
    #expect(old.seed == 13 && old.epochs == 200 && old.batchSize == 32 && old.shards == 4)
    #expect(old.peakRate == 0.02 && old.finalDivisor == 100 && old.dropout == 0.1)
    #expect(old.hidden == [16] && old.passageLength == 150 && old.minimumCount == 9)
    #expect(old.validationShare == 50 && old.averageDecay == 0.998)
    #expect(try keys(JSONEncoder().encode(old)) == keys(Data(Self.language.utf8)))
  }

  @Test("A setting that is out of its range or missing is refused")
  func refused() throws {
    for (name, value) in [("epochs", "0"), ("finalDivisor", "0.5"), ("shards", "0")] {
      let text = Self.lines.replacing(
        try Regex("\"\(name)\": [0-9.]+"), with: "\"\(name)\": \(value)")
      let bad = try JSONDecoder().decode(LineTrainingConfiguration.self, from: Data(text.utf8))
      #expect(throws: TrainingError.self, "\(name)") { try bad.check(classes: 5) }
    }
    let missing = Self.language.replacing("\"seed\": 13, ", with: "")
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(LanguageTrainingConfiguration.self, from: Data(missing.utf8))
    }
  }
}
