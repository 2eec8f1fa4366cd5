import Exports
import Foundation
import InkCore
import InkFormats
import InkSearch
import Recognition

/// Keeps a PDF beside each notebook of folders, in which viewers find and copy the handwriting:
/// `lecture-searchable.pdf` beside `lecture.xopp`.
///
/// A PDF has the time of the last change of its notebook, so that a notebook that changes while it is
/// read is read again. PDF files of other programs are never replaced.
final class SearchablePDFs {
  /// The work of one look at a folder.
  struct Summary {
    /// The PDF files that were written.
    var written: [String] = []
    /// The notebooks that have no PDF, with the reason; each once for a change.
    var problems: [(file: String, reason: String)] = []
  }

  private let maker: PageMaker
  /// The time of the change at which a notebook gave no PDF.
  private var skipped: [String: Int64] = [:]

  /// Opens the model.
  ///
  /// - Parameter request: The model, the language and the layout.
  init(_ request: RecognitionRequest) throws {
    var request = request
    request.maximumCandidates = 1
    maker = try PageMaker(.pdf, request, readsInk: true, scale: nil)
  }

  /// Writes the PDF files of a folder that are missing or old.
  ///
  /// - Parameters:
  ///   - folder: The folder.
  ///   - isCancelled: Asked between pages; a PDF that is not complete is then left out.
  ///   - progress: Told before each notebook.
  func update(
    _ folder: String, isCancelled: () -> Bool, progress: (String) -> Void = { _ in }
  ) throws -> Summary {
    var summary = Summary()
    let notes = NoteFiles.notes(in: folder).filter { $0.problem == nil }
    for (notebook, target) in Self.targets(of: notes.map(\.path)) {
      guard !isCancelled() else { break }
      guard let stat = NoteStat(notebook, in: folder) else { continue }
      let (source, place) = ("\(folder)/\(notebook)", "\(folder)/\(target)")
      guard NoteStat(target, in: folder)?.changed != stat.changed, skipped[source] != stat.changed
      else { continue }
      progress(notebook)
      do {
        guard !ConvertPlaces.isForeignPDF(place) else {
          throw ToolError.badInput("\(place): is a PDF of another program; rename it")
        }
        let outcome = try write(source, to: place, isCancelled)
        if let problem = outcome.problem { summary.problems.append((source, problem)) }
        if outcome.isWritten {
          _ = stat.setTime(of: place)
          summary.written.append(place)
        } else if !isCancelled() {
          skipped[source] = stat.changed
        }
      } catch let error where (error as? any BadInputError)?.isBadInput ?? false {
        skipped[source] = stat.changed
        summary.problems.append((source, Outcome(of: error).message ?? "cannot be read"))
      }
    }
    return summary
  }

  /// The notebooks and their PDF files, by paths below the folder. A second notebook of a name keeps its
  /// ending: `a.xopp` and `a.rnote` become `a-searchable.pdf` and `a.xopp-searchable.pdf`.
  static func targets(of notes: [String]) -> [(notebook: String, target: String)] {
    var taken: Set<String> = []
    return notes.filter(isNotebook).map { notebook in
      let stem = ConvertPlaces.withoutEnding(notebook)
      let name = taken.insert(stem).inserted ? stem : notebook
      return (notebook, name + "-searchable.pdf")
    }
  }

  /// False for PDF itself, and for SVG, most of which is no writing.
  private static func isNotebook(_ path: String) -> Bool {
    let ending = path.lowercased().split(separator: ".").last ?? ""
    return !["pdf", "svg"].contains(ending)
  }

  /// Writes the PDF of a notebook; there is none if it has no ink, or if the user stopped.
  private func write(
    _ notebook: String, to place: String, _ isCancelled: () -> Bool
  ) throws -> (isWritten: Bool, problem: String?) {
    let source: ConvertSource
    do {
      source = try ConvertSource(notebook, scale: nil)
    } catch let error as InkFormatError where error.isOfAnotherProgram(notebook) {
      return (false, nil)
    }
    let name = URL(fileURLWithPath: notebook).lastPathComponent
    let file = try ExportFile(place, .pdf, title: ConvertPlaces.withoutEnding(name))
    var problem: String?
    for element in source.records {
      guard !isCancelled() else { return (false, nil) }
      switch element {
      case .success(let record):
        let (page, language) = try maker.page(record, source, true)
        try file.add(page, language: language)
      case .failure(let error) where error.code == .emptyInk: continue
      case .failure(let error): problem = problem ?? "\(error)"
      }
    }
    guard file.pageCount > 0 else { return (false, problem) }
    try file.finish()
    return (true, problem)
  }
}
