import Crypto
import Files
import Foundation
import InkDatasets
import InkFormats

/// The index of one reading of some data: a file with the samples of the reading, which is mapped.
///
/// 128 bytes of header: `DUCTUSIX`, the version, the lengths of the three parts, and the SHA-256 of
/// all of them. Then the facts as JSON with the key, the rows, and the records of the ink, each part
/// at a multiple of 64 bytes. The key names the program, the data with its keys, and the sizes and
/// times of its files: an index with another key is not used. In the byte order of the machine.
struct ReadingIndex {
  /// The facts that a reading gives beside its samples.
  struct Facts: Codable, Hashable {
    var unnamed = 0
    /// The SHA-256 of the records, hexadecimal.
    var hash = ""
    var rejected = RejectedRecords()
  }

  /// The first part of the file.
  private struct Head: Codable {
    var key: String
    var facts: Facts
    var labels: [String]
    var writers: [TrainingReading.Writer]
  }

  /// The fewest bytes of data that an index is made for: others are read in less than a second.
  static let fewestBytes = 16 << 20
  private static let magic = Array("DUCTUSIX".utf8)
  private static let version: UInt32 = 1
  fileprivate static let headerSize = 128
  private static let alignment = 64

  /// The path of the index.
  let path: String
  private let data: [DataSpecification]
  private let key: String

  /// Names the index of a reading.
  ///
  /// - Parameters:
  ///   - data: The data.
  ///   - variant: All else that decides what the reading gives.
  /// - Returns: nil if the data gets no index.
  init?(of data: [DataSpecification], variant: String, in indexing: DataIndexing) {
    guard indexing != .off, let first = data.first,
      let key = Self.key(of: data, variant), let program = Self.program
    else { return nil }
    self.data = data
    self.key = program + "\n" + key
    let name = Self.digest(
      variant + data.map { $0.place + $0.settings }.joined(separator: "\n")
    ).prefix(16)
    // Without the slash that may end the name of a folder.
    let place = URL(fileURLWithPath: first.place).standardizedFileURL.path
    switch indexing {
    case .folder(let folder): path = folder + "/" + name + ".index"
    case .beside, .off: path = place + DataSpecification.indexEnding + "/" + name + ".index"
    }
  }

  /// The permissions of the index, which has labels and ink: those of the data.
  private var mode: mode_t {
    var status = stat()
    guard let place = data.first?.place, stat(place, &status) == 0 else { return 0o600 }
    return status.st_mode & 0o666 | 0o600
  }

  /// The folder of the index.
  private var folder: String { URL(fileURLWithPath: path).deletingLastPathComponent().path }

