import InkCore
import Layout

/// A page whose columns, tables and headings are to be found.
struct TextStructureJob {
  var generation: Int
  /// The changes of the document until now.
  var edits: Int
  var items: [Int]
  var ink: Ink
  var kinds: [StrokeKind]
  /// The direction of most of the text.
  var direction: WritingDirection
}

extension Editor {
  /// Finds the structure of the text of a page and takes it over, unless the ink has changed by then.
  /// Do not call under the lock.
  func findStructure(_ job: TextStructureJob) {
    let structure = TextStructure(job.ink, kinds: job.kinds, direction: job.direction)
    locked { state in
      state.isClassifying = false
      guard state.readingGeneration == job.generation, let document = state.document,
        document.edits == job.edits
      else { return }
      document.take(structure, of: job.items)
      document.arrange()
    }
  }
}

extension EditorState {
  /// Returns the page if the structure of its text may have changed. O(strokes).
  mutating func structureJob(_ document: Document) -> TextStructureJob? {
    guard document.mayHaveNewStructure, contentTypes(document).text else { return nil }
    let items = document.order
    let strokes = items.compactMap { document.strokes[$0].map { Stroke(points: $0.points) } }
    return TextStructureJob(
      generation: readingGeneration, edits: document.edits, items: items,
      ink: Ink(strokes: strokes), kinds: document.kindsByBlock,
      direction: document.direction(of: document.root))
  }
}
