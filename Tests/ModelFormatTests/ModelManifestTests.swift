import Foundation
import ModelFormat
import Testing

@Suite("ModelManifest")
struct ModelManifestTests {
  @Test("A newer format version is reported before anything else is read")
  func newerVersion() throws {
    let reason = try Samples.error(openingRewritten: { _ in
      Data(#"{"formatVersion": 5, "kind": 7, "shiny": true}"#.utf8)
    })
    #expect(reason == .newerFormatVersion(found: 5, supported: 4))
  }

  @Test("A format version of 0 is refused")
  func versionZero() throws {
    let reason = try Samples.error(openingChanged: { $0["formatVersion"] = 0 })
    #expect(reason == .invalidField("formatVersion", expected: "1 to 4"))
  }

  @Test("A format version that is not an integer is refused")
  func versionText() throws {
    let reason = try Samples.error(openingChanged: { $0["formatVersion"] = "1" })
    #expect(reason == .invalidField("formatVersion", expected: "an integer"))
  }

  @Test("A duplicate key is refused, at any depth")
  func duplicateKey() throws {
    for key in ["identifier", "temperature", "points", "sha256"] {
      let reason = try Samples.error(openingRewritten: { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        return Data(
          text.replacingOccurrences(of: "\"\(key)\" :", with: "\"\(key)\" : 1, \"\(key)\" :").utf8)
      })
      #expect(reason == .duplicateKey(key))
    }
  }

  @Test("An unknown key is refused")
  func unknownKey() throws {
    let top = try Samples.error(openingChanged: { $0["extra"] = 1 })
    #expect(top == .unknownKey("extra"))
    let null = try Samples.error(openingChanged: { $0["extra"] = NSNull() })
    #expect(null == .unknownKey("extra"))
    let nested = try Samples.error(openingChanged: {
      $0["metrics"] = [["name": "a", "value": 1, "data": "d", "command": "c", "sigma": 2]]
    })
    #expect(nested == .unknownKey("metrics[0].sigma"))
  }

  @Test("An optional field may be null")
  func nullOptional() throws {
    var sample = Samples.manifest()
    sample.metrics = []
    var json = try JSONValue(encoding: sample)
    if case .object(var members) = json {
      members["training"] = .null
      json = .object(members)
    }
    let manifest = try ModelManifest(parsing: JSONEncoder().encode(json))
    #expect(manifest.training == nil)
  }

  @Test("The error for a missing field names it")
  func missingField() throws {
    let reason = try Samples.error(openingChanged: { $0["labels"] = nil })
    #expect(reason == .invalidField("labels", expected: "a value, found none"))
  }

  @Test("A field of the wrong type is named by its path")
  func wrongType() throws {
    let reason = try Samples.error(openingChanged: { $0["labels"] = ["a", 1] })
    #expect(reason == .invalidField("labels[1]", expected: "String"))
  }

  @Test("An unknown kind is refused")
  func unknownKind() throws {
    let reason = try Samples.error(openingChanged: { $0["kind"] = "page" })
    #expect(
      reason == .invalidField("kind", expected: "a value of this version of the format"))
  }

