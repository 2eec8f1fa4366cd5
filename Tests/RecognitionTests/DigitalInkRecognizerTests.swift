import Foundation
import InkCore
import ModelFormat
import Recognition
import Testing

/// Models in folders that may appear later.
private final class FolderProvider: ModelProvider, @unchecked Sendable {
  // Unchecked because the lock guards the folders.
  private let lock = NSLock()
  private var folders: [String: URL] = [:]

  func add(_ url: URL) throws {
    let identifier = try ModelBundle.open(url).manifest.identifier
    lock.withLock { folders[identifier] = url }
  }

  var models: [ModelDescription] {
    lock.withLock { folders.values.sorted { $0.path < $1.path } }
      .compactMap { try? ModelBundle.open($0) }.map { ModelDescription($0.manifest) }
  }

  func bundleURL(of identifier: String) -> URL? { lock.withLock { folders[identifier] } }
}

private func write(
  _ identifier: String, languages: [String], seed: UInt64 = 1, version: Int = 1,
  in folder: TemporaryFolder
) throws -> URL {
  var manifest = Samples.manifest()
  manifest.identifier = identifier
  manifest.languages = languages
  manifest.version = version
  let url = folder.url.appendingPathComponent("\(identifier).ductus")
  try Samples.model(seed: seed).bundle(manifest).write(to: url)
  return url
}

@Suite("DigitalInkRecognizer")
struct DigitalInkRecognizerTests {
  @Test("Without its model it reports that, and works once the model is there")
  func later() async throws {
    let folder = try TemporaryFolder()
    let provider = FolderProvider()
    let recognizer = DigitalInkRecognizer(model: "en_US", provider: provider)
    let ink = Samples.ink(seed: 1)
    #expect(throws: RecognitionError.modelNotDownloaded("en_US")) { try recognizer.prepare() }
    await #expect(throws: RecognitionError.modelNotDownloaded("en_US")) {
      try await recognizer.recognize(ink)
    }
    #expect(recognizer.labels == nil)
    try provider.add(try write("m", languages: ["en-US"], in: folder))
    #expect(try await recognizer.recognize(ink).candidates.count == Samples.labels.count)
    #expect(recognizer.labels == Samples.labels)
    let other = DigitalInkRecognizer(
      options: .init(model: "en-US", maximumResultCount: 2), provider: provider)
    #expect(try await other.recognize(ink).candidates.count == 2)
  }

  @Test("All ways of recognising give the same candidates")
  func ways() async throws {
    let folder = try TemporaryFolder()
    let provider = FolderProvider()
    try provider.add(try write("m", languages: ["en"], in: folder))
    let recognizer = DigitalInkRecognizer(model: "m", provider: provider)
    let inks = (0..<40).map { Samples.ink(seed: $0) }
    let context = try Samples.context()
    let batch = try await recognizer.recognize(inks, context: context)
    #expect(batch.count == inks.count)
    for (ink, result) in zip(inks, batch) {
      #expect(try await recognizer.recognize(ink, context: context) == result)
      #expect(
        try recognizer.recognize(ink, context: context, maximumCandidates: 10) == result)
    }
    #expect(try await recognizer.recognize([Ink]()).isEmpty)
  }

  @Test("An ink that is not finite fails the batch")
  func badInk() async throws {
    let folder = try TemporaryFolder()
    let provider = FolderProvider()
    try provider.add(try write("m", languages: ["en"], in: folder))
    let recognizer = DigitalInkRecognizer(model: "m", provider: provider)
    let bad = Ink(strokes: [Stroke(points: [StrokePoint(x: .nan, y: 0)])])
    await #expect(throws: InkError.nonFiniteCoordinate(stroke: 0, point: 0)) {
      try await recognizer.recognize([Samples.ink(seed: 1), bad, Samples.ink(seed: 2)])
    }
  }

  @Test("A cancelled task gets no result")
  func cancellation() async throws {
    let folder = try TemporaryFolder()
    let provider = FolderProvider()
    try provider.add(try write("m", languages: ["en"], in: folder))
    let recognizer = DigitalInkRecognizer(model: "m", provider: provider)
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      _ = try await recognizer.recognize(Samples.ink(seed: 1))
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    let batch = Task {
      while !Task.isCancelled { await Task.yield() }
      _ = try await recognizer.recognize((0..<100).map { Samples.ink(seed: $0) })
    }
    batch.cancel()
    await #expect(throws: CancellationError.self) { try await batch.value }
  }

  @Test("Opening one model twice shares the recogniser, and the same network its memory")
  func sharing() throws {
    let folder = try TemporaryFolder()
    let first = try #require(
      try OpenModel.open(try write("a", languages: ["en"], in: folder)).recognizer()
        as? GlyphClassifier)
    let again = try OpenModel.open(folder.url.appendingPathComponent("a.ductus")).recognizer()
    #expect(again as AnyObject === first)
    let other = try #require(
      try OpenModel.open(try write("b", languages: ["de"], in: folder)).recognizer()
        as? GlyphClassifier)
    #expect(other !== first)
    #expect(other.model.parameters === first.model.parameters)
    let different = try #require(
      try OpenModel.open(try write("c", languages: ["de"], seed: 2, in: folder)).recognizer()
        as? GlyphClassifier)
    #expect(different.model.parameters !== first.model.parameters)
  }

  @Test("Text and area do not change the answer of a model of shapes; an area does for characters")
  func shapes() async throws {
    let folder = try TemporaryFolder()
    var manifest = Samples.manifest()
    // This pipeline uses the area.
    let pipeline = Samples.pipeline
    let shapes = folder.url.appendingPathComponent("shapes.ductus")
    manifest.languages = ["zxx-Zsym-x-shapes"]
    try Samples.model(pipeline).bundle(manifest).write(to: shapes)
    let characters = folder.url.appendingPathComponent("characters.ductus")
    manifest.languages = ["en"]
    try Samples.model(pipeline).bundle(manifest).write(to: characters)
    let context = RecognitionContext(
      preContext: "hello", writingArea: try WritingArea(x: -10, y: -20, width: 400, height: 300))
    let ink = Samples.ink(seed: 3)
    let plain = try OpenModel.open(shapes).recognizer().recognize(ink)
    #expect(try OpenModel.open(shapes).recognizer().recognize(ink, context: context) == plain)
    #expect(
      try OpenModel.open(characters).recognizer().recognize(ink, context: context)
        != OpenModel.open(characters).recognizer().recognize(ink))
  }

  @Test("Weights that are not finite are refused with the part and the tensor")
  func nonFinite() throws {
    let folder = try TemporaryFolder()
    let bundle = try ModelBundle.open(try write("m", languages: [], in: folder))
    var weights = try bundle.data(for: "network.safetensors")
    // The last two bytes are a weight in half precision: infinity.
    weights[weights.endIndex - 1] = 0x7C
    weights[weights.endIndex - 2] = 0
    var writer = ModelBundleWriter(manifest: bundle.manifest)
    try writer.add(part: "network.safetensors", role: "network", data: weights)
    try writer.write(to: folder.bundle)
    do {
      _ = try OpenModel.open(folder.bundle).recognizer()
      Issue.record("not refused")
    } catch {
      #expect("\(error)".hasPrefix("\(folder.bundle.path)/network.safetensors: tensor "))
      #expect("\(error)".contains("NaN or infinity"))
    }
  }
}

