import InkCore
import PenInput

/// The pointers and pens that touch the view: their strokes from the first sample to the last
/// correction.
///
/// Events of pointers and of pens become the same steps: a stroke begins, is extended, is lifted or
/// cancelled, and is corrected. This value dates and converts the samples and tells palms from
/// fingers. It knows no document: the state of the editor applies the steps.
struct PenMachine {
  /// The strokes, in the order begun. Those of pens stay until their values are final.
  var strokes: [ActiveStroke] = []
  /// The samples of pens, with estimates, predictions and updates.
  var assembler = StrokeAssembler()
  var palms = PalmRejection()
  var taps = TapRecognizer()
  /// The largest force that pens report, or nil.
  var maximumForce: Double?
  private var clock = InputClock()

  /// Returns the number of a pen among all that touch the view, distinct from all ids of pointers.
  static func contact(ofPen pen: Int) -> Int { -2 - pen }

  /// Returns the place of a stroke. O(strokes); there are few.
  @inline(__always)
  func index(of source: ActiveStroke.Source) -> Int? {
    strokes.firstIndex { $0.source == source }
  }

  /// The ids of the pointers that are down.
  var pointers: [Int] {
    strokes.compactMap { stroke in
      if case .pointer(let id) = stroke.source { id } else { nil }
    }
  }

  /// The number of strokes of pens whose values may still change.
  var pendingCount: Int { strokes.count - pointers.count }

  /// Removes a stroke whose pointer or pen has left.
  mutating func lift(_ index: Int, at time: Double) -> ActiveStroke {
    var stroke = strokes.remove(at: index)
    stroke.isDown = false
    switch stroke.type {
    case .touch: palms.touchEnded(stroke.contact)
    case .pen, .eraser: palms.penEnded(stroke.contact, at: time)
    default: break
    }
    return stroke
  }

  /// Forgets a stroke whose values are final.
  mutating func forget(_ source: ActiveStroke.Source) {
    if let index = index(of: source) { strokes.remove(at: index) }
  }

  // MARK: - Samples

  /// Returns the point of a pointer's event in millimetres.
  ///
  /// - Parameter stamp: Milliseconds since 1970, or nil if the time is unknown.
  @inline(__always)
  static func point(
    _ event: PointerEvent, _ transform: ViewTransform, _ stamp: Double?
  ) -> StrokePoint {
    let place = transform.document(x: event.x, y: event.y)
    return StrokePoint(
      x: place.x, y: place.y, t: stamp, force: event.force > 0 ? event.force : nil,
      azimuth: event.azimuth, altitude: event.altitude, roll: event.roll)
  }

  /// Returns a pen's sample in millimetres and milliseconds since 1970.
  ///
  /// - Parameter now: The milliseconds since 1970 when the sample arrived, which set the clock.
  mutating func point(
    of sample: PenSample, _ transform: ViewTransform, now: Double
  ) -> StrokePoint {
    if let t = sample.point.t { _ = clock.time(t, now: now) }
    return point(of: sample, transform)
  }

  /// Returns a pen's sample in millimetres and milliseconds since 1970.
  func point(of sample: PenSample, _ transform: ViewTransform) -> StrokePoint {
    var point = sample.point
    (point.x, point.y) = transform.document(x: point.x, y: point.y)
    if let t = point.t { point.t = clock.time(t) }
    if let maximumForce, let force = sample.normalizedForce(maximum: maximumForce) {
      point.force = force
    }
    return point
  }

  /// Returns the samples of a pen's stroke.
  func assembled(_ stroke: Int) -> AssembledStroke? {
    assembler.strokes.last { $0.id == stroke }
  }

  /// Returns the predictions of the next points of a stroke.
  func predictions(of stroke: ActiveStroke, _ transform: ViewTransform) -> [StrokePoint] {
    guard case .pen(let id) = stroke.source else { return [] }
    return assembled(id)?.predicted.map { point(of: $0, transform) } ?? []
  }

  /// Adds new samples of a pen to its stroke.
  ///
  /// - Parameters:
  ///   - present: The transform of the view.
  ///   - now: The milliseconds since 1970 when the samples arrived.
  mutating func take(
    _ samples: Range<Int>, at index: Int, of stroke: Int, present: ViewTransform, now: Double
  ) {
    guard let all = assembled(stroke)?.samples else { return }
    let transform = strokes[index].transform(present: present)
    strokes[index].samplesFollow(transform)
    for sample in all[samples] {
      let point = point(of: sample, transform, now: now)
      strokes[index].points.append(point)
    }
  }

  /// Converts corrected samples of a pen again.
  mutating func correct(_ samples: Range<Int>, at index: Int, of stroke: Int) {
    guard let all = assembled(stroke)?.samples else { return }
    // Samples of the same delivery may not have been added yet.
    for sample in samples.clamped(to: strokes[index].points.indices) {
      strokes[index].points[sample] = point(
        of: all[sample], strokes[index].transform(of: sample))
    }
  }
}
