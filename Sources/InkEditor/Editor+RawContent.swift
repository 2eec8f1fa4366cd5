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

/// Ink of raw content to be added to a block.
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
  var item: Int
  /// The ink that may be one shape with the item, largest first.
  var groups: [Group]
  var recognizer: Result<any Recognizer, EditorNotice>?
  /// The whole of the first group is one shape, whatever it looks like.
  var isForced = false
}

extension Editor {
  /// Whether text of raw content is read; under the lock.
  var recognizesText: Bool {
    ((try? configuration.strings("raw-content.recognition.types")) ?? []).contains("text")
  }

  private var contentTypes: ContentTypes {
    let types = (try? configuration.strings("raw-content.classification.types")) ?? []
    return ContentTypes(
      text: types.contains("text"), shape: types.contains("shape"),
      drawing: types.contains("drawing"))
  }

  /// The next ink to sort that needs the model of shapes; other ink is sorted at once. Call under
  /// the lock.
  func rawContentJob(_ document: Document) -> RawContentJob? {
    if let forced = document.forcedShapes.first { return forcedJob(forced, document) }
    let types = contentTypes
    while let item = document.peekUnsorted() {
      guard types.shape, let stroke = document.strokes[item],
        !(types.text && document.isInNode(item))
      else {
        _ = document.takeUnsorted(1)
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
        _ = document.takeUnsorted(1)
        sort(item, types, document)
        continue
      }
      return RawContentJob(
        generation: readingGeneration, item: item,
        groups: groups.isEmpty
          ? [RawContentJob.Group([stroke], in: document)] : groups.reversed(),
        recognizer: shapeRecognizer(),
        isForced: !(types.text || types.drawing))
    }
    return nil
  }

  private func forcedJob(_ items: [Int], _ document: Document) -> RawContentJob {
    RawContentJob(
      generation: readingGeneration, item: -1,
      groups: [RawContentJob.Group(items.compactMap { document.strokes[$0] }, in: document)],
      recognizer: shapeRecognizer(), isForced: true)
  }

  private func shapeRecognizer() -> Result<any Recognizer, EditorNotice> {
    do {
      let name = try configuration.string("raw-content.configuration.shapes")
      return .success(try engine.models.shapeRecognizer(name: name))
    } catch {
      return .failure(
        EditorNotice(
          block: "0", code: Self.isConfiguration(error) ? .invalidConfiguration : .modelNotFound,
          message: "\(error)"))
    }
  }

  /// Whether an error means that the settings are wrong, and not the models.
  static func isConfiguration(_ error: any Error) -> Bool {
    error is ConfigurationError || error is TextConstraintError
      || error as? RecognitionError == .emptyAlphabet
  }

  /// Finds the shape of a job and puts its ink into a block; not under the lock.
  func classify(_ job: RawContentJob) {
    var shape: (items: [Int], shape: RecognizedShape)?
    var notice: EditorNotice?
    switch job.recognizer {
    case .success(let recognizer)?:
      for group in job.groups where shape == nil {
        let found = try? ShapeFinder.shape(
          group.ink, group.context, isForced: job.isForced, recognizer: recognizer)
        if let found, group.items.count == 1 || found.mayHaveManyStrokes || job.isForced {
          shape = (group.items, found)
        }
      }
    case .failure(let failure)?: notice = failure
    case nil: break
    }
    condition.lock()
    defer { condition.unlock() }
    guard readingGeneration == job.generation, let document = lockedDocument else { return }
    if let notice { tell(notice) }
    if job.item < 0 {
      document.finishForcedShape(
        shape?.shape, items: job.groups.flatMap(\.items), allowsText: contentTypes.text)
      return
    }
    guard document.peekUnsorted() == job.item else { return }
    _ = document.takeUnsorted(1)
    let present =
      shape?.items.allSatisfy {
        document.strokes[$0] != nil && document.block(of: $0)?.isForced != true
      } ?? false
    if let shape, present, !document.isPartOfText(shape.items, shape.shape) {
      document.makeShape(shape.shape, items: shape.items, allowsText: contentTypes.text)
    } else {
      sort(job.item, contentTypes, document)
    }
  }

  /// Adds ink that is not a shape to text or a drawing. Call under the lock.
  private func sort(_ item: Int, _ types: ContentTypes, _ document: Document) {
    if types.shape, document.placeHead(item) { return }
    if types.text, !types.drawing || document.looksLikeText(item) {
      document.placeText(item)
    } else {
      document.placeDrawing(item)
    }
  }
}
