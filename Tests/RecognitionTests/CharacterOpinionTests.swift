import Foundation
import InkCore
import LanguageModels
import ModelFormat
import Networks
import Recognition
import SafeTensors
import Testing

@Suite("Consulting a glyph model for ink of one character")
struct CharacterOpinionTests {
  /// A model of "a", "b", "é", "0" and "O".
  private static let glyphs = Samples.model()
  private static let ink = Samples.ink(seed: 3)
  private static let labels = [" ", "a", "b", "c"]

  private static func reading(_ text: String, _ score: Float) -> BeamDecoder.Reading {
    BeamDecoder.Reading(
      labels: text.compactMap { character in
        labels.firstIndex(of: String(character)).map { Int32($0 + 1) }
      }, score: score)
  }

  private static func texts(_ readings: [BeamDecoder.Reading]) -> [String] {
    readings.map { $0.labels.map { labels[Int($0) - 1] }.joined() }
  }

  private static func shares(
    _ readings: [BeamDecoder.Reading], temperature: Float
  ) -> [String: Double] {
    let shares = WordConfidences.probabilities(readings.map(\.score), temperature: temperature)
    return Dictionary(uniqueKeysWithValues: zip(texts(readings), shares))
  }

  private let opinion = CharacterOpinion(Self.glyphs, labels: Self.labels)

  private func probabilities(_ readings: [BeamDecoder.Reading]) throws -> [Int32: Double] {
    try opinion.consulted(
      on: readings, temperature: 2, of: Self.ink, RecognitionContext(), mayAdd: { _ in false }
    ).probabilities
  }

  @Test("A character that the glyph model finds is added to ink of one character, if it may be")
  func added() throws {
    func consulted(
      _ readings: [BeamDecoder.Reading], mayAdd: Bool = true
    ) throws -> [String] {
      let found = try opinion.consulted(
        on: readings, temperature: 1, of: Self.ink, RecognitionContext(), mayAdd: { _ in mayAdd })
      return Self.texts(
        opinion.weighed(found.readings, by: found.probabilities, temperature: 1))
    }
    let own = try GlyphClassifier(model: Self.glyphs).recognize(Self.ink).candidates
    let known = own.filter { ["a", "b"].contains($0.text) && exp($0.score) > 0.05 }
    try #require(!known.isEmpty)
    let other = known[0].text == "a" ? "b" : "a"
    let readings = [Self.reading(other, -1), Self.reading("ab", -9)]
    #expect(try consulted(readings).contains(known[0].text))
    #expect(try !consulted(readings, mayAdd: false).contains(known[0].text))
    // With a space before it, as the others have one.
    let spaced = [Self.reading(" \(other)", -1), Self.reading("ab", -9)]
    #expect(try consulted(spaced).contains(" \(known[0].text)"))
    // Ink of several characters gets none.
    let several = [Self.reading("ab", -1), Self.reading(other, -3)]
    #expect(try !consulted(several).contains(known[0].text))
  }

