import InkCore

/// Reads UNIPEN 1.0: every `.SEGMENT` as one record, of any level of the hierarchy.
///
/// A folder that holds `data/` is a dataset: its segment files are `data/CATEGORY/**/*.dat`. Of another
/// folder all files are read that look like UNIPEN, and a single file is read alone. A segment file
/// includes, relative to `include/`, to itself or to the folder, the files that hold the pen data. No
/// include outside the folder is opened; a single file's folder is that where it stands. An include that
/// is not there is a warning of the file's first record.
///
/// Components are the non-empty `.PEN_DOWN` and `.PEN_UP` blocks, counted from 0 over all includes in
/// order; points count from 0 within a component and ranges include both ends. A segment without a
/// range has the pen data behind it, up to the next such of its level or a higher one. Strokes are the
/// selected parts of `.PEN_DOWN` components. A file with pen data and no segment is one record without a
/// label. Labels are in UTF-8 where all of a file are, else in Latin-1.
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
/// is dropped. Files are read in the order of their paths. Memory is that of the largest segment
/// file with its includes. See Guyon et al. 1994, "UNIPEN project of on-line data exchange and
/// recognizer benchmarks".
///
///     for record in try UNIPENReader(folder: "unipen", categories: ["1a"]) {
///       print(try record.get().labeled.label)
///     }
public struct UNIPENReader: Sequence, Sendable {
  /// A record, or the reason why it could not be read.
  public typealias Element = Result<InkRecord, InkFormatError>

  /// The folder that includes never leave: that with `data/` and `include/`, or that of the files.
  public let folder: String
  /// The segment files, relative to `data/` or to the folder, in reading order.
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
  ///   - yAxis: Where y points; nil for up.
  ///   - level: The level of the segments to read, as the file names it; nil for all.
  ///   - unit: Another record than a segment: all pen data of a file, a word, a line or a stroke.
  /// - Throws: ``InkFormatError`` of code `missingFile` where a folder is missing or has no
  ///   segment files.
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

  /// Reads named segment files and their includes, with any source of bytes.
  init(
    folder: String, segmentFiles: [String], prefix: String = "data/", yAxis: YAxis? = nil,
    contents: @escaping UNIPENParser.Contents
  ) {
    self.folder = folder
    self.segmentFiles = segmentFiles
    self.prefix = prefix
    self.yAxis = yAxis
    self.contents = contents
  }

  /// A copy that reads other records than all segments.
  public func reading(level: String?, unit: InkUnit?) -> UNIPENReader {
    var copy = self
    copy.level = level
    copy.unit = unit
    return copy
  }

  /// An iterator at the first segment of the first file.
  public func makeIterator() -> Iterator {
    Iterator(reader: self)
  }

  /// Reads a file.
  fileprivate func document(_ source: String) throws(InkFormatError) -> UNIPENDocument {
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
  fileprivate func isRead(_ entry: UNIPENDocument.Entry) -> Bool {
    guard case .success(let segment) = entry.segment else { return true }
    if let level, segment.levelName.uppercased() != level.uppercased() { return false }
    switch unit {
    case .word: return segment.level == .word
    case .line: return segment.level == .text
    case .page, .file, .group, .stroke, nil: return true
    }
  }

  /// Whether y grows upward.
  fileprivate var isYUp: Bool { yAxis != .down }

  /// Returns whether the guide lines of a file apply to its ink.
  fileprivate func hasGuides(_ source: String) -> Bool {
    let contributor = source.split(separator: "/").dropFirst().first ?? ""
    return !UNIPENGuides.misleading.contains(String(contributor))
  }

  /// Yields the segments file by file.
  public struct Iterator: IteratorProtocol {
    /// How often the segments of a file may select each of its points: as a rule once per level.
    private static let mostSelections = 100
    /// The points that they may always select.
    private static let fewPoints = 1_000_000

    private let reader: UNIPENReader
    private var nextFile = 0
    private var nextSegment = 0
    private var source = ""
    private var document = UNIPENDocument()
    /// The points that the segments of the document selected.
    private var selected = 0

    fileprivate init(reader: UNIPENReader) {
      self.reader = reader
    }

    /// The next segment, or nil after the last.
    public mutating func next() -> Element? {
      while true {
        while nextSegment < document.segments.count {
          defer { nextSegment += 1 }
          guard reader.isRead(document.segments[nextSegment]) else { continue }
          return record(at: nextSegment)
        }
        guard nextFile < reader.segmentFiles.count else { return nil }
        source = reader.segmentFiles[nextFile]
        nextFile += 1
        nextSegment = 0
        selected = 0
        do throws(InkFormatError) {
          document = try reader.document(source)
        } catch {
          document = UNIPENDocument()
          return .failure(error)
        }
        // A file without segments has no record that could tell of its defect.
        if document.segments.isEmpty, let defect = document.defect ?? document.warnings.first {
          return .failure(defect)
        }
      }
    }

    private mutating func record(at index: Int) -> Element {
      do throws(InkFormatError) {
        if let defect = document.defect { throw defect }
        let entry = document.segments[index]
        let segment = try entry.segment.get()
        guard selected <= Swift.max(Self.fewPoints, Self.mostSelections * document.sampleCount)
        else {
          throw InkFormatError(
            .rangeOutOfBounds, at: entry.location,
            expected: "segments that select each point \(Self.mostSelections) times at most",
            found: "more", advice: "correct the ranges of the segments")
        }
        let ink = try document.ink(
          of: segment, at: entry.location, yUp: reader.isYUp)
        selected += ink.pointCount
        let labeled = LabeledInk(
          ink: ink, label: segment.label, writer: document.writer(of: segment),
          writingArea: reader.hasGuides(source)
            ? document.area(of: ink, segment, yUp: reader.isYUp) : nil,
          quality: segment.quality)
        defer { document.warnings.removeAll() }
        return .success(
          InkRecord(
            labeled: labeled, location: entry.location, source: source, indexInSource: index,
            level: segment.level, warnings: document.warnings))
      } catch {
        return .failure(error)
      }
    }
  }
}

extension UNIPENDocument {
  /// Puts other segments in the place of those of the file.
  fileprivate mutating func replaceSegments(
    with segments: [UNIPENSegment], at place: SourceLocation
  ) {
    self.segments = segments.map {
      Entry(location: place, firstComponent: 0, segment: .success($0))
    }
  }
}
