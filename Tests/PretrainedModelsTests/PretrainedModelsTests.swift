import Foundation
import InkCore
import InkDatasets
import InkEditor
import LanguageModels
import ModelFormat
import PretrainedModels
import Recognition
import Testing

@Suite struct PretrainedModelsTests {
  @Test func everyModelOpensAndIsDescribed() throws {
    let shipped = try PretrainedModels()
    let packs = KnownLanguages.all.map(\.tag.description).filter { $0 != "en" && $0 != "ja" }
    let others = [
      "armenian-lines", "cyrillic-lines", "emoji", "formulas", "georgian-lines", "gestures",
      "greek-lines", "hebrew-lines", "japanese-characters", "japanese-lines", "latin-characters",
      "latin-lines", "shapes", "sketches",
    ]
    #expect(packs.count == 53)
    #expect(shipped.models.map(\.identifier) == (packs + others).sorted())
    for model in shipped.models {
      let url = try #require(shipped.bundleURL(of: model.identifier))
      let bundle = try ModelBundle.open(url)
      #expect(bundle.manifest.identifier == model.identifier)
      // Packs of letters and rules alone have no text to be measured on.
      let language = try KnownLanguages.language(
        exactly: model.languages.first?.description ?? "und")
      let isMeasured = bundle.manifest.kind != .line || language?.availability != .lettersOnly
      #expect(isMeasured == !bundle.manifest.metrics.isEmpty, "\(model.identifier)")
      #expect(
        bundle.manifest.data.allSatisfy { $0.licence != "not stated" && !$0.attribution.isEmpty },
        "\(model.identifier)")
      let card = url.appendingPathComponent("MODELCARD.md")
      #expect(FileManager.default.fileExists(atPath: card.path))
      _ = try shipped.openRecognizer(identifier: model.identifier)
    }
  }

  @Test func modelsOfAFolderAreFoundByWhatTheyAreAndNotByTheFilesNames() throws {
    let shipped = try PretrainedModels()
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("models-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for (name, identifier) in [("a", "shapes"), ("z", "gestures")] {
      try FileManager.default.copyItem(
        at: try #require(shipped.bundleURL(of: identifier)),
        to: folder.appendingPathComponent("\(name).ductus"))
    }
    let models = try PretrainedModels(folder: folder)
    #expect(models.models.map(\.identifier) == ["gestures", "shapes"])
    _ = try models.openRecognizer(identifier: "shapes")
    #expect(models.bundleURL(of: "a") == nil)
  }

  @Test("Every shipped model is found by its name, and no other")
  func shippedBundles() throws {
    for model in try PretrainedModels().models {
      let url = try #require(try PretrainedModels.shippedBundle(of: model.identifier))
      #expect(try ModelBundle.manifest(of: url).identifier == model.identifier)
    }
    for name in ["none", "", "..", "../Models/shapes", "shapes.ductus"] {
      #expect(try PretrainedModels.shippedBundle(of: name) == nil, "\(name)")
    }
  }

  @Test("A damaged part is found when its model is opened, and does not affect the list of models")
  func damagedPart() throws {
    let shipped = try PretrainedModels()
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("damaged-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for identifier in ["shapes", "gestures"] {
      try FileManager.default.copyItem(
        at: try #require(shipped.bundleURL(of: identifier)),
        to: folder.appendingPathComponent("\(identifier).ductus"))
    }
    let part = folder.appendingPathComponent("shapes.ductus/network.safetensors")
    var bytes = try Data(contentsOf: part)
    bytes[bytes.count / 2] ^= 1
    try bytes.write(to: part)
    let models = try PretrainedModels(folder: folder)
    #expect(models.models.map(\.identifier) == ["gestures", "shapes"])
    #expect(throws: ModelFormatError.self) { try models.openRecognizer(identifier: "shapes") }
    _ = try models.openRecognizer(identifier: "gestures")
  }

  /// The corners of letters and shapes without points between them, as drawn by a program.
  @Test func inkOfCornersAloneIsReadAsInkOfManyPoints() throws {
    let shipped = try PretrainedModels()
    let corners: [(model: String, label: String, strokes: [[(Double, Double)]])] = [
      ("latin-characters", "N", [[(0, 100), (0, 0), (60, 100), (60, 0)]]),
      ("latin-characters", "Z", [[(0, 0), (60, 0), (0, 100), (60, 100)]]),
      ("latin-lines", "H", [[(0, 0), (0, 100)], [(60, 0), (60, 100)], [(0, 50), (60, 50)]]),
      (
        "shapes", "star",
        [
          (0...5).map { tip in
            let angle = Double(tip) * 4 * .pi / 5
            return (100 * sin(angle), -100 * cos(angle))
          }
        ]
      ),
    ]
    for (model, label, strokes) in corners {
      let recognizer = try shipped.openRecognizer(identifier: model)
      for pieces in [1, 2, 6] {
        let ink = Ink(
          strokes: strokes.map { corners in
            var points = [StrokePoint(x: corners[0].0, y: corners[0].1)]
            for (from, to) in zip(corners, corners.dropFirst()) {
              points += (1...pieces).map { piece in
                let part = Double(piece) / Double(pieces)
                return StrokePoint(
                  x: from.0 + part * (to.0 - from.0), y: from.1 + part * (to.1 - from.1))
              }
            }
            return Stroke(points: points)
          })
        let best = try recognizer.recognize(ink).candidates.first
        #expect(best?.text == label, "\(model), \(label), \(pieces)")
      }
    }
  }

  @Test func languagesAndNamesFindTheirModels() throws {
    let shipped = try PretrainedModels()
    #expect(try shipped.model(for: "en_US")?.identifier == "latin-lines")
    #expect(try shipped.model(for: "zxx-Zsym-x-shapes")?.identifier == "shapes")
    #expect(shipped.bundleURL(of: "klingon") == nil)
    #expect(throws: RecognitionError.modelNotDownloaded("klingon")) {
      try shipped.openRecognizer(identifier: "klingon")
    }
  }

  @Test func singleLettersAreReadWithTheModelOfCharacters() throws {
    let opened = try PretrainedModels().openRecognizer(identifier: "latin-lines")
    let lines = try #require(opened as? LineRecognizer)
    #expect((lines.characterModel?.labels.count ?? 0) > 300)
    let without = try LineRecognizer(
      model: lines.model, languageModel: lines.languageModel, configuration: lines.configuration)
    let data = try DataSpecification(
      parsing: "starter:characters?labels=[a-z]&split=all&limit=400")
    var (wrong, wrongWithout) = (0, 0)
    for record in try data.records() {
      let labeled = try record.get().labeled
      let context = RecognitionContext(writingArea: labeled.writingArea)
      func isWrong(_ recognizer: LineRecognizer) throws -> Bool {
        try recognizer.recognize(labeled.ink, context: context, maximumCandidates: 1)
          .candidates.first?.text != labeled.label
      }
      wrong += try isWrong(lines) ? 1 : 0
      wrongWithout += try isWrong(without) ? 1 : 0
    }
    #expect(3 * wrong < 2 * wrongWithout, "\(wrong) and \(wrongWithout) of 400")
    // The character model does not add characters outside of the alphabet.
    let digits = try lines.confined(to: Alphabet("0123456789"))
    for record in try data.records().prefix(20) {
      let candidates = try digits.recognize(record.get().labeled.ink).candidates
      #expect(candidates.allSatisfy { $0.text.allSatisfy(\.isNumber) })
    }
  }

  @Test func anEditorThatIsLimitedReadsCharactersAsOneThatIsNot() throws {
    let opened = try PretrainedModels().openRecognizer(identifier: "latin-lines")
    let models = LoadedModels()
    models.setText(opened, bundle: "en")
    let key = TextReaderKey(bundle: "en", name: "text", alphabet: "abc", lexicon: ["cab"])
    let limited =
      try ReaderCache<TextReaderKey, any Recognizer>(capacity: 4)
      .recognizer(key, models: models) as? LineRecognizer
    #expect(limited?.characterModel != nil && limited?.languageModel != nil)
    #expect(limited?.alphabet != nil && limited?.vocabulary != nil)
  }

  @Test func aRectangleIsOne() throws {
    let recognizer = DigitalInkRecognizer(model: "shapes", provider: try PretrainedModels())
    let corners = [(0.0, 0.0), (300.0, 4.0), (296.0, 160.0), (2.0, 158.0), (1.0, 3.0)]
    var points: [StrokePoint] = []
    for (start, end) in zip(corners, corners.dropFirst()) {
      for step in 0..<20 {
        let share = Double(step) / 20
        points.append(
          StrokePoint(
            x: start.0 + share * (end.0 - start.0), y: start.1 + share * (end.1 - start.1)))
      }
    }
    let result = try recognizer.recognize(Ink(strokes: [Stroke(points: points)]))
    #expect(result.candidates.first?.text == "rectangle")
  }

  /// An outline between a rectangle (0) and its inscribed ellipse (1).
  private func outline(_ share: Double) -> Ink {
    Ink(strokes: [
      Stroke(
        points: (0...160).map { step in
          let angle = 0.75 * Double.pi + 2 * Double.pi * Double(step) / 160
          let (x, y) = (cos(angle), sin(angle))
          let reach = share + (1 - share) / max(abs(x), abs(y))
          return StrokePoint(x: 150 * reach * x, y: -110 * reach * y)
        })
    ])
  }

  @Test func betweenTwoShapesTheAnswerIsUnsureAndAtBothEndsItIsSure() throws {
    let recognizer = try PretrainedModels().openRecognizer(identifier: "shapes")
    let gaps = try (0...20).map { step in
      let candidates = try recognizer.recognize(outline(Double(step) / 20)).candidates
      return exp(candidates[0].score) - exp(candidates[1].score)
    }
    #expect(try recognizer.recognize(outline(0)).candidates[0].text == "rectangle")
    #expect(try recognizer.recognize(outline(1)).candidates[0].text == "ellipse")
    #expect(gaps[0] > 0.8 && gaps[20] > 0.8, "\(gaps)")
    #expect((gaps[5...16].min() ?? 1) < 0.3, "\(gaps)")
  }

  @Test func aFolderWithoutModelsIsATypedErrorWithTheFolderAndARemedy() throws {
    let error = PretrainedModelsError.missingResources(places: ["/a", "/b"])
    #expect(error.description.contains("/a, /b"))
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("none-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("a.txt")
    try Data("a".utf8).write(to: file)
    for (place, found) in [
      (URL(fileURLWithPath: "/no/such/folder"), "nothing there"), (file, "a file"),
      (folder, "found none"),
    ] {
      let error = #expect(throws: PretrainedModelsError.self) {
        try PretrainedModels(folder: place)
      }
      let text = (error as (any Error)?)?.localizedDescription ?? ""
      #expect(text.hasPrefix("\(place.path): expected"), "\(text)")
      #expect(text.contains(found) && text.contains("PretrainedModels()"), "\(text)")
    }
  }
}
