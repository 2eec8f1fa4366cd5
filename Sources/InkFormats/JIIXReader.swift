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
public struct JIIXReader: Sequence, Sendable {
  /// A record, or why there is none.
  public typealias Element = Result<InkRecord, InkFormatError>

  private let files: InkFiles
  private let yAxis: YAxis

  /// Lists the files that end in `.jiix` anywhere below a folder, or takes one file.
  ///
  /// - Parameter yAxis: Where y points in the files: down, as JIIX says, or up in those of others.
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
  /// The columns of a stroke, which are of one length.
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
