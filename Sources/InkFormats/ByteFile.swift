import Files
import Foundation

/// Reads whole files and folders, with typed errors.
package enum ByteFile {
  /// The most bytes of a file that is read whole, and of what a compressed one unpacks to.
  static let largest = 256 << 20
  /// The most bytes that each byte of a compressed file may unpack to. Ink compresses to a quarter
  /// or a tenth, and gzip reaches a thousandth.
  private static let mostUnpacked = 32
  /// The bytes that a compressed file may always unpack to.
  private static let fewUnpacked = 8 << 20

  /// The bytes of a file. O(file) memory.
  static func bytes(of path: String) throws(InkFormatError) -> [UInt8] {
    let (descriptor, size) = try openRegular(path)
    defer { close(descriptor) }
    guard size <= largest else {
      throw InkFormatError(
        .tooLarge, at: SourceLocation(path: path),
        expected: "a file of at most \(largest >> 20) MB", found: "one of \(size >> 20) MB",
        advice: "split the file")
    }
    var complete = false
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      count = Descriptor.readAll(descriptor, into: UnsafeMutableRawBufferPointer(buffer)).count
      complete = count == size
    }
    guard complete else { throw unreadable(path, found: "a read error") }
    return bytes
  }

  /// The bytes of a file, unpacked if it is compressed by gzip. O(unpacked bytes) memory.
  static func content(of path: String) throws(InkFormatError) -> [UInt8] {
    try unpacked(try bytes(of: path), path: path)
  }

  /// Bytes that may be compressed by gzip, unpacked.
  package static func unpacked(_ bytes: [UInt8], path: String) throws(InkFormatError) -> [UInt8] {
    guard Gzip.isCompressed(bytes) else { return bytes }
    let limit = min(largest, max(fewUnpacked, mostUnpacked * bytes.count))
    do throws(Gzip.Fault) {
      return try Gzip.unpack(bytes, limit: limit)
    } catch {
      throw Self.error(error, path: path, limit: limit)
    }
  }

  /// Bytes that are compressed by Zstandard, unpacked.
  static func unpackedZstandard(_ bytes: [UInt8], path: String) throws(InkFormatError) -> [UInt8] {
    let limit = min(largest, max(fewUnpacked, mostUnpacked * bytes.count))
    do throws(Zstandard.Fault) {
      return try Zstandard.unpack(bytes, limit: limit)
    } catch {
      throw zstandardError(error, path: path, limit: limit)
    }
  }

  /// Returns the error of data compressed by Zstandard.
  private static func zstandardError(_ fault: Zstandard.Fault, path: String, limit: Int)
    -> InkFormatError
  {
    let (code, found): (InkFormatError.Code, String) =
      switch fault {
      case .missingLibrary: (.unsupported, "no library that unpacks it")
      case .malformed: (.malformed, "other bytes")
      case .truncated: (.truncated, "the end of the data before that of the stream")
      case .tooLarge: (.tooLarge, "more")
      }
    return InkFormatError(
      code, at: SourceLocation(path: path),
      expected: code == .unsupported
        ? "libzstd for data compressed by Zstandard"
        : "data compressed by Zstandard, of at most \(limit >> 20) MB", found: found,
      advice: code == .unsupported ? Zstandard.advice : "save the file again")
  }

  /// Returns the error of compressed data.
  static func error(_ fault: Gzip.Fault, path: String, limit: Int) -> InkFormatError {
    let (code, found): (InkFormatError.Code, String) =
      switch fault {
      case .malformed: (.malformed, "other bytes")
      case .truncated: (.truncated, "the end of the file before the end of the data")
      case .tooLarge: (.tooLarge, "more")
      case .unreadable: (.unreadableFile, "a read error")
      }
    return InkFormatError(
      code, at: SourceLocation(path: path),
      expected: "data compressed by gzip, of at most \(limit >> 20) MB", found: found,
      advice: "save the file again, or unpack it")
  }

  /// Opens a regular file.
  static func open(_ path: String) throws(InkFormatError) -> ByteSource {
    let (descriptor, size) = try openRegular(path)
    return ByteSource(descriptor: descriptor, count: size)
  }

  /// Returns whether a regular file is compressed by gzip.
  static func isCompressed(_ path: String) -> Bool { Gzip.isCompressed(start(of: path, count: 2)) }

  /// Opens a regular file. A pipe would wait for its writer, without end.
  private static func openRegular(
    _ path: String
  ) throws(InkFormatError) -> (descriptor: Int32, size: Int) {
    let descriptor = Foundation.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw openError(path) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, (status.st_mode & S_IFMT) == S_IFREG else {
      close(descriptor)
      throw unreadable(path, found: "something that is no regular file")
    }
    return (descriptor, Int(status.st_size))
  }

  /// The error of a failed `open`, from `errno`.
  static func openError(_ path: String) -> InkFormatError {
    let reason = errno
    if reason == ENOENT || reason == ENOTDIR {
      return InkFormatError(
        .missingFile, at: SourceLocation(path: path), expected: "a file", found: "nothing there",
        advice: "check the path, or unpack the dataset")
    }
    return unreadable(path, found: String(cString: strerror(reason)))
  }

  /// Returns the error for an existing file that cannot be read.
  static func unreadable(_ path: String, found: String) -> InkFormatError {
    InkFormatError(
      .unreadableFile, at: SourceLocation(path: path), expected: "a readable file", found: found,
      advice: "check the file and its permissions")
  }

  /// Returns whether there is a file or folder at a path.
  static func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: path)
  }

  /// Returns whether a path leads to a folder.
  static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && isFolder.boolValue
  }

  /// Returns whether a path leads to a pipe, which can be read once.
  static func isPipe(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
  }

  /// Returns the files below a folder with one of these extensions, as paths relative to it,
  /// sorted; at least one. Follows links to folders, see ``FolderListing``. O(files) memory.
  static func files(
    below folder: String, extensions: Set<String>
  ) throws(InkFormatError) -> [String] {
    guard isFolder(folder) else {
      throw InkFormatError(
        .missingFile, at: SourceLocation(path: folder), expected: "a folder",
        found: exists(folder) ? "a file" : "nothing there",
        advice: "check the path, or unpack the dataset")
    }
    let paths = try list(folder).filter { path in
      guard let dot = path.utf8.lastIndex(of: UInt8(ascii: ".")) else { return false }
      return extensions.contains(path[path.index(after: dot)...].lowercased())
    }
    guard !paths.isEmpty else {
      throw InkFormatError(
        .missingFile, at: SourceLocation(path: folder),
        expected: "files ending in .\(extensions.sorted().joined(separator: " or ."))",
        found: "none in the folder", advice: "check the path, or unpack the dataset")
    }
    return paths.sorted()
  }

  /// Returns all files below a folder, relative to it, in any order.
  static func list(_ folder: String) throws(InkFormatError) -> [String] {
    let listing = FolderListing(of: folder)
    if let unlisted = listing.unlisted {
      throw unreadable(unlisted, found: "a folder that cannot be listed")
    }
    return listing.files
  }

  /// The first bytes of a file, at most 64 kB; none where it cannot be read.
  static func start(of path: String, in folder: String? = nil, count most: Int = 1 << 16) -> [UInt8]
  {
    let path = folder.map { join($0, path) } ?? path
    return (try? readableStart(of: path, count: most)) ?? []
  }

  /// The first bytes of a file, at most 64 kB.
  static func readableStart(
    of path: String, count most: Int = 1 << 16
  ) throws(InkFormatError) -> [UInt8] {
    let (descriptor, _) = try openRegular(path)
    defer { close(descriptor) }
    return [UInt8](unsafeUninitializedCapacity: most) { buffer, count in
      count = Descriptor.readAll(descriptor, into: UnsafeMutableRawBufferPointer(buffer)).count
    }
  }

  /// Returns the path from the root, without `.` and `..`.
  static func whole(_ path: String) -> String {
    URL(fileURLWithPath: path).standardizedFileURL.path
  }

  /// Joins a folder's path and a relative path.
  static func join(_ folder: String, _ path: String) -> String {
    folder.hasSuffix("/") ? folder + path : folder + "/" + path
  }
}

/// Text in ISO 8859-1, in which each byte is the scalar of its value.
enum Latin1 {
  /// Returns the text of bytes. All bytes are valid.
  static func string(_ bytes: some Sequence<UInt8>) -> String {
    var scalars = String.UnicodeScalarView()
    for byte in bytes { scalars.append(Unicode.Scalar(byte)) }
    return String(scalars)
  }

  /// Returns the bytes without blanks and control characters at both ends.
  static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var bytes = bytes.drop { $0 <= 0x20 }
    while let last = bytes.last, last <= 0x20 { bytes.removeLast() }
    return bytes
  }
}
