/// The files of a dataset: one, or all files of a folder with certain suffixes. They are read in
/// the order of their paths, one at a time.
struct InkFiles: Hashable, Sendable {
  /// The folder, or the folder of the single file.
  let folder: String
  /// The files relative to the folder, in reading order.
  let paths: [String]

  /// Lists the files anywhere below a folder, or takes one file with any suffix.
  ///
  /// - Throws: ``InkFormatError`` of code `missingFile` if there is nothing at the path, or a
  ///   folder without such files.
  init(at path: String, extensions: Set<String>) throws(InkFormatError) {
    guard ByteFile.exists(path), !ByteFile.isFolder(path) else {
      try self.init(below: path, extensions: extensions)
      return
    }
    let slash = path.lastIndex(of: "/")
    self.init(
      folder: slash.map { String(path[..<$0]) } ?? ".",
      paths: [slash.map { String(path[path.index(after: $0)...]) } ?? path])
  }

  /// Lists the files anywhere below a folder that a closure accepts, or takes one file, whatever the
  /// closure says.
  ///
  /// - Throws: ``InkFormatError`` of code `missingFile` where nothing is there, or a folder without such.
  init(at path: String, _ isTaken: (_ path: String) -> Bool) throws(InkFormatError) {
    guard ByteFile.isFolder(path) else {
      try self.init(at: path, extensions: [])
      return
    }
    let paths = try ByteFile.list(path).filter(isTaken).sorted()
    guard !paths.isEmpty else {
      throw InkFormatError(
        .missingFile, at: SourceLocation(path: path), expected: "files of ink in the folder",
        found: "none", advice: "check the path, or unpack the dataset")
    }
    self.init(folder: path, paths: paths)
  }

  /// Lists the files anywhere below a folder.
  ///
  /// - Throws: ``InkFormatError`` of code `missingFile` if there is no such folder, or no such file
  ///   in it.
  init(below folder: String, extensions: Set<String>) throws(InkFormatError) {
    self.init(
      folder: folder, paths: try ByteFile.files(below: folder, extensions: extensions))
  }

  private init(folder: String, paths: [String]) {
    self.folder = folder
    self.paths = paths
  }

  /// Some of the files; `isKept` is called in reading order.
  func keeping(_ isKept: (_ path: String) -> Bool) -> InkFiles {
    InkFiles(folder: folder, paths: paths.filter(isKept))
  }

  /// The records of all files, which may be compressed by gzip. A file that cannot be read is a
  /// failure.
  ///
  /// - Parameter records: Reads a file's bytes, given its path and its path below the folder.
  func makeIterator(
    _ records: @escaping (_ bytes: [UInt8], _ path: String, _ source: String) -> [Element]
  ) -> AnyIterator<Element> {
    var next = 0
    var waiting: ArraySlice<Element> = []
    return AnyIterator {
      while waiting.isEmpty {
        guard next < paths.count else { return nil }
        let path = ByteFile.join(folder, paths[next])
        do throws(InkFormatError) {
          waiting = records(try ByteFile.content(of: path), path, paths[next])[...]
        } catch {
          waiting = [.failure(error)]
        }
        next += 1
      }
      return waiting.popFirst()
    }
  }

  typealias Element = Result<InkRecord, InkFormatError>
}
