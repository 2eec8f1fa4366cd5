import Foundation
import ModelFormat
import Testing

/// A temporary folder of one test.
final class TemporaryFolder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("ductus-bundles-\(UInt64.random(in: 0 ... .max))")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  var bundle: URL { url.appendingPathComponent("m.ductus") }

  /// The names in the folder, hidden ones included.
  func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
  }
}

enum Samples {
  static let network = Data((0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 7) })

  static func manifest(name: String = "Digits") -> ModelManifest {
    ModelManifest(
      kind: .glyph, identifier: "digits-1.0", name: name, languages: ["en", "de"],
      labels: ["0", "1", "é", "e", "👩‍👩‍👧", "\u{0}", "\"\\/|"],
      data: [.init(name: "UNIPEN", licence: "research", attribution: "Guyon et al. 1994")],
      metrics: [
        .init(
          name: "top1", value: 0.988, data: "unipen:train_r01_v07?category=1a",
          dataHash: String(repeating: "a", count: 64), command: "ductus evaluate --model m|n",
          seed: .max),
        .init(name: "ece", value: 0.01, data: "x", command: "y"),
      ],
      training: TrainingRecord(
        command: "ductus train glyphs", seed: .max, epochs: 30, samples: 12_000, writers: 200,
        dataHash: String(repeating: "b", count: 64), commit: "abc", blas: "OpenBLAS Haswell",
        threads: 2, durationSeconds: 41.5, date: "2026-01-02T03:04:05Z"),
      calibration: .init(temperature: 1.25),
      architecture: .object([
        "layers": .array([.integer(48), .number(0.1), .null, .bool(true)]),
        "big": .integer(.max), "seed": .null, "": .object([:]),
      ]),
      features: .object(["points": .integer(48), "tolerance": .number(1e-300)]))
  }

  static func writer(name: String = "Digits") throws -> ModelBundleWriter {
    var writer = ModelBundleWriter(manifest: manifest(name: name))
    try writer.add(part: "network.safetensors", role: "network", data: network)
    try writer.add(part: "language.ngram", role: "language", data: Data())
    return writer
  }

  /// Writes a bundle, lets `change` alter its manifest as JSON, and returns the error of opening.
  static func error(
    openingChanged change: (inout [String: Any]) -> Void
  ) throws -> ModelFormatError.Reason? {
    try error(openingRewritten: { bytes in
      var json = try #require(JSONSerialization.jsonObject(with: bytes) as? [String: Any])
      change(&json)
      return try JSONSerialization.data(withJSONObject: json)
    })
  }

  /// Writes a bundle, lets `change` alter the bytes of its manifest, and returns the error.
  static func error(
    openingRewritten change: (Data) throws -> Data
  ) throws -> ModelFormatError.Reason? {
    let folder = try TemporaryFolder()
    try writer().write(to: folder.bundle)
    let url = folder.bundle.appendingPathComponent("manifest.json")
    try change(try Data(contentsOf: url)).write(to: url)
    let error = #expect(throws: ModelFormatError.self) { try ModelBundle.open(folder.bundle) }
    #expect(error?.path == url.path)
    return error?.reason
  }
}
