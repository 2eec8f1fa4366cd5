import Files
import Foundation
import InkCore
import InkFormats

/// `POST /v1/studio/inks`: adds ink that was written on the page Try to a file of labelled ink.
struct SavedInkSection: StudioSection {
  /// The request.
  private struct Body: Decodable {
    /// The name of the file in `collect/`, without its suffix.
    var file: String
    var label: String
    var strokes: [CollectSample.Columns]
    var area: CollectSample.Area?
  }

  /// The answer: the file, as a path in the project.
  private struct Saved: Encodable {
    var file: String
  }

  /// The most characters of a label.
  private static let mostCharacters = 1000
  private let files: SavedInkFiles

  init(_ context: StudioContext) { files = SavedInkFiles(context.project) }

  var routes: [StudioRoute] {
    [
      StudioRoute(.POST, "/v1/studio/inks") { request in
        let body = try request.decoded(Body.self)
        guard !body.label.isEmpty, body.label.count <= Self.mostCharacters else {
          throw StudioError(
            .invalidValue, "expected a label of 1 to \(Self.mostCharacters) characters",
            field: "label")
        }
        let sample = CollectSample(id: "saved", strokes: body.strokes, area: body.area)
        let labeled = try sample.labeled(as: body.label, by: "")
        return try .json(Saved(file: try await files.append(labeled, to: body.file)))
      }
    ]
  }
}

/// The files of saved ink. An actor: lines are added one at a time.
private actor SavedInkFiles {
  private let project: Project

  init(_ project: Project) { self.project = project }

  /// Adds a line, which is on the disk when this returns.
  ///
  /// - Returns: The path in the project.
  /// - Throws: ``StudioError``, also for the file of a session that collects ink: its lines belong
  ///   to prompts.
  func append(_ labeled: LabeledInk, to text: String) throws(StudioError) -> String {
    let name = try Project.name(text, field: "file")
    let path = "collect/\(name).jsonl"
    _ = try project.folder("collect")
    let session = try project.url(of: "collect/\(name).session.json")
    guard !FileManager.default.fileExists(atPath: session.path) else {
      throw StudioError(
        .conflict, "\(path): expected another file than that of a session; choose another name",
        field: "file")
    }
    guard let line = InkJSONLinesWriter.line(of: labeled) else {
      throw StudioError(.invalidValue, "expected finite numbers", field: "strokes")
    }
    let file = try project.url(of: path).path
    do throws(FileError) {
      try LineJournal(path: file).append(line)
    } catch {
      throw StudioError(
        .unusableFile, "\(path): cannot be written: \(String(cString: strerror(error.code)))")
    }
    return path
  }
}
