import Features
import Foundation
import InkCore
import LanguageModels
import LinearAlgebra
import Networks

/// Reads one ink as a text: words and lines. Several lines, one under another, are read one after
/// another, with a space between.
///
/// Thread-safe. Each thread that recognises at the same moment uses memory of its own, which is
/// kept for the next.
///
///     let recognizer = try LineRecognizer(
///       model: LineModel(contentsOf: url), languageModel: english)
///     let result = try recognizer.recognize(ink, context: RecognitionContext(preContext: "Dear "))
///     print(result.candidates.first?.text ?? "nothing to read")
public final class LineRecognizer: Recognizer {
  /// The model in use.
  public let model: LineModel
  /// The language model in use, or nil.
  public let languageModel: LanguageModel?
  /// The recurrent language model that orders the best readings anew, or nil. Used where
  /// ``DecoderConfiguration/rescoring`` says how, beside a language model of the search.
  public let recurrentModel: RecurrentLanguageModel?
  /// The glyph model that has its say where an ink may be one character, or nil.
  public let characterModel: GlyphModel?
  /// How the search weighs ink and language.
  public let configuration: DecoderConfiguration
  /// The symbols that may be read; nil for all of the model.
  public let alphabet: Alphabet?
  /// The words that may be read or are preferred; nil where there is no list.
  public let vocabulary: Vocabulary?

  /// Packed once for all threads; nil where products are in single precision.
  private let weights: PackedWeights?
  private let scorer: TextScorer
  private let characterOpinion: CharacterOpinion?
  /// Subtracted from each time step's log-probabilities before the search, [K]; empty for nothing.
  private let corrections: [Float]
  private let allowed: [Bool]
  private let memories: MemoryPool<LineReadingMemory>

  /// The characters of the text before the ink that count.
  public static let preContextLength = 20
  /// Of a word that was begun before the ink so many characters are looked up in a vocabulary.
  private static let longestWord = 200

  /// Makes a recogniser. The network's products are computed in mixed precision where the processor has
  /// instructions for it (``BFloat16Unit``), so that probabilities differ between processors in the
  /// third digit.
  ///
  /// - Parameters:
  ///   - characterModel: Of single characters, such as `latin-characters`: it has its say where
  ///     ``recognize(_:context:maximumCandidates:)`` finds that an ink may be one.
  ///   - configuration: How to weigh ink and language: ``LineModel/decoding`` has what the model
  ///     was tuned to for a language model, ``LanguageModelFile`` that model's hash. Nil for the
  ///     default.
  ///   - alphabet: The only characters that may be read, or nil for all.
  ///   - vocabulary: Words, or nil.
  /// - Throws: ``RecognitionError/emptyAlphabet`` where the model can write none of them but the space,
  ///   ``RecognitionError/unwritableVocabulary`` where it can write no word of a closed one,
  ///   ``RecognitionError/unusableConfiguration(member:expected:found:)`` for a number out of its
  ///   range, a bonus of the vocabulary too.
  public convenience init(
    model: LineModel, languageModel: LanguageModel? = nil,
    recurrentModel: RecurrentLanguageModel? = nil, characterModel: GlyphModel? = nil,
    configuration: DecoderConfiguration? = nil, alphabet: Alphabet? = nil,
    vocabulary: Vocabulary? = nil
  ) throws(RecognitionError) {
    try self.init(
      model, PackedWeights(model.network, parameters: model.parameters), languageModel,
      recurrentModel, characterModel, configuration, alphabet, vocabulary)
  }

  /// Makes a recogniser without a language model that computes in single precision on every processor.
  package convenience init(inSinglePrecision model: LineModel) throws(RecognitionError) {
    try self.init(model, nil, nil, nil, nil, nil, nil, nil)
  }