@Suite("ModelProvider")
struct ModelProviderTests {
  private struct Fixed: ModelProvider {
    var models: [ModelDescription]

    func bundleURL(of identifier: String) -> URL? { nil }
  }

  private static func model(
    _ identifier: String, _ kind: ModelManifest.Kind, _ tags: [String], version: Int = 1
  ) -> ModelDescription {
    ModelDescription(
      identifier: identifier, name: identifier, kind: kind, version: version,
      languages: tags.compactMap { try? LanguageTag(parsing: $0) })
  }

  private let provider = Fixed(models: [
    model("latin-characters", .glyph, ["en", "de"]), model("latin-lines", .line, ["en"]),
    model("latin-lines-new", .line, ["en"], version: 2),
    model("shapes", .glyph, ["zxx-Zsym-x-shapes"]),
  ])

  @Test("Identifiers come first, then languages; for those, line models, then the newest")
  func resolution() throws {
    #expect(try provider.model(for: "latin-lines")?.identifier == "latin-lines")
    #expect(try provider.model(for: "en_US")?.identifier == "latin-lines-new")
    #expect(try provider.model(for: "en-US")?.identifier == "latin-lines-new")
    #expect(try provider.model(for: "en", kind: .glyph)?.identifier == "latin-characters")
    #expect(try provider.model(for: "de-AT")?.identifier == "latin-characters")
    #expect(try provider.model(for: "zxx-Zsym-x-shapes")?.identifier == "shapes")
    #expect(try provider.model(for: "ja") == nil)
    #expect(try provider.model(for: "arrows") == nil)
    #expect(throws: RecognitionError.malformedLanguageTag("what is this?")) {
      try provider.model(for: "what is this?")
    }
    #expect(throws: RecognitionError.modelNotDownloaded("ja")) {
      try provider.recognizer(for: "ja")
    }
  }

  @Test("The first provider with a model provides it")
  func combined() throws {
    let folder = try TemporaryFolder()
    let carried = FolderProvider()
    try carried.add(try write("shapes", languages: ["zxx-Zsym-x-shapes"], in: folder))
    let installed = FolderProvider()
    let all = CombinedModels([installed, carried])
    #expect(all.models.map(\.identifier) == ["shapes"])
    let first = try all.recognizer(for: "shapes")
    #expect(first.labels == Samples.labels)
    #expect(throws: RecognitionError.modelNotDownloaded("x")) {
      try all.openRecognizer(identifier: "x")
    }
  }
}
