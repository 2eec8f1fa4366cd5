import FormulaTraining
import Formulas
import Foundation
import InkCore
import ModelFormat
import PretrainedModels
import Recognition
import Testing
import Training

@Suite("Reading of formulas")
struct ReaderTests {
  private static let seed: UInt64 = 3

  /// A model of the seven drawn symbols, trained once for all tests.
  private static let trained = Result {
    var configuration = FormulaModelTrainer.Configuration()
    configuration.epochs = 5
    configuration.foldEpochs = 2
    configuration.folds = 2
    configuration.heldOut = 6
    return try FormulaModelTrainer(configuration, workers: 2).train(
      on: DrawnFormulas.records(110, seed: seed))
  }

  @Test("Drawn sums, powers and fractions are read")
  func drawn() throws {
    let model = try Self.trained.get().model
    let records = try DrawnFormulas.records(40, seed: Self.seed + 1)
    let evaluation = FormulaEvaluation(try FormulaReader(model), on: records, workers: 2)
    #expect(evaluation.figures.expressionRate >= 0.6, "seed \(Self.seed + 1)")
    // A right reading is among the candidates, and some of those that are wrong have a right one.
    let right = evaluation.answers.count(where: \.comparison.isSame)
    let among = evaluation.answers.count(where: \.isAmongCandidates)
    #expect(among > right || right == records.count, "seed \(Self.seed + 1)")
    #expect(evaluation.answers.allSatisfy { $0.isAmongCandidates || !$0.comparison.isSame })
    #expect(evaluation.answers.allSatisfy { (0...1).contains($0.probability ?? -1) })
    let structure = FormulaEvaluation(
      try FormulaReader(model), on: records, given: .symbols, workers: 1)
    #expect(structure.figures.expressionRate >= 0.8, "seed \(Self.seed + 1)")
    #expect(structure.answers.allSatisfy { $0.probability == nil })
  }

  @Test("Every stroke belongs to one symbol, and probabilities are ordered")
  func candidates() throws {
    let reader = try FormulaReader(try Self.trained.get().model)
    for record in try DrawnFormulas.records(20, seed: Self.seed + 2) {
      let candidates = try reader.read(record.ink, maximumCandidates: 4)
      #expect(!candidates.isEmpty && candidates.count <= 4)
      for candidate in candidates {
        let strokes = candidate.symbols.flatMap(\.symbol.strokes).sorted()
        #expect(strokes == Array(record.ink.strokes.indices))
        #expect(candidate.symbols.allSatisfy { (0...1).contains($0.symbol.confidence) })
      }
      let probabilities = candidates.map(\.probability)
      #expect(probabilities == probabilities.sorted(by: >))
      #expect(probabilities.reduce(0, +) <= 1.000001)
      #expect(Set(candidates.map(\.latex)).count == candidates.count)
    }
  }

