import Files
import Foundation
import InkCore
import InkFormats

/// Reads the notes of folders into an index. Only pages that changed are read again; files that moved
/// are followed, and those that are gone leave the index.
public struct NotesIndexer: Sendable {
  /// Reads the words of a page, and its language.
  public typealias Reader =
    @Sendable (InkRecord) throws -> (words: [PageWord], language: String?)
  /// Makes the reader of a model; it throws if there is no such model.
  public typealias MakeReader = @Sendable (ReadingChoice) throws -> Reader

  /// The state of the work.
  public struct Progress: Sendable {
    /// The files that were looked at.
    public var files: Int
    /// All files.
    public var allFiles: Int
    /// The pages that were read.
    public var pages: Int
    /// The seconds since the start.
    public var seconds: Double
    /// The seconds that are probably left; nil while nothing is known.
    public var secondsLeft: Double?
  }

  /// The work that was done.
  public struct Summary: Sendable, Encodable {
    /// The files with notes.
    public var files = 0
    /// The pages that were read.
    public var pagesRead = 0
    /// The pages of changed files that had not changed.
    public var pagesKept = 0
    /// The files that moved.
    public var moved = 0
    /// The files that were removed.
    public var removed = 0
    /// The files that could not be read, wholly or in part.
    public var failed = 0
    /// True if the folder was indexed with another model or language before, so that its pages are
    /// read again.
    public var isOtherModel = false
  }

  /// The progress is told after so many files, or bytes of them.
  private static let batch = 16
  private static let batchBytes: Int64 = 64 << 20

  private let index: InkIndex
  private let choice: ReadingChoice?
  private let makeReader: MakeReader
  private let workers: WorkerPool

  /// Makes an indexer.
  ///
  /// - Parameters:
  ///   - index: The index, opened for writing.
  ///   - workers: The pages that are read at once.
  ///   - read: Reads a page; it is called on several threads.
  public init(
    _ index: InkIndex, workers: Int = ProcessInfo.processInfo.activeProcessorCount,
    read: @escaping Reader
  ) {
    self.init(index, workers: workers, choice: nil) { _ in read }
  }

  /// Makes an indexer whose reader depends on the model of a folder.
  ///
  /// - Parameters:
  ///   - index: The index, opened for writing.
  ///   - workers: The pages that are read at once.
  ///   - choice: The model and the language. Folders that were indexed with others are read again. If
  ///     nil, each folder keeps its own.
  ///   - makeReader: Makes the reader of a choice, once for each folder. The reader is called on
  ///     several threads.
  public init(
    _ index: InkIndex, workers: Int = ProcessInfo.processInfo.activeProcessorCount,
    choice: ReadingChoice?, makeReader: @escaping MakeReader
  ) {
    (self.index, self.choice, self.makeReader) = (index, choice, makeReader)
    self.workers = WorkerPool(count: max(1, workers))
  }

