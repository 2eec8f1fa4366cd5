import Foundation
import ModelFormat
import Testing

/// Bundles written by every version of the format. Fixtures never change: a new version
/// adds its own.
@Suite("Bundles of every format version")
struct FormatVersionTests {
  private static func fixture(_ version: Int) -> URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Fixtures/format-\(version).ductus")
  }

  @Test(
    "Each version has a readable fixture", arguments: 1...ModelManifest.currentFormatVersion)
  func read(version: Int) throws {
    let bundle = try ModelBundle.open(Self.fixture(version))
    #expect(bundle.manifest.formatVersion == version)
    #expect(bundle.manifest.identifier == "fixture")
    #expect(bundle.manifest.labels == ["0", "é", "👩‍👩‍👧"])
    #expect(bundle.manifest.modelVersion == (version == 1 ? 1 : 3))
    #expect(try bundle.data(for: "network.safetensors").count == 16)
    #expect((bundle.signature != nil) == (version >= 2))
    #expect(try ModelManifest(parsing: bundle.manifest.serialized()) == bundle.manifest)
  }

  @Test("A network that joins time steps needs format 4, which a change or copy keeps")
  func joinedSteps() throws {
    let bundle = try ModelBundle.open(Self.fixture(4))
    var manifest = bundle.manifest
    #expect(ModelBundleWriter(manifest: manifest).manifest.formatVersion == 4)
    var copy = try ModelBundleWriter(copying: bundle)
    copy.change { $0.name = "Other" }
    #expect(copy.manifest.formatVersion == 4)
    for version in 2...3 {
      manifest.formatVersion = version
      #expect(
        throws: ModelFormatError.Reason.invalidField(
          "architecture", expected: "no layer meanPool before format 4")
      ) { try manifest.validate() }
    }
    manifest.architecture = .null
    try manifest.validate()
    #expect(ModelBundleWriter(manifest: manifest).manifest.formatVersion == 2)
  }

  @Test("Version 1 has no version of the model, later ones must have one")
  func modelVersion() throws {
    let old = try Data(
      contentsOf: Self.fixture(1).appendingPathComponent(ModelBundle.manifestName))
    let text = String(decoding: old, as: UTF8.self)
    let added = text.replacing(
      "\"formatVersion\" : 1", with: "\"formatVersion\" : 1, \"version\" : 2")
    #expect(
      throws: ModelFormatError.Reason.invalidField("version", expected: "none in format 1")
    ) { try ModelManifest(parsing: Data(added.utf8)) }
    let missing = text.replacing("\"formatVersion\" : 1", with: "\"formatVersion\" : 2")
    #expect(
      throws: ModelFormatError.Reason.invalidField("version", expected: "a whole number from 1")
    ) { try ModelManifest(parsing: Data(missing.utf8)) }
  }
}
