import InkCore
import Layout
import Recognition

/// A page whose strokes are to be told apart.
struct PageKindsJob {
  var generation: Int
  /// The changes of the document until now.
  var edits: Int
  var items: [Int]
  var ink: Ink
  /// The direction of most of the text.
  var direction: WritingDirection
  /// The name of the model of formulas between words; nil if they are not read.
  var formulas: String?
  /// The evidence of the words that were read, for and against formulas, about each stroke.
  var evidence: [Float] = []
}

extension Editor {
  /// Finds the kinds of the strokes of a page and takes them over, unless the ink has changed by then.
  /// Do not call under the lock.
  func findKinds(_ job: PageKindsJob) {
    let (kinds, formulas) = kinds(of: job)
    locked { state in
      state.isClassifying = false
      guard state.readingGeneration == job.generation, let document = state.document,
        document.edits == job.edits
      else { return }
      document.take(kinds, of: job.items, in: job.ink, formulas: formulas)
      document.askForAll()
      document.arrange()
    }
  }

  /// The kinds of the strokes of a page, and the formulas between words that a model confirms.
  private func kinds(of job: PageKindsJob) -> ([StrokeKind]?, [InlineFormula]) {
    guard let name = job.formulas else {
      return (PageKinds.found(in: job.ink, isOrdered: true, direction: job.direction), [])
    }
    let found = PageKinds.foundWithFormulas(
      in: job.ink, isOrdered: true, direction: job.direction)
    let models = engine.models
    let candidates =
      found.kinds == nil
      ? []
      : InlineFormulas.found(
        in: job.ink, found.formulas, evidence: job.evidence, kinds: found.kinds)
    guard !candidates.isEmpty,
      let recognizer = try? engine.formulas.reader(
        name, open: { () throws(any Error) in try models.formulaRecognizer(name: name) })
    else { return (found.kinds, []) }
    // The text is read later, and then decides as well.
    let reader = InlineFormulaReader(recognizer) { _ in ("", 0) }
    let read: [ReadInlineFormula] =
      (try? reader.read(candidates, of: job.ink, found.formulas, evidence: job.evidence)) ?? []
    return (found.kinds, read.map(\.place))
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
      ink: Ink(strokes: strokes), direction: document.frame(of: document.root).direction,
      formulas: formulasModel(document),
      evidence: document.formulaEvidence(of: items))
  }
}
