import Files
import InkCore

/// The ink of a file of drawings: pages of groups of strokes.
struct DrawnFile {
  /// Strokes that the drawing program put together: a layer, a group.
  struct Group {
    var id: String?
    var label: String?
    var writer: String?
    var strokes: [Stroke] = []
  }

  /// A page, or the single sheet of a file without pages.
  struct Page {
    var id: String?
    var label: String?
    /// The height, if the file states it.
    var height: Double?
    var groups: [Group] = []

    var strokes: [Stroke] { groups.flatMap(\.strokes) }
  }

  var pages: [Page] = []

  /// Returns the pages, groups or strokes of the file that have ink.
  ///
  /// - Parameter unit: The unit; if nil, the page, or the group if groups have labels.
  fileprivate func items(_ unit: InkUnit?) -> [Group] {
    switch unit {
    case nil:
      let labelled = pages.contains { $0.groups.contains { $0.label != nil } }
      return items(labelled ? .group : .page)
    case .page, .line, .word:
      return pages.map { Group(id: $0.id, label: $0.label, strokes: $0.strokes) }
    case .file:
      // Pages are placed below each other.
      var all = Group(label: pages.count == 1 ? pages[0].label : nil)
      var top = 0.0
      for page in pages {
        let strokes = page.strokes
        let box = Ink(strokes: strokes).boundingBox
        all.strokes += strokes.map { stroke in
          Stroke(
            points: stroke.points.map { point in
              var point = point
              point.y += top
              return point
            })
        }
        top += page.height ?? box.map { max($0.maxY, $0.height * 1.2) } ?? 0
      }
      return [all]
    case .group: return pages.flatMap(\.groups)
    case .stroke:
      return pages.flatMap(\.strokes).map { Group(strokes: [$0]) }
    }
  }
}

/// The files of a format of drawings, read one at a time.
struct DrawnFiles: Sendable {
  typealias Element = Result<InkRecord, InkFormatError>
  /// Reads the bytes of a file.
  typealias Parse = @Sendable (_ bytes: [UInt8], _ path: String) throws(InkFormatError) -> DrawnFile

  /// The largest size to which a compressed file may unpack, in bytes.
  static let mostUnpacked = 256 << 20
  /// The values of `unit` that drawings support.
  static let units: [InkUnit] = [.page, .file, .group, .stroke]

  private let files: InkFiles
  private let sign: Double
  private let unit: InkUnit?
  private let parse: Parse

  /// Lists the files of a format below a folder, by suffix or content, or takes one file.
  init(
    path: String, extensions: Set<String>, format: InkFileFormat, yAxis: YAxis, unit: InkUnit?,
    parse: @escaping Parse
  ) throws(InkFormatError) {
    files = try InkFiles(at: path) { file in
      let suffix = file.lastIndex(of: ".").map { file[file.index(after: $0)...].lowercased() }
      return suffix.map(extensions.contains) == true
        || InkFileFormat.of(bytes: ByteFile.start(of: file, in: path)) == format
    }
    sign = yAxis == .up ? -1 : 1
    self.unit = unit
    self.parse = parse
  }

  func makeIterator() -> AnyIterator<Element> {
    files.makeIterator {
      Self.records(of: $0, path: $1, source: $2, sign: sign, unit: unit, parse: parse)
    }
  }

  /// Returns the records of a file's bytes.
  static func records(
    of bytes: [UInt8], path: String, source: String, sign: Double = 1, unit: InkUnit? = nil,
    parse: Parse
  ) -> [Element] {
    let place = SourceLocation(path: path)
    let file: DrawnFile
    do throws(InkFormatError) {
      file = try parse(try unpacked(bytes, path: path), path)
    } catch {
      return [.failure(error)]
    }
    let groups = file.items(unit).enumerated().compactMap { index, group in
      let strokes = group.strokes.filter { !$0.points.isEmpty }
      return strokes.isEmpty ? nil : (index, group, strokes)
    }
    guard !groups.isEmpty else {
      return [
        .failure(
          InkFormatError(
            .emptyInk, at: place, expected: "at least one stroke", found: "none",
            advice: "check that the drawing has freehand strokes"))
      ]
    }
    return groups.map { index, group, strokes in
      guard strokes.allSatisfy({ $0.points.allSatisfy(\.hasFinitePosition) }) else {
        return .failure(
          InkFormatError(
            .nonFiniteNumber, at: place, expected: "finite coordinates", found: "NaN or infinity",
            advice: "correct or remove the file"))
      }
      var ink = Ink(strokes: strokes)
      if sign < 0 {
        for stroke in ink.strokes.indices {
          for point in ink.strokes[stroke].points.indices {
            ink.strokes[stroke].points[point].y *= sign
          }
        }
      }
      return .success(
        InkRecord(
          labeled: LabeledInk(ink: ink, label: group.label ?? "", writer: group.writer),
          location: place, source: source, indexInSource: index, id: group.id))
    }
  }

  /// Returns the bytes of a file, unpacked if gzip compressed them.
  static func unpacked(_ bytes: [UInt8], path: String) throws(InkFormatError) -> [UInt8] {
    guard Gzip.isCompressed(bytes) else { return bytes }
    let fault: (InkFormatError.Code, String)
    do throws(Gzip.Fault) {
      return try Gzip.unpack(bytes, limit: mostUnpacked)
    } catch {
      switch error {
      case .malformed: fault = (.malformed, "other bytes")
      case .truncated: fault = (.truncated, "the end of the file before the end of the data")
      case .tooLarge(let limit): fault = (.tooLarge, "more than \(limit >> 20) MB")
      }
    }
    throw InkFormatError(
      fault.0, at: SourceLocation(path: path),
      expected: "data compressed by gzip, of at most \(mostUnpacked >> 20) MB", found: fault.1,
      advice: "save the file again")
  }
}
