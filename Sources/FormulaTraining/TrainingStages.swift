import Files
import Formulas
import Foundation
import ModelFormat
import Recognition
import SafeTensors
import Training

/// The finished parts of an unfinished training, and the checkpoint of the glyph model that is being
/// trained, in a folder, so that a run can go on.
package struct TrainingStages: Sendable {
  private let folder: URL
  private static let keyName = "training.key"

  /// Opens or makes a folder.
  ///
  /// - Parameters:
  ///   - key: The settings and the data.
  /// - Throws: `FormulaError.malformedFile(path:what:)` for a folder of another key, or the error of
  ///   a file.
  package init(_ folder: URL, key: String) throws {
    self.folder = folder
    let place = folder.appendingPathComponent(Self.keyName)
    let known = FileManager.default.contents(atPath: place.path)
    if known != Data(key.utf8) {
      guard known == nil else {
        throw FormulaError.malformedFile(
          path: folder.path,
          what: "expected a run of the same data and settings, found another; continue with those, "
            + "or discard it with --restart")
      }
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try AtomicFile.write(Data(key.utf8), to: place.path)
    }
  }

  /// The identity of records and settings.
  package static func key(
    _ records: [LabeledFormula], _ configuration: FormulaModelTrainer.Configuration,
    start: FormulaModel? = nil
  ) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let settings = String(decoding: try encoder.encode(configuration), as: UTF8.self)
    let origin =
      try start.map {
        var networks = Data()
        for network in [$0.groupNetwork, $0.relationNetwork, $0.labelNetwork] {
          networks += bytes(of: network)
        }
        if let context = $0.contextNetwork { networks += bytes(of: context) }
        return "\n" + ModelBundle.sha256(try $0.symbols.serialized()) + " "
          + ModelBundle.sha256(networks)
      } ?? ""
    return dataHash(records) + "\n" + settings + origin
  }

  private static func bytes(of network: Perceptron) -> Data {
    network.parameters.withUnsafeBytes { Data($0) }
  }

  /// The hash of the names, the texts and the points of records.
  package static func dataHash(_ records: [LabeledFormula]) -> String {
    var bytes = Data()
    for record in records {
      bytes += Data("\(record.name)\n\(record.latex)\n".utf8)
      for stroke in record.ink.strokes {
        for point in stroke.points {
          withUnsafeBytes(of: point.x.bitPattern.littleEndian) { bytes += $0 }
          withUnsafeBytes(of: point.y.bitPattern.littleEndian) { bytes += $0 }
        }
      }
    }
    return ModelBundle.sha256(bytes)
  }

  /// Checkpoints of the glyph model of a stage.
  func checkpoint(_ name: String) -> TrainingCheckpoint {
    TrainingCheckpoint(folder: folder.appendingPathComponent(name))
  }

  private func place(_ name: String) -> URL { folder.appendingPathComponent(name + ".glyphs") }

  /// The finished model of a stage; nil if there is none.
  func model(_ name: String) throws -> GlyphModel? {
    guard let bytes = FileManager.default.contents(atPath: place(name).path) else { return nil }
    return try GlyphModel(bytes: bytes, path: place(name).path)
  }

  /// Keeps the model of a stage.
  func save(_ model: GlyphModel, _ name: String) throws {
    try AtomicFile.write(model.serialized(), to: place(name).path)
  }

  private static let networkName = "network"

  private func networkPlace(_ name: String) -> URL {
    folder.appendingPathComponent(name + ".safetensors")
  }

  /// The finished network of a stage; nil if there is none.
  ///
  /// - Parameter fresh: A network of the same shape.
  func network(_ name: String, like fresh: Perceptron) throws -> Perceptron? {
    let place = networkPlace(name)
    guard FileManager.default.fileExists(atPath: place.path) else { return nil }
    let tensors = try SafeTensors(contentsOf: place)
    guard let values = tensors[Self.networkName]?.values,
      let network = Perceptron(fresh.shape, parameters: values)
    else {
      throw FormulaError.malformedFile(
        path: place.path,
        what: "expected \(fresh.parameters.count) numbers, found others; discard the run with "
          + "--restart")
    }
    return network
  }

  /// Keeps the network of a stage.
  func save(_ network: Perceptron, _ name: String) throws {
    try SafeTensors(tensors: [
      SafeTensors.Tensor(
        name: Self.networkName, shape: [network.parameters.count], values: network.parameters)
    ]).write(to: networkPlace(name))
  }

  private var historyPlace: URL { folder.appendingPathComponent("history.json") }

  /// The passes of the glyph models so far, over all stages.
  package func history() -> [EpochRecord] {
    FileManager.default.contents(atPath: historyPlace.path)
      .flatMap { try? JSONDecoder().decode([EpochRecord].self, from: $0) } ?? []
  }

  private var secondsPlace: URL { folder.appendingPathComponent("seconds") }

  /// The seconds of training of the sessions before.
  package var seconds: Double {
    FileManager.default.contents(atPath: secondsPlace.path)
      .flatMap { Double(String(decoding: $0, as: UTF8.self)) } ?? 0
  }

  /// Keeps the seconds of all sessions.
  package func save(seconds: Double) throws {
    try AtomicFile.write(Data("\(seconds)".utf8), to: secondsPlace.path)
  }

  /// Keeps the passes.
  func save(_ history: [EpochRecord]) throws {
    try AtomicFile.write(JSONEncoder().encode(history), to: historyPlace.path)
  }

  /// Removes the folder.
  package func remove() throws { try FileManager.default.removeItem(at: folder) }
}
