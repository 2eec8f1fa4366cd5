import DataDoctor
import Files
import Foundation
import InkDatasets
import InkFormats
import Recognition

extension InkWall {
  /// The threads of recognition and training: one processor is left for the pages.
  private static var workers: Int { max(1, ProcessInfo.processInfo.activeProcessorCount - 1) }
  /// The inks that are read from the file at once.
  private static let batch = 128

  /// Recognises all inks in the background.
  ///
  /// - Throws: ``StudioError``.
  func read(with recognizer: any Recognizer, named model: String) throws {
    let state = try ready()
    // A page has lines to find; anything else is one line or one character.
    let layout: InkLayout = data.unit == .page || data.unit == .file ? .auto : .line
    try begin(.read, total: state.table.count) { [self] job in
      var readings = WallReadings(
        model: model, isOfLabels: recognizer.labels != nil, marks: data.format.crossedOutMarks,
        count: state.table.count)
      let records = try CheckedRecords(data, state.table)
      let pool = WorkerPool(count: Self.workers)
      var done = 0
      while !job.isCancelled {
        var batch: [(ink: Int, record: InkRecord)] = []
        while batch.count < Self.batch, let next = records.next() { batch.append(next) }
        guard !batch.isEmpty else { break }
        let inks = batch.map(\.record.labeled)
        let results = pool.map(inks.count) { index in
          let context = RecognitionContext(
            writingArea: inks[index].writingArea, layout: layout)
          return try? recognizer.recognize(
            inks[index].ink, context: context, maximumCandidates: 1)
        }
        for (each, result) in zip(batch, results) {
          guard let result, !each.record.labeled.ink.isEmpty else { continue }
          readings.set(
            each.ink, result.candidates.first?.text ?? "",
            score: result.candidates.first?.score ?? -.infinity, label: each.record.labeled.label)
        }
        done += batch.count
        job.progress(done)
      }
      try records.check()
      // After a cancellation, the inks that were read are worth something too.
      update { $0.read(readings) }
    }
  }

  /// Looks for wrong labels, duplicates and odd inks in the background, with the decisions made so
  /// far.
  ///
  /// - Parameter judge: A recogniser and its name; nil to train on parts of the data.
  /// - Throws: ``StudioError``.
  func examine(with judge: (recognizer: any Recognizer, name: String)?) throws {
    let state = try ready()
    try begin(.examine, total: state.table.count) { [self] job in
      let records = try CheckedRecords(data, state.table)
      let examined = ExaminedInks(records, state, job)
      let findings = try DataExamination(
        [
          DataExamination.Part(
            name: text, format: data.format, records: AnySequence { AnyIterator(examined.next) })
        ],
        judge: judge.map { .recognizer($0.recognizer, name: $0.name) }
          ?? .crossValidation(workers: Self.workers),
        shouldStop: { job.isCancelled }
      ) { progress in
        switch progress {
        case .reading(let records): job.progress(records)
        case .judging(let fraction): job.progress("judging", fraction)
        }
      }.findings
      try records.check()
      update { $0.found(WallFindings(findings, inks: examined.inks)) }
    }
  }
}

/// The labelled inks of a wall that are not dropped, with their present labels.
private final class ExaminedInks {
  private let records: CheckedRecords
  private let state: WallState
  private let job: WallJob
  /// The index on the wall of each ink that was given.
  private(set) var inks: [Int] = []

  init(_ records: CheckedRecords, _ state: WallState, _ job: WallJob) {
    (self.records, self.state, self.job) = (records, state, job)
  }

  func next() -> DataRecords.Element? {
    while !job.isCancelled, let (ink, record) = records.next() {
      let label = state.label(of: ink)
      guard state.decisionOf[ink] != .drop, !label.isEmpty else { continue }
      var record = record
      record.labeled.label = label
      inks.append(ink)
      return .success(record)
    }
    return nil
  }
}
