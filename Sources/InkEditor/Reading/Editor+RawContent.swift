import Foundation
import InkCore
import LanguageModels
import Recognition

/// The types that raw content may consist of.
struct ContentTypes {
  var text: Bool
  var shape: Bool
  var drawing: Bool
}

/// Ink of raw content that is to be added to a block.
struct RawContentJob {
  /// Ink that may be one shape.
  struct Group {
    var items: [Int]
    var ink: Ink
    var context: ShapeContext

    init(_ strokes: [InkStroke], in document: Document) {
      items = strokes.map(\.id)
      ink = Ink(strokes: strokes.map { Stroke(points: $0.points) })
      context = document.shapeContext(of: strokes)
    }
  }

  var generation: Int
  /// The item to sort, or nil for a requested shape.
  var item: Int?
  /// The groups of ink that may form a shape with the item, largest first.
  var groups: [Group]
  /// The name of the model of shapes.
  var model: String
  /// If true, the whole first group becomes one shape, whatever its form.
  var isForced = false
}

extension Editor {

  struct FoundShape {
    var items: [Int]
    var shape: RecognizedShape
  }

  /// Finds the shape of a job and puts its ink into a block. Do not call under the lock.
  func classify(_ job: RawContentJob) {
    let outcome = Self.calling { shape(of: job) }
    locked { state in
      state.isClassifying = false
      guard state.readingGeneration == job.generation, let document = state.document else { return }
      state.finish(job, outcome, document)
      document.arrange()
    }
  }

  private func shape(of job: RawContentJob) -> Result<FoundShape?, EditorNotice> {
    let recognizer: any Recognizer
    do {
      recognizer = try engine.shapes.recognizer(job.model, models: engine.models)
    } catch {
      return .failure(
        EditorNotice(
          block: "0", code: Self.isConfiguration(error) ? .invalidConfiguration : .modelNotFound,
          message: "\(error)"))
    }
    do {
      for group in job.groups {
        let found = try ShapeFinder.shape(
          group.ink, group.context, isForced: job.isForced, recognizer: recognizer)
        if let found, group.items.count == 1 || found.mayHaveManyStrokes || job.isForced {
          return .success(FoundShape(items: group.items, shape: found))
        }
      }
      return .success(nil)
    } catch {
      return .failure(
        EditorNotice(
          block: "0", code: .shapesFailed,
          message: "the shape recogniser failed: \(error); the ink is sorted again when models "
            + "state.change"))
    }
  }
}

extension EditorState {
  mutating func contentTypes(_ document: Document) -> ContentTypes {
    guard document.type == .rawContent else {
      return ContentTypes(text: true, shape: true, drawing: true)
    }
    let types = strings("raw-content.classification.types")
    return ContentTypes(
      text: types.contains("text"), shape: types.contains("shape"),
      drawing: types.contains("drawing"))
  }

  /// Returns the next ink to sort that needs the shape model, and sorts other ink at once.
  mutating func rawContentJob(_ document: Document) -> RawContentJob? {
    if let forced = document.nextForcedShape { return forcedJob(forced, document) }
    guard document.peekUnsorted() != nil else { return nil }
    let types = contentTypes(document)
    defer { document.arrange() }
    while let item = document.peekUnsorted() {
      guard document.isAmongShapes(item) else {
        document.removeUnsorted([item])
        placeElsewhere(item, document)
        continue
      }
      guard types.shape, let stroke = document.strokes[item],
        !(types.text && document.isInNode(item))
      else {
        document.removeUnsorted([item])
        if !types.shape { document.provisional.insert(item) }
        sort(item, types, document)
        continue
      }
      let groups = ShapeFinder.groups(document.recentStrokes(upTo: item))
        .map { RawContentJob.Group($0, in: document) }
        .filter { group in
          guard let box = group.ink.boundingBox else { return false }
          return ShapeFinder.mayBeShape(box, group.context)
        }
      guard !groups.isEmpty || !(types.text || types.drawing) else {
        document.removeUnsorted([item])
        sort(item, types, document)
        continue
      }
      return RawContentJob(
        generation: readingGeneration, item: item,
        groups: groups.isEmpty
          ? [RawContentJob.Group([stroke], in: document)] : groups.reversed(),
        model: string("raw-content.configuration.shapes"),
        isForced: !(types.text || types.drawing))
    }
    return nil
  }

  mutating func forcedJob(_ items: [Int], _ document: Document) -> RawContentJob {
    RawContentJob(
      generation: readingGeneration, item: nil,
      groups: [RawContentJob.Group(items.compactMap { document.strokes[$0] }, in: document)],
      model: string("raw-content.configuration.shapes"), isForced: true)
  }

  mutating func finish(
    _ job: RawContentJob, _ outcome: Result<Editor.FoundShape?, EditorNotice>, _ document: Document
  ) {
    var found: Editor.FoundShape?
    var failed = false
    switch outcome {
    case .success(let shape): found = shape
    case .failure(let notice):
      failed = true
      tell(notice)
    }
    let types = contentTypes(document)
    guard let item = job.item else {
      let items = job.groups.flatMap(\.items)
      if failed {
        document.postponeForcedShape(items: items)
      } else {
        document.finishForcedShape(found?.shape, items: items, allowsText: types.text)
      }
      return
    }
    guard document.unsorted.contains(item) else { return }
    document.removeUnsorted([item])
    guard document.isAmongShapes(item) else { return placeElsewhere(item, document) }
    let present =
      found?.items.allSatisfy {
        document.isAmongShapes($0) && document.block(of: $0)?.isForced != true
      } ?? false
    if let found, present, !document.isPartOfText(found.items, found.shape) {
      document.makeShape(found.shape, items: found.items, allowsText: types.text)
      document.askForRuns()
    } else {
      if failed { document.provisional.insert(item) }
      sort(item, types, document)
    }
  }

  /// Adds ink to the block at its place, which is not searched for shapes.
  mutating func placeElsewhere(_ item: Int, _ document: Document) {
    document.place(item)
    document.askForRuns()
  }

  /// Adds ink that is not a shape to text or a drawing.
  mutating func sort(_ item: Int, _ types: ContentTypes, _ document: Document) {
    if types.shape, document.placeHead(item) { return }
    if types.text, !types.drawing || document.looksLikeText(item) {
      document.placeText(item)
      if types.shape { document.takeBackLetters(after: item) }
    } else {
      document.placeDrawing(item)
    }
    // The ink was requested, so the text that it becomes is read, too.
    document.askForRuns()
  }
}
