/// Reads ZIP archives (PKWARE APPNOTE 6.3): stored and deflated entries, with ZIP64 sizes.
///
/// The whole directory is checked when an archive is opened: no name leads out of a folder, no name
/// occurs twice, and no two entries share bytes, so that all entries together unpack to what their
/// own bytes can hold. Lengths and checksums are checked while an entry is read. Archives that are
/// encrypted, or on several disks, are refused.
///
///     let archive = try ZipArchive(ByteSource(path: path))
///     if let entry = archive["content.xml"] {
///       let bytes = try archive.bytes(of: entry, limit: 1 << 20)
///     }
package struct ZipArchive: Sendable {
  /// A file or a folder of an archive.
  package struct Entry: Hashable, Sendable {
    /// The relative path, with `/` between components; that of a folder ends in `/`.
    package let name: String
    /// The number of bytes after unpacking, as the archive says.
    package let count: Int
    /// The number in the directory, from 0.
    package let index: Int
    let packedCount: Int
    let method: UInt16
    let checksum: UInt32
    /// The start of its own header.
    let start: Int
    /// The first byte after it that belongs to something else.
    fileprivate(set) var limit = 0

    /// True for a folder, which has no bytes.
    package var isFolder: Bool { name.hasSuffix("/") }
  }

  /// The most entries of an archive.
  package static let mostEntries = 100_000
  /// The most bytes of a directory.
  private static let largestDirectory = 64 << 20

  /// The entries in the order of the directory.
  package let entries: [Entry]
  private let source: ByteSource
  private let places: [String: Int]

  /// Returns true if bytes begin like an archive with entries.
  package static func isArchive(_ bytes: some Sequence<UInt8>) -> Bool {
    bytes.starts(with: [0x50, 0x4B, 3, 4])
  }

  /// Reads the directory. O(directory) memory.
  package init(_ source: ByteSource) throws(ZipError) {
    let end = try ZipEnd(source)
    guard end.entryCount <= Self.mostEntries, end.directoryCount <= Self.largestDirectory else {
      throw ZipError(
        .tooLarge, expected: "an archive of at most \(Self.mostEntries) entries", found: "more")
    }
    let bytes = try source.whole(end.directoryStart..<(end.directoryStart + end.directoryCount))
    var fields = ZipFields(bytes)
    var entries: [Entry] = []
    var places: [String: Int] = [:]
    for index in 0..<end.entryCount {
      let entry = try Entry(&fields, index)
      guard places.updateValue(index, forKey: entry.name) == nil else {
        throw ZipError(
          .repeatedName, entry: index, expected: "each name once", found: "one again")
      }
      entries.append(entry)
    }
    // Whatever lies between the headers and the bytes of an entry is its own.
    var next = end.directoryStart
    for index in entries.indices.sorted(by: { entries[$0].start > entries[$1].start }) {
      let entry = entries[index]
      guard entry.packedCount <= next - Entry.headerCount,
        entry.start <= next - Entry.headerCount - entry.packedCount
      else {
        throw ZipError(
          .overlap, entry: index, expected: "bytes of its own before the next entry",
          found: "bytes of another part")
      }
      entries[index].limit = next
      next = entry.start
    }
    self.entries = entries
    self.places = places
    self.source = source
  }

  /// Returns the entry of a name, or nil.
  package subscript(name: String) -> Entry? { places[name].map { entries[$0] } }

  /// Reads an entry piece by piece.
  ///
  /// - Throws: ``ZipError`` if the archive lacks the bytes, or has them in an unknown form.
  package func stream(of entry: Entry) throws(ZipError) -> ZipEntryStream {
    let header = try source.whole(entry.start..<(entry.start + Entry.headerCount))
    var fields = ZipFields(header)
    guard try fields.long() == 0x0403_4B50 else {
      throw ZipError(
        .malformed, entry: entry.index, expected: "its own header", found: "other bytes")
    }
    try fields.skip(4)
    guard try fields.short() == entry.method else {
      throw ZipError(
        .malformed, entry: entry.index, expected: "the method of the directory in its header",
        found: "another")
    }
    try fields.skip(16)
    let start = entry.start + Entry.headerCount + Int(try fields.short()) + Int(try fields.short())
    guard start + entry.packedCount <= entry.limit else {
      throw ZipError(
        .overlap, entry: entry.index, expected: "bytes of its own before the next entry",
        found: "bytes of another part")
    }
    return ZipEntryStream(entry, source, start..<(start + entry.packedCount))
  }

  /// Returns the bytes of an entry. O(bytes).
  ///
  /// - Parameter limit: The most bytes.
  /// - Throws: ``ZipError``: `tooLarge` for more bytes, `damaged` if length or checksum differ.
  package func bytes(of entry: Entry, limit: Int) throws(ZipError) -> [UInt8] {
    guard entry.count <= limit else {
      throw ZipError(
        .tooLarge, entry: entry.index, expected: "at most \(limit) bytes", found: "more")
    }
    let stream = try stream(of: entry)
    var output: [UInt8] = []
    // The directory may say more than there is.
    output.reserveCapacity(min(entry.count, 1 << 20))
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = try buffer.withUnsafeMutableBufferPointer { (raw) throws(ZipError) in
        try stream.read(into: UnsafeMutableRawBufferPointer(raw))
      }
      guard count > 0 else { return output }
      output += buffer[..<count]
    }
  }
}