  @Test("A model that was written and opened reads the same")
  func bundle() throws {
    let model = try Self.trained.get().model
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("formulas-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let url = folder.appendingPathComponent("small.ductus")
    try model.bundle(model.manifest(named: "small")).write(to: url)
    let opened = try FormulaModel(contentsOf: url)
    #expect(opened.weights == model.weights)
    let record = try #require(try DrawnFormulas.records(1, seed: 9).first)
    let first = try FormulaReader(model).read(record.ink)
    let second = try FormulaReader(opened).read(record.ink)
    #expect(first.first?.latex == second.first?.latex)
  }

  @Test("A bundle of formulas opens as one, answers requests, and is no model of glyphs")
  func door() throws {
    let model = try Self.trained.get().model
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("formulas-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let url = folder.appendingPathComponent("small.ductus")
    try model.bundle(model.manifest(named: "small")).write(to: url)
    #expect(throws: ModelError.self) { try GlyphModel(contentsOf: url) }
    let opened = try OpenModel.open(url)
    #expect(throws: ModelError.self) { try opened.glyph() }
    #expect(throws: ModelError.self) { try opened.line() }
    let record = try #require(try DrawnFormulas.records(1, seed: 9).first)
    let candidate = try #require(try opened.recognizer().recognize(record.ink).candidates.first)
    let formula = try #require(candidate.formula)
    #expect(candidate.score <= 0)
    #expect(formula.latex == (try FormulaReader(model).read(record.ink).first?.latex))
    #expect(formula.symbols.flatMap(\.strokes).sorted() == Array(record.ink.strokes.indices))
    let reading = RecognitionAnswer.Reading(
      model: "small", result: RecognitionResult(candidates: [candidate]))
    let json = String(decoding: RecognitionAnswer(id: nil, .reading(reading)).json, as: UTF8.self)
    for member in ["latex", "mathml", "symbols"] { #expect(json.contains("\"\(member)\":")) }
    #expect(throws: RecognitionError.self) {
      try opened.recognizer().recognize(
        Ink(strokes: Array(repeating: record.ink.strokes[0], count: 401)))
    }
  }

  @Test("The model that ships reads sums of virtual writers, and calculates them")
  func shipped() throws {
    let library = ModelLibrary([try PretrainedModels()])
    let reader = try library.reader(for: ReadingSpecification(model: "formulas"))
    let composer = try FormulaComposer(letters: [LabeledInk]())
    var right = 0
    for hand in 0..<20 {
      let record = try #require(
        composer.formula("12 + 7 =", name: "sum-\(hand)", hand: hand, seed: 99))
      let best = try reader.recognize(record.ink).candidates.first
      guard let formula = best?.formula, NormalForm.isSame(formula.latex, record.latex) else {
        continue
      }
      right += 1
      #expect(formula.result?.text == "19" && best?.text == "12+7=")
    }
    #expect(right >= 10, "seed 99")
  }

  @Test("A model of the first version is opened, reads, and is written as one")
  func firstVersion() throws {
    var model = try Self.trained.get().model
    model.contextNetwork = nil
    let folder = try Self.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appendingPathComponent("first.ductus")
    try model.bundle(model.manifest(named: "first")).write(to: url)
    let opened = try FormulaModel(contentsOf: url)
    #expect(opened.contextNetwork == nil)
    let record = try #require(try DrawnFormulas.records(1, seed: 9).first)
    #expect(try !FormulaReader(opened).read(record.ink).isEmpty)
  }

  @Test("Training that goes on from a model keeps its symbols, and reads those of the data")
  func start() throws {
    let first = try Self.trained.get().model
    let records = try DrawnFormulas.records(60, seed: 31).map { record in
      // The data has a symbol that the model does not know, in place of one that it knows.
      var record = record
      for index in record.symbols.indices where record.symbols[index].label == "7" {
        record.symbols[index].label = #"\tau"#
      }
      record.latex = record.latex.replacing("7", with: #"\tau "#)
      record.layout = try record.layout.map {
        try SymbolLayout(symbols: record.symbols, links: $0.links)
      }
      return record
    }
    var configuration = FormulaModelTrainer.Configuration()
    (configuration.epochs, configuration.foldEpochs) = (3, 1)
    (configuration.folds, configuration.heldOut) = (2, 6)
    let further = try FormulaModelTrainer(configuration, start: first, workers: 2)
      .train(on: records).model
    #expect(Set(first.symbols.labels).isSubset(of: further.symbols.labels))
    #expect(further.symbols.labels.contains(#"\tau"#))
    let evaluation = FormulaEvaluation(
      try FormulaReader(further), on: Array(records.prefix(30)), workers: 2)
    #expect(evaluation.figures.symbolsRead >= 0.8, "seed 31")
  }

  @Test("A run that is stopped within a glyph model and within the networks ends in the same model")
  func resumed() throws {
    let records = try DrawnFormulas.records(50, seed: 33)
    var configuration = FormulaModelTrainer.Configuration()
    (configuration.epochs, configuration.foldEpochs) = (2, 1)
    (configuration.folds, configuration.heldOut) = (2, 6)
    let folder = try Self.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let expected = try FormulaModelTrainer(configuration, workers: 2).train(on: records).model
    var (sessions, epochs) = (0, 0)
    while true {
      sessions += 1
      let stages = try TrainingStages(
        folder.appendingPathComponent("run"),
        key: try TrainingStages.key(records, configuration))
      // A longer session each time, so that the end comes.
      let observer = FormulaStopper(after: 3 * sessions)
      do {
        let model = try FormulaModelTrainer(
          configuration, workers: 1, stages: stages, observer: observer
        ).train(on: records).model
        #expect(model.symbols.parameters.values == expected.symbols.parameters.values)
        #expect(model.groupNetwork.parameters == expected.groupNetwork.parameters)
        #expect(model.contextNetwork?.parameters == expected.contextNetwork?.parameters)
        #expect(model.labelNetwork.parameters == expected.labelNetwork.parameters)
        #expect(model.weights == expected.weights)
        epochs = stages.history().count
        break
      } catch TrainingError.interrupted {
        #expect(sessions < 200)
        guard sessions < 200 else { return }
      }
    }
    #expect(sessions > 2)
    // The passes of all glyph models, each once.
    #expect(epochs == 4)
  }

  private static func folder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("formulas-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  @Test("Formulas among the blocks of a page are read with the strokes of the page")
  func pages() throws {
    let record = try #require(try DrawnFormulas.records(1, seed: 9).first)
    let word = Stroke(points: [StrokePoint(x: -90, y: 0), StrokePoint(x: -60, y: 3)])
    let page = Ink(strokes: [word] + record.ink.strokes + [word])
    let strokes = Array(1...record.ink.strokes.count)
    var result = RecognitionResult(candidates: [])
    result.blocks = [
      RecognizedBlock(kind: .text, bounds: nil, strokes: [0, strokes.count + 1]),
      RecognizedBlock(kind: .formula, bounds: nil, strokes: strokes),
    ]
    #expect(result.hasUnreadFormulas)
    let recognizer = try FormulaRecognizer(model: try Self.trained.get().model)
    result.readFormulas(of: page, with: recognizer)
    #expect(!result.hasUnreadFormulas && result.blocks[0].formula == nil)
    let read = try #require(result.blocks[1].formula)
    let alone = try recognizer.recognize(record.ink).candidates.first?.formula
    #expect(read.latex == alone?.latex)
    #expect(read.symbols.flatMap(\.strokes).sorted() == strokes)
  }

  @Test("Bad ink is a typed error, and silly ink an answer")
  func badInk() throws {
    let reader = try FormulaReader(try Self.trained.get().model)
    let dot = Stroke(points: [StrokePoint(x: 1, y: 1)])
    #expect(throws: FormulaError.tooManyStrokes(found: 10_000, limit: 400)) {
      try reader.read(Ink(strokes: Array(repeating: dot, count: 10_000)))
    }
    #expect(throws: FormulaError.nonFiniteCoordinate(stroke: 1)) {
      try reader.read(Ink(strokes: [dot, Stroke(points: [StrokePoint(x: .nan, y: 0)])]))
    }
    #expect(try reader.read(Ink()).isEmpty)
    #expect(try reader.read(Ink(strokes: [Stroke(points: [])])).isEmpty)
    #expect(try !reader.read(Ink(strokes: [dot])).isEmpty)
    #expect(try !reader.read(Ink(strokes: Array(repeating: dot, count: 40))).isEmpty)
    let far = Stroke(points: [StrokePoint(x: 1e8, y: -1e8), StrokePoint(x: -1e8, y: 1e8)])
    #expect(try !reader.read(Ink(strokes: [far, dot, far])).isEmpty)
  }

  @Test("Training without usable formulas is a typed error")
  func nothingToTrain() {
    let record = LabeledFormula(name: "a", writer: nil, ink: Ink(), latex: "x")
    #expect(throws: FormulaError.noFormulas(found: 1)) {
      try FormulaModelTrainer(workers: 1).train(on: [record])
    }
  }

  @Test("An unfinished run is continued with its own data and settings, and kept from others")
  func stages() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("formulas-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    _ = try TrainingStages(folder, key: "a")
    let finished = folder.appendingPathComponent("fold-1.glyphs")
    try Data([1]).write(to: finished)
    #expect(throws: FormulaError.self) { try TrainingStages(folder, key: "b") }
    #expect(try Data(contentsOf: finished) == Data([1]))
    _ = try TrainingStages(folder, key: "a")
    #expect(try Data(contentsOf: finished) == Data([1]))
  }
}

/// Asks the training of a formula model to stop after some questions.
private final class FormulaStopper: FormulaTrainingObserver, @unchecked Sendable {
  // Unchecked because one trainer calls it on one thread.
  private var left: Int

  init(after questions: Int) { left = questions }

  func stageDidBegin(_ name: String, samples: Int) {}
  func note(_ text: String) {}
  func historyDidGrow(_ history: [EpochRecord]) {}
  func trainingDidStep(_ progress: TrainingProgress) {}
  func trainingDidFinishEpoch(_ record: EpochRecord) {}
  var shouldStop: Bool {
    left -= 1
    return left < 0
  }
}
