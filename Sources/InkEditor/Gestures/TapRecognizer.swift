import InkCore

/// Tells taps, double taps and long presses from strokes. Places are pixels, times milliseconds.
struct TapRecognizer: Sendable {
  /// The greatest way of a contact that stays at its place, in pixels.
  static let reach = 8.0
  /// The longest time between two taps that are a double tap.
  static let pause = 300.0
  /// The time after which a contact at one place is a long press.
  static let hold = 500.0

  private var last: (x: Double, y: Double, time: Double)?

  /// Takes a tap.
  ///
  /// - Parameter time: The time when the contact left the view.
  /// - Returns: A tap, or a double tap if it follows another tap at this place. The next one is a
  ///   tap again.
  mutating func take(x: Double, y: Double, at time: Double) -> GestureKind {
    if let last, time - last.time <= Self.pause, time >= last.time,
      Self.isNear(x - last.x, y - last.y)
    {
      self.last = nil
      return .doubleTap
    }
    last = (x, y, time)
    return .tap
  }

  /// Forgets the last tap: something else happened in between.
  mutating func reset() { last = nil }

  /// Returns whether a way in pixels is short enough to stay at a place.
  static func isNear(_ dx: Double, _ dy: Double) -> Bool { dx * dx + dy * dy <= reach * reach }
}

/// A contact that may be a tap or a long press.
struct Press: Sendable {
  /// Pixels.
  var x: Double
  var y: Double
  /// Milliseconds since 1970.
  var began: Double
  /// The number of the press, so that a timer knows its own.
  var number: Int
  /// True if another contact came down meanwhile, as the second finger of a zoom.
  var isAccompanied = false
  /// True if it was told as a long press.
  var isTold = false
}

extension EditorState {
  /// Begins to watch a contact, unless the tool erases.
  mutating func beginPress(_ stroke: inout ActiveStroke, at time: Double) {
    guard stroke.type == .touch || stroke.type == .pen, stroke.tool != .eraser, !stroke.isPalm,
      let first = stroke.points.first, boolean("gesture.enable")
    else { return }
    let place = stroke.transform.view(x: first.x, y: first.y)
    var press = Press(x: place.x, y: place.y, began: time, number: makeNumber())
    for index in input.strokes.indices where input.strokes[index].isDown {
      input.strokes[index].press?.isAccompanied = true
      press.isAccompanied = true
    }
    stroke.press = press
    if !press.isAccompanied, mayBeLong(stroke) {
      requests.append(.longPress(number: press.number, milliseconds: TapRecognizer.hold))
    }
  }

  /// Touches may always be long presses, pens only if the settings list them.
  private mutating func mayBeLong(_ stroke: ActiveStroke) -> Bool {
    guard stroke.type == .pen else { return true }
    return document.map { gestureKinds($0).contains(.longPress) } ?? false
  }

  /// Reports a contact that is still down at its place.
  mutating func endHold(_ number: Int) {
    guard let index = input.strokes.firstIndex(where: { $0.press?.number == number }),
      input.strokes[index].isDown, input.strokes[index].isAtRest,
      input.strokes[index].press?.isAccompanied == false, let press = input.strokes[index].press,
      !press.isTold, input.strokes[index].generation == generation
    else { return }
    input.strokes[index].press?.isTold = true
    tell(.longPress, press, input.strokes[index])
    // The hand may go on to move what it has selected.
    input.strokes[index].movesSelection = input.strokes[index].tool == .hand && selection != nil
  }

  /// Reports a contact that has left the view at its place.
  mutating func endPress(_ stroke: ActiveStroke, at time: Double) {
    guard let press = stroke.press, !stroke.isPalm, stroke.generation == generation else { return }
    guard !press.isAccompanied, stroke.isAtRest else { return input.taps.reset() }
    guard !press.isTold else { return }
    if time - press.began < TapRecognizer.hold {
      tell(input.taps.take(x: press.x, y: press.y, at: time), press, stroke)
    } else if mayBeLong(stroke) {
      tell(.longPress, press, stroke)
    }
  }

  private mutating func tell(_ kind: GestureKind, _ press: Press, _ stroke: ActiveStroke) {
    guard let document, let first = stroke.points.first else { return }
    if kind == .longPress {
      input.taps.reset()
      if stroke.tool == .hand || stroke.tool == .selector { selectBlock(under: first, document) }
    }
    pendingEvents.append(
      .gesture(
        EditorGesture(
          kind, pointer: stroke.contact, tool: stroke.tool,
          block: topBlock(x: first.x, y: first.y, document)?.id,
          view: GesturePixel(x: press.x, y: press.y),
          box: BoundingBox(minX: first.x, minY: first.y, maxX: first.x, maxY: first.y))))
  }
}

extension ActiveStroke {
  /// Returns true if it is a long press that has been told, or will be when it ends.
  func isLongPress(at time: Double) -> Bool {
    guard let press, !press.isAccompanied else { return false }
    return press.isTold || time - press.began >= TapRecognizer.hold && isAtRest
  }

  /// True if no sample is farther than a finger's tremor from the first, on the screen. The stroke
  /// of a pen that writes is a dot then: a small letter stays as near, but its path is longer.
  fileprivate var isAtRest: Bool {
    guard let press else { return false }
    var (way, last) = (0.0, (press.x, press.y))
    for point in points {
      let place = transform.view(x: point.x, y: point.y)
      guard TapRecognizer.isNear(place.x - press.x, place.y - press.y) else { return false }
      way += ((place.x - last.0) * (place.x - last.0) + (place.y - last.1) * (place.y - last.1))
        .squareRoot()
      last = (place.x, place.y)
    }
    return tool != .pen || way <= TapRecognizer.reach
  }
}
