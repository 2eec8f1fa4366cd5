import InkCore

/// Reads UNIPEN 1.0: every `.SEGMENT` of any level of the hierarchy is one record.
///
/// A folder that contains `data/` is a dataset: its segment files are `data/CATEGORY/**/*.dat`. In
/// another folder, all files that look like UNIPEN are read, and a single file is read alone. A
/// segment file includes the files with the pen data, by paths relative to `include/`, to itself or
/// to the folder. Includes outside the folder are not opened; for a single file, the folder is the
/// one that contains it. A missing include is a warning of the file's first record.
///
/// Components are the non-empty `.PEN_DOWN` and `.PEN_UP` blocks, counted from 0 over all includes
/// in order. Points are counted from 0 within a component, and ranges include both ends. A segment
/// without a range has the pen data after it, up to the next segment without a range of the same or
/// a higher level. Strokes are the selected parts of `.PEN_DOWN` components. A file with pen data
/// and no segment is one record without a label. Labels are read as UTF-8 if all labels of a file
/// are valid UTF-8, else as Latin-1.
///
/// - Time is in milliseconds. It is the `T` column if `.COORD` has one; a column that is 100 times
///   faster than `.POINTS_PER_SECOND` allows is in microseconds. Otherwise it is the sample's index
///   divided by `.POINTS_PER_SECOND`, including pen-up samples but not `.DT`; otherwise it is
///   missing.
/// - Force is the `P` column divided by the median of its values above 0 in the file's pen-down
///   components, because the unit differs by tablet.
/// - y is negated to grow downward.
/// - The writing area is that of the guide lines for the segment's first component, see
///   `UNIPENGuides`; nil if there are none or they do not fit the ink.
///
/// A segment that cannot be read yields a failure in its place, and reading continues: no segment
/// is dropped. Files are read in the order of their paths. Memory is that of the largest few segment
/// files with their includes. See Guyon et al. 1994, "UNIPEN project of on-line data exchange and
/// recognizer benchmarks".
///
///     for record in try UNIPENReader(folder: "unipen", categories: ["1a"]) {
///       print(try record.get().labeled.label)
///     }
public struct UNIPENReader: Sequence, Sendable {
  /// A record, or the reason why it could not be read.
  public typealias Element = Result<InkRecord, InkFormatError>

  /// The folder that includes never leave: the one with `data/` and `include/`, or the one of the
  /// files.
  public let folder: String
  /// The segment files, relative to `data/` or to the folder, in the order of reading.
  public let segmentFiles: [String]
  private let yAxis: YAxis?
  private let contents: UNIPENParser.Contents
  /// The path of segment files below the folder: `data/`, or nothing.
  private let prefix: String
  /// The level and the unit of records; nil for all segments.
  private var level: String?
  private var unit: InkUnit?

  /// Lists the segment files of a folder, or takes one file.
  ///
  /// - Parameters:
  ///   - folder: The folder or file.
  ///   - categories: The folders of `data/` to read, for example `["1a", "1c"]`; nil for all.
  ///   - yAxis: The direction of y; nil for up.
  ///   - level: The level of the segments to read, as named in the file; nil for all.
  ///   - unit: A unit other than the segment: all pen data of a file, a word, a line or a stroke.
  /// - Throws: ``InkFormatError`` of code `missingFile` if a folder is missing or has no segment
  ///   files.
  /// - Complexity: O(files of the folder).
  public init(
    folder: String, categories: [String]? = nil, yAxis: YAxis? = nil, level: String? = nil,
    unit: InkUnit? = nil
  ) throws(InkFormatError) {
    let data = ByteFile.join(folder, "data")
    if let categories {
      var files: [String] = []
      for category in Set(categories).sorted() {
        let inside = ByteFile.join(data, category)
        files += try ByteFile.files(below: inside, extensions: ["dat"]).map { "\(category)/\($0)" }
      }
      self.init(folder: folder, segmentFiles: files, yAxis: yAxis)
    } else if ByteFile.isFolder(data) {
      let files = try ByteFile.files(below: data, extensions: ["dat"])
      self.init(folder: folder, segmentFiles: files, yAxis: yAxis)
    } else {
      let files = try InkFiles(at: folder) { path in
        !path.hasPrefix("include/")
          && InkFileFormat.of(bytes: ByteFile.start(of: path, in: folder)) == .unipen
      }
      self.init(
        folder: files.folder, segmentFiles: files.paths, prefix: "", yAxis: yAxis
      ) { path throws(InkFormatError) in try ByteFile.content(of: path) }
    }
    self.level = level
    self.unit = unit
  }

  /// Reads named segment files, for example those of one part of a split.
  ///
  /// - Parameters:
  ///   - folder: The folder with `data/` and `include/`.
  ///   - segmentFiles: Paths relative to `data/`; a missing one yields a failure.
  ///   - yAxis: The direction of y; nil for up.
  public init(folder: String, segmentFiles: [String], yAxis: YAxis? = nil) {
    self.init(folder: folder, segmentFiles: segmentFiles, yAxis: yAxis) {
      path throws(InkFormatError) in
      try ByteFile.content(of: path)
    }
  }

