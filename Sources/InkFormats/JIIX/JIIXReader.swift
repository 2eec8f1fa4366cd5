import Foundation
import InkCore

/// Reads JIIX 3 documents as labelled ink: one record for each line of text and for each shape.
///
/// - A line of text has the labels of its words and of the spaces between them, and its ink in the order of
///   its time stamps, or of the words where a stroke has none. Characters stand in for words that are not
///   there; where a text has neither, or its ink beside them, all of it is one record with the text's
///   own label and ink.
/// - A node or an edge has its kind for a label: `rectangle`, `line`. Drawings have none and are no
///   records.
/// - Times are milliseconds since the first stroke of the record, where all of its strokes have time
///   stamps and columns of times; forces are kept where any is above 0. There are no writers.
///
/// The labels are what a recogniser read, or what was chosen: look at them before training on them.
/// Documents must have been written with their ink (`export.jiix.strokes`). A bad file, and one in which
/// nothing has a label, yields a failure
/// and reading goes on.
///
///     for record in try JIIXReader(path: "notes.jiix") {
///       print(try record.get().labeled.label)
///     }
public struct JIIXReader: Sequence, Sendable {
  /// A record, or the reason why it could not be read.
  public typealias Element = Result<InkRecord, InkFormatError>

  private let files: InkFiles
  private let yAxis: YAxis

  /// Lists the files that end in `.jiix` anywhere below a folder, or takes one file.
  ///
  /// - Parameters:
  ///   - path: A folder or a file.
  ///   - yAxis: Where y points in the files: down, as JIIX says, or up in those of others.
  /// - Throws: ``InkFormatError`` of code `missingFile` where nothing is there, or a folder
  ///   without such files.
  public init(path: String, yAxis: YAxis = .down) throws(InkFormatError) {
    files = try InkFiles(at: path, extensions: ["jiix"])
    self.yAxis = yAxis
  }

  /// An iterator at the first file.
  public func makeIterator() -> AnyIterator<Element> {
    files.makeIterator { Self.records(of: $0, path: $1, source: $2, yAxis: yAxis) }
  }

  /// The records of a file's bytes.
  static func records(
    of bytes: [UInt8], path: String, source: String, yAxis: YAxis
  ) -> [Element] {
    let location = SourceLocation(path: path)
    let document: JIIXBlock
    do throws(InkFormatError) {
      document = try JIIXBlock(parsing: Data(bytes), path: path)
    } catch {
      return [.failure(error)]
    }
    let labeledStrokes = document.labeledStrokes
    guard !labeledStrokes.isEmpty else {
      return [
        .failure(
          InkFormatError(
            .missingKey, at: location, expected: "the label of a text or the kind of a shape",
            found: "a document without any",
            advice: "recognise it before it is exported, or remove the file"))
      ]
    }
    return labeledStrokes.enumerated().map { index, labeled in
      let ink = Ink(jiix: labeled.strokes, sign: yAxis == .up ? -1 : 1)
      guard !ink.isEmpty else {
        return .failure(
          InkFormatError(
            .emptyInk, at: location, expected: "the ink of what has a label", found: "none",
            advice: "export it with export.jiix.strokes"))
      }
      return .success(
        InkRecord(
          labeled: LabeledInk(ink: ink, label: labeled.label), location: location, source: source,
          indexInSource: index, level: labeled.level))
    }
  }
}

/// What a JIIX document says of some strokes.
private struct LabeledStrokes {
  var label: String
  var strokes: [JIIXStroke]
  /// nil for shapes.
  var level: InkRecord.Level?

  init(shape: String, strokes: [JIIXStroke]) {
    label = shape
    self.strokes = strokes
  }

  /// A text with runs of blanks as one space.
  init(text: String, strokes: [JIIXStroke]) {
    let words = text.split(whereSeparator: \.isWhitespace)
    label = words.joined(separator: " ")
    level = words.count == 1 ? .word : .text
    self.strokes = strokes
  }
}

extension JIIXBlock {
  /// Of the block and those below, in the order of the document.
  fileprivate var labeledStrokes: [LabeledStrokes] {
    own + (elements ?? []).flatMap(\.labeledStrokes)
  }

