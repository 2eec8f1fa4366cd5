import InkCore

/// Reads UNIPEN 1.0 folders: every `.SEGMENT` of `data/CATEGORY/**/*.dat` as one record.
///
/// A segment file includes, relative to `include/`, the files that hold the pen data. Components
/// are the non-empty `.PEN_DOWN` and `.PEN_UP` blocks, counted from 0 over all includes in order;
/// points count from 0 within a component and ranges include both ends. Strokes are the selected
/// parts of `.PEN_DOWN` components. Text is Latin-1.
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

  /// The folder that holds `data/` and `include/`.
  public let folder: String
  /// The segment files, relative to `data/`, in reading order.
  public let segmentFiles: [String]
  private let yAxis: YAxis?
  private let contents: UNIPENParser.Contents

  /// Lists the segment files of a folder.
  ///
  /// - Parameters:
  ///   - folder: The folder that holds `data/` and `include/`.
  ///   - categories: The folders of `data/` to read, for example `["1a", "1c"]`; nil for all.
  ///   - yAxis: Where y points; nil for up.
  /// - Throws: ``InkFormatError`` of code `missingFile` where a folder is missing or has no
  ///   segment files.
  /// - Complexity: O(files of the folder).
  public init(
    folder: String, categories: [String]? = nil, yAxis: YAxis? = nil
  ) throws(InkFormatError) {
    let data = ByteFile.join(folder, "data")
    var files: [String] = []
    if let categories {
      for category in Set(categories).sorted() {
        let inside = ByteFile.join(data, category)
        files += try ByteFile.files(below: inside, extensions: ["dat"]).map { "\(category)/\($0)" }
      }
    } else {
      files = try ByteFile.files(below: data, extensions: ["dat"])
    }
    self.init(folder: folder, segmentFiles: files, yAxis: yAxis)
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
      try ByteFile.bytes(of: path)
    }
  }

  /// Reads named segment files and their includes, with any source of bytes.
  init(
    folder: String, segmentFiles: [String], yAxis: YAxis? = nil,
    contents: @escaping UNIPENParser.Contents
  ) {
    self.folder = folder
    self.segmentFiles = segmentFiles
    self.yAxis = yAxis
    self.contents = contents
  }

  /// An iterator at the first segment of the first file.
  public func makeIterator() -> Iterator {
    Iterator(reader: self)
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
    private let reader: UNIPENReader
    private var nextFile = 0
    private var nextSegment = 0
    private var source = ""
    private var document = UNIPENDocument()

    fileprivate init(reader: UNIPENReader) {
      self.reader = reader
    }

    /// The next segment, or nil after the last.
    public mutating func next() -> Element? {
      while nextSegment >= document.segments.count {
        guard nextFile < reader.segmentFiles.count else { return nil }
        source = reader.segmentFiles[nextFile]
        nextFile += 1
        nextSegment = 0
        do {
          document = try UNIPENParser.document(
            folder: reader.folder, source: source, contents: reader.contents)
          // A file without segments has no record that could tell of its defect.
          if document.segments.isEmpty, let defect = document.defect { return .failure(defect) }
        } catch {
          document = UNIPENDocument()
          return .failure(error)
        }
      }
      defer { nextSegment += 1 }
      return record(at: nextSegment)
    }

    private func record(at index: Int) -> Element {
      do throws(InkFormatError) {
        if let defect = document.defect { throw defect }
        let entry = document.segments[index]
        let segment = try entry.segment.get()
        let ink = try document.ink(
          of: segment, at: entry.location, yUp: reader.isYUp)
        let labeled = LabeledInk(
          ink: ink, label: segment.label, writer: document.writer(of: segment),
          writingArea: reader.hasGuides(source)
            ? document.area(of: ink, segment, yUp: reader.isYUp) : nil,
          quality: segment.quality)
        return .success(
          InkRecord(
            labeled: labeled, location: entry.location, source: source, indexInSource: index,
            level: segment.level))
      } catch {
        return .failure(error)
      }
    }
  }
}
