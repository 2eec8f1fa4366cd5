import Foundation
import LanguageModels
import LinearAlgebra
import Recognition
import Testing
import Training

@Suite("Training recurrent language models")
struct LanguageTrainerTests {
  /// Paragraphs in which the first word determines the third.
  private static func text(paragraphs: Int) -> NormalizedText {
    var text = NormalizedText()
    text.append(
      (0..<paragraphs).map { number in
        ["red or red", "blue or blue", "green or green"][number * 7 % 11 % 3]
      }.joined(separator: "\n\n"))
    return text
  }

  private static func configuration(
    epochs: Int = 2, precision: TrainingPrecision = .single
  ) -> LanguageTrainingConfiguration {
    var result = LanguageTrainingConfiguration()
    result.epochs = epochs
    result.batchSize = 8
    result.hidden = [16]
    result.precision = precision
    result.minimumCount = 1
    result.validationShare = 10
    return result
  }

  private static func trainer(
    _ configuration: LanguageTrainingConfiguration, paragraphs: Int = 200, workers: Int = 1
  ) throws -> LanguageTrainer {
    let data = try LanguageTrainingData(text(paragraphs: paragraphs), configuration)
    return try LanguageTrainer(
      configuration: configuration, training: data.training, validation: data.validation,
      workers: workers)
  }

  @Test("A distant word is remembered", arguments: TrainingPrecision.available)
  func learning(precision: TrainingPrecision) throws {
    var configuration = Self.configuration(epochs: 20, precision: precision)
    configuration.peakRate = 2e-2
    let trainer = try Self.trainer(configuration, paragraphs: 400, workers: 2)
    let model = try trainer.train()
    // One of three words at the beginning costs log 3 for about 14 characters; all others follow
    // from it.
    let loss = trainer.keptRecord?.validationLoss ?? .infinity
    #expect(loss < 0.13, "seed 1: \(loss) nats a character")
    #expect(model.symbols.scalars.count == 10)
  }

  @Test("The number of workers does not change the model", arguments: TrainingPrecision.available)
  func workers(precision: TrainingPrecision) throws {
    let models = try [1, 2, 3].map {
      try Self.trainer(Self.configuration(precision: precision), workers: $0).train()
    }
    #expect(models[0].parameters.values == models[1].parameters.values)
    #expect(models[0].parameters.values == models[2].parameters.values)
  }

  @Test("A resumed run ends with the same bits")
  func resumption() throws {
    let whole = try Self.trainer(Self.configuration()).train()
    let second = try resumed(after: 30) { try Self.trainer(Self.configuration()) }
    #expect(second.state.epochs == 1)
    #expect(try second.train().parameters.values == whole.parameters.values)
  }

  @Test("Passages hold every character once, end at spaces, and know their place in the text")
  func passages() throws {
    var text = NormalizedText()
    text.append("aa bb cc dd ee ff\n\nggggggggggggggg\n\nh")
    let table = try SymbolTable(of: text, minimumCount: 1)
    let set = LanguageTrainingSet(text, table: table, longest: 7)
    func string(_ passage: LanguageTrainingSet.Passage) -> String {
      (0..<passage.range.count).reduce(into: "") { result, step in
        let scalar = table.scalar(of: set.target(passage, step: step))
        result.unicodeScalars.append(scalar ?? "?")
      }
    }
    #expect(
      set.passages.map(string) == ["aa bb ", "cc dd ", "ee ff", "ggggggg", "ggggggg", "g", "h"])
    #expect(set.passages.map(\.beginsText) == [true, false, false, true, false, false, true])
    #expect(set.passages.map(\.endsText) == [false, false, true, false, false, true, true])
    #expect(set.characterCount == text.scalars.count)
    let first = set.passages[0]
    #expect(set.input(first, step: 0) == SymbolTable.startOfText)
    #expect(set.input(set.passages[1], step: 0) == SymbolTable.startOfLine)
    for step in 1..<first.steps {
      #expect(set.input(first, step: step) == set.target(first, step: step - 1))
    }
    let last = try #require(set.passages.last)
    #expect(last.steps == 2 && set.target(last, step: 1) == SymbolTable.endOfText)
  }

  @Test("No text is both trained on and held out, even if there are few")
  func heldOut() throws {
    for paragraphs in [2, 9, 25] {
      let data = try LanguageTrainingData(
        Self.text(paragraphs: paragraphs), Self.configuration())
      let (learned, held) = (data.training.passages, data.validation.passages)
      #expect(!learned.isEmpty && !held.isEmpty)
      #expect(learned.count + held.count == paragraphs)
      #expect(Set(learned.map(\.range)).isDisjoint(with: held.map(\.range)))
    }
  }

  @Test("The cost of a text is the sum over its characters, for any batch")
  func evaluation() throws {
    var text = NormalizedText(linesAreTexts: true)
    text.append("red or red\ngreen\nblue or ?ed")
    let model = try Self.trainer(Self.configuration()).train()
    let scorer = try #require(RecurrentScorer(model, unit: nil))
    let lines = ["red or red", "green", "blue or ?ed"]
    let expected = try -scorer.logProbabilities(of: lines, after: "", isWhole: true).reduce(0, +)
    for workers in [1, 3] {
      let found = LanguageModelEvaluation(
        model, on: text, textsAreLines: true, workers: workers)
      #expect(found.texts == 3 && found.characters == 26 && found.unknownCharacters == 1)
      let bits = Double(expected) / log(2) / 26
      #expect(abs(found.bitsPerCharacter - bits) < 1e-4)
      #expect(found.bitsPerEnd > 0)
    }
    // A paragraph begins differently from a line, which may be anywhere in a text.
    let paragraphs = LanguageModelEvaluation(model, on: text, workers: 1)
    #expect(abs(paragraphs.bitsPerCharacter - Double(expected) / log(2) / 26) > 1e-4)
  }

  @Test("Settings out of range, and texts that cannot be trained on, are refused")
  func refusals() throws {
    let changes: [(inout LanguageTrainingConfiguration) -> Void] = [
      { $0.hidden = [] }, { $0.hidden = [0] }, { $0.dropout = 1 }, { $0.passageLength = 1 },
      { $0.shards = 0 }, { $0.peakRate = .nan }, { $0.finalDivisor = 0 }, { $0.epochs = 0 },
    ]
    let data = try LanguageTrainingData(Self.text(paragraphs: 20), Self.configuration())
    for (index, change) in changes.enumerated() {
      var configuration = Self.configuration()
      change(&configuration)
      #expect(throws: TrainingError.self, "change \(index)") {
        try LanguageTrainer(
          configuration: configuration, training: data.training, validation: data.validation,
          workers: 1)
      }
    }
    #expect(throws: TrainingError.tooFewTexts(found: 1)) {
      _ = try Self.trainer(Self.configuration(), paragraphs: 1)
    }
    #expect(throws: LanguageModelTrainingError.self) {
      _ = try LanguageTrainingData(NormalizedText(), Self.configuration())
    }
  }
}
