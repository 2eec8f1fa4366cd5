import Layout
import Metrics

extension EvaluationSummary {
  /// Summarises the evaluation of a line model.
  ///
  /// - Parameters:
  ///   - evaluation: The figures.
  ///   - model: The path of the bundle.
  ///   - data: The data, as named on the command line.
  ///   - modelBytes: Bytes of the bundle on disk; nil for an outside program.
  ///   - languageBytes: Bytes of the language models, or nil if none was used.
  ///   - peakResidentBytes: The peak memory of the process, or nil if it is not known.
  package init(
    _ evaluation: LineEvaluation, model: String, data: [String], modelBytes: Int?,
    languageBytes: Int?, peakResidentBytes: Int?
  ) {
    let errors = evaluation.errors
    self.init(evaluation.totals, model: model, data: data, modelBytes: modelBytes)
    self.languageBytes = languageBytes
    self.peakResidentBytes = peakResidentBytes
    runningText = evaluation.isRunningText
    cer = errors.characterErrorRate
    wer = errors.wordErrorRate
    joinedWER = errors.joinedWordErrorRate
    characters = errors.characters.referenceCount
    words = errors.words.referenceCount
    edits = Edits(
      substitutions: errors.characters.substitutions, insertions: errors.characters.insertions,
      deletions: errors.characters.deletions)
    textECE = evaluation.textCalibration.value
    pages = Pages(evaluation.pages)
    writerSpread = WriterSpread(evaluation.writerFigures())
    stagesMs = Stages(evaluation)
    intervals = Intervals(
      cer: Interval(evaluation.characterInterval(), clusters: clusters),
      wer: Interval(evaluation.wordInterval(), clusters: clusters))
    nbestOracle = evaluation.oracle?.rate
  }
}

extension EvaluationSummary.Pages {
  /// Summarises the figures of pages; nil if there are none.
  package init?(_ evaluation: PageEvaluation) {
    let text = evaluation.text
    guard text.pages > 0 else { return nil }
    let statistics = evaluation.kinds.labelStatistics()
    let right = statistics.reduce(0) { $0 + $1.correctCount }
    let strokes = statistics.reduce(0) { $0 + $1.count }
    self.init(
      pages: text.pages, cer: text.characterErrorRate, characters: text.characters,
      phrases: text.phrases, wholePhrases: text.wholeShare,
      pagesWithKinds: evaluation.pagesWithKinds,
      kindAccuracy: strokes > 0 ? Double(right) / Double(strokes) : nil,
      kinds: StrokeKind.allCases.compactMap { kind in
        statistics.first { $0.label == kind.rawValue }.map {
          EvaluationSummary.LabelFigures(
            label: $0.label, samples: $0.count, recall: $0.recall, precision: $0.precision)
        }
      },
      kindConfusions: evaluation.kinds.mostConfused(limit: 20).map {
        EvaluationSummary.Confusion(label: $0.label, predicted: $0.predicted, count: $0.count)
      })
  }
}

extension EvaluationSummary.WriterSpread {
  /// Computes the spread of the writers with characters, sorted worst first; nil if there are none.
  fileprivate init?(_ writers: [WriterFigures]) {
    let rates = writers.filter { $0.samples > 0 }.map { 1 - $0.accuracy }
    guard let worst = rates.first, let best = rates.last else { return nil }
    let middle = rates.count / 2
    self.init(
      best: best,
      median: rates.count.isMultiple(of: 2)
        ? (rates[middle - 1] + rates[middle]) / 2 : rates[middle],
      worst: worst)
  }
}

extension EvaluationSummary.Stages {
  /// Computes the mean times of an evaluation; nil if it decoded greedily or read nothing.
  fileprivate init?(_ evaluation: LineEvaluation) {
    let seconds = evaluation.stageSeconds
    guard evaluation.samples > 0, seconds.decoding > 0 else { return nil }
    let scale = 1000 / Double(evaluation.samples)
    self.init(
      features: scale * seconds.features, network: scale * seconds.network,
      decoding: scale * seconds.decoding)
  }
}