  /// Reads named segment files and their includes, from any source of bytes.
  package init(
    folder: String, segmentFiles: [String], prefix: String = "data/", yAxis: YAxis? = nil,
    contents: @escaping UNIPENParser.Contents
  ) {
    self.folder = folder
    self.segmentFiles = segmentFiles
    self.prefix = prefix
    self.yAxis = yAxis
    self.contents = contents
  }

  /// Returns a copy that reads other records than all segments.
  public func reading(level: String?, unit: InkUnit?) -> UNIPENReader {
    var copy = self
    copy.level = level
    copy.unit = unit
    return copy
  }

  /// An iterator at the first segment of the first file.
  public func makeIterator() -> AnyIterator<Element> {
    AnyIterator(FileRecords(of: segmentFiles.count) { [self] in records(segmentFiles[$0]) })
  }

  /// Reads a file.
  private func document(_ source: String) throws(InkFormatError) -> UNIPENDocument {
    var document = try UNIPENParser.document(
      root: folder, file: prefix + source, contents: contents)
    let place = SourceLocation(path: ByteFile.join(folder, prefix + source))
    switch unit {
    case .page, .file:
      document.replaceSegments(with: document.whole.map { [$0] } ?? [], at: place)
    case .stroke: document.replaceSegments(with: document.single, at: place)
    case .line, .word, .group, nil:
      if document.segments.isEmpty, level == nil, unit == nil, let whole = document.whole {
        document.replaceSegments(with: [whole], at: place)
      }
    }
    return document
  }

  /// Whether a segment is of the level and the unit that are read. A line that cannot be read is.
  private func isRead(_ entry: UNIPENDocument.Entry) -> Bool {
    guard case .success(let segment) = entry.segment else { return true }
    if let level, segment.levelName.uppercased() != level.uppercased() { return false }
    switch unit {
    case .word: return segment.level == .word
    case .line: return segment.level == .text
    case .page, .file, .group, .stroke, nil: return true
    }
  }

  /// Whether y grows upward.
  private var isYUp: Bool { yAxis != .down }

  /// Returns whether the guide lines of a file apply to its ink.
  private func hasGuides(_ source: String) -> Bool {
    let contributor = source.split(separator: "/").dropFirst().first ?? ""
    return !UNIPENGuides.misleading.contains(String(contributor))
  }

  /// How often the segments of a file may select each of its points: as a rule once per level.
  private static let mostSelections = 100
  /// The number of points that segments may always select.
  private static let fewPoints = 1_000_000

  /// Returns the records of one segment file.
  private func records(_ source: String) -> [Element] {
    var document: UNIPENDocument
    do throws(InkFormatError) {
      document = try self.document(source)
    } catch {
      return [.failure(error)]
    }
    // A file without segments has no record that could tell of its defect.
    if document.segments.isEmpty, let defect = document.defect ?? document.warnings.first {
      return [.failure(defect)]
    }
    let limit = Swift.max(Self.fewPoints, Self.mostSelections * document.sampleCount)
    var selected = 0
    return document.segments.indices.filter { isRead(document.segments[$0]) }.map { index in
      do throws(InkFormatError) {
        guard selected <= limit else {
          throw InkFormatError(
            .rangeOutOfBounds, at: document.segments[index].location,
            expected: "segments that select each point \(Self.mostSelections) times at most",
            found: "more", advice: "correct the ranges of the segments")
        }
        let record = try record(at: index, of: document, source)
        selected += record.labeled.ink.pointCount
        // They stand with the first record only.
        document.warnings.removeAll()
        return .success(record)
      } catch {
        return .failure(error)
      }
    }
  }

  private func record(
    at index: Int, of document: UNIPENDocument, _ source: String
  ) throws(InkFormatError) -> InkRecord {
    if let defect = document.defect { throw defect }
    let entry = document.segments[index]
    let segment = try entry.segment.get()
    let ink = try document.ink(of: segment, at: entry.location, yUp: isYUp)
    let labeled = LabeledInk(
      ink: ink, label: segment.label, writer: document.writer(of: segment),
      writingArea: hasGuides(source) ? document.area(of: ink, segment, yUp: isYUp) : nil,
      quality: segment.quality)
    return InkRecord(
      labeled: labeled, location: entry.location, source: source, indexInSource: index,
      level: segment.level, warnings: document.warnings)
  }
}

extension UNIPENDocument {
  /// Replaces the segments of the file by those of the unit.
  fileprivate mutating func replaceSegments(
    with segments: [UNIPENSegment], at place: SourceLocation
  ) {
    self.segments = segments.map {
      Entry(location: place, firstComponent: 0, segment: .success($0))
    }
  }
}
