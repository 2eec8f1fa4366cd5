import Evaluation
import Foundation
import InkCore
import InkDatasets
import InkFormats
import LanguageModels
import LinearAlgebra
import PretrainedModels
import Recognition
import Testing
import Training

/// Ink of virtual writers whose sentences fill several rows, as people write on narrow paper.
struct PageInk {
  /// A file of pages: words of the starter set, two in a row, in two to four rows. The labels have no
  /// line breaks. Every fourth ink is a single row.
  static func withFile<Result>(
    pages: Int, seed: UInt64, _ body: (DataSpecification) throws -> Result
  ) throws -> Result {
    let words = FileManager.default.temporaryDirectory
      .appendingPathComponent("words-\(UUID().uuidString).txt")
    let file = words.deletingPathExtension().appendingPathExtension("jsonl")
    try Data("the garden\nletter home\nunder water\nmany people\n".utf8).write(to: words)
    defer {
      try? FileManager.default.removeItem(at: words)
      try? FileManager.default.removeItem(at: file)
    }
    let rows = try DataSpecification(
      parsing: "starter:words?words=\(words.path)&split=all&limit=\(4 * pages)&style=printed"
        + "&seed=\(seed)"
    ).records().map { try $0.get().labeled }
    let writer = try InkJSONLinesWriter(path: file.path)
    for page in 0..<pages {
      let count = page % 4 == 3 ? 1 : 2 + page % 3
      let own = rows[(4 * page)..<(4 * page + count)]
      try writer.write(stacked(Array(own), writer: "w\(page % 5)"))
    }
    try writer.finish()
    return try body(DataSpecification(parsing: "ink:\(file.path)?split=all"))
  }

  /// The rows below one another, at the distance of ruled paper.
  private static func stacked(_ rows: [LabeledInk], writer: String) throws -> LabeledInk {
    var strokes: [Stroke] = []
    for (number, row) in rows.enumerated() {
      let box = try #require(row.ink.boundingBox)
      let shift = Double(number) * 2.2 * box.height - box.minY
      strokes += row.ink.strokes.map { stroke in
        Stroke(
          points: stroke.points.map { StrokePoint(x: $0.x - box.minX, y: $0.y + shift, t: nil) })
      }
    }
    return LabeledInk(
      ink: Ink(strokes: strokes), label: rows.map(\.label).joined(separator: " "), writer: writer)
  }
}

@Suite("The validation figure of a training and the figure of an evaluation")
struct ValidationFigureTests {
  private func lines() throws -> LineModel {
    let opened = try PretrainedModels().openRecognizer(identifier: "latin-lines")
    return try #require(opened as? LineRecognizer).model
  }

  private func task(
    _ data: LineTrainingData, from model: LineModel?
  ) throws -> LineTask {
    var configuration = LinePreset.base.configuration
    configuration.precision = .single
    if let model {
      configuration.start(from: model)
      configuration.pipeline = model.pipeline
    }
    return try LineTask(
      configuration: configuration, training: data.training, validation: data.validation,
      workers: 2, from: model)
  }

  @Test("Ink of several rows is cut into lines by the model that training starts from")
  func cutRows() throws {
    let model = try lines()
    try PageInk.withFile(pages: 12, seed: 1) { pages in
      let data = try LineTrainingData(training: [pages], validation: [pages], from: model)
      // 9 pages of two to four rows, and three single rows.
      #expect(data.rows.inks == 9 && data.rows.validationInks == 9)
      let rows = (0..<12).filter { $0 % 4 != 3 }.reduce(0) { $0 + 2 + $1 % 3 }
      let cut = try #require(data.rows.lines)
      #expect(cut <= rows && 10 * cut >= 9 * rows, "\(cut) of \(rows) rows")
      #expect(data.training.samples.count == cut + 3)
      #expect(data.training.samples.allSatisfy { $0.line.rows == nil })
      #expect(data.rows.unread == 0 && data.validation.samples.count == 12)
    }
  }

  @Test("Without a model to start from, rows are found and stay as they are")
  func foundRows() throws {
    try PageInk.withFile(pages: 8, seed: 2) { pages in
      let data = try LineTrainingData(training: [pages], validation: [pages])
      #expect(data.rows.inks == 6 && data.rows.lines == nil && data.rows.validationInks == 6)
      // Rows side by side may be too short for their text.
      #expect(data.training.samples.count + data.rejected.tooShort == 8)
    }
  }

  @Test("A page whose label is another text is left out and counted")
  func unreadRows() throws {
    let model = try lines()
    try PageInk.withFile(pages: 3, seed: 3) { pages in
      let relabeled = try pages.records().map { element in
        var record = try element.get().labeled
        record.label = "9999 0000 1111 7777 8888 4444 5555 2222"
        return record
      }
      let file = FileManager.default.temporaryDirectory
        .appendingPathComponent("other-\(UUID().uuidString).jsonl")
      defer { try? FileManager.default.removeItem(at: file) }
      let writer = try InkJSONLinesWriter(path: file.path)
      for record in relabeled { try writer.write(record) }
      try writer.finish()
      let data = try LineTrainingData(
        training: [DataSpecification(parsing: "ink:\(file.path)?split=all")], validation: [pages],
        from: model)
      #expect(data.rows.inks == 3 && data.rows.lines == 0 && data.rows.unread == 3)
    }
  }