/// The bytes of one entry, checked while they are read. Not thread-safe.
package final class ZipEntryStream {
  private let entry: ZipArchive.Entry
  private let stream: UnpackingStream
  private var count = 0
  private var checksum: UInt32 = 0

  init(_ entry: ZipArchive.Entry, _ source: ByteSource, _ range: Range<Int>) {
    self.entry = entry
    stream = UnpackingStream(
      source, range: range, packing: entry.method == 0 ? .none : .deflate)
  }

  /// Reads the next bytes, as many as the buffer holds, if there are so many.
  ///
  /// - Returns: The number of bytes; 0 at the end, and only there.
  /// - Throws: ``ZipError``, at the end also for another length or checksum than expected.
  package func read(into buffer: UnsafeMutableRawBufferPointer) throws(ZipError) -> Int {
    let got: Int
    do throws(Gzip.Fault) {
      got = try stream.read(into: buffer)
    } catch {
      throw self.error(error)
    }
    count += got
    guard got > 0 ? count <= entry.count : count == entry.count else {
      throw ZipError(
        .damaged, entry: entry.index, expected: "\(entry.count) bytes",
        found: got > 0 ? "more" : "\(count)")
    }
    checksum = Checksum.crc32(UnsafeRawBufferPointer(rebasing: buffer[..<got]), after: checksum)
    guard got > 0 || checksum == entry.checksum else {
      throw ZipError(
        .damaged, entry: entry.index, expected: "bytes of the checksum in the directory",
        found: "others")
    }
    return got
  }

  private func error(_ fault: Gzip.Fault) -> ZipError {
    switch fault {
    case .malformed:
      ZipError(.damaged, entry: entry.index, expected: "deflated bytes", found: "others")
    case .truncated, .tooLarge:
      ZipError(
        .damaged, entry: entry.index, expected: "\(entry.count) bytes", found: "the end of them")
    case .unreadable:
      ZipError(.unreadable, entry: entry.index, expected: "a readable file", found: "a read error")
    }
  }
}

extension ZipArchive.Entry {
  /// The bytes of a header before name and extra fields.
  fileprivate static let headerCount = 30

  /// Reads an entry of the directory.
  fileprivate init(_ fields: inout ZipFields, _ index: Int) throws(ZipError) {
    guard try fields.long() == 0x0201_4B50 else {
      throw ZipError(.malformed, entry: index, expected: "a directory entry", found: "other bytes")
    }
    try fields.skip(4)
    let flags = try fields.short()
    // Bits 0, 6 and 13: encryption; 5: patches.
    guard flags & 0x2061 == 0 else {
      throw ZipError(
        .unsupported, entry: index, expected: "bytes without encryption", found: "encrypted ones")
    }
    method = try fields.short()
    guard method == 0 || method == 8 else {
      throw ZipError(
        .unsupported, entry: index, expected: "a stored or deflated entry",
        found: "the method \(method)")
    }
    try fields.skip(4)
    checksum = try fields.long()
    var sizes = (
      packed: UInt64(try fields.long()), count: UInt64(try fields.long()), start: UInt64(0)
    )
    let nameCount = Int(try fields.short())
    let extraCount = Int(try fields.short())
    let commentCount = Int(try fields.short())
    let disk = try fields.short()
    try fields.skip(6)
    sizes.start = UInt64(try fields.long())
    name = try ZipName.text(try fields.bytes(nameCount), isUTF8: flags & 0x800 != 0, entry: index)
    var extra = ZipFields(Array(try fields.bytes(extraCount)))
    try fields.skip(commentCount)
    guard disk == 0 || disk == 0xFFFF else { throw ZipEnd.severalDisks }
    // ZIP64: the values that do not fit their fields stand in an extra field, in this order.
    while extra.left >= 4 {
      let kind = try extra.short()
      var field = ZipFields(Array(try extra.bytes(Int(try extra.short()))))
      guard kind == 1 else { continue }
      if sizes.count == 0xFFFF_FFFF { sizes.count = try field.longLong() }
      if sizes.packed == 0xFFFF_FFFF { sizes.packed = try field.longLong() }
      if sizes.start == 0xFFFF_FFFF { sizes.start = try field.longLong() }
    }
    guard let packed = Int(exactly: sizes.packed), let count = Int(exactly: sizes.count),
      let start = Int(exactly: sizes.start)
    else {
      throw ZipError(.malformed, entry: index, expected: "sizes of a file", found: "larger ones")
    }
    guard method != 0 || packed == count else {
      throw ZipError(
        .malformed, entry: index, expected: "a stored entry of one size", found: "two sizes")
    }
    (packedCount, self.count, self.start, self.index) = (packed, count, start, index)
  }
}