  /// With weights for mixed precision, or nil for single precision.
  init(
    _ model: LineModel, _ weights: PackedWeights?, _ languageModel: LanguageModel?,
    _ recurrentModel: RecurrentLanguageModel?, _ characterModel: GlyphModel?,
    _ configuration: DecoderConfiguration?, _ alphabet: Alphabet?, _ vocabulary: Vocabulary?
  ) throws(RecognitionError) {
    self.model = model
    self.weights = weights
    self.languageModel = languageModel
    self.recurrentModel = recurrentModel
    self.characterModel = characterModel
    characterOpinion = characterModel.map { CharacterOpinion($0, labels: model.labels) }
    self.configuration =
      configuration
      ?? (languageModel == nil ? model.decoding[DecoderConfiguration.withoutModel] : nil)
      ?? DecoderConfiguration()
    self.alphabet = alphabet
    self.vocabulary = vocabulary
    scorer = TextScorer(
      languageModel, vocabulary, labels: model.labels, configuration: self.configuration)
    corrections = languageModel == nil ? [] : self.configuration.corrections
    allowed =
      [true] + model.labels.map { label in alphabet.map { $0.allows(label) } ?? true }
    memories = MemoryPool { LineReadingMemory(model, weights, recurrentModel) }
    if let fault = self.configuration.fault(classes: model.labels.count + 1) {
      throw .unusableConfiguration(
        member: fault.what, expected: fault.expected, found: fault.found)
    }
    guard zip(model.labels, allowed.dropFirst()).contains(where: { $0 != " " && $1 }) else {
      throw .emptyAlphabet
    }
    if case .boosted(_, let bonus)? = vocabulary, !bonus.isFinite {
      throw .unusableConfiguration(
        member: "bonus of the vocabulary", expected: "a finite number", found: "\(bonus)")
    }
    if case .closed(let lexicon)? = vocabulary {
      let labels = zip(model.labels, allowed.dropFirst()).filter(\.1).map(\.0)
      let scalars = Set(labels.flatMap(\.unicodeScalars))
      guard LexiconText(lexicon).canWrite(with: scalars) else { throw .unwritableVocabulary }
    }
  }

  /// The same model and language model with another alphabet and vocabulary, which share their memory.
  ///
  /// - Throws: As the initialiser.
  public func confined(
    to alphabet: Alphabet?, vocabulary: Vocabulary? = nil
  ) throws(RecognitionError) -> LineRecognizer {
    try LineRecognizer(
      model, weights, languageModel, recurrentModel, characterModel, configuration, alphabet,
      vocabulary)
  }

  /// Nil: there is no list of all texts. ``LineModel/labels`` are the symbols that they are made of.
  public var labels: [String]? { nil }

  /// The calibrated readings of one ink: a word or a line. Ink of thousands of strokes is no line:
  /// `LinePipeline.maximumSteps` bounds what is read of it, and
  /// ``RecognitionResult/unreadStrokes`` tells what was not.
  ///
  /// - Returns: Candidates, best first; none where nothing was written, or no text that the alphabet
  ///   and the vocabulary allow goes with the ink.
  /// - Throws: ``InkError/nonFiniteCoordinate(stroke:point:)``, or `CancellationError` where the
  ///   task is cancelled.
  public func recognize(
    _ ink: Ink, context: RecognitionContext, maximumCandidates: Int
  ) throws -> RecognitionResult {
    var timings = LineTimings()
    return try recognize(
      ink, context: context, maximumCandidates: maximumCandidates, timings: &timings)
  }

  /// The same, telling how long the stages took.
  package func recognize(
    _ ink: Ink, context: RecognitionContext, maximumCandidates: Int,
    timings: inout LineTimings
  ) throws -> RecognitionResult {
    guard !ink.isEmpty else {
      try ink.validate()
      return RecognitionResult(candidates: [])
    }
    return try memories.withMemory { memory in
      let output = try memory.run(model, ink, area: context.writingArea)
      timings = memory.timings
      try Task.checkCancellation()
      let start = ContinuousClock.now
      defer { timings.decoding = ContinuousClock.now - start }
      let readings = try search(
        output, steps: memory.steps, preContext: context.preContext, memory,
        count: max(maximumCandidates, configuration.beam))
      return try result(readings, output, memory, ink, context, count: max(1, maximumCandidates))
    }
  }

  /// The most likely text by the network alone, each time step for itself.
  ///
  /// - Throws: ``InkError/nonFiniteCoordinate(stroke:point:)``.
  public func readGreedily(_ ink: Ink, area: WritingArea? = nil) throws -> String {
    guard !ink.isEmpty else {
      try ink.validate()
      return ""
    }
    return try memories.withMemory { memory in
      let output = try memory.run(model, ink, area: area)
      var labels: [Int32] = []
      GreedyDecoding.labels(
        output, classes: model.labels.count + 1, sequence: 0, of: memory.workspace.outputSequences,
        into: &labels)
      return text(labels)
    }
  }

  /// The probability of each character of a text by the network alone: the largest at the time steps
  /// that it was read at.
  ///
  /// - Parameters:
  ///   - text: A reading of the output; a space at its beginning, which need not be written, has 1.
  ///   - output: ``logProbabilities(_:area:)``.
  /// - Returns: One for each character; empty where the text does not go with the output.
  package func certainties(of text: String, in output: [Float]) -> [Float] {
    guard let labels = classes(of: text) else { return [] }
    let unwritten = text.first == " " ? 1 : 0
    let written = Array(labels.dropFirst(unwritten))
    return output.withUnsafeBufferPointer { output in
      guard let base = output.baseAddress else { return [] }
      return memories.withMemory { memory in
        memory.certainties(
          of: written, base, steps: output.count / (model.labels.count + 1), model
        ).map { [Float](repeating: 1, count: unwritten) + $0 } ?? []
      }
    }
  }

