import Files
import Foundation

/// Reads whole files and folders, with typed errors.
enum ByteFile {
  /// Returns the bytes of a file. O(file) memory.
  static func bytes(of path: String) throws(InkFormatError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY)
    guard descriptor >= 0 else { throw openError(path) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, (status.st_mode & S_IFMT) == S_IFREG else {
      throw unreadable(path, found: "something other than a regular file")
    }
    let size = Int(status.st_size)
    var complete = false
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      count = Descriptor.readAll(descriptor, into: UnsafeMutableRawBufferPointer(buffer)).count
      complete = count == size
    }
    guard complete else { throw unreadable(path, found: "a read error") }
    return bytes
  }

  /// Returns the error of a failed `open`, from `errno`.
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

  /// Returns the first bytes of a file, at most 64 kB; none if it cannot be read.
  static func start(of path: String, in folder: String? = nil) -> [UInt8] {
    let descriptor = open(folder.map { join($0, path) } ?? path, O_RDONLY)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, (status.st_mode & S_IFMT) == S_IFREG else { return [] }
    return [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
      count = Descriptor.readAll(descriptor, into: UnsafeMutableRawBufferPointer(buffer)).count
    }
  }

  /// Returns the first bytes of a file, at most 64 kB.
  static func readableStart(of path: String) throws(InkFormatError) -> [UInt8] {
    guard !isFolder(path) else { throw unreadable(path, found: "a folder") }
    let descriptor = open(path, O_RDONLY)
    guard descriptor >= 0 else { throw openError(path) }
    close(descriptor)
    return start(of: path)
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
