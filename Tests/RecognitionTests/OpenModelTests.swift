import Foundation
import InkCore
import LanguageModels
import ModelFormat
import Recognition
import Testing

@Suite("OpenModel")
struct OpenModelTests {
  private static func ngrams() throws -> Data {
    var options = LanguageModelTrainer.Options()
    (options.order, options.minimumCount) = (2, 1)
    var text = NormalizedText(linesAreTexts: true)
    text.append("ab ab\nab c ab")
    return Data(try LanguageModelTrainer.train(text, options: options))
  }

  private static func writeLines(to url: URL, language: Data? = nil) throws {
    var writer = try TinyLine.untrainedModel().bundle(Samples.manifest(kind: .line))
    if let language {
      try writer.add(
        part: "language.ngram", role: ModelManifest.Part.languageRole, data: language)
    }
    try writer.write(to: url)
  }

  @Test("A model of the other kind is refused with what was expected and found")
  func kinds() throws {
    let folder = try TemporaryFolder()
    try Self.writeLines(to: folder.bundle)
    let lines = try OpenModel.open(folder.bundle)
    _ = try lines.line()
    #expect(
      throws: ModelError.unsupportedKind(
        path: folder.bundle.path, expected: "glyph", found: "line")
    ) { try lines.glyph() }
    let glyphs = folder.url.appendingPathComponent("glyphs.ductus")
    try Samples.model().bundle(Samples.manifest()).write(to: glyphs)
    let opened = try OpenModel.open(glyphs)
    _ = try opened.glyph()
    #expect(
      throws: ModelError.unsupportedKind(path: glyphs.path, expected: "line", found: "glyph")
    ) { try opened.line() }
  }

  @Test("A line model that joins time steps is written in format 4 and opens with the same output")
  func joinedSteps() throws {
    let folder = try TemporaryFolder()
    let model = TinyLine.untrainedModel(later: TinyLine.joining).roundedToHalfPrecision()
    try model.bundle(Samples.manifest(kind: .line)).write(to: folder.bundle)
    let opened = try OpenModel.open(folder.bundle)
    #expect(opened.bundle.manifest.formatVersion == 4)
    let network = try opened.line().network
    #expect(network.architecture == model.network.architecture && network.stride == 6)
    let ink = TinyLine.ink(strokes: 2, points: 31)
    let output = try LineRecognizer(model: opened.line(), precision: .single).logProbabilities(ink)
    #expect(try output == LineRecognizer(inSinglePrecision: model).logProbabilities(ink))
    try TinyLine.untrainedModel().bundle(Samples.manifest(kind: .line)).write(to: folder.bundle)
    #expect(try OpenModel.open(folder.bundle).bundle.manifest.formatVersion == 2)
  }

  @Test("Recognisers with options are separate and share the network's parameters")
  func options() throws {
    let folder = try TemporaryFolder()
    try Self.writeLines(to: folder.bundle, language: Self.ngrams())
    let model = try OpenModel.open(folder.bundle)
    let shared = try #require(try model.recognizer() as? LineRecognizer)
    #expect(try model.recognizer() as AnyObject === shared)
    let own = try #require(try model.recognizer(ReadingOptions()) as? LineRecognizer)
    #expect(own !== shared && own.languageModel != nil)
    #expect(own.model.parameters === shared.model.parameters)
    var options = ReadingOptions()
    options.isWithoutLanguage = true
    options.alphabet = try Alphabet("ab")
    let plain = try #require(try model.recognizer(options) as? LineRecognizer)
    #expect(plain.languageModel == nil && plain.alphabet != nil)
  }

  @Test("Options for lines are refused by a glyph model")
  func glyphOptions() throws {
    let folder = try TemporaryFolder()
    try Samples.model().bundle(Samples.manifest()).write(to: folder.bundle)
    let model = try OpenModel.open(folder.bundle)
    var options = ReadingOptions()
    options.isWithoutLanguage = true
    #expect(throws: RecognitionError.self) { try model.recognizer(options) }
    _ = try model.recognizer(ReadingOptions())
  }

  @Test("The bundle's language model has the hash of its part and of its file")
  func companions() throws {
    let folder = try TemporaryFolder()
    let ngrams = try Self.ngrams()
    try Self.writeLines(to: folder.bundle, language: ngrams)
    let bundle = try ModelBundle.open(folder.bundle)
    let companions = try LineCompanions(of: bundle)
    #expect(companions.language?.sha256 == ModelBundle.sha256(ngrams))
    #expect(companions.languageBytes == ngrams.count)
    #expect(companions.decodingKey == ModelBundle.sha256(ngrams))
    let file = folder.url.appendingPathComponent("other.ngram")
    try ngrams.write(to: file)
    var options = ReadingOptions()
    options.languageModel = file.path
    #expect(
      try LineCompanions(of: bundle, options).language?.sha256 == companions.language?.sha256)
    options.isWithoutLanguage = true
    #expect(try LineCompanions(of: bundle, options).decodingKey == nil)
  }

  @Test("A language model stays usable when its bundle is replaced and closed")
  func replacedBundle() throws {
    let folder = try TemporaryFolder()
    let ngrams = try Self.ngrams()
    try Self.writeLines(to: folder.bundle, language: ngrams)
    let companions = try LineCompanions(of: ModelBundle.open(folder.bundle))
    try Self.writeLines(to: folder.bundle)
    let language = try #require(companions.language)
    #expect(language.model.withFileBytes { ModelBundle.sha256($0) } == language.sha256)
  }

  @Test("A damaged language model is refused with its file, before it is used")
  func damagedLanguage() throws {
    let folder = try TemporaryFolder()
    var ngrams = try Self.ngrams()
    try Self.writeLines(to: folder.bundle, language: ngrams)
    let file = folder.bundle.appendingPathComponent("language.ngram")
    ngrams[ngrams.count / 2] ^= 1
    try ngrams.write(to: file)
    do {
      _ = try OpenModel.open(folder.bundle)
      Issue.record("not refused")
    } catch let error as ModelFormatError {
      #expect(error.path == file.path)
    }
    // An intact part that is not a language model is refused when the recogniser is made.
    try Self.writeLines(to: folder.bundle, language: Data("none".utf8))
    #expect(throws: LanguageModelError.self) { try OpenModel.open(folder.bundle).recognizer() }
    try Self.writeLines(to: folder.bundle, language: Data())
    #expect(throws: LanguageModelError.self) { try OpenModel.open(folder.bundle).recognizer() }
  }

  @Test("A name is opened from the first provider that has it; an unknown name is refused")
  func names() throws {
    struct One: ModelProvider {
      let url: URL
      var models: [ModelDescription] {
        (try? ModelBundle.manifest(of: url)).map { [ModelDescription($0)] } ?? []
      }
      func bundleURL(of identifier: String) -> URL? { models.isEmpty ? nil : url }
    }
    let folder = try TemporaryFolder()
    try Samples.model().bundle(Samples.manifest()).write(to: folder.bundle)
    let providers = [One(url: folder.url.appendingPathComponent("none")), One(url: folder.bundle)]
    let name = Samples.manifest().identifier
    let library = ModelLibrary(providers)
    #expect(try library.open(name).bundle.url.path == folder.bundle.path)
    #expect(
      throws: RecognitionError.wrongKind(model: name, expected: "line", found: "glyph")
    ) {
      try library.open(name, kind: .line)
    }
  }
}
