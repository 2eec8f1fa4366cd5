/// Writes ZIP archives in memory. The same entries give the same bytes: all are of one date.
///
///     var writer = ZipWriter()
///     try writer.add("mimetype", Array("application/x".utf8), isPacked: false)
///     try writer.add("content.xml", content)
///     let bytes = writer.finish()
package struct ZipWriter {
  /// The most bytes of an archive: more need ZIP64.
  private static let largest = Int(UInt32.max)
  /// The most entries of an archive.
  private static let mostEntries = 0xFFFF
  /// 1980-01-01, the first date that there is.
  private static let date: UInt32 = 0x0021_0000

  private var bytes: [UInt8] = []
  private var directory: [UInt8] = []
  private var names: Set<String> = []

  /// Makes an archive without entries.
  package init() {}

  /// Adds a file; or a folder, whose name ends in `/` and which has no bytes.
  ///
  /// - Parameters:
  ///   - name: The relative path, with `/` between components.
  ///   - content: The bytes.
  ///   - isPacked: true to deflate the bytes where that makes them smaller.
  /// - Throws: ``ZipError``: `unsafeName`, `repeatedName`, `tooLarge`. Nothing is added then.
  package mutating func add(
    _ name: String, _ content: [UInt8], isPacked: Bool = true
  ) throws(ZipError) {
    let index = names.count
    guard ZipName.isSafe(name), name.utf8.count <= 0xFFFF else {
      throw ZipError(
        .unsafeName, entry: index, expected: "a relative path without ..",
        found: "a path that may lead out of its folder")
    }
    guard !names.contains(name) else {
      throw ZipError(.repeatedName, entry: index, expected: "each name once", found: "one again")
    }
    let packed = isPacked && !content.isEmpty ? Self.deflated(content) : nil
    let body = packed ?? content
    let added = body.count + name.utf8.count + 30
    guard content.count <= Self.largest, index < Self.mostEntries,
      bytes.count + directory.count + added + 46 + name.utf8.count + 22 <= Self.largest
    else {
      throw ZipError(
        .tooLarge, entry: index,
        expected: "an archive of at most 4 GB and \(Self.mostEntries) entries",
        found: "more")
    }
    let checksum = content.withUnsafeBytes { Checksum.crc32($0) }
    // Version 2.0; bit 11 says that the name is UTF-8.
    var common: [UInt8] = []
    common.append(20, 2)
    common.append(0x800, 2)
    common.append(packed == nil ? 0 : 8, 2)
    common.append(Self.date, 4)
    common.append(checksum, 4)
    common.append(UInt32(body.count), 4)
    common.append(UInt32(content.count), 4)
    common.append(UInt32(name.utf8.count), 2)
    common.append(0, 2)
    let start = bytes.count
    bytes.append(0x0403_4B50, 4)
    bytes += common
    bytes += name.utf8
    bytes += body
    directory.append(0x0201_4B50, 4)
    directory.append(20, 2)
    directory += common
    // No comment, the first disk, no attributes.
    directory += [UInt8](repeating: 0, count: 10)
    directory.append(UInt32(start), 4)
    directory += name.utf8
    names.insert(name)
  }

  /// Returns the bytes of the archive.
  package consuming func finish() -> [UInt8] {
    let start = bytes.count
    var end: [UInt8] = []
    end.append(0x0605_4B50, 4)
    end.append(0, 4)
    end.append(UInt32(names.count), 2)
    end.append(UInt32(names.count), 2)
    end.append(UInt32(directory.count), 4)
    end.append(UInt32(start), 4)
    end.append(0, 2)
    return bytes + directory + end
  }

  /// Returns deflated bytes; nil if they are not fewer.
  private static func deflated(_ content: [UInt8]) -> [UInt8]? {
    guard content.count <= largest, let bytes = Deflate.raw(content) else { return nil }
    return bytes.count < content.count ? bytes : nil
  }
}

extension [UInt8] {
  /// Appends the lowest bytes of a number, little-endian.
  fileprivate mutating func append(_ value: UInt32, _ count: Int) {
    for index in 0..<count { append(UInt8(truncatingIfNeeded: value >> UInt32(8 * index))) }
  }
}