  @Test("A duplicate label is refused, in any Unicode spelling")
  func duplicateLabel() throws {
    for pair in [["a", "b", "a"], ["x", "\u{E9}", "e\u{301}"]] {
      let reason = try Samples.error(openingChanged: { $0["labels"] = pair })
      #expect(
        reason == .invalidField("labels[2]", expected: "a label that does not occur before"))
    }
  }

  @Test("A temperature that is not above 0 is refused", arguments: [0, -1])
  func temperature(value: Double) throws {
    let reason = try Samples.error(openingChanged: { $0["calibration"] = ["temperature": value] })
    #expect(
      reason == .invalidField("calibration.temperature", expected: "a finite number above 0"))
  }

  @Test("An identifier that is not a portable name is refused", arguments: ["", "a/b", ".a", "ü"])
  func identifier(value: String) throws {
    let reason = try Samples.error(openingChanged: { $0["identifier"] = value })
    #expect(
      reason
        == .invalidField(
          "identifier", expected: "1 to 128 ASCII letters, digits, '-', '_' and '.'"))
  }

  @Test(
    "A part name that could lead out of the bundle is refused",
    arguments: [
      "", ".", "..", "../x", "/etc/passwd", "a/b", "a\\b", ".hidden", "a\0b", "a b", "ü", "a:b",
      "manifest.json", "MANIFEST.JSON", "manifest.sig", "modelcard.md",
      String(repeating: "a", count: 129),
    ])
  func partName(name: String) throws {
    let reason = try Samples.error(openingChanged: { json in
      json["parts"] = [
        ["name": name, "role": "r", "length": 0, "sha256": String(repeating: "0", count: 64)]
      ]
    })
    #expect(reason == .invalidPartName(name))
    var writer = ModelBundleWriter(manifest: Samples.manifest())
    let error = #expect(throws: ModelFormatError.self) {
      try writer.add(part: name, role: "r", data: Data())
    }
    #expect(error?.reason == .invalidPartName(name))
  }

  @Test("A duplicate part is refused, ignoring case")
  func duplicatePart() throws {
    let reason = try Samples.error(openingChanged: { json in
      json["parts"] = ["a.bin", "A.bin"].map { name in
        ["name": name, "role": "r", "length": 0, "sha256": String(repeating: "0", count: 64)]
          as [String: Any]
      }
    })
    #expect(reason == .duplicatePart("A.bin"))
    var writer = try Samples.writer()
    let error = #expect(throws: ModelFormatError.self) {
      try writer.add(part: "Language.ngram", role: "r", data: Data())
    }
    #expect(error?.reason == .duplicatePart("Language.ngram"))
  }

  @Test("A negative length is refused")
  func negativeLength() throws {
    let reason = try Samples.error(openingChanged: { json in
      json["parts"] = [
        ["name": "a", "role": "r", "length": -1, "sha256": String(repeating: "0", count: 64)]
      ]
    })
    #expect(reason == .invalidField("parts[0].length", expected: "0 or more"))
  }

  @Test(
    "A hash that is not 64 lowercase digits is refused",
    arguments: ["", "A" + String(repeating: "0", count: 63), String(repeating: "0", count: 63)])
  func hash(value: String) throws {
    let reason = try Samples.error(openingChanged: { json in
      json["parts"] = [["name": "a", "role": "r", "length": 0, "sha256": value]]
    })
    #expect(reason == .invalidField("parts[0].sha256", expected: "64 lowercase hexadecimal digits"))
  }

  @Test("A figure that is not finite is not written")
  func nonFiniteMetric() throws {
    var manifest = Samples.manifest()
    manifest.metrics[1].value = .nan
    #expect(
      throws: ModelFormatError.Reason.invalidField(
        "metrics[1].value", expected: "a finite number")
    ) { try manifest.serialized() }
  }

  @Test("An architecture with NaN is not written")
  func nonFiniteArchitecture() throws {
    var manifest = Samples.manifest()
    manifest.architecture = .object(["a": .array([.number(.infinity)])])
    #expect(
      throws: ModelFormatError.Reason.invalidField(
        "architecture.a[0]", expected: "a value that JSON can hold")
    ) { try manifest.serialized() }
  }

  @Test("The model card names data, licence, attribution, figures, commands and limits")
  func modelCard() throws {
    let folder = try TemporaryFolder()
    try Samples.writer().write(to: folder.bundle)
    let url = folder.bundle.appendingPathComponent("MODELCARD.md")
    let card = try String(contentsOf: url, encoding: .utf8)
    for text in [
      "# Digits", "UNIPEN", "research", "Guyon et al. 1994", "| top1 | 0.988 |",
      "`ductus evaluate --model m\\|n`", "ductus train glyphs", "200 writers", "## Limits",
      "network.safetensors",
    ] {
      #expect(card.contains(text), "\(text)")
    }
    try Samples.writer().write(to: folder.bundle, modelCard: "mine")
    #expect(try String(contentsOf: url, encoding: .utf8) == "mine")
  }
}