  /// The classes of the characters of a text; nil where the model does not have one of them.
  private func classes(of text: String) -> [Int32]? {
    let classes = text.compactMap { character in
      model.labels.firstIndex(of: String(character)).map { Int32($0 + 1) }
    }
    return classes.count == text.count ? classes : nil
  }

  /// The ink of each character of a text that is known; nil where the model cannot have read it.
  ///
  /// - Throws: ``InkError/nonFiniteCoordinate(stroke:point:)``.
  package func align(
    _ text: String, with ink: Ink, area: WritingArea? = nil
  ) throws -> [CharacterInk]? {
    guard !ink.isEmpty, let labels = classes(of: text) else { return nil }
    return try memories.withMemory { memory in
      let output = try memory.run(model, ink, area: area)
      let characters = memory.align(labels, output, model, memory.strokes(of: ink)).ink
      return characters.allSatisfy { $0.parts.isEmpty } ? nil : characters
    }
  }

  /// The network's output alone: the logarithms of the probabilities [T, K] of the blank, class 0,
  /// and of the model's symbols at each time step; empty for ink without points.
  ///
  /// - Throws: ``InkError/nonFiniteCoordinate(stroke:point:)``.
  public func logProbabilities(_ ink: Ink, area: WritingArea? = nil) throws -> [Float] {
    guard !ink.isEmpty else { return [] }
    return try memories.withMemory { memory in
      let output = try memory.run(model, ink, area: area)
      return Array(
        UnsafeBufferPointer(start: output, count: memory.steps * (model.labels.count + 1)))
    }
  }

  /// Searches for the texts of ``logProbabilities(_:area:)`` as recognition does: with the language
  /// model, the alphabet and the vocabulary of this recogniser.
  ///
  /// - Parameters:
  ///   - output: [T, K]; what is left behind the last whole row is ignored.
  ///   - preContext: The text before the ink.
  ///   - contextLength: The last characters of it that count, at most ``preContextLength``.
  ///   - count: The most texts; at least 1 is taken.
  /// - Returns: Texts with their scores before calibration, best first.
  /// - Throws: `CancellationError` where the task is cancelled.
  public func decode(
    _ output: [Float], preContext: String = "", contextLength: Int = preContextLength, count: Int
  ) throws -> [(text: String, score: Float)] {
    let classes = model.labels.count + 1
    return try output.withUnsafeBufferPointer { output in
      guard let base = output.baseAddress else { return [] }
      return try memories.withMemory { memory in
        try search(
          base, steps: output.count / classes, preContext: preContext,
          contextLength: min(max(0, contextLength), Self.preContextLength), memory,
          count: max(1, count)
        ).map { (text($0.labels), $0.score) }
      }
    }
  }

  private func search(
    _ output: UnsafePointer<Float>, steps: Int, preContext: String,
    contextLength: Int = preContextLength, _ memory: LineReadingMemory, count: Int
  ) throws -> [BeamDecoder.Reading] {
    let start = start(preContext, contextLength)
    let readings = try firstPass(
      output, steps: steps, start, memory,
      count: rescoring == nil ? count : max(count, configuration.beam))
    guard let rescoring else { return readings }
    let rescored = try evidence(for: readings, start, preContext, contextLength, memory).map {
      BeamDecoder.Reading(
        labels: $0.labels, score: configuration.score(of: $0, with: rescoring))
    }
    return Array(rescored.bestFirst().prefix(count))
  }

  /// The readings of the search.
  private func firstPass(
    _ output: UnsafePointer<Float>, steps: Int, _ start: DecodingStart, _ memory: LineReadingMemory,
    count: Int
  ) throws -> [BeamDecoder.Reading] {
    try memory.decoder.decode(
      memory.corrected(output, steps: steps, by: corrections), steps: steps,
      classes: model.labels.count + 1, allowed: allowed, start: start, scorer: scorer,
      configuration: configuration, count: count)
  }

  /// The numbers of the second pass; nil where there is none.
  private var rescoring: DecoderConfiguration.Rescoring? {
    languageModel == nil || recurrentModel == nil ? nil : configuration.rescoring
  }

