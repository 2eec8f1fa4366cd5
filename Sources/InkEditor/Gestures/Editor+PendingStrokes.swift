import InkCore

// Strokes about which the delegate is asked: drawn and stored as ink, but not read.
extension Editor {
  /// Answers the question about a gesture that ``EditorDelegate/editor(_:decide:)`` left open.
  ///
  /// - Parameters:
  ///   - answer: The decision.
  ///   - stroke: The id of the gesture's stroke.
  /// - Throws: ``EditorError/noPart``, or ``EditorError/noSuchGesture(_:)`` if the question was
  ///   answered already, is too old, or the stroke is gone. Nothing has changed then.
  public func answer(_ answer: GestureAnswer, to stroke: Int) throws(EditorError) {
    try withDocument { (state, document) throws(EditorError) in
      guard state.answer(answer, to: stroke, document) else { throw .noSuchGesture(stroke) }
    }
  }

  /// The gestures about which the delegate has been asked and has not answered.
  public var openGestures: [EditorGesture] {
    read { state in state.pending.filter { $0.answer == nil }.map(\.gesture) }
  }

  /// Makes every stroke that waits for an answer what it is without a delegate. For those who close
  /// or copy the package of the part.
  package func settleGestures() {
    locked { state in
      if let document = state.document { state.settle(document) }
    }
  }

  /// Asks the delegate about the strokes that wait, in the order they were written. Do not call
  /// under the lock.
  func askAboutGestures() {
    while let gesture = read({ $0.nextQuestion() }) {
      let answer: GestureAnswer?
      if let delegate {
        answer = Self.calling { delegate.editor(self, decide: gesture) }
      } else {
        answer = .apply
      }
      guard let answer else { continue }
      locked { state in
        guard let document = state.document else { return }
        _ = state.answer(answer, to: gesture.stroke, document)
      }
    }
  }

  /// Ends the wait for an answer.
  func endQuestion(about stroke: Int) {
    locked { state in
      guard let document = state.document, let gesture = state.openGesture(stroke) else { return }
      state.tellOfSilence(gesture, document)
      _ = state.answer(.apply, to: stroke, document)
    }
  }
}

extension EditorState {
  /// Keeps a stroke until the delegate has decided about it.
  mutating func hold(
    _ stroke: InkStroke, _ gesture: EditorGesture, _ vote: GestureVote?, _ document: Document
  ) {
    document.hold(stroke)
    pending.append(PendingStroke(gesture: gesture, vote: vote))
    if !isAsking {
      isAsking = true
      requests.append(.ask(on: executor))
    }
    requests.append(
      .endQuestion(stroke: stroke.id, milliseconds: number("gesture.answer-timeout")))
  }

  /// Returns the next gesture to ask about; nil ends the questions.
  mutating func nextQuestion() -> EditorGesture? {
    guard let place = pending.firstIndex(where: { !$0.isAsked && $0.answer == nil }) else {
      isAsking = false
      return nil
    }
    pending[place].isAsked = true
    return pending[place].gesture
  }

  func openGesture(_ stroke: Int) -> EditorGesture? {
    pending.first { $0.item == stroke && $0.answer == nil }?.gesture
  }

  /// Takes an answer. Strokes are decided in the order they were written.
  ///
  /// - Returns: False if nobody waits for it.
  mutating func answer(_ answer: GestureAnswer, to stroke: Int, _ document: Document) -> Bool {
    guard let place = pending.firstIndex(where: { $0.item == stroke && $0.answer == nil }) else {
      return false
    }
    pending[place].answer = answer
    while let first = pending.first, let answer = first.answer {
      pending.removeFirst()
      settle(first, answer, document)
    }
    schedule()
    return true
  }

  /// Decides all strokes that wait as if there were no delegate.
  mutating func settle(_ document: Document) {
    let waiting = pending
    pending = []
    for stroke in waiting {
      if stroke.answer == nil { tellOfSilence(stroke.gesture, document) }
      settle(stroke, stroke.answer ?? .apply, document)
    }
  }

  /// Removes the stroke that waits since the shortest time.
  ///
  /// - Returns: False if none waits.
  mutating func withdrawPending(_ document: Document) -> Bool {
    guard let last = pending.popLast() else { return false }
    _ = document.release(last.item)
    return true
  }

  private mutating func settle(
    _ pending: PendingStroke, _ answer: GestureAnswer, _ document: Document
  ) {
    // The stroke may have been erased in the meantime.
    guard let stroke = document.release(pending.item) else { return }
    switch answer {
    case .ignore: break
    case .add: restore(stroke, document)
    case .apply:
      // The content may have changed since the question.
      if let decision = gesture(of: stroke, pending.vote, document), let kind = decision.kind,
        kind == pending.gesture.kind, apply(kind, decision.target, document)
      {
        pendingEvents.append(.gesture(EditorGesture(decision, kind, stroke: stroke)))
      } else {
        refuse(pending.gesture, document)
        restore(stroke, document)
      }
    }
  }

  /// Adds a stroke at its place in the order of writing.
  private mutating func restore(_ stroke: InkStroke, _ document: Document) {
    change(document) { _ in document.bringBack(stroke) }
    tellOfPlace(stroke, document)
  }

  mutating func tellOfSilence(_ gesture: EditorGesture, _ document: Document) {
    report(
      gesture, document, .gestureNotAnswered,
      "the delegate did not answer in time; it is applied as the configuration says")
  }
}
