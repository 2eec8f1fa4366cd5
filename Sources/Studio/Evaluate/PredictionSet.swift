import Evaluation
import Foundation
import InkCore
import InkDatasets
import Metrics

/// The answers of a model on labelled ink, with the ink, for a confusion matrix whose cells can be
/// opened.
///
/// A glyph model gives one pair of label and answer for each ink. A line model gives one pair for
/// each character of the label, by the alignment with the fewest edits; an empty answer is a
/// character that was not read.
package struct PredictionSet: Sendable {
  /// An ink with its answer.
  package struct Record: Sendable {
    /// The coordinates of all points, and the end of each stroke.
    package var x: [Float]
    var y: [Float]
    var ends: [Int32]
    var label: String
    /// The best candidate; nil if the ink was refused.
    package var answer: String?
    /// The probability of the answer.
    package var confidence: Double
    var writer: String?
  }

  /// A true label with an answer; empty for none.
  package struct Pair: Hashable, Sendable {
    var label: String
    var answer: String

    package init(label: String, answer: String) {
      self.label = label
      self.answer = answer
    }
  }

  package private(set) var records: [Record] = []
  /// The records of each pair, in the order of the data.
  private(set) var cells: [Pair: [Int32]] = [:]
  /// The records that could not be read.
  package private(set) var malformed = 0
  /// True if the data has more records than are kept.
  private(set) var isPartial = false
  let isOfLines: Bool

  /// The most records, and the most points of all of them: about 100 MB.
  static let (mostRecords, mostPoints) = (30_000, 8_000_000)

  package init(isOfLines: Bool) { self.isOfLines = isOfLines }

  /// Joins the answers that `ductus evaluate --predictions` wrote with the inks of its data, in order.
  ///
  /// - Parameters:
  ///   - answers: The file with the answers.
  ///   - progress: Called with the number of records so far; returns false to end early.
  /// - Throws: `DataError` or `InkFormatError` if data cannot be opened, or ``StudioError`` for answers
  ///   to other data.
  package init(
    answers: URL, isOfLines: Bool, on data: [DataSpecification], progress: (Int) -> Bool
  ) throws {
    self.init(isOfLines: isOfLines)
    var lines = try AnswerLines(answers)
    var points = 0
    for specification in data {
      for element in try specification.withDefaultSplit(.test).records() {
        guard case .success(let record) = element else {
          malformed += 1
          continue
        }
        points += record.labeled.ink.pointCount
        guard records.count < Self.mostRecords, points <= Self.mostPoints else {
          isPartial = true
          return
        }
        guard let answer = try lines.next(), answer.index == records.count,
          isOfLines || answer.label == record.labeled.label
        else { throw AnswerLines.ofOtherData }
        var labeled = record.labeled
        labeled.label = answer.label
        let best = answer.candidates.first
        add(labeled, answer: best?.text, confidence: best?.score.map { exp($0) } ?? 0)
        guard progress(records.count) else { return }
      }
    }
    guard try lines.next() == nil else { throw AnswerLines.ofOtherData }
  }

  /// Adds an ink with its answer.
  package mutating func add(_ labeled: LabeledInk, answer: String?, confidence: Double) {
    let index = Int32(records.count)
    var record = Record(
      x: [], y: [], ends: [], label: labeled.label, answer: answer,
      confidence: confidence.isFinite ? min(1, max(0, confidence)) : 0, writer: labeled.writer)
    for stroke in labeled.ink.strokes {
      for point in stroke.points where point.x.isFinite && point.y.isFinite {
        record.x.append(Float(point.x))
        record.y.append(Float(point.y))
      }
      record.ends.append(Int32(record.x.count))
    }
    for pair in pairs(labeled.label, answer) { cells[pair, default: []].append(index) }
    records.append(record)
  }

  /// The pairs of a label and an answer, each once.
  private func pairs(_ label: String, _ answer: String?) -> Set<Pair> {
    guard isOfLines else { return [Pair(label: label, answer: answer ?? "")] }
    let (reference, hypothesis) = (Array(label), Array(answer ?? ""))
    let counterparts = EditAlignment.counterparts(of: reference, in: hypothesis)
    var result: Set<Pair> = []
    for (character, place) in zip(reference, counterparts) {
      result.insert(
        Pair(label: String(character), answer: place.map { String(hypothesis[$0]) } ?? ""))
    }
    let matched = Set(counterparts.compactMap { $0 })
    for (place, character) in hypothesis.enumerated() where !matched.contains(place) {
      result.insert(Pair(label: "", answer: String(character)))
    }
    return result
  }
}

/// The lines of a file of answers, one after the other.
private struct AnswerLines {
  /// The answers do not belong to the data.
  static let ofOtherData = StudioError(
    .conflict, "the data has changed since the report was made; evaluate the model again",
    field: "data")
  private let decoder = JSONDecoder()
  private var rest: Data

