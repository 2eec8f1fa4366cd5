import Files

/// One file of ink: at a path, or bytes in memory.
struct InkInput: Sendable {
  /// The path, or the name of the bytes, for errors.
  let path: String
  /// The path below the folder that is read.
  let source: String
  private let bytes: [UInt8]?

  /// Names a file, or takes bytes.
  init(path: String, source: String, bytes: [UInt8]? = nil) {
    self.path = path
    self.source = source
    self.bytes = bytes
  }

  /// Returns the whole content, unpacked if it is compressed by gzip. O(content) memory.
  func content() throws(InkFormatError) -> [UInt8] {
    guard let bytes else { return try ByteFile.content(of: path) }
    return try ByteFile.unpacked(bytes, path: path)
  }

  /// Opens the bytes of the file as they are.
  func byteSource() throws(InkFormatError) -> ByteSource {
    if let bytes { ByteSource(bytes) } else { try ByteFile.open(path) }
  }

  /// Returns the first bytes of the file as they are.
  func start(_ count: Int) throws(InkFormatError) -> [UInt8] {
    guard let start = try byteSource().bytes(in: 0..<count) else {
      throw ByteFile.unreadable(path, found: "a read error")
    }
    return start
  }

  /// Opens the archive that the file is.
  func archive() throws(InkFormatError) -> ZipArchive {
    let source = try byteSource()
    do throws(ZipError) {
      return try ZipArchive(source)
    } catch {
      throw InkFormatError(error, path: path)
    }
  }

  /// Returns a file of an archive.
  func bytes(
    of entry: ZipArchive.Entry, in archive: ZipArchive, limit: Int
  ) throws(InkFormatError) -> [UInt8] {
    do throws(ZipError) {
      return try archive.bytes(of: entry, limit: limit)
    } catch {
      throw InkFormatError(error, path: path)
    }
  }

  /// Opens the content for reading it piece by piece, however large it is.
  ///
  /// - Parameter member: The file that is meant if the content is a ZIP archive.
  func stream(member: String) throws(InkFormatError) -> InkByteStream {
    return try InkByteStream(try byteSource(), path: path, member: member)
  }
}

/// The content of a file piece by piece: plain, compressed by gzip, or a file of a ZIP archive.
/// Not thread-safe.
final class InkByteStream {
  /// The content that any file may unpack to. Pictures compress well, some to a thousandth.
  private static let fewUnpacked = 1 << 30
  /// The bytes that each byte of a larger one may unpack to.
  private static let mostUnpacked = 32
  /// The most bytes of content. More takes minutes, and no notes come near.
  private static let largest = 16 << 30

  private let path: String
  private let limit: Int
  private var count = 0
  private let content: Content

  private enum Content {
    case plain(UnpackingStream)
    case member(ZipEntryStream)
  }

  fileprivate init(
    _ source: ByteSource, path: String, member: String
  ) throws(InkFormatError) {
    self.path = path
    limit = min(
      Self.largest, max(Self.fewUnpacked, source.count.multipliedClamped(by: Self.mostUnpacked)))
    guard ZipArchive.isArchive(source.bytes(in: 0..<4) ?? []) else {
      content = .plain(UnpackingStream(unpacking: source))
      return
    }
    do throws(ZipError) {
      let archive = try ZipArchive(source)
      guard let entry = archive[member] else {
        throw ZipError(.missing, expected: "the file \(member) in the archive", found: "none")
      }
      content = .member(try archive.stream(of: entry))
    } catch {
      throw InkFormatError(error, path: path)
    }
  }

  /// Reads the next bytes, as many as the buffer holds, if there are so many; 0 at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(InkFormatError) -> Int {
    let got: Int
    switch content {
    case .plain(let stream):
      do throws(Gzip.Fault) {
        got = try stream.read(into: buffer)
      } catch {
        throw ByteFile.error(error, path: path, limit: limit)
      }
    case .member(let stream):
      do throws(ZipError) {
        got = try stream.read(into: buffer)
      } catch {
        throw InkFormatError(error, path: path)
      }
    }
    count += got
    guard count <= limit else {
      throw ByteFile.error(.tooLarge(limit: limit), path: path, limit: limit)
    }
    return got
  }

  /// Returns all bytes, as many as a file that is read whole may have.
  func rest(after start: [UInt8]) throws(InkFormatError) -> [UInt8] {
    var bytes = start
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let got = try buffer.withUnsafeMutableBufferPointer { (raw) throws(InkFormatError) in
        try read(into: UnsafeMutableRawBufferPointer(raw))
      }
      guard got > 0 else { return bytes }
      bytes += buffer[..<got]
      guard bytes.count <= ByteFile.largest else {
        throw ByteFile.error(
          .tooLarge(limit: ByteFile.largest), path: path, limit: ByteFile.largest)
      }
    }
  }
}

extension Int {
  fileprivate func multipliedClamped(by factor: Int) -> Int {
    let (product, overflows) = multipliedReportingOverflow(by: factor)
    return overflows ? .max : product
  }
}

extension InkFormatError {
  /// Makes the error of a ZIP archive.
  package init(_ error: ZipError, path: String) {
    let (code, advice): (Code, String) =
      switch error.code {
      case .notArchive, .malformed, .unsafeName, .repeatedName, .overlap, .damaged:
        (.malformed, "save the file again")
      case .truncated: (.truncated, "save or copy the file again")
      case .unsupported: (.unsupported, "save the file without a password")
      case .missing: (.missingKey, "check which program wrote the file")
      case .tooLarge: (.tooLarge, "split the file")
      case .unreadable: (.unreadableFile, "check the file and its permissions")
      }
    self.init(
      code, at: SourceLocation(path: path),
      expected: error.entry.map { "\(error.expected) in entry \($0) of the archive" }
        ?? error.expected, found: error.found, advice: advice)
  }
}