  @Test(
    "Characters follow both models and keep their total probability, at any temperature",
    arguments: [0.5, 2, 30] as [Float])
  func order(temperature: Float) throws {
    let readings = [
      Self.reading("a", -1), Self.reading("ab", -1.5), Self.reading(" a", -1.75),
      Self.reading(" b", -2), Self.reading("c", -4), Self.reading("", -5), Self.reading(" ", -6),
    ]
    let glyphs = try probabilities(readings)
    let ordered = opinion.weighed(readings, by: glyphs, temperature: temperature)
    #expect(zip(ordered, ordered.dropFirst()).allSatisfy { $0.score >= $1.score })
    let before = Self.shares(readings, temperature: temperature)
    let after = Self.shares(ordered, temperature: temperature)
    #expect(Set(before.keys) == Set(after.keys))
    func share(_ shares: [String: Double], _ text: String) throws -> Double {
      try #require(shares[text])
    }
    // Texts, and a character that the glyph model does not know, are not changed.
    for text in ["ab", "", " ", "c"] {
      #expect(abs(try share(before, text) - share(after, text)) < 1e-4, "\(text)")
    }
    // The ratio of readings with and without a space does not change.
    let spaces = (
      try share(before, " a") / share(before, "a"), try share(after, " a") / share(after, "a")
    )
    #expect(abs(spaces.0 / spaces.1 - 1) < 1e-3)

    let own = try GlyphClassifier(model: Self.glyphs).recognize(
      Self.ink, context: RecognitionContext(), maximumCandidates: 5)
    let glyph = Dictionary(
      uniqueKeysWithValues: own.candidates.map { ($0.text, exp($0.score)) })
    let (a, b) = (try #require(glyph["a"]), try #require(glyph["b"]))
    #expect(glyphs == [2: a, 3: b])
    func odds(_ shares: [String: Double]) throws -> Double {
      try (share(shares, "a") + share(shares, " a")) / share(shares, " b")
    }
    #expect(abs(try odds(after) / (sqrt(odds(before)) * a / b) - 1) < 1e-3)
  }

  @Test(
    "It is not consulted for texts and for improbable characters",
    arguments: [
      [("ab", -1), ("ba", -2)], [("ab", -1), ("a", -2)],
      [("ab", 0), ("a", -40), ("b", -41)], [("a", -.infinity), ("b", -.infinity)], [],
    ] as [[(String, Float)]])
  func noSay(readings: [(String, Float)]) throws {
    let readings = readings.map { Self.reading($0.0, $0.1) }
    let glyphs = try probabilities(readings)
    #expect(glyphs.isEmpty)
    let ordered = opinion.weighed(readings, by: glyphs, temperature: 2)
    #expect(Self.texts(ordered) == Self.texts(readings))
    #expect(ordered.map(\.score) == readings.map(\.score))
  }

  @Test("Scores stay numbers at extreme temperatures")
  func extremes() throws {
    let readings = [Self.reading("a", -50), Self.reading("b", -50), Self.reading("ab", -60)]
    let glyphs = try probabilities(readings)
    for temperature in [Float.leastNonzeroMagnitude, 1e-6, 1e38, .greatestFiniteMagnitude] {
      let ordered = opinion.weighed(readings, by: glyphs, temperature: temperature)
      #expect(ordered.allSatisfy { $0.score.isFinite }, "\(temperature)")
    }
  }

  @Test("The file of a glyph model gives the same model, weight for weight")
  func file() throws {
    let model = Samples.model()
    let read = try GlyphModel(bytes: model.serialized(), path: "f")
    #expect(read.labels == model.labels && read.pipeline == model.pipeline)
    #expect(read.network.architecture == model.network.architecture)
    #expect(read.temperature == model.temperature)
    #expect(read.usesWritingArea == model.usesWritingArea)
    #expect(read.parameters.values == model.parameters.values)
  }

  @Test("Files that are not a glyph model are typed errors")
  func damaged() throws {
    #expect(throws: SafeTensorsError.self) { try GlyphModel(bytes: Data("none".utf8), path: "f") }
    let whole = try SafeTensors(bytes: Samples.model().serialized())
    func read(_ change: (inout String) -> Void) throws {
      var text = try #require(whole.metadata["ductus.glyphs"])
      change(&text)
      let file = try SafeTensors(tensors: whole.tensors, metadata: ["ductus.glyphs": text])
      _ = try GlyphModel(bytes: file.serialized(), path: "f")
    }
    try read { _ in }
    for (found, other) in [
      (#""version":1"#, #""version":2"#), (#""temperature":1.25"#, #""temperature":0"#),
      (#"["a","b""#, #"["a""#), (#"["a","b""#, #"["a","a""#), ("{", "["),
    ] {
      #expect(throws: ModelError.self, "\(other)") {
        try read { text in
          #expect(text.contains(found))
          text = text.replacingOccurrences(of: found, with: other)
        }
      }
    }
    let bare = try SafeTensors(tensors: whole.tensors, metadata: [:])
    #expect(throws: ModelError.self) {
      try GlyphModel(bytes: bare.serialized(), path: "f")
    }
  }

  @Test("A bundle with a glyph model is read with it, also by a confined recogniser")
  func bundle() throws {
    let folder = try TemporaryFolder()
    var writer = try TinyLine.untrainedModel().bundle(Samples.manifest(kind: .line))
    try writer.add(
      part: "characters.safetensors", role: ModelManifest.Part.characterRole,
      data: Samples.model().serialized())
    try writer.write(to: folder.bundle)
    let opened = try #require(try OpenModel.open(folder.bundle).recognizer() as? LineRecognizer)
    #expect(opened.characterModel?.labels == Samples.labels)
    #expect(try opened.confined(to: Alphabet("ab")).characterModel != nil)
    // An untrained model gives some answer.
    _ = try opened.recognize(TinyLine.ink(strokes: 1, points: 30))
  }
}
