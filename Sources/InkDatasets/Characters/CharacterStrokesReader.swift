import Foundation
import InkCore
import InkFormats

/// Reads collections that have one drawing of each character in a square box, one JSON object per
/// line: those of Tomoe and KanjiVG.
///
/// - Tomoe: `{"character":"一","strokes":[[[x,y],…],…]}` in a box of 320, y down.
/// - KanjiVG: `{"character":"一","strokes":["M11,54c3,0…",…]}`, the path data of SVG in a box of 109,
///   y down. Curves become short lines.
///
/// Other keys are ignored. The whole file has one writer, and the box is the writing area. A bad line
/// yields a failure, and reading continues. O(file) memory.
package struct CharacterStrokesReader: Sequence, Sendable {
  /// A record, or the reason why it could not be read.
  package typealias Element = Result<InkRecord, InkFormatError>

  /// A collection.
  package enum Collection: String, Hashable, Sendable, CaseIterable {
    case tomoe
    case kanjivg

    /// The file in the collection's folder.
    var file: String {
      switch self {
      case .tomoe: "tomoe.jsonl"
      case .kanjivg: "strokes.jsonl"
      }
    }

    /// The side of the box of a character.
    var side: Double {
      switch self {
      case .tomoe: 320
      case .kanjivg: 109
      }
    }
  }

  /// The largest file, in bytes.
  private static let largest = 256 << 20

  private let collection: Collection
  private let path: String
  private let yAxis: YAxis
  private let content: Data

  /// Opens the file of a collection, or the folder that contains it.
  ///
  /// - Throws: `InkFormatError` of code `missingFile`, `unreadableFile` or `tooLarge`.
  package init(
    _ collection: Collection, path: String, yAxis: YAxis = .down
  ) throws(InkFormatError) {
    self.collection = collection
    self.yAxis = yAxis
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw Self.missing(path, expected: "the file \(collection.file) or its folder")
    }
    self.path = isFolder.boolValue ? path + "/" + collection.file : path
    guard FileManager.default.fileExists(atPath: self.path, isDirectory: &isFolder) else {
      throw Self.missing(self.path, expected: "the file \(collection.file) in the folder")
    }
    let size = try? FileManager.default.attributesOfItem(atPath: self.path)[.size] as? Int
    if let size, size > Self.largest {
      throw InkFormatError(
        .tooLarge, at: SourceLocation(path: self.path),
        expected: "a file of at most \(Self.largest >> 20) MB", found: "one of \(size >> 20) MB",
        advice: "split the file")
    }
    guard !isFolder.boolValue, let content = FileManager.default.contents(atPath: self.path) else {
      throw InkFormatError(
        .unreadableFile, at: SourceLocation(path: self.path), expected: "a readable file",
        found: isFolder.boolValue ? "a folder" : "a file that may not be read",
        advice: "check the file and its permissions")
    }
    self.content = content
  }

  /// Reads the bytes of a file in memory; errors contain `path`.
  package init(
    _ collection: Collection, content: Data, path: String, yAxis: YAxis = .down
  ) {
    (self.collection, self.content, self.path, self.yAxis) = (collection, content, path, yAxis)
  }

  private static func missing(_ path: String, expected: String) -> InkFormatError {
    InkFormatError(
      .missingFile, at: SourceLocation(path: path), expected: expected, found: "nothing there",
      advice: "check the path, or unpack the dataset")
  }

  /// Returns an iterator at the first line.
  package func makeIterator() -> AnyIterator<Element> {
    var rest = content[...]
    var (line, index) = (0, 0)
    return AnyIterator {
      while !rest.isEmpty {
        let end = rest.firstIndex(of: 0x0A) ?? rest.endIndex
        let bytes = rest[rest.startIndex..<end]
        rest = rest[end...].dropFirst()
        line += 1
        guard !bytes.allSatisfy({ $0 <= 0x20 }) else { continue }
        defer { index += 1 }
        return record(Data(bytes), line: line, index: index)
      }
      return nil
    }
  }

  private func record(_ bytes: Data, line: Int, index: Int) -> Element {
    let location = SourceLocation(path: path, line: line)
    do throws(InkFormatError) {
      let (character, strokes) =
        switch collection {
        case .tomoe: try points(of: bytes, at: location)
        case .kanjivg: try paths(of: bytes, at: location)
        }
      guard !character.isEmpty, strokes.contains(where: { !$0.points.isEmpty }) else {
        throw Self.error(
          .emptyInk, at: location, expected: "a character with at least one point",
          found: character.isEmpty ? "an empty character" : "no points")
      }
      var ink = Ink(strokes: strokes)
      if yAxis == .up {
        for stroke in ink.strokes.indices {
          for point in ink.strokes[stroke].points.indices {
            ink.strokes[stroke].points[point].y =
              collection.side - ink.strokes[stroke].points[point].y
          }
        }
      }
      let side = collection.side
      let labeled = LabeledInk(
        ink: ink, label: character, writer: collection.rawValue,
        writingArea: try? WritingArea(x: 0, y: 0, width: side, height: side))
      return .success(
        InkRecord(
          labeled: labeled, location: location, source: collection.file, indexInSource: index,
          level: .character))
    } catch {
      return .failure(error)
    }
  }

  private static func error(
    _ code: InkFormatError.Code, at location: SourceLocation, expected: String, found: String
  ) -> InkFormatError {
    InkFormatError(
      code, at: location, expected: expected, found: found, advice: "correct or remove the line")
  }

  /// A line, whose strokes are lists of points or path data.
  private struct Line<Stroke: Decodable>: Decodable {
    var character: String
    var strokes: [Stroke]
  }

  private func decoded<Stroke>(
    _ bytes: Data, as type: Stroke.Type, strokes: String, at location: SourceLocation
  ) throws(InkFormatError) -> Line<Stroke> {
    do {
      return try JSONDecoder().decode(Line<Stroke>.self, from: bytes)
    } catch DecodingError.keyNotFound(let key, _) {
      throw Self.error(
        .missingKey, at: location, expected: "the keys character and strokes",
        found: "none named \(key.stringValue)")
    } catch DecodingError.typeMismatch(_, let context) {
      let path = context.codingPath.map { $0.intValue.map { "\($0)" } ?? $0.stringValue }
      throw Self.error(
        .wrongType, at: location, expected: "a character, and strokes that are \(strokes)",
        found: path.isEmpty ? "no object" : "another type at \(path.joined(separator: "/"))")
    } catch {
      throw Self.error(
        .malformed, at: location, expected: "a JSON object with character and strokes",
        found: "\(bytes.count) bytes of something else")
    }
  }

  private func points(
    of bytes: Data, at location: SourceLocation
  ) throws(InkFormatError) -> (String, [Stroke]) {
    let line = try decoded(
      bytes, as: [[Double]].self, strokes: "lists of points [x, y]", at: location)
    var strokes: [Stroke] = []
    for stroke in line.strokes {
      var points: [StrokePoint] = []
      for point in stroke {
        guard point.count == 2 else {
          throw Self.error(
            .unequalLengths, at: location, expected: "points [x, y] of two numbers",
            found: "one of \(point.count)")
        }
        points.append(StrokePoint(x: point[0], y: point[1]))
      }
      if !points.isEmpty { strokes.append(Stroke(points: points)) }
    }
    return (line.character, strokes)
  }

  /// The bytes of path data.
  private static let pathBytes = Set("MmLlHhVvCcSsQqTtAaZzeE0123456789+-., \t".utf8)

  /// Reads path data as the reader of SVG drawings does.
  private func paths(
    of bytes: Data, at location: SourceLocation
  ) throws(InkFormatError) -> (String, [Stroke]) {
    let line = try decoded(bytes, as: String.self, strokes: "texts of path data", at: location)
    var drawing = #"<svg xmlns="http://www.w3.org/2000/svg" fill="none" stroke="black">"#
    for (index, path) in line.strokes.enumerated() {
      guard path.utf8.allSatisfy(Self.pathBytes.contains) else {
        throw Self.error(
          .malformed, at: location, expected: "path data in stroke \(index + 1)",
          found: "a character that is none of it")
      }
      drawing += #"<path d="\#(path)"/>"#
    }
    drawing += "</svg>"
    guard !line.strokes.isEmpty else { return (line.character, []) }
    let reader = InkReader(.svg, bytes: Array(drawing.utf8), name: path, unit: .file)
    guard let element = reader.makeIterator().next() else { return (line.character, []) }
    let strokes: [Stroke]
    switch element {
    case .success(let record): strokes = record.labeled.ink.strokes
    case .failure(let problem):
      throw Self.error(
        problem.code, at: location, expected: problem.expected, found: problem.found)
    }
    guard strokes.count == line.strokes.count else {
      throw Self.error(
        .malformed, at: location, expected: "one path without gaps for each stroke",
        found: "\(strokes.count) runs in \(line.strokes.count) paths")
    }
    return (line.character, strokes)
  }
}
