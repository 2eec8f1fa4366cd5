import Foundation
import InkSearch
import Recognition

/// The page *Notes*: search in folders of handwritten notes, all pages as a wall, the ink around hits.
///
/// | Request | Answer |
/// |---|---|
/// | `GET /v1/studio/notes` | the folders, the programs, the work |
/// | `POST /v1/studio/notes/update` | reads what changed |
/// | `GET /v1/studio/notes/pages?query&from&limit` | pages, the last changed first |
/// | `GET /v1/studio/notes/search?query&limit` | pages that have the words of the query |
/// | `GET /v1/studio/notes/text?path&page` | the best reading of a page |
/// | `GET /v1/studio/notes/picture?path&page&marks` | a page as SVG |
/// | `GET /v1/studio/notes/picture?path&page&marks&around=1` | the ink around the first mark |
struct NotesSection: StudioSection {
  private let library: NotesLibrary

  /// The most pages of an answer.
  private static let mostPages = 200
  /// The most marks of a picture.
  private static let mostMarks = 100

  init(_ context: StudioContext) {
    let service = RecognitionService(library: context.configuration.library)
    library = NotesLibrary(
      context.configuration.notes, state: context.project.state, service: service)
    library.update()
  }

  /// What the page shows beside pages.
  private struct Overview: Encodable {
    struct Program: Encodable {
      var format: String
      var pages: Int
    }
    struct Folder: Encodable {
      var path: String
      var files = 0
      var pages = 0
      var indexed: Date?
      var problems: [InkIndex.Problem] = []
    }
    var folders: [Folder]
    var programs: [Program]
    var work: NotesLibrary.Work
  }

  private struct Text: Encodable { var text: String }

  var routes: [StudioRoute] {
    [
      StudioRoute(.GET, "/v1/studio/notes") { _ in try .json(overview()) },
      StudioRoute(.POST, "/v1/studio/notes/update") { _ in
        library.update()
        return try .json(overview())
      },
      StudioRoute(.GET, "/v1/studio/notes/pages") { request in
        let filter = try PageFilter(request.query["query"] ?? "")
        let from = try request.queryNumber("from", in: 0...1_000_000_000) ?? 0
        let limit = try request.queryNumber("limit", in: 1...Self.mostPages) ?? 60
        return try .json(try library.index()?.pages(filter, from: from, limit: limit) ?? [])
      },
      StudioRoute(.GET, "/v1/studio/notes/search") { request in
        let query = try SearchQuery(request.query["query"] ?? "")
        let limit = try request.queryNumber("limit", in: 1...Self.mostPages) ?? 60
        return try .json(try library.index()?.search(query, limit: limit) ?? [])
      },
      StudioRoute(.GET, "/v1/studio/notes/text") { request in
        let (path, page) = try place(request)
        guard let text = try library.index()?.text(of: path, page: page) else { throw Self.gone }
        return try .json(Text(text: text))
      },
      StudioRoute(.GET, "/v1/studio/notes/picture") { request in try picture(request) },
    ]
  }

  private func overview() throws -> Overview {
    let index = try library.index()
    var known: [String: InkIndex.Folder] = [:]
    for folder in try index?.folders() ?? [] { known[folder.path] = folder }
    return Overview(
      folders: library.folders.map { path in
        guard let folder = known[path] else { return Overview.Folder(path: path) }
        return Overview.Folder(
          path: path, files: folder.files, pages: folder.pages, indexed: folder.indexed,
          problems: folder.problems)
      },
      programs: try index?.formats().map { Overview.Program(format: $0.format, pages: $0.pages) }
        ?? [],
      work: library.state)
  }

  private func place(_ request: StudioRequest) throws(StudioError) -> (path: String, page: Int) {
    guard let path = request.query["path"],
      let page = try request.queryNumber("page", in: 1...1_000_000_000)
    else { throw StudioError(.invalidValue, "expected path and page") }
    return (path, page)
  }

  private func picture(_ request: StudioRequest) throws -> StudioAnswer {
    let (path, page) = try place(request)
    let marks = try Self.marks(request.query["marks"] ?? "")
    guard let record = try library.record(path, page: page) else { throw Self.gone }
    let name = URL(fileURLWithPath: path).lastPathComponent
    let title = "\(name), page \(page)"
    let svg =
      request.query["around"] == nil
      ? PagePicture.page(record, marks: marks, title: title)
      : PagePicture.around(marks, of: record, title: title)
    guard let svg else { throw Self.gone }
    return .bytes(Data(svg.utf8), type: "image/svg+xml")
  }

  /// Boxes as `x,y,width,height;…`.
  private static func marks(_ text: String) throws(StudioError) -> [[Double]] {
    let boxes = text.split(separator: ";")
    guard boxes.count <= mostMarks else {
      throw StudioError(.tooLarge, "expected at most \(mostMarks) boxes", field: "marks")
    }
    var marks: [[Double]] = []
    for box in boxes {
      let numbers = box.split(separator: ",").compactMap { Double($0) }
      guard numbers.count == 4, numbers.allSatisfy(\.isFinite) else {
        throw StudioError(
          .invalidValue, "expected boxes as x,y,width,height with ; between them", field: "marks")
      }
      marks.append(numbers)
    }
    return marks
  }

  private static let gone = StudioError(
    .notFound, "the index has no such page, or its file is gone; read the folders again")
}