/// The end of an archive, which says where its directory is.
private struct ZipEnd {
  private static let count = 22
  private static let longestComment = 0xFFFF

  var entryCount: Int
  var directoryStart: Int
  var directoryCount: Int

  static var severalDisks: ZipError {
    ZipError(.unsupported, expected: "an archive in one file", found: "a part of several")
  }

  init(_ source: ByteSource) throws(ZipError) {
    let start = max(0, source.count - Self.count - Self.longestComment)
    let tail = try source.whole(start..<source.count)
    guard let place = Self.place(in: tail) else {
      let starts = ZipArchive.isArchive(source.bytes(in: 0..<4) ?? [])
      throw ZipError(
        starts ? .truncated : .notArchive, expected: "the end of a ZIP archive",
        found: starts ? "the end of the file before it" : "another file")
    }
    var fields = ZipFields(Array(tail[place...]))
    try fields.skip(4)
    var disks = [UInt64(try fields.short()), UInt64(try fields.short())]
    var counts = [UInt64(try fields.short()), UInt64(try fields.short())]
    var size = UInt64(try fields.long())
    var offset = UInt64(try fields.long())
    var end = start + place
    // ZIP64: a locator before the end leads to a longer end.
    if end >= 20 {
      var locator = ZipFields(try source.whole((end - 20)..<end))
      if try locator.long() == 0x0706_4B50 {
        guard try locator.long() == 0 else { throw Self.severalDisks }
        guard let long = Int(exactly: try locator.longLong()), long <= end - 20 - 56 else {
          throw ZipError(.malformed, expected: "the end record of ZIP64", found: "a place outside")
        }
        var fields = ZipFields(try source.whole(long..<(long + 56)))
        guard try fields.long() == 0x0606_4B50 else {
          throw ZipError(.malformed, expected: "the end record of ZIP64", found: "other bytes")
        }
        try fields.skip(12)
        disks = [UInt64(try fields.long()), UInt64(try fields.long())]
        counts = [try fields.longLong(), try fields.longLong()]
        size = try fields.longLong()
        offset = try fields.longLong()
        end = long
      }
    }
    guard disks == [0, 0], counts[0] == counts[1] else { throw Self.severalDisks }
    guard let entryCount = Int(exactly: counts[0]), let directoryStart = Int(exactly: offset),
      let directoryCount = Int(exactly: size), directoryCount <= end,
      directoryStart <= end - directoryCount
    else {
      throw ZipError(.malformed, expected: "a directory before the end", found: "a place outside")
    }
    self.entryCount = entryCount
    self.directoryStart = directoryStart
    self.directoryCount = directoryCount
  }

  /// Returns the last end record whose comment reaches to the end of the file.
  private static func place(in tail: [UInt8]) -> Int? {
    guard tail.count >= count else { return nil }
    return (0...(tail.count - count)).last { place in
      tail[place...].starts(with: [0x50, 0x4B, 5, 6])
        && place + count + Int(tail[place + 20]) + Int(tail[place + 21]) << 8 == tail.count
    }
  }
}

extension ByteSource {
  /// Returns all bytes of a range.
  fileprivate func whole(_ range: Range<Int>) throws(ZipError) -> [UInt8] {
    guard let bytes = bytes(in: range) else {
      throw ZipError(.unreadable, expected: "a readable file", found: "a read error")
    }
    guard bytes.count == range.count else {
      throw ZipError(.truncated, expected: "\(range.count) bytes of the archive", found: "its end")
    }
    return bytes
  }
}

/// Reads fields of little-endian numbers.
private struct ZipFields {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var left: Int { max(0, bytes.count - position) }

  mutating func skip(_ count: Int) throws(ZipError) { _ = try bytes(count) }

  mutating func bytes(_ count: Int) throws(ZipError) -> ArraySlice<UInt8> {
    guard count <= left else {
      throw ZipError(.truncated, expected: "\(count) bytes of a directory", found: "its end")
    }
    defer { position += count }
    return bytes[position..<(position + count)]
  }

  private mutating func number(_ count: Int) throws(ZipError) -> UInt64 {
    try bytes(count).reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  mutating func short() throws(ZipError) -> UInt16 { UInt16(try number(2)) }
  mutating func long() throws(ZipError) -> UInt32 { UInt32(try number(4)) }
  mutating func longLong() throws(ZipError) -> UInt64 { try number(8) }
}
