import Features
import Foundation
import InkCore
import LanguageModels
import LinearAlgebra
import Networks

/// Reads one ink as a text: a word, a line or a page.
///
/// Thread-safe. Concurrent calls use separate memories, which are reused.
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
  /// The recurrent language model that rescores the best readings, or nil. Used if
  /// ``DecoderConfiguration/rescoring`` is set, together with a language model of the search.
  public var recurrentModel: RecurrentLanguageModel? { models.recurrent }
  /// The glyph model that is consulted if an ink may be one character, or nil.
  public var characterModel: GlyphModel? { models.character }
  /// The letters and rules of the language, or nil.
  public var rules: LanguageRules? { models.rules }
  /// The tag of the language that is read, or nil if it is not known. For a text in two languages,
  /// both tags with a comma between them.
  public var language: String? { models.tag }
  /// The decoder hyperparameters.
  public let configuration: DecoderConfiguration
  /// The allowed symbols; nil for all of the model.
  public let alphabet: Alphabet?
  /// The allowed or preferred words; nil for none.
  public let vocabulary: Vocabulary?

  let models: LineReadingModels
  package let scorer: TextScorer
  /// Scores texts without the list of a closed vocabulary; nil if there is none.
  let unlistedScorer: TextScorer?
  let characterOpinion: CharacterOpinion?
  /// Subtracted from each time step's log-probabilities before the search, [K]; empty for nothing.
  let corrections: [Float]
  /// For each class, the blank first, true if it may be read.
  let allowed: [Bool]
  package let memories: MemoryPool<LineReadingMemory>

  /// The number of characters of the text before the ink that are used.
  public static let preContextLength = 20
  /// Log-weight of out-of-vocabulary readings when the vocabulary is closed. Measured on words of
  /// UNIPEN's validation writers, with lists that contain all of them and few of them; no other
  /// value was tried.
  private static let unlistedWeight: Float = -4
  /// The most characters of a word begun before the ink that are looked up in a vocabulary.
  static let longestWord = 200

  /// Makes a recogniser.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - languageModel: The n-gram model of the search, or nil for none.
  ///   - recurrentModel: A language model that rescores the best readings, or nil.
  ///   - characterModel: A model of single characters, such as `latin-characters`. It is consulted
  ///     if ``recognize(_:context:maximumCandidates:)`` finds that an ink may be one character.
  ///   - rules: The letters and rules of the language, or nil.
  ///   - language: The tag of the language, for the answers, or nil.
  ///   - configuration: The decoder hyperparameters. ``LineModel/decoding`` has those tuned for a
  ///     language model, by the hash in ``LanguageModelFile``. Nil for the default.
  ///   - alphabet: The allowed characters, or nil for all.
  ///   - vocabulary: The allowed or preferred words, or nil.
  ///   - precision: The precision of the network's products; nil for the fastest of this processor.
  ///     ``ReadingPrecision/mixed`` is ``ReadingPrecision/single`` on processors without it.
  /// - Throws: ``RecognitionError/emptyAlphabet`` if the model can write none of the characters
  ///   except the space, ``RecognitionError/unwritableVocabulary`` if it can write no word of a
  ///   closed vocabulary, ``RecognitionError/unusableConfiguration(member:expected:found:)`` for a
  ///   value out of its range, including the bonus of the vocabulary.
  public convenience init(
    model: LineModel, languageModel: LanguageModel? = nil,
    recurrentModel: RecurrentLanguageModel? = nil, characterModel: GlyphModel? = nil,
    rules: LanguageRules? = nil, language: String? = nil,
    configuration: DecoderConfiguration? = nil, alphabet: Alphabet? = nil,
    vocabulary: Vocabulary? = nil, precision: ReadingPrecision? = nil
  ) throws(RecognitionError) {
    let models = LineReadingModels(
      line: model, weights: ReadingWeights(model, precision ?? .fastest),
      language: languageModel, recurrent: recurrentModel, character: characterModel, rules: rules,
      tag: language)
    try self.init(models, configuration, alphabet, vocabulary)
  }

  /// Makes a recogniser without a language model that uses single precision on every processor.
  package convenience init(inSinglePrecision model: LineModel) throws(RecognitionError) {
    try self.init(LineReadingModels(line: model), nil, nil, nil)
  }

  init(
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
    let (priors, forms) = (models.letterPriors, models.writtenForms)
    scorer = TextScorer(
      models.language, second: models.second, priors: priors, forms: forms, vocabulary,
      labels: model.labels, configuration: self.configuration)
    corrections = models.language == nil ? [] : self.configuration.corrections
    allowed =
      [true] + model.labels.map { label in alphabet.map { $0.allows(label) } ?? true }
    memories = MemoryPool { LineReadingMemory(model, models.weights, models.recurrent) }
    unlistedScorer =
      vocabulary?.isClosed == true
      ? TextScorer(
        models.language, second: models.second, priors: priors, forms: forms, nil,
        labels: model.labels, configuration: self.configuration)
      : nil
    try check()
  }

  /// Checks that something can be read.
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

  /// A recogniser with the same models but another alphabet and vocabulary. Both share their
  /// memory.
  ///
  /// - Throws: The errors of the initialiser.
  public func confined(
    to alphabet: Alphabet?, vocabulary: Vocabulary? = nil
  ) throws(RecognitionError) -> LineRecognizer {
    try LineRecognizer(models, configuration, alphabet, vocabulary)
  }

  /// Nil, because there is no list of all texts. ``LineModel/labels`` are the symbols of texts.
  public var labels: [String]? { nil }

  /// The direction of the lines of the training data.
  public var direction: WritingDirection { model.pipeline.direction }

  /// The calibrated readings of one ink. ``RecognitionContext/layout`` says whether it is a character,
  /// a line or a page; by default the strokes decide.
  ///
  /// Ink of thousands of strokes exceeds a line: `LinePipeline.maximumSteps` limits the ink that is
  /// read, and ``RecognitionResult/unreadStrokes`` counts the rest.
  ///
  /// With a closed vocabulary, candidates contain only its words: the nearest that the search
  /// finds, even if they differ much from the ink. Their probabilities show how well they fit.
  ///
  /// - Returns: Candidates, best first, none of which ends with a space. Empty if nothing was
  ///   written, or no text within alphabet and vocabulary fits the ink.
  /// - Throws: `InkError.nonFiniteCoordinate(stroke:point:)`, or `CancellationError` if the task
  ///   is cancelled.
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
    try recognize(
      ink, context: context, maximumCandidates: maximumCandidates, timings: &timings, choice: nil)
  }

  /// The same in the language that the choice finds.
  func recognize(
    _ ink: Ink, context: RecognitionContext, maximumCandidates: Int,
    timings: inout LineTimings, choice: LanguageChoice?
  ) throws -> RecognitionResult {
    let count = max(1, maximumCandidates)
    var context = context
    // The model of formulas is not at hand here.
    if context.layout == .formula { context.layout = .auto }
    try ink.validate()
    let cleaned = ink.cleaned()
    let arranged = try arranged(cleaned.ink, context)
    var result =
      switch context.layout {
      case .auto, .page, .formula:
        try readPageWithFormulas(arranged, context, count: count, &timings, choice)
      case .line: try readLineWithFormulas(arranged, context, count: count, &timings, choice)
      case .glyph: try readGlyph(arranged.ink, context, count: count, &timings, choice)
      }
    result.refer(to: ink, cleaned: cleaned, arranged)
    result.language = choice?.reader.language ?? language
    result.languageIsDefault = choice?.isDefault ?? false
    return result
  }

  /// Reads one line.
  ///
  /// - Parameter choice: The choice of the language, which this line adds to; nil for that of this
  ///   recogniser.
  /// - Parameter known: The network's output for the ink, which the choice knows already; nil to
  ///   compute it.
  func readLine(
    _ ink: Ink, _ context: RecognitionContext, count: Int, _ timings: inout LineTimings,
    _ choice: LanguageChoice? = nil, known: LineOutput? = nil
  ) throws -> RecognitionResult {
    guard !ink.isEmpty else {
      try ink.validate()
      return RecognitionResult(candidates: [])
    }
    return try memories.withMemory { memory in
      let output =
        try known.map { memory.take($0) } ?? memory.run(model, ink, area: context.writingArea)
      if known == nil {
        timings.features += memory.timings.features
        timings.network += memory.timings.network
      }
      try Task.checkCancellation()
      let start = ContinuousClock.now
      defer { timings.decoding += ContinuousClock.now - start }
      if let choice, known == nil {
        let line = heard(output, memory)
        try choice.add(line.text, peaks: line.peaks)
      }
      let reader = choice?.reader ?? self
      let readings = try reader.candidateReadings(
        of: output, preContext: context.preContext, memory,
        count: max(count, reader.configuration.beam))
      return try reader.result(readings, output, memory, ink, context, count: count)
    }
  }

  /// Converts readings to candidates, with probabilities normalised over all readings.
  private func result(
    _ searched: [BeamDecoder.Reading], _ output: UnsafePointer<Float>,
    _ memory: LineReadingMemory, _ ink: Ink, _ context: RecognitionContext, count: Int
  ) throws -> RecognitionResult {
    let (searched, glyphs) =
      try characterOpinion?.consulted(
        on: searched, temperature: configuration.temperature, of: ink, context
      ) { allowed[$0] && vocabulary?.isClosed != true } ?? (searched, [:])
    let (separated, found) = try separatedCharacters(searched, output, memory, ink, context)
    func weighed(_ temperature: Float) -> [BeamDecoder.Reading] {
      var readings =
        characterOpinion?.weighed(found, by: glyphs, temperature: temperature) ?? found
      if let separated { readings = separated.weighed(readings, temperature: temperature) }
      return readings.unlistedWeighed(by: Self.unlistedWeight * temperature)
    }
    let readings = weighed(configuration.temperature)
    let probabilities = WordConfidences.probabilities(
      readings.map(\.score), temperature: configuration.temperature)
    let confidences = WordConfidences(
      weighed(configuration.wordTemperature).map { (text($0.labels), $0.score) },
      temperature: configuration.wordTemperature)
    let strokes = memory.strokes(of: ink)
    // Empty readings and readings that are not allowed are no candidates; their probabilities are
    // not redistributed.
    let written = zip(readings, probabilities).filter { !$0.0.labels.isEmpty && $0.0.isAllowed }
    var candidates = try written.prefix(count).map { reading, probability in
      try Task.checkCancellation()
      let text = text(reading.labels)
      var aligned = memory.align(reading.labels, output, model, strokes)
      // For one character, the glyph model determines the certainty.
      if let glyph = characterOpinion?.character(of: reading.labels).flatMap({ glyphs[$0] }),
        aligned.certainties.count == reading.labels.count
      {
        aligned.certainties[reading.labels.count - 1] = Float(glyph)
      }
      aligned.gather(reading.labels.map { model.labels[Int($0) - 1] }, in: text)
      var words = confidences.words(of: text, certainties: aligned.certainties, configuration)
      let mayCorrect = alphabet == nil && vocabulary == nil
      let shown = mayCorrect ? Underscores.corrected(text, aligned.ink, of: ink) : text
      if shown != text {
        let letters = Array(shown)
        for word in words.indices { words[word].text = String(letters[words[word].characters]) }
      }
      return RecognitionCandidate(
        text: shown, score: log(max(probability, .leastNormalMagnitude)),
        characters: aligned.ink, words: words)
    }
    // The confidences of words were fitted together with their weights.
    if !configuration.wordConfidences.isEmpty, written.first?.0.labels == readings.first?.labels {
      candidates.weighByWords()
    }
    return RecognitionResult(candidates: candidates, unreadStrokes: memory.unreadStrokes)
  }

  /// The text of some classes, as the language writes it.
  package func text(_ labels: [Int32]) -> String {
    guard let rules, !rules.changesNothing else {
      return labels.reduce(into: "") { $0 += model.labels[Int($1) - 1] }
    }
    return String(rules.written(labels.map { Character(model.labels[Int($0) - 1]) }))
  }
}

extension DecoderConfiguration {
  /// The key of the decoder configuration without a language model.
  public static let withoutModel = "none"
}