  /// What the language models say of readings.
  private func evidence(
    for readings: [BeamDecoder.Reading], _ start: DecodingStart, _ preContext: String,
    _ contextLength: Int, _ memory: LineReadingMemory
  ) throws -> [ReadingEvidence] {
    let context = String(preContext.suffix(contextLength))
    let texts = readings.map { text($0.labels) }
    let recurrent =
      try memory.recurrent?.logProbabilities(
        of: texts, after: context, isWhole: context.count < contextLength)
      ?? texts.map { _ in 0 }
    return readings.indices.map { index in
      ReadingEvidence(
        labels: readings[index].labels, score: readings[index].score,
        languageModel: scorer.languageScore(of: readings[index].labels, from: start.state),
        recurrent: recurrent[index], characters: readings[index].labels.count,
        spaces: texts[index].count { $0 == " " })
    }
  }

  /// What speaks for the best texts of ``logProbabilities(_:area:)`` before the second pass.
  ///
  /// - Throws: `CancellationError` where the task is cancelled.
  package func evidence(
    _ output: [Float], preContext: String = ""
  ) throws -> [(text: String, evidence: ReadingEvidence)] {
    let classes = model.labels.count + 1
    return try output.withUnsafeBufferPointer { output in
      guard let base = output.baseAddress else { return [] }
      return try memories.withMemory { memory in
        let start = start(preContext, Self.preContextLength)
        let readings = try firstPass(
          base, steps: output.count / classes, start, memory, count: configuration.beam)
        return try evidence(for: readings, start, preContext, Self.preContextLength, memory).map {
          (text($0.labels), $0)
        }
      }
    }
  }

  /// Where the search begins behind the last `length` characters of a text. O(`longestWord`).
  private func start(_ preContext: String, _ length: Int) -> DecodingStart {
    let context = String(preContext.suffix(length))
    let begun = preContext.suffix(Self.longestWord).reversed()
      .prefix { $0.unicodeScalars.allSatisfy(WordCharacters.contains) }
    let state = scorer.state(
      after: context,
      // A context that fills its length was cut, here or by an app: it may begin anywhere in its text.
      isWhole: context.count < length, begun: String(begun.reversed()))
    guard let last = context.last else {
      return DecodingStart(state: state, space: nil, spaceBonus: 0)
    }
    let space = model.labels.firstIndex(of: " ")
    let mayBegin = languageModel != nil && !last.isWhitespace
    return DecodingStart(
      state: state, space: mayBegin ? space.flatMap { allowed[$0 + 1] ? $0 + 1 : nil } : nil,
      spaceBonus: configuration.spaceBonus)
  }

  private func text(_ labels: [Int32]) -> String {
    labels.reduce(into: "") { $0 += model.labels[Int($1) - 1] }
  }

  /// Turns readings into candidates with probabilities over all of them.
  private func result(
    _ searched: [BeamDecoder.Reading], _ output: UnsafePointer<Float>,
    _ memory: LineReadingMemory, _ ink: Ink, _ context: RecognitionContext, count: Int
  ) throws -> RecognitionResult {
    let glyphs =
      try characterOpinion?.probabilities(
        for: searched, temperature: configuration.temperature, of: ink, context) ?? [:]
    func weighed(_ temperature: Float) -> [BeamDecoder.Reading] {
      characterOpinion?.weighed(searched, by: glyphs, temperature: temperature) ?? searched
    }
    let readings = weighed(configuration.temperature)
    let probabilities = WordConfidences.probabilities(
      readings.map(\.score), temperature: configuration.temperature)
    let confidences = WordConfidences(
      weighed(configuration.wordTemperature).map { (text($0.labels), $0.score) },
      temperature: configuration.wordTemperature)
    let strokes = memory.strokes(of: ink)
    // That nothing was written is no reading; its probability is nobody else's.
    let written = zip(readings, probabilities).filter { !$0.0.labels.isEmpty }
    return RecognitionResult(
      candidates: try written.prefix(count).map { reading, probability in
        try Task.checkCancellation()
        let text = text(reading.labels)
        var aligned = memory.align(reading.labels, output, model, strokes)
        // Of one character the model that knows it is the certain one.
        if let glyph = characterOpinion?.character(of: reading.labels).flatMap({ glyphs[$0] }),
          aligned.certainties.count == reading.labels.count
        {
          aligned.certainties[reading.labels.count - 1] = Float(glyph)
        }
        return RecognitionCandidate(
          text: text, score: log(max(probability, .leastNormalMagnitude)),
          characters: aligned.ink,
          words: confidences.words(of: text, certainties: aligned.certainties, configuration))
      }, unreadStrokes: memory.unreadStrokes)
  }
}

extension DecoderConfiguration {
  /// The key of the numbers for decoding without a language model.
  public static let withoutModel = "none"
}
