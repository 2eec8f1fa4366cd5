import Evaluation
import Foundation

/// The evaluations in `reports/`: a folder each, with the page and the figures as JSON.
package struct EvaluationStore: Sendable {
  /// The file of the figures of one model.
  static let summaryName = "evaluation.json"
  /// The file of the figures of two models.
  static let comparisonName = "comparison.json"
  /// The file with the answer to each ink.
  static let answersName = "answers.jsonl"
  /// The page of a report.
  private static let pageName = "index.html"
  /// The most reports that are listed, and the largest file of figures.
  private static let (mostReports, mostBytes) = (300, 16 << 20)

  private let project: Project

  package init(_ project: Project) { self.project = project }

  /// A report.
  package struct Entry: Encodable, Sendable {
    /// The name of its folder.
    package var name: String
    /// The time of its page, or of its figures.
    var written: Date
    /// The path of the page for a frame; nil if there is none.
    package var page: String?
    /// The figures of one model.
    package var figures: Figures?
    /// True for a comparison of two models.
    var isComparison = false
  }

  /// The figures of one model that a table shows.
  package struct Figures: Encodable, Sendable {
    package var model: String
    var data: [String]
    var dataHash: String
    var samples: Int
    var malformed: Int
    var top1: Double?
    var top3: Double?
    var cer: Double?
    var wer: Double?
    var ece: Double?
    var interval: EvaluationSummary.Interval?
    var writers: Int
    var medianMilliseconds: Double?
    var slowMilliseconds: Double?
    var samplesPerSecond: Double?
    package var modelBytes: Int?
    var languageBytes: Int?
    /// Error rates on disturbed ink.
    var robustness: [String: Double]?
    /// A warning if the model was trained on some of this ink.
    var knownInk: String?

    init(_ summary: EvaluationSummary) {
      model = URL(fileURLWithPath: summary.model).deletingPathExtension().lastPathComponent
      data = summary.data
      dataHash = summary.dataHash
      samples = summary.samples
      malformed = summary.malformed
      top1 = summary.top1
      top3 = summary.top3
      cer = summary.cer
      wer = summary.wer
      ece = summary.ece
      interval = summary.intervals.top1 ?? summary.intervals.cer
      writers = summary.writers
      medianMilliseconds = summary.latencyMs.p50
      slowMilliseconds = summary.latencyMs.p95
      samplesPerSecond = summary.samplesPerSecond
      modelBytes = summary.modelBytes
      languageBytes = summary.languageBytes
      robustness = summary.robustness
      knownInk = summary.knownInk?.sentence
    }
  }

  /// All reports, the latest first.
  package func list() -> [Entry] {
    guard let root = try? project.url(of: "reports"),
      let names = try? FileManager.default.contentsOfDirectory(atPath: root.path)
    else { return [] }
    return names.filter { (try? Project.name($0)) == $0 }.compactMap(entry(named:))
      .sorted { ($0.written, $0.name) > ($1.written, $1.name) }
      .prefix(Self.mostReports).map { $0 }
  }

  private func entry(named name: String) -> Entry? {
    guard let folder = try? project.url(of: "reports/\(name)") else { return nil }
    let files = [Self.pageName, Self.summaryName, Self.comparisonName]
    let times = files.map { Self.time(of: folder.appendingPathComponent($0)) }
    guard let written = times.compactMap({ $0 }).max() else { return nil }
    var entry = Entry(name: name, written: written, isComparison: times[2] != nil)
    let allowed = CharacterSet.urlPathAllowed.subtracting(CharacterSet(charactersIn: "/?#%;"))
    if times[0] != nil, let encoded = name.addingPercentEncoding(withAllowedCharacters: allowed) {
      entry.page = "/reports/\(encoded)/\(Self.pageName)"
    }
    if times[1] != nil {
      entry.figures = summary(folder.appendingPathComponent(Self.summaryName)).map(Figures.init)
    }
    return entry
  }

  /// Returns the answers of the latest evaluation of a model on data; nil if there is none.
  ///
  /// - Parameters:
  ///   - model: The path of the bundle, as an evaluation names it.
  ///   - data: The data, as an evaluation names it.
  ///   - change: The time of the last change of model and data.
  package func answers(model: String, data: [String], since change: Date) -> URL? {
    guard let root = try? project.url(of: "reports"),
      let names = try? FileManager.default.contentsOfDirectory(atPath: root.path)
    else { return nil }
    let found = names.filter { (try? Project.name($0)) == $0 }.compactMap { name -> (Date, URL)? in
      guard let folder = try? project.url(of: "reports/\(name)"),
        case let file = folder.appendingPathComponent(Self.answersName),
        let time = Self.time(of: file), time > change,
        let summary = summary(folder.appendingPathComponent(Self.summaryName)),
        summary.model == model, summary.data == data
      else { return nil }
      return (time, file)
    }
    return found.max { $0.0 < $1.0 }?.1
  }

  private func summary(_ url: URL) -> EvaluationSummary? {
    guard let bytes = try? Data(contentsOf: url), bytes.count <= Self.mostBytes else { return nil }
    return try? JSONDecoder().decode(EvaluationSummary.self, from: bytes)
  }

  /// Removes a report.
  ///
  /// - Throws: ``StudioError``.
  package func remove(_ name: String) throws(StudioError) {
    let checked = try Project.name(name)
    let folder = try project.url(of: "reports/\(checked)")
    guard checked == name, entry(named: name) != nil else {
      throw StudioError(.notFound, "expected a report of the project, found none", field: "name")
    }
    do {
      try FileManager.default.removeItem(at: folder)
    } catch {
      throw StudioError(.unusableFile, "reports/\(name): cannot be removed; check its permissions")
    }
  }

  private static func time(of url: URL) -> Date? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
    guard attributes?[.type] as? FileAttributeType == .typeRegular else { return nil }
    return attributes?[.modificationDate] as? Date
  }
}