  @Test("Lines and pages: training validates as the evaluation without a language model does")
  func linesAgree() throws {
    let model = try lines()
    try PageInk.withFile(pages: 16, seed: 4) { pages in
      let data = try LineTrainingData(training: [pages], validation: [pages], from: model)
      let task = try task(data, from: model)
      #expect(task.labels == model.labels)
      let (score, errors) = task.validate(model.parameters, keepingErrors: 5)
      let evaluation = try LineEvaluation(
        LineRecognizer(inSinglePrecision: model), on: [pages], reading: .greedy)
      let rate = try #require(evaluation.errors.characterErrorRate)
      #expect(abs(score.accuracy - (1 - rate)) < 1e-12, "\(1 - score.accuracy), \(rate)")
      #expect(rate < 0.2 && score.loss.isFinite && score.loss < 2, "\(rate), \(score.loss)")
      #expect(data.identity.validation == evaluation.dataHash)
      for error in errors { #expect(error.edits > 0 && !error.strokes.isEmpty) }
    }
  }

  @Test("Glyphs: an ink whose label the model lacks is an error in both")
  func glyphsAgree() throws {
    let training = try DataSpecification(
      parsing: "starter:characters?labels=[0-4]&count=600&split=train")
    let validation = try DataSpecification(
      parsing: "starter:characters?labels=[0-6]&count=600&split=val")
    let data = try GlyphTrainingData(training: [training], validation: [validation])
    #expect(data.validation.unknownCount > 0)
    var configuration = GlyphPreset.small.configuration
    configuration.epochs = 2
    configuration.batchSize = 32
    configuration.averageDecay = 0.9
    let trainer = try GlyphTrainer(
      configuration: configuration, training: data.training, validation: data.validation,
      workers: 2)
    let model = try trainer.train()
    let kept = try #require(trainer.keptRecord)
    let evaluation = try GlyphEvaluation(GlyphClassifier(model: model), on: [validation])
    let accuracy = try #require(evaluation.accuracy(at: 1))
    // Weights are saved in half precision, which may turn one ink.
    #expect(
      abs(kept.validationAccuracy - accuracy) <= 1.0 / Double(evaluation.samples) + 1e-12,
      "\(kept.validationAccuracy), \(accuracy)")
    #expect(accuracy < 1 && accuracy > 0.3)
    let figures = try ValidationFigures(of: model, on: [validation])
    #expect(figures.headline?.value == accuracy && figures.dataHash == evaluation.dataHash)
  }
}

@Suite("Tuning a line model on lines that the network has read once")
struct SharedTuningTests {
  private func opened() throws -> LineRecognizer {
    let opened = try PretrainedModels().openRecognizer(identifier: "latin-lines")
    return try #require(opened as? LineRecognizer)
  }

  @Test("A tuner for other language models on the same lines finds what a fresh tuner finds")
  func sharedLines() throws {
    let recognizer = try opened()
    let language = try #require(recognizer.languageModel)
    let weights = try #require(DecoderWeights([0.6, 1.5, -0.5, 0.25]))
    try PageInk.withFile(pages: 6, seed: 5) { pages in
      let plain = try DecoderTuner(model: recognizer.model, data: [pages], limit: 5)
      let shared = try plain.with(language).tune(weights: weights)
      let fresh = try DecoderTuner(
        model: recognizer.model, language: language, data: [pages], limit: 5
      ).tune(weights: weights)
      #expect(shared.configuration == fresh.configuration)
      #expect(shared.errorRate == fresh.errorRate && shared.lines == fresh.lines)
      #expect(shared.greedyErrorRate == fresh.greedyErrorRate)
      #expect(shared.lines > 5, "the rows of a page are lines")
    }
  }

  @Test("A tuned model has a configuration for each set of language models and no older one")
  func tuned() throws {
    let recognizer = try opened()
    var model = recognizer.model
    model.decoding["old"] = DecoderConfiguration()
    try PageInk.withFile(pages: 4, seed: 6) { pages in try model.tune(on: [pages]) }
    #expect(model.decoding.keys.map(\.self) == [DecoderConfiguration.withoutModel])
  }

  @Test("Greedy reading of an output is the greedy reading of its ink")
  func greedy() throws {
    let recognizer = try opened()
    try PageInk.withFile(pages: 4, seed: 7) { pages in
      for element in try pages.records() {
        let ink = try element.get().labeled.ink
        let output = try recognizer.logProbabilities(ink)
        #expect(recognizer.readGreedily(from: output) == (try recognizer.readGreedily(ink)))
      }
    }
    #expect(recognizer.readGreedily(from: []) == "")
  }
}
