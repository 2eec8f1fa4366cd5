import Files
import Foundation

/// Unpacks archives by the system's tar and unzip.
///
/// Archives come from strangers: names and types are listed and checked before, links and other
/// things that are no plain files are looked for after. All work is O(entries + bytes).
struct ArchiveUnpacker {
  let archive: String
  let kind: PublicDataset.Archive.Kind
  /// The name in errors.
  let name: String

  /// Unpacks into a folder that is empty.
  func unpack(into folder: String) throws(DatasetInstallError) {
    switch kind {
    case .zip:
      try check(names: run("unzip", ["-Z1", archive]))
      try check(types: run("unzip", ["-Z", "-s", archive]), isTable: true)
      _ = try run("unzip", ["-q", "-o", archive, "-d", folder])
    case .tar:
      try check(names: run("tar", ["-tf", archive]))
      try check(types: run("tar", ["-tvf", archive]), isTable: false)
      _ = try run("tar", ["-xf", archive, "--no-same-owner", "-C", folder])
    case .file:
      throw unpacking("cp", "a plain file is not unpacked")
    }
    try Self.checkTree(folder, of: name)
  }

  // MARK: - Checks

  /// Refuses names that lead out of the folder.
  private func check(names text: String) throws(DatasetInstallError) {
    for line in text.split(separator: "\n") {
      let path = line.replacing("\\", with: "/")
      guard !path.hasPrefix("/"), path.dropFirst().first != ":" else {
        throw unsafe(line, "the path is absolute")
      }
      guard !path.split(separator: "/").contains("..") else {
        throw unsafe(line, "the path leads out of the folder")
      }
    }
  }

  /// Refuses everything but files and folders in a listing whose lines begin with `-` or `d`.
  ///
  /// - Parameter isTable: Whether other lines stand around the entries.
  private func check(types text: String, isTable: Bool) throws(DatasetInstallError) {
    for line in text.split(separator: "\n") {
      guard let type = line.first else { continue }
      if isTable, !"-dlbcpsh?".contains(type) || !line.dropFirst().starts(with: /[-rwxstST?]{3}/) {
        continue
      }
      guard type == "-" || type == "d" else {
        throw unsafe(line, "it is a link or a device, not a file")
      }
    }
  }

  /// Refuses a folder in which anything is not a file of its own or a folder.
  static func checkTree(_ folder: String, of archive: String) throws(DatasetInstallError) {
    guard let walk = FileManager.default.enumerator(atPath: folder) else {
      throw .storage(path: folder, operation: "reading", reason: "it is no folder")
    }
    while let entry = walk.nextObject() as? String {
      var status = stat()
      guard lstat("\(folder)/\(entry)", &status) == 0 else {
        throw .storage(
          path: entry, operation: "reading", reason: String(cString: strerror(errno)))
      }
      let type = status.st_mode & S_IFMT
      guard type == S_IFDIR || (type == S_IFREG && status.st_nlink == 1) else {
        throw .unsafeEntry(
          archive: archive, entry: entry, reason: "it is a link or a device, not a file")
      }
    }
  }

  private func unsafe(_ entry: Substring, _ reason: String) -> DatasetInstallError {
    .unsafeEntry(archive: name, entry: String(entry), reason: reason)
  }

  // MARK: - Programs

  private func unpacking(_ program: String, _ reason: String) -> DatasetInstallError {
    .unpacking(archive: name, program: program, reason: reason)
  }

  /// Runs a program of the system and returns its standard output.
  private func run(
    _ program: String, _ arguments: [String]
  ) throws(DatasetInstallError) -> String {
    guard let executable = Self.path(of: program) else { throw .missingProgram(program) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: executable)
    process.arguments = arguments
    // Names as bytes, whatever the user's language is.
    process.environment = ProcessInfo.processInfo.environment.merging(["LC_ALL": "C"]) { $1 }
    let output = Pipe()
    let errors = Pipe()
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = errors
    let complaint = Complaint()
    do {
      try process.run()
    } catch {
      throw unpacking(program, "\(error)")
    }
    // Read by a thread: a handler of the file would still be known to Dispatch when the file is
    // closed, which then uses freed memory.
    let complaints = DispatchGroup()
    DispatchQueue.global().async(group: complaints) {
      while let more = try? errors.fileHandleForReading.read(upToCount: Complaint.longest),
        !more.isEmpty
      {
        complaint.add(more)
      }
    }
    let data = (try? output.fileHandleForReading.readToEnd()) ?? Data()
    process.waitUntilExit()
    complaints.wait()
    guard process.terminationStatus == 0 else {
      throw unpacking(program, complaint.text ?? "it ended with \(process.terminationStatus)")
    }
    return String(decoding: data, as: UTF8.self)
  }

  private static func path(of program: String) -> String? {
    let folders = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return folders.split(separator: ":").map { "\($0)/\(program)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }
}

/// The first bytes of a program's standard error.
private final class Complaint: Sendable {
  static let longest = 2000
  private let bytes = Guarded(Data())

  func add(_ more: Data) {
    bytes.withLock { bytes in if bytes.count < Self.longest { bytes += more.prefix(Self.longest) } }
  }

  /// The last line.
  var text: String? {
    bytes.withLock { bytes in
      String(decoding: bytes, as: UTF8.self).split(separator: "\n").last.map(String.init)
    }
  }
}
