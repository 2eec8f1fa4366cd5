import Files
import Foundation
import RunLog

/// The folder of one job: `.studio/jobs/ID/`.
///
/// | File | Holds |
/// |---|---|
/// | `job.json` | the description |
/// | `output.log` | standard output and standard error of all sessions |
/// | `end` | the exit code or the signal; written by the tool, or by the studio that waits for it |
/// | `stop` | nothing; it is there if the user asked the job to stop |
/// | `watch.json` | the progress of a training |
package struct JobFolder: Sendable {
  let url: URL

  init(_ url: URL) { self.url = url }

  package var description: URL { url.appendingPathComponent("job.json") }
  package var output: URL { url.appendingPathComponent("output.log") }
  package var end: URL { url.appendingPathComponent("end") }
  var stop: URL { url.appendingPathComponent("stop") }
  var watch: URL { url.appendingPathComponent("watch.json") }

  /// The description; nil if there is none that can be read.
  package var record: JobRecord? {
    guard let bytes = try? Data(contentsOf: description) else { return nil }
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    return try? decoder.decode(JobRecord.self, from: bytes)
  }

  /// Writes the description.
  ///
  /// - Throws: ``StudioError``.
  package func write(_ record: JobRecord) throws(StudioError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .iso8601
    let temporary = description.path + ".new"
    unlink(temporary)
    do {
      try AtomicFile.create(temporary, encoder.encode(record), mode: 0o600)
      try AtomicFile.move(temporary, to: description.path)
      try? AtomicFile.syncFolder(of: description.path)
    } catch {
      throw StudioError(
        .unusableFile, ".studio/jobs: a job cannot be written; free some space in the project")
    }
  }

  /// Records the end of the process, unless the process has done so itself.
  func write(_ end: JobEnd) {
    do throws(FileError) {
      try AtomicFile.create(self.end.path, Data(end.text.utf8), mode: 0o600)
    } catch {
      // The tool wrote its exit code before it ended.
    }
  }

  /// The recorded end, and its time; nil while the process runs.
  var recordedEnd: (end: JobEnd, time: Date?)? {
    guard let text = try? String(contentsOf: end, encoding: .utf8), let end = JobEnd(text)
    else { return nil }
    let attributes = try? FileManager.default.attributesOfItem(atPath: self.end.path)
    return (end, attributes?[.modificationDate] as? Date)
  }

  /// Returns the job in its present state.
  ///
  /// - Parameters:
  ///   - root: The folder of the project.
  ///   - isAwaited: True if the studio waits for the end of the process and has not recorded it.
  func job(_ record: JobRecord, in root: URL, isAwaited: Bool) -> Job {
    let isStopping = FileManager.default.fileExists(atPath: stop.path)
    var job = Job(record, state: isStopping ? .stopping : .running)
    // The process first: the tool records the end before it is gone.
    if isAwaited { return job }
    if let process = record.process, ProcessIdentity.isAlive(process) { return job }
    let made = record.output.map { root.appendingPathComponent($0) }
    if let (end, time) = recordedEnd {
      job.ended = time
      switch end {
      case .code(let code):
        job.exitCode = code
        job.state = code == 0 ? .finished : isStopping ? .stopped : .failed
      case .signal(let signal):
        job.signal = signal
        job.state = isStopping ? .stopped : .failed
      }
    } else {
      // Nobody saw the end, for example because the machine was switched off.
      job.state = made.map { Self.isNew($0, since: record.started) } ?? false ? .finished : .failed
      if job.state == .failed, isStopping { job.state = .stopped }
    }
    if record.kind == .train, job.state != .finished, let made {
      job.canResume = FileManager.default.fileExists(atPath: made.path + ".training")
    }
    return job
  }

  /// Returns true if a model or report was written after a time.
  private static func isNew(_ url: URL, since time: Date) -> Bool {
    ["manifest.json", "index.html"].contains { name in
      let path = url.appendingPathComponent(name).path
      let attributes = try? FileManager.default.attributesOfItem(atPath: path)
      // Times of files are whole seconds on some file systems.
      return (attributes?[.modificationDate] as? Date).map { $0 > time - 1 } ?? false
    }
  }

  /// Returns a part of the output.
  ///
  /// - Parameters:
  ///   - offset: The first byte; nil for the last `most` bytes.
  ///   - most: The most bytes.
  /// - Returns: The bytes and the offset after them.
  package func outputText(from offset: Int?, most: Int = 64 << 10) -> (bytes: Data, next: Int) {
    guard let file = try? FileHandle(forReadingFrom: output) else { return (Data(), 0) }
    defer { try? file.close() }
    let length = Int((try? file.seekToEnd()) ?? 0)
    let start = min(length, offset ?? max(0, length - most))
    guard (try? file.seek(toOffset: UInt64(start))) != nil,
      let bytes = try? file.read(upToCount: most)
    else { return (Data(), start) }
    return (bytes, start + bytes.count)
  }
}
