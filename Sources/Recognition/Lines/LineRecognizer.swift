import Features
import Foundation
import InkCore
import LanguageModels
import LinearAlgebra
import Networks

/// Reads one ink as a text: a word, a line or a page.
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
  public var model: LineModel { models.line }
  /// The language model in use, or nil.
  public var languageModel: LanguageModel? { models.language }
  /// The recurrent language model that orders the best readings anew, or nil. Used where
  /// ``DecoderConfiguration/rescoring`` says how, beside a language model of the search.
  public var recurrentModel: RecurrentLanguageModel? { models.recurrent }
  /// The glyph model that has its say where an ink may be one character, or nil.
  public var characterModel: GlyphModel? { models.character }
  /// How the search weighs ink and language.
  public let configuration: DecoderConfiguration
  /// The symbols that may be read; nil for all of the model.
  public let alphabet: Alphabet?
  /// The words that may be read or are preferred; nil where there is no list.
  public let vocabulary: Vocabulary?

  private let models: LineReadingModels
  let scorer: TextScorer
  /// Scores texts without the list of a closed vocabulary; nil where there is none.
  let unlistedScorer: TextScorer?
  private let characterOpinion: CharacterOpinion?
  /// Subtracted from each time step's log-probabilities before the search, [K]; empty for nothing.
  let corrections: [Float]
  /// Of each class, the blank first, whether it may be read.
  let allowed: [Bool]
  let memories: MemoryPool<LineReadingMemory>

  /// The characters of the text before the ink that count.
  public static let preContextLength = 20
  /// The logarithm of what a text that a closed vocabulary has not counts, of what it would without the
  /// list. Measured on words of UNIPEN's validation writers, with lists that have all of them and few; no
  /// other number was tried.
  private static let unlistedWeight: Float = -4
  /// Of a word that was begun before the ink so many characters are looked up in a vocabulary.
  static let longestWord = 200

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
    let models = LineReadingModels(
      line: model, weights: PackedWeights(model.network, parameters: model.parameters),
      language: languageModel, recurrent: recurrentModel, character: characterModel)
    try self.init(models, configuration, alphabet, vocabulary)
  }

  /// Makes a recogniser without a language model that computes in single precision on every processor.
  package convenience init(inSinglePrecision model: LineModel) throws(RecognitionError) {
    try self.init(LineReadingModels(line: model), nil, nil, nil)
  }

  private init(
    _ models: LineReadingModels, _ configuration: DecoderConfiguration?, _ alphabet: Alphabet?,
    _ vocabulary: Vocabulary?
  ) throws(RecognitionError) {
    let model = models.line
    self.models = models
    characterOpinion = models.character.map { CharacterOpinion($0, labels: model.labels) }
    self.configuration =
      configuration
      ?? (models.language == nil ? model.decoding[DecoderConfiguration.withoutModel] : nil)
      ?? DecoderConfiguration()
    self.alphabet = alphabet
    self.vocabulary = vocabulary
    scorer = TextScorer(
      models.language, vocabulary, labels: model.labels, configuration: self.configuration)
    corrections = models.language == nil ? [] : self.configuration.corrections
    allowed =
      [true] + model.labels.map { label in alphabet.map { $0.allows(label) } ?? true }
    memories = MemoryPool { LineReadingMemory(model, models.weights, models.recurrent) }
    unlistedScorer =
      vocabulary?.isClosed == true
      ? TextScorer(models.language, nil, labels: model.labels, configuration: self.configuration)
      : nil
    try check()
  }

  /// Whether anything can be read.
  private func check() throws(RecognitionError) {
    if let fault = configuration.fault(classes: model.labels.count + 1) {
      throw .unusableConfiguration(
        member: fault.what, expected: fault.expected, found: fault.found)
    }
    let labels = zip(model.labels, allowed.dropFirst()).filter(\.1).map(\.0)
    guard labels.contains(where: { $0 != " " }) else { throw .emptyAlphabet }
    switch vocabulary {
    case .boosted(_, let bonus)? where !bonus.isFinite:
      throw .unusableConfiguration(
        member: "bonus of the vocabulary", expected: "a finite number", found: "\(bonus)")
    case .closed(let lexicon)?:
      let scalars = Set(labels.flatMap(\.unicodeScalars))
      guard LexiconText(lexicon).canWrite(with: scalars) else { throw .unwritableVocabulary }
    default: break
    }
  }

  /// The same model and language model with another alphabet and vocabulary, which share their memory.
  ///
  /// - Throws: As the initialiser.
  public func confined(
    to alphabet: Alphabet?, vocabulary: Vocabulary? = nil
  ) throws(RecognitionError) -> LineRecognizer {
    try LineRecognizer(models, configuration, alphabet, vocabulary)
  }

  /// Nil: there is no list of all texts. ``LineModel/labels`` are the symbols that they are made of.
  public var labels: [String]? { nil }

  /// The calibrated readings of one ink. ``RecognitionContext/layout`` says whether it is a character,
  /// a line or a page; by default the strokes decide.
  ///
  /// A line of thousands of strokes is no line: `LinePipeline.maximumSteps` bounds what is read of it,
  /// and ``RecognitionResult/unreadStrokes`` tells what was not.
  ///
  /// Candidates of a closed vocabulary are of its words alone, the nearest that the search finds, even
  /// if the ink is nothing like them; their probabilities tell how near they are.
  ///
  /// - Returns: Candidates, best first, none of which ends with a space; none if nothing was written, or
  ///   if no text that the alphabet and the vocabulary allow goes with the ink.
  /// - Throws: ``InkError/nonFiniteCoordinate(stroke:point:)``, or `CancellationError` if the task is
  ///   cancelled.
  public func recognize(
    _ ink: Ink, context: RecognitionContext, maximumCandidates: Int
  ) throws -> RecognitionResult {
    var timings = LineTimings()
    return try recognize(
      ink, context: context, maximumCandidates: maximumCandidates, timings: &timings)
  }

  /// The same, adding the time that the stages took.
  package func recognize(
    _ ink: Ink, context: RecognitionContext, maximumCandidates: Int,
    timings: inout LineTimings
  ) throws -> RecognitionResult {
    let count = max(1, maximumCandidates)
    switch context.layout {
    case .auto, .page: return try readPage(ink, context, count: count, &timings)
    case .line: return try readLine(ink, context, count: count, &timings)
    case .glyph: return try readGlyph(ink, context, count: count, &timings)
    }
  }

  /// Reads one line.
  func readLine(
    _ ink: Ink, _ context: RecognitionContext, count: Int, _ timings: inout LineTimings
  ) throws -> RecognitionResult {
    guard !ink.isEmpty else {
      try ink.validate()
      return RecognitionResult(candidates: [])
    }
    return try memories.withMemory { memory in
      let output = try memory.run(model, ink, area: context.writingArea)
      timings.features += memory.timings.features
      timings.network += memory.timings.network
      try Task.checkCancellation()
      let start = ContinuousClock.now
      defer { timings.decoding += ContinuousClock.now - start }
      let readings = try candidateReadings(
        of: output, preContext: context.preContext, memory,
        count: max(count, configuration.beam))
      return try result(readings, output, memory, ink, context, count: count)
    }
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
      let readings =
        characterOpinion?.weighed(searched, by: glyphs, temperature: temperature) ?? searched
      return readings.unlistedWeighed(by: Self.unlistedWeight * temperature)
    }
    let readings = weighed(configuration.temperature)
    let probabilities = WordConfidences.probabilities(
      readings.map(\.score), temperature: configuration.temperature)
    let confidences = WordConfidences(
      weighed(configuration.wordTemperature).map { (text($0.labels), $0.score) },
      temperature: configuration.wordTemperature)
    let strokes = memory.strokes(of: ink)
    // That nothing was written is no reading, nor is a text that may not be read; their probabilities
    // are nobody else's.
    let written = zip(readings, probabilities).filter { !$0.0.labels.isEmpty && $0.0.isAllowed }
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

  /// The text of classes.
  func text(_ labels: [Int32]) -> String {
    labels.reduce(into: "") { $0 += model.labels[Int($1) - 1] }
  }
}

extension DecoderConfiguration {
  /// The key of the numbers for decoding without a language model.
  public static let withoutModel = "none"
}