  /// Makes the folder, and waits until no other process makes this index.
  func lock() throws(FileError) -> FileLock {
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw FileError(.creating, folder, code: errno)
    }
    return try FileLock.wait(for: folder + "/lock")
  }

  /// The samples and facts of the index; nil if there is none for this data, or a damaged one.
  func open() -> (StoredSamples, Facts)? {
    guard let file = try? MappedBytes(path: path), let parts = Self.parts(of: file.bytes),
      let head = try? JSONDecoder().decode(Head.self, from: Data(file.bytes[parts.head])),
      head.key == key, Self.digest(of: file.bytes[parts.all]) == parts.digest
    else { return nil }
    let stride = MemoryLayout<StoredSamples.Row>.stride
    let count = parts.rows.count / stride
    let rows = [StoredSamples.Row](unsafeUninitializedCapacity: count) { rows, filled in
      UnsafeMutableRawBufferPointer(rows).copyMemory(
        from: UnsafeRawBufferPointer(rebasing: file.bytes[parts.rows]))
      filled = count
    }
    // The hash finds damage; the check of rows and records is for files that were made to harm.
    let isSound = rows.allSatisfy { row in
      let range = row.place.offset..<row.place.offset + Int(row.size)
      // All records are in one block.
      return row.place == RecordStore.Place(offset: row.place.offset)
        && range.lowerBound >= parts.records.lowerBound
        && range.upperBound <= parts.records.upperBound
        && Int(row.label) < head.labels.count
        && (row.writer == StoredSamples.Row.noWriter || Int(row.writer) < head.writers.count)
        && (row.level == StoredSamples.Row.noLevel
          || Int(row.level) < InkRecord.Level.allCases.count)
        && Int(row.format) < DataFormat.allCases.count
        && SampleRecord.isSound(UnsafeRawBufferPointer(rebasing: file.bytes[range]))
    }
    guard isSound else { return nil }
    // All bytes were read, but few are used at a time.
    file.release()
    let samples = StoredSamples(
      rows, labels: head.labels, writers: head.writers, in: RecordStore(file))
    return (samples, head.facts)
  }

  /// Makes the index of a reading, unless the data has changed since it was begun.
  ///
  /// - Returns: The bytes of the index; nil if the data has changed.
  func write(_ samples: StoredSamples, _ facts: Facts, variant: String) throws(FileError) -> Int? {
    guard let now = Self.key(of: data, variant), key.hasSuffix("\n" + now) else { return nil }
    let head = Head(key: key, facts: facts, labels: samples.labels, writers: samples.writers)
    guard let json = try? JSONEncoder().encode(head) else { return nil }
    let temporary = path + ".new"
    unlink(temporary)
    do throws(FileError) {
      var file = try IndexWriter(temporary, mode: mode)
      json.withUnsafeBytes { file.append($0) }
      file.pad(to: Self.alignment)
      let stride = MemoryLayout<StoredSamples.Row>.stride
      let rowsStart = Self.headerSize + file.count
      let rowsSize = samples.count * stride
      let recordsStart =
        (rowsStart + rowsSize + Self.alignment - 1) / Self.alignment * Self.alignment
      var next = recordsStart
      for row in samples.rows {
        var row = row
        row.place = RecordStore.Place(offset: next)
        next += (Int(row.size) + 7) / 8 * 8
        withUnsafeBytes(of: row) { file.append($0) }
      }
      file.pad(to: Self.alignment)
      for row in samples.rows {
        samples.store.withBytes(at: row.place) { bytes in
          file.append(UnsafeRawBufferPointer(rebasing: bytes[..<Int(row.size)]))
        }
        file.pad(to: 8)
      }
      samples.store.release()
      let digest = try file.finish()
      try file.write(
        header: Self.header([json.count, rowsSize, next - recordsStart], digest: digest))
      try AtomicFile.move(temporary, to: path)
      return next
    } catch {
      unlink(temporary)
      throw error
    }
  }

  // MARK: - The layout

  private struct Parts {
    var head: Range<Int>
    var rows: Range<Int>
    var records: Range<Int>
    var all: Range<Int>
    var digest: [UInt8]
  }

  private static func header(_ lengths: [Int], digest: [UInt8]) -> [UInt8] {
    var header = magic
    withUnsafeBytes(of: version) { header.append(contentsOf: $0) }
    header += [0, 0, 0, 0]
    for length in lengths { withUnsafeBytes(of: UInt64(length)) { header.append(contentsOf: $0) } }
    header += digest
    return header + [UInt8](repeating: 0, count: headerSize - header.count)
  }

  /// The parts of a file; nil if its header is another, or its length.
  private static func parts(of bytes: UnsafeRawBufferPointer) -> Parts? {
    guard bytes.count >= headerSize, bytes.prefix(magic.count).elementsEqual(magic),
      bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self) == version
    else { return nil }
    var ranges: [Range<Int>] = []
    var start = headerSize
    for part in 0..<3 {
      let length = bytes.loadUnaligned(fromByteOffset: 16 + 8 * part, as: UInt64.self)
      guard length <= UInt64(bytes.count - start) else { return nil }
      ranges.append(start..<start + Int(length))
      guard part < 2 else { break }
      start = (start + Int(length) + alignment - 1) / alignment * alignment
      guard start <= bytes.count else { return nil }
    }
    guard ranges[2].upperBound == bytes.count,
      ranges[1].count.isMultiple(of: MemoryLayout<StoredSamples.Row>.stride)
    else { return nil }
    return Parts(
      head: ranges[0], rows: ranges[1], records: ranges[2], all: headerSize..<bytes.count,
      digest: Array(bytes[40..<72]))
  }

  /// The SHA-256 of the SHA-256 of each piece, which are computed on all cores.
  private static func digest(of bytes: Slice<UnsafeRawBufferPointer>) -> [UInt8] {
    let bytes = UnsafeRawBufferPointer(rebasing: bytes)
    let pieces = (bytes.count + IndexWriter.piece - 1) / IndexWriter.piece
    // Safe because the bytes live until all pieces are done.
    nonisolated(unsafe) let all = bytes
    let digests = WorkerPool(count: ProcessInfo.processInfo.activeProcessorCount).map(pieces) {
      index -> [UInt8] in
      let start = index * IndexWriter.piece
      var hash = SHA256()
      hash.update(
        bufferPointer: UnsafeRawBufferPointer(
          rebasing: all[start..<min(start + IndexWriter.piece, all.count)]))
      return Array(hash.finalize())
    }
    return Array(SHA256.hash(data: digests.flatMap(\.self)))
  }

  // MARK: - The key

  private static func digest(_ text: String) -> String {
    SHA256.hash(data: Data(text.utf8)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// The SHA-256 of the running program: another one may read data differently.
  private static let program: String? = {
    guard let path = Bundle.main.executablePath, let bytes = try? MappedBytes(path: path) else {
      return nil
    }
    return digest(of: bytes.bytes[...]).map { String($0, radix: 16) }.joined(separator: ".")
  }()

  /// The names, settings and footprints of data; nil if it is small or its files cannot be told.
  private static func key(of data: [DataSpecification], _ variant: String) -> String? {
    var lines = [variant]
    var bytes = 0
    for specification in data {
      guard let footprint = specification.footprint() else { return nil }
      bytes += footprint.bytes
      lines += [specification.place, specification.settings, footprint.digest]
    }
    return bytes >= fewestBytes ? lines.joined(separator: "\n") : nil
  }
}

/// Writes the parts of an index one after the other, through a buffer, and hashes them.
private struct IndexWriter: ~Copyable {
  /// The bytes that are hashed as one piece.
  static let piece = 8 << 20

  private let path: String
  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private var digests: [UInt8] = []
  /// The code of the first write that failed, as in `errno`.
  private var code: Int32 = 0
  /// The bytes so far, without the header.
  private(set) var count = 0

  init(_ path: String, mode: mode_t) throws(FileError) {
    self.path = path
    descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw FileError(.creating, path, code: errno) }
    buffer.reserveCapacity(Self.piece)
  }

  deinit { close(descriptor) }

  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let taken = rest.prefix(Self.piece - buffer.count)
      buffer.append(contentsOf: taken)
      count += taken.count
      rest = rest.dropFirst(taken.count)
      if buffer.count == Self.piece { flush() }
    }
  }

  /// Appends zeros up to a multiple of `alignment`; the header is one, too.
  mutating func pad(to alignment: Int) {
    let missing = (alignment - count % alignment) % alignment
    [UInt8](repeating: 0, count: missing).withUnsafeBytes { append($0) }
  }

  private mutating func flush() {
    guard !buffer.isEmpty, code == 0 else { return }
    code = buffer.withUnsafeBytes {
      Descriptor.writeAll(descriptor, $0, at: ReadingIndex.headerSize + count - buffer.count)
    }
    digests += Array(SHA256.hash(data: buffer))
    buffer.removeAll(keepingCapacity: true)
  }

  /// Writes the last bytes and returns the digest of all.
  ///
  /// - Throws: The first error of the file.
  mutating func finish() throws(FileError) -> [UInt8] {
    flush()
    guard code == 0 else { throw FileError(.writing, path, code: code) }
    return Array(SHA256.hash(data: digests))
  }

  func write(header: [UInt8]) throws(FileError) {
    let code = header.withUnsafeBytes { Descriptor.writeAll(descriptor, $0, at: 0) }
    guard code == 0 else { throw FileError(.writing, path, code: code) }
  }
}
