import Files
import Formulas
import Foundation
import ModelFormat
import Recognition

/// The glyph models of an unfinished training, in a folder, so that a run can go on after them.
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
    _ records: [LabeledFormula], _ configuration: FormulaModelTrainer.Configuration
  ) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let settings = String(decoding: try encoder.encode(configuration), as: UTF8.self)
    return dataHash(records) + "\n" + settings
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

  /// Removes the folder.
  package func remove() throws { try FileManager.default.removeItem(at: folder) }
}
