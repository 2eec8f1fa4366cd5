/// The files of a dataset: one, or all files of a folder with certain suffixes. They are read in
/// the order of their paths, see ``FileRecords``.
struct InkFiles: Hashable, Sendable {
  /// The folder, or the folder of the single file.
  let folder: String
  /// The files relative to the folder, in the order of reading.
  let paths: [String]
  /// The content of the only file if it is in memory.
  private var bytes: [UInt8]?

  /// Takes bytes in memory like those of a file of a name.
  init(bytes: [UInt8], name: String) {
    self.init(folder: "", paths: [name])
    self.bytes = bytes
  }

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

  /// Lists the files anywhere below a folder that a closure accepts, or takes one file without
  /// asking the closure.
  ///
  /// - Throws: ``InkFormatError`` of code `missingFile` if there is nothing at the path, or no such
  ///   file in the folder.
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

  /// Returns a part of the files; `isKept` is called in the order of reading.
  func keeping(_ isKept: (_ path: String) -> Bool) -> InkFiles {
    InkFiles(folder: folder, paths: paths.filter(isKept))
  }

  /// Returns an iterator over the records of all files, which may be compressed by gzip. A file that
  /// cannot be read is a failure.
  ///
  /// - Parameter records: Reads a file's bytes, given its path and its path below the folder.
  func makeIterator(
    _ records: @escaping @Sendable (_ bytes: [UInt8], _ path: String, _ source: String) -> [Element]
  ) -> AnyIterator<Element> {
    makeIterator { (input: InkInput) in
      do throws(InkFormatError) {
        return records(try input.content(), input.path, input.source)
      } catch {
        return [.failure(error)]
      }
    }
  }

  /// Returns an iterator over the records of all files.
  ///
  /// - Parameter records: Reads a file.
  func makeIterator(
    _ records: @escaping @Sendable (InkInput) -> [Element]
  ) -> AnyIterator<Element> {
    makeIterator { RecordList(records($0)) }
  }

  /// Returns an iterator over the records of all files. Some are made when they are asked for.
  ///
  /// - Parameter records: Reads a file.
  func makeIterator(
    _ records: @escaping @Sendable (InkInput) -> RecordList
  ) -> AnyIterator<Element> {
    AnyIterator(
      FileRecords(of: paths.count) { file in
        let path = bytes == nil ? ByteFile.join(folder, paths[file]) : paths[file]
        return records(InkInput(path: path, source: paths[file], bytes: bytes))
      })
  }

  typealias Element = Result<InkRecord, InkFormatError>
}