  private var own: [LabeledStrokes] {
    if let kind { return [LabeledStrokes(shape: kind, strokes: items ?? [])] }
    guard let label, !label.allSatisfy(\.isWhitespace) else { return [] }
    let lines = pieces.split { $0.label.contains(where: \.isNewline) }.map { pieces in
      LabeledStrokes(text: pieces.map(\.label).joined(), strokes: pieces.flatMap(\.strokes))
    }.filter { !$0.label.isEmpty }
    // The ink may stand beside its words, and nothing says then which of it is whose.
    let isBeside = items?.isEmpty == false && lines.allSatisfy(\.strokes.isEmpty)
    return isBeside || lines.isEmpty ? [LabeledStrokes(text: label, strokes: items ?? [])] : lines
  }

  /// The words of a text, or its characters where it has no words.
  private var pieces: [(label: String, strokes: [JIIXStroke])] {
    if let words, !words.isEmpty { return words.map { ($0.label, $0.items ?? []) } }
    return (chars ?? []).map { ($0.label, $0.items ?? []) }
  }
}

extension Ink {
  /// The ink of strokes in the order of their time stamps, where all have one.
  fileprivate init(jiix strokes: [JIIXStroke], sign: Double) {
    let strokes = strokes.filter { $0.X?.isEmpty == false }
    let starts = strokes.compactMap { $0.timestamp.flatMap(JIIXTimestamp.milliseconds) }
    guard starts.count == strokes.count, let first = starts.min() else {
      self.init(strokes: strokes.map { Stroke(jiix: $0, start: nil, sign: sign) })
      return
    }
    let order = strokes.indices.sorted { (starts[$0], $0) < (starts[$1], $1) }
    let isTimed = strokes.allSatisfy { $0.T != nil }
    self.init(
      strokes: order.map {
        Stroke(jiix: strokes[$0], start: isTimed ? starts[$0] - first : nil, sign: sign)
      })
  }
}

extension Stroke {
  /// Converts the columns of a stroke, which have equal length.
  fileprivate init(jiix stroke: JIIXStroke, start: Double?, sign: Double) {
    let forces = (stroke.F ?? []).contains { $0 > 0 } ? stroke.F : nil
    self.init(
      points: zip(stroke.X ?? [], stroke.Y ?? []).enumerated().map { index, place in
        StrokePoint(
          x: place.0, y: sign * place.1,
          t: start.flatMap { start in stroke.T.map { start + Double($0[index]) } },
          force: forces?[index])
      })
  }
}

/// The time stamps of JIIX: `YYYY-MM-DD HH:MM:SS.ssssss`, in UTC.
public enum JIIXTimestamp {
  /// The milliseconds since 1970 of a text of the years 0 to 9999, with `T` and `Z` too; nil for another
  /// form, such as one with an offset of its zone.
  public static func milliseconds(_ text: String) -> Double? {
    let parts = text.split(whereSeparator: { " T-:Z".contains($0) })
    guard parts.count == 6, let seconds = Double(parts[5]), seconds.isFinite else { return nil }
    let numbers = parts[..<5].compactMap { Int($0) }
    guard numbers.count == 5, (0...9999).contains(numbers[0]), (1...12).contains(numbers[1]),
      (1...31).contains(numbers[2]), (0...24).contains(numbers[3]), (0...60).contains(numbers[4]),
      (0...61).contains(seconds)
    else { return nil }
    let minutes = (days(numbers[0], numbers[1], numbers[2]) * 24 + numbers[3]) * 60 + numbers[4]
    return Double(minutes) * 60_000 + seconds * 1000
  }

  /// The text of milliseconds since 1970, without their fractions; of 0 for earlier and not finite times, of
  /// the year 3237 for later ones.
  public static func text(_ milliseconds: Double) -> String {
    let whole = milliseconds.isFinite ? Int(max(0, min(milliseconds, 4e13))) : 0
    let (days, rest) = (whole / 86_400_000, whole % 86_400_000)
    let (year, month, day) = date(days)
    func padded(_ number: Int, _ width: Int) -> String {
      let text = "\(number)"
      return String(repeating: "0", count: max(0, width - text.count)) + text
    }
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2)) "
      + "\(padded(rest / 3_600_000, 2)):\(padded(rest / 60_000 % 60, 2)):"
      + "\(padded(rest / 1000 % 60, 2)).\(padded(rest % 1000 * 1000, 6))"
  }

  /// The days from 1970-01-01 to a civil date (Hinnant 2013).
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// The civil date of days since 1970-01-01 (Hinnant 2013).
  private static func date(_ days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * month + 2) / 5 + 1
    let civilMonth = month < 10 ? month + 3 : month - 9
    return (yearOfEra + era * 400 + (civilMonth <= 2 ? 1 : 0), civilMonth, day)
  }
}
