import Foundation
import ModelFormat
import PretrainedModels
import Recognition
import Testing

/// Every language that `KnownLanguages` lists can be read without a download.
@Suite("Languages in the box")
struct LanguagesInTheBoxTests {
  @Test("Every known language has its own model or pack", arguments: KnownLanguages.all)
  func pack(language: KnownLanguage) throws {
    let models = try PretrainedModels()
    let tag = language.tag.description
    let model = try #require(try models.model(exactly: tag, kind: .line))
    // A model of a network of its own has a name of its own.
    let names = ["en": "latin-lines", "ja": "japanese-lines"]
    #expect(model.identifier == names[tag] ?? tag)
    let manifest = try ModelBundle.manifest(
      of: try #require(models.bundleURL(of: model.identifier)))
    let hasLanguageModel = manifest.part(role: ModelManifest.Part.languageRole) != nil
    #expect(hasLanguageModel == (language.availability == .shipped))
  }

  @Test("Every pack that ships is of a known language")
  func known() throws {
    let tags = Set(KnownLanguages.all.map(\.tag))
    for model in try PretrainedModels().models where model.kind == .line {
      // The networks of other scripts are for any language of them.
      for tag in model.languages where tag.language != "und" {
        #expect(tags.contains(tag), "\(tag)")
      }
    }
  }

  @Test("The models that ship take at most 50 MB")
  func size() throws {
    let folder = try PretrainedModels.shippedFolder()
    let files = FileManager.default.enumerator(
      at: folder, includingPropertiesForKeys: [.fileSizeKey, .isRegularFileKey])
    var bytes = 0
    while let file = files?.nextObject() as? URL {
      let values = try file.resourceValues(forKeys: [.fileSizeKey, .isRegularFileKey])
      if values.isRegularFile == true { bytes += values.fileSize ?? 0 }
    }
    #expect(bytes > 20_000_000 && bytes <= 50_000_000, "\(bytes)")
  }

  @Test("The numbers of languages in the documents are those of KnownLanguages")
  func numbers() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let latin = KnownLanguages.languages(script: "Latn")
    var documents = ["README.md", "RESULTS.md"].map { root.appendingPathComponent($0) }
    let docs = root.appendingPathComponent("docs")
    let files = FileManager.default.enumerator(at: docs, includingPropertiesForKeys: nil)
    while let file = files?.nextObject() as? URL {
      // Experiments are of an earlier state.
      if file.pathExtension == "md", !file.path.contains("/experiments/") { documents.append(file) }
    }
    var found = 0
    for document in documents {
      let text = try String(contentsOf: document, encoding: .utf8)
      // English and Japanese have models of their own; the packs are of all other languages.
      for match in text.matches(of: /(packs of )?\b(\d\d) (languages|packs)\b/) {
        let number = try #require(Int(match.output.2))
        let arePacks = match.output.1 != nil || match.output.3 == "packs"
        let sets = [
          latin, KnownLanguages.all,
          KnownLanguages.all.filter { !["Latn", "Jpan"].contains($0.script) },
        ]
        let right = sets.flatMap { languages -> [Int] in
          let packs = languages.filter { !["en", "ja"].contains($0.tag.description) }
          let parts = [KnownLanguage.Availability.shipped, .lettersOnly].map { wanted in
            packs.count { $0.availability == wanted }
          }
          return [arePacks ? packs.count : languages.count] + parts
        }
        #expect(right.contains(number), "\(document.lastPathComponent): \(match.output.0)")
        found += 1
      }
    }
    #expect(found > 5)
  }
}