  /// Brings a folder up to date.
  ///
  /// - Parameters:
  ///   - path: The folder.
  ///   - isCancelled: Asked between files and pages.
  ///   - progress: Told after each batch of pages.
  /// - Throws: ``InkSearchError``; what was indexed before is kept.
  public func update(
    _ path: String, isCancelled: @escaping @Sendable () -> Bool = { false },
    progress: (Progress) -> Void = { _ in }
  ) throws(InkSearchError) -> Summary {
    let folder = URL(fileURLWithPath: path).standardizedFileURL.path
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder) else {
      throw .badFolder(path: path, reason: "nothing there")
    }
    guard isFolder.boolValue else { throw .badFolder(path: path, reason: "a file") }
    let listing = FolderListing(of: folder)
    if listing.unlisted == folder {
      throw .badFolder(path: path, reason: "a folder that cannot be listed")
    }
    let start = Date()
    var summary = Summary()
    let (id, own) = try index.addFolder(folder, choice ?? ReadingChoice())
    let reading = choice ?? own
    let read: Reader
    do {
      read = try makeReader(reading)
    } catch {
      throw .badFolder(path: path, reason: "a model that cannot be used: \(error)")
    }
    if reading != own {
      summary.isOtherModel = true
      try index.changeChoice(of: id, to: reading)
    }
    let stats = NoteFiles.notes(of: listing, in: folder)
    var known: [String: FileRow] = [:]
    for row in try index.files(of: id) { known[row.path] = row }
    try follow(stats, &known, isComplete: listing.unlisted == nil, &summary)
    let work = PageBatch.Work(
      folder: folder, id: id, choice: reading, read: read, isCancelled: isCancelled)
    var waiting = stats[...]
    var done = 0
    while !waiting.isEmpty {
      guard !isCancelled() else { throw .cancelled }
      var bytes: Int64 = 0
      let batch = waiting.prefix { stat in
        bytes += stat.size
        return bytes <= Self.batchBytes
      }.prefix(Self.batch)
      let next = batch.isEmpty ? waiting.prefix(1) : batch
      waiting = waiting.dropFirst(next.count)
      let changed = next.filter { stat in
        guard let row = known[stat.path] else { return true }
        return !row.isWhole || row.size != stat.size || row.changed != stat.changed
      }
      var pages = PageBatch(index, work, workers)
      for stat in changed {
        guard !isCancelled() else { throw .cancelled }
        try pages.add(stat)
      }
      try pages.readWaiting()
      summary.pagesRead += pages.read
      summary.pagesKept += pages.kept
      summary.failed += pages.failed
      done += next.count
      let seconds = Date().timeIntervalSince(start)
      progress(
        Progress(
          files: done, allFiles: stats.count, pages: summary.pagesRead, seconds: seconds,
          secondsLeft: done > 0 ? seconds / Double(done) * Double(stats.count - done) : nil))
    }
    summary.files = stats.count
    try index.finishFolder(id, at: start)
    return summary
  }

  /// Follows files that moved, and removes those that are gone. Nothing is removed if a part of the
  /// folder could not be listed.
  private func follow(
    _ stats: [NoteStat], _ known: inout [String: FileRow], isComplete: Bool,
    _ summary: inout Summary
  ) throws(InkSearchError) {
    let there = Set(stats.map(\.path))
    var gone = known.values.filter { !there.contains($0.path) }
    for stat in stats where known[stat.path] == nil {
      guard
        let place = gone.firstIndex(where: {
          $0.inode == stat.inode && $0.size == stat.size && $0.changed == stat.changed
        })
      else { continue }
      var row = gone.remove(at: place)
      try index.moveFile(row.id, to: stat.path)
      known[row.path] = nil
      row.path = stat.path
      known[stat.path] = row
      summary.moved += 1
    }
    guard isComplete else { return }
    try index.removeFiles(gone.map(\.id))
    for row in gone { known[row.path] = nil }
    summary.removed += gone.count
  }
}

/// A number that tells pages apart: 128 bits of their points and typed text.
enum PageHash {
  static func of(_ record: InkRecord) -> [UInt8] {
    // FNV-1a over 64-bit words, with two starts.
    var (a, b): (UInt64, UInt64) = (0xCBF2_9CE4_8422_2325, 0x9AE1_6A3B_2F90_404F)
    func add(_ value: UInt64) {
      a = (a ^ value) &* 0x0000_0100_0000_01B3
      a ^= a >> 32
      b = (b &+ value) &* 0x9E37_79B9_7F4A_7C15
      b ^= b >> 29
    }
    for stroke in record.labeled.ink.strokes {
      add(UInt64(stroke.points.count))
      for point in stroke.points {
        add(point.x.bitPattern)
        add(point.y.bitPattern)
      }
    }
    for text in record.texts {
      add(text.box.minX.bitPattern)
      add(text.box.minY.bitPattern)
      for byte in text.text.utf8 { add(UInt64(byte)) }
    }
    return [a, b].flatMap { value in (0..<8).map { UInt8(value >> UInt64(8 * $0) & 0xFF) } }
  }
}

extension InkFormatError {
  /// True if a file is probably none of notes: endings such as .content and .note belong to other
  /// programs, too.
  package func isOfAnotherProgram(_ path: String) -> Bool {
    code == .unsupported && ["content", "note", "svg"].contains(where: path.hasSuffix)
  }
}