  init(_ file: URL) throws(StudioError) {
    do {
      rest = try Data(contentsOf: file, options: .mappedIfSafe)
    } catch {
      throw StudioError(
        .unusableFile, "the answers of the report cannot be read; evaluate the model again")
    }
  }

  /// Returns the next answer; nil at the end.
  mutating func next() throws(StudioError) -> Prediction? {
    guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else {
      guard rest.isEmpty else { throw Self.ofOtherData }
      return nil
    }
    defer { rest = rest[(end + 1)...] }
    do {
      return try decoder.decode(Prediction.self, from: rest[..<end])
    } catch {
      throw StudioError(
        .unusableFile, "the answers of the report are damaged; evaluate the model again")
    }
  }
}

extension PredictionSet {
  /// A confusion matrix of the labels that are confused most.
  package struct Matrix: Encodable, Sendable {
    /// The figures of one label.
    package struct Label: Encodable, Sendable {
      package var label: String
      /// The records of the label.
      package var count: Int
      /// The share of them with a right answer.
      package var recall: Double
    }

    /// The count of one pair.
    package struct Cell: Encodable, Sendable {
      package var label: String
      package var answer: String
      package var count: Int
    }

    /// The rows and columns, most confused first or in the order of the labels.
    package var labels: [Label]
    /// The cells of these labels that are not empty.
    package var cells: [Cell]
    /// The most frequent errors of all labels, also of those that are not shown.
    package var errors: [Cell]
    /// All labels of the data.
    package var labelCount: Int
    package var records: Int
    package var wrong: Int
    var malformed: Int
    var isPartial: Bool
    var isOfLines: Bool
  }

  /// The most labels of a matrix, and the most errors of its list.
  static let (mostLabels, mostErrors) = (60, 200)

  /// Returns the matrix.
  ///
  /// - Parameter size: The most labels. With more in the data, those with the most errors are shown.
  package func matrix(size: Int) -> Matrix {
    var totals: [String: (count: Int, right: Int, wrong: Int)] = [:]
    for (pair, places) in cells {
      if pair.label == pair.answer {
        totals[pair.label, default: (0, 0, 0)].right += places.count
      } else {
        totals[pair.answer, default: (0, 0, 0)].wrong += places.count
        totals[pair.label, default: (0, 0, 0)].wrong += places.count
      }
      totals[pair.label, default: (0, 0, 0)].count += places.count
    }
    let all = totals.keys.filter { !$0.isEmpty }
    let chosen = all.sorted {
      let (a, b) = (totals[$0]?.wrong ?? 0, totals[$1]?.wrong ?? 0)
      return a != b ? a > b : $0 < $1
    }.prefix(max(1, min(size, Self.mostLabels)))
    let shown = Set(chosen + [""])
    let sorted = cells.map { Matrix.Cell(label: $0.label, answer: $0.answer, count: $1.count) }
      .sorted { ($1.count, $0.label, $0.answer) < ($0.count, $1.label, $1.answer) }
    return Matrix(
      labels: chosen.map { label in
        let total = totals[label] ?? (0, 0, 0)
        return Matrix.Label(
          label: label, count: total.count,
          recall: total.count > 0 ? Double(total.right) / Double(total.count) : 0)
      },
      cells: sorted.filter { shown.contains($0.label) && shown.contains($0.answer) },
      errors: Array(sorted.filter { $0.label != $0.answer }.prefix(Self.mostErrors)),
      labelCount: all.count, records: records.count,
      wrong: records.count { $0.label != $0.answer }, malformed: malformed, isPartial: isPartial,
      isOfLines: isOfLines)
  }

  /// An ink behind a cell.
  package struct ShownInk: Encodable, Sendable {
    /// A stroke as columns.
    package struct Stroke: Encodable, Sendable {
      package var x: [Float]
      var y: [Float]
    }

    var label: String
    var answer: String?
    package var confidence: Double
    package var writer: String?
    package var strokes: [Stroke]
  }

  /// The most inks of one answer.
  static let mostShown = 60

  /// Returns inks behind a cell, the most confident first.
  package func inks(of pair: Pair, from offset: Int) -> (count: Int, inks: [ShownInk]) {
    let places = (cells[pair] ?? []).map { Int($0) }.sorted {
      (records[$0].confidence, -$0) > (records[$1].confidence, -$1)
    }
    return (places.count, places.dropFirst(offset).prefix(Self.mostShown).map { shown($0) })
  }

  private func shown(_ index: Int) -> ShownInk {
    let record = records[index]
    var start = 0
    return ShownInk(
      label: record.label, answer: record.answer, confidence: record.confidence,
      writer: record.writer,
      strokes: record.ends.map { end in
        defer { start = Int(end) }
        return .init(
          x: Array(record.x[start..<Int(end)]), y: Array(record.y[start..<Int(end)]))
      })
  }
}
