import InkCore
import Layout

/// A page whose strokes are to be told apart.
struct PageKindsJob {
  var generation: Int
  /// The changes of the document until now.
  var edits: Int
  var items: [Int]
  var ink: Ink
}

extension Editor {
  /// Finds the kinds of the strokes of a page and takes them over, unless the ink has changed by then.
  /// Do not call under the lock.
  func findKinds(_ job: PageKindsJob) {
    let kinds = PageKinds.found(in: job.ink, isOrdered: true)
    locked { state in
      state.isClassifying = false
      guard state.readingGeneration == job.generation, let document = state.document,
        document.edits == job.edits
      else { return }
      document.take(kinds, of: job.items, in: job.ink)
      document.askForAll()
      document.arrange()
    }
  }
}

extension EditorState {
  /// Returns the page if the kinds of its strokes may have changed. O(strokes).
  mutating func kindsJob(_ document: Document) -> PageKindsJob? {
    guard document.mayHaveNewKinds else { return nil }
    let types = contentTypes(document)
    guard types.text, types.drawing else { return nil }
    let items = document.order.filter { document.strokes[$0]?.isInk ?? false }
    let strokes = items.compactMap { document.strokes[$0].map { Stroke(points: $0.points) } }
    return PageKindsJob(
      generation: readingGeneration, edits: document.edits, items: items,
      ink: Ink(strokes: strokes))
  }
}
