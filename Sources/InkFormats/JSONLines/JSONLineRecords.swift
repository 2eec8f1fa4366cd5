import Files
import Foundation
import InkCore

/// The files of a line-oriented JSON format, and the iteration that its readers share.
struct JSONLineFiles: Sendable {
  /// The ink of a line.
  struct Line {
    var labeled: LabeledInk
    var id: String?

    init(_ labeled: LabeledInk, id: String? = nil) {
      self.labeled = labeled
      self.id = id
    }
  }

  /// Parses one line; the sign is the factor of y.
  typealias Parse = @Sendable (inout JSONScanner, _ sign: Double) throws(InkFormatError) -> Line

  /// A file, or bytes with their name in errors and records.
  struct File: Sendable {
    var path: String
    var source: String
    var bytes: [UInt8]?

    func open() throws(InkFormatError) -> LineReader {
      if let bytes { return LineReader(bytes: bytes, path: path) }
      if !ByteFile.isPipe(path), ByteFile.isCompressed(path) {
        return LineReader(bytes: try ByteFile.content(of: path), path: path)
      }
      return try LineReader(path: path)
    }
  }

  fileprivate let files: [File]
  fileprivate let sign: Double
  fileprivate let parse: Parse

  /// Takes bytes in memory.
  init(bytes: [UInt8], name: String, yAxis: YAxis, parse: @escaping Parse) {
    files = [File(path: name, source: name, bytes: bytes)]
    sign = yAxis == .up ? -1 : 1
    self.parse = parse
  }

  /// Takes a file, or the files of a folder with the given extensions, in the order of their paths.
  init(
    path: String, extensions: Set<String>, yAxis: YAxis, parse: @escaping Parse
  ) throws(InkFormatError) {
    sign = yAxis == .up ? -1 : 1
    self.parse = parse
    guard ByteFile.isFolder(path) else {
      // A pipe would lose what its writer wrote for the first reader.
      if !ByteFile.isPipe(path) { _ = try LineReader(path: path) }
      files = [File(path: path, source: path.split(separator: "/").last.map(String.init) ?? path)]
      return
    }
    files = try ByteFile.files(below: path, extensions: extensions).map {
      File(path: ByteFile.join(path, $0), source: $0)
    }
  }

  /// An iterator at the first line.
  func makeIterator() -> AnyIterator<Result<InkRecord, InkFormatError>> {
    AnyIterator(JSONLineIterator(self))
  }
}

/// Yields the records of line-oriented JSON files, with a failure for each bad line; blank lines
/// are skipped. Lines that are in memory together are parsed on all cores. Uses the memory of one
/// line, or of as many as are in the buffer of the file.
private struct JSONLineIterator: IteratorProtocol {
  typealias Element = Result<InkRecord, InkFormatError>

  /// The most lines that are parsed together.
  private static let batch = 256
  /// The fewest bytes of lines that are worth several threads.
  private static let fewestBytes = 1 << 15

  private let files: JSONLineFiles
  private var nextFile = 0
  private var index = 0
  private var reader: LineReader?
  /// The results of the last lines, in reverse, with nil for a blank line.
  private var waiting: [Parsed?] = []

  private typealias Parsed = Result<
    (line: JSONLineFiles.Line, location: SourceLocation), InkFormatError
  >

  init(_ files: JSONLineFiles) {
    self.files = files
  }

  mutating func next() -> Element? {
    while true {
      while let parsed = waiting.popLast() {
        guard let parsed else { continue }
        defer { index += 1 }
        return parsed.map { line, location in
          InkRecord(
            labeled: line.labeled, location: location, source: files.files[nextFile - 1].source,
            indexInSource: index, id: line.id)
        }
      }
      do throws(InkFormatError) {
        if let reader {
          let file = files.files[nextFile - 1]
          let lines = try reader.nextLines(most: Self.batch) { lines in
            parse(lines, of: file, from: reader.number - lines.count + 1)
          }
          if let lines { waiting = lines.reversed() } else { self.reader = nil }
          continue
        }
        guard nextFile < files.files.count else { return nil }
        nextFile += 1
        index = 0
        reader = try files.files[nextFile - 1].open()
      } catch {
        return .failure(error)
      }
    }
  }

  /// Parses lines, of which the first has a number.
  private func parse(
    _ lines: [UnsafeBufferPointer<UInt8>], of file: JSONLineFiles.File, from first: Int
  ) -> [Parsed?] {
    let bytes = lines.reduce(0) { $0 + $1.count }
    let cores = ProcessInfo.processInfo.activeProcessorCount
    let pool = WorkerPool(count: bytes < Self.fewestBytes ? 1 : cores)
    // Safe because the bytes live until all lines are parsed.
    nonisolated(unsafe) let lines = lines
    let (files, path) = (files, file.path)
    return pool.map(lines.count) { index in
      Self.parse(lines[index], at: SourceLocation(path: path, line: first + index), files)
    }
  }

  /// Parses a line; nil for a blank one.
  private static func parse(
    _ line: UnsafeBufferPointer<UInt8>, at location: SourceLocation, _ files: JSONLineFiles
  ) -> Parsed? {
    var bytes = line
    if location.line == 1, bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      bytes = UnsafeBufferPointer(rebasing: bytes.dropFirst(3))
    }
    guard !bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) else { return nil }
    var scanner = JSONScanner(bytes, at: location)
    do throws(InkFormatError) {
      let line = try files.parse(&scanner, files.sign)
      try scanner.end()
      guard !line.labeled.ink.isEmpty else {
        throw scanner.error(.emptyInk, expected: "at least one point", found: "none")
      }
      return .success((line, location))
    } catch {
      return .failure(error)
    }
  }
}

/// Converts the seconds of a recording to milliseconds that start at 0 and never decrease.
struct LineClock {
  /// The longest pause, in seconds, that is not noted.
  static let longPause = 10.0

  private(set) var notes: Set<InkRecord.Note> = []
  private var previous: Double?
  private var elapsed = 0.0

  /// Returns the time of the next point in milliseconds, or nil if it is too large for a double.
  ///
  /// A step backward counts as no time, and later steps count as recorded: a jump of the clock
  /// affects only its own step. Times are rounded to a microsecond, so that the sum of the steps
  /// hides the rounding of the recorded decimals.
  mutating func milliseconds(at seconds: Double) -> Double? {
    let step = previous.map { seconds - $0 } ?? 0
    previous = seconds
    if step < 0 { notes.insert(.clockRanBackward) }
    if step > Self.longPause { notes.insert(.longPause) }
    elapsed += max(0, step)
    let time = (elapsed * 1e6).rounded() / 1e3
    return time.isFinite ? time : nil
  }
}
