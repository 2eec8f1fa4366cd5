import Files
import Foundation
import InkCore
import PenInput
import Typesetting

/// Everything of an editor that its lock guards.
///
/// Only a closure that holds the lock can reach the state, so a function that needs the lock is one
/// of the state. It calls no code of the host and accesses no file: the calls that it causes are
/// returned by ``takeNews()`` and made after the lock is released.
package struct EditorState: @unchecked Sendable {
  // Unchecked because the documents of parts are classes, which only the holder of the lock uses.

  let engine: Engine
  let configuration: Configuration
  let tools: ToolController
  /// The reference to the editor that handles of blocks share.
  let reference: EditorReference
  /// The events that wait for the delegate.
  let inbox: EventQueue

  var part: ContentPart?
  /// The fonts of typed text.
  var fonts: any FontProvider = BundledFont()
  weak var delegate: (any EditorDelegate)?
  var executor = CallbackExecutor.main
  var transform = ViewTransform.standard
  var viewSize: (width: Double, height: Double)?
  /// The pointers and pens that touch the view.
  var input = PenMachine()
  var penActions = PenActionState()
  /// The strokes that wait for a decision of the delegate, in the order they were written.
  var pending: [PendingStroke] = []
  /// True while the delegate is asked about strokes, one after the other.
  var isAsking = false
  /// False while a batch without gestures is applied.
  var findsGestures = true
  /// The reasons of decisions about gestures, with the items of the strokes; nil if none are kept.
  package var gestureReasons: [(item: Int, text: String)]?
  /// The votes of the model of gestures on strokes that end, by their items.
  var votes: [Int: GestureVote] = [:]
  var hover: HoverEvent?
  /// The block that the hand tool moves.
  var selectedBlock: String?
  /// The ink that the user has selected.
  var selection: Selection?
  /// The style sheet, the limits of the view, and what is to be drawn again.
  var rendering = RenderState()
  /// The number of parts that have been set.
  var generation = 0
  /// The number of changes that made pending recognition invalid; its results are dropped.
  private(set) var readingGeneration = 0
  /// True while a step of the history is being made.
  var isChanging = false
  /// The number of threads that read for this editor, or are about to.
  package var workers = 0
  /// True while a thread finds shapes.
  package var isClassifying = false
  /// Blocks that have a run being read.
  package var busyBlocks: Set<String> = []
  /// The number of the delayed pass of recognition that is due.
  var delayedPass = 0
  package var delayIsPending = false
  /// True if the trigger must be checked at the end of the current change.
  var needsSchedule = false
  var pendingEvents: [EditorEvent] = []
  /// The parts whose packages are to be told of a change.
  var changedParts: Set<ContentPart> = []
  /// Work to start once the lock is released.
  var requests: [WorkRequest] = []
  /// True if there are new events whose readers were not woken yet.
  var hasNews = false
  var lastActiveBlock: String?
  /// The numbers of changes that were reported last.
  var lastHistory = HistoryCounts()
  /// The notices that were sent, so that none is sent twice.
  var notices: Set<NoticeKey> = []
  var eventQueues: [WeakEventQueue] = []
  var textStreams: [Int: AsyncStream<ActiveText>.Continuation] = [:]
  var nextStream = 0
  var idleWaiters: [Int: IdleWaiter] = [:]

  init(
    engine: Engine, configuration: Configuration, tools: ToolController,
    reference: EditorReference, inbox: EventQueue
  ) {
    (self.engine, self.configuration, self.tools) = (engine, configuration, tools)
    (self.reference, self.inbox) = (reference, inbox)
  }

  /// The document of the part.
  package var document: Document? { part?.document }

  /// Discards pending recognition.
  mutating func discardReadings() { readingGeneration += 1 }

  /// Returns the reason why a part cannot be set, or nil.
  func missing(for part: ContentPart?) -> EditorError? {
    if isWriting { return .pointerIsDown }
    guard part != nil else { return nil }
    if viewSize == nil { return .viewSizeNotSet }
    return nil
  }

  /// Sets a part, and returns the one before.
  ///
  /// - Parameters:
  ///   - part: The part, or nil.
  ///   - text: The configuration of its text, if it has none yet.
  ///   - direction: The direction of the model of its text.
  mutating func swap(
    _ part: ContentPart?, _ text: TextConfiguration?, _ direction: WritingDirection
  ) -> ContentPart? {
    if let part, part.document.textConfiguration == nil {
      part.document.textConfiguration = text
      part.ownership.withLock { $0.knownConfiguration = text }
    }
    part?.document.take(direction)
    let old = self.part
    if let document { settle(document) }
    self.part = part
    generation += 1
    discardReadings()
    notices = []
    selectedBlock = nil
    setSelection(nil)
    lastActiveBlock = part?.document.activeBlock?.id
    partWillBeDrawn(part?.document, instead: old?.document)
    // A pending reading belongs to the old part: it is requested again when the part returns.
    old?.document.requeueDirtyRuns()
    old?.document.changes = BlockChanges()
    pendingEvents.append(.partChanged(old: old, new: part))
    if let part {
      part.document.changes = BlockChanges()
      pendingEvents.append(.activeBlockChanged(lastActiveBlock))
      pendingEvents.append(
        .contentChanged(added: part.document.blockIDs, removed: [], updated: []))
    }
    part?.document.blockGap = number("text.block-gap")
    tell(presentText)
    schedule()
    return old
  }
}

/// Work of the engine that a change of the state causes.
enum WorkRequest {
  /// Sort and read the requested ink.
  case read
  /// Request all ink after a delay, unless another pass is due by then.
  case readLater(milliseconds: Double, pass: Int)
  /// End the wait for updates of a pen's stroke.
  case finalize(stroke: Int, milliseconds: Double)
  /// Ask the delegate about the strokes that may be gestures.
  case ask(on: CallbackExecutor)
  /// End the wait for an answer about a stroke.
  case endQuestion(stroke: Int, milliseconds: Double)
  /// Look whether a contact is a long press.
  case longPress(number: Int, milliseconds: Double)
}

/// The calls that a change of the state causes. They are made once the lock is released.
struct EditorNews {
  /// Parts whose packages are to be told of a change.
  var parts: Set<ContentPart> = []
  /// The streams with new events.
  var streams: [EventQueue] = []
  /// Callers that wait until the editor is idle, which it is.
  var waiters: [IdleWaiter] = []
  /// The executor of the delegate.
  var executor: CallbackExecutor
  /// Work to start.
  var requests: [WorkRequest] = []
}
