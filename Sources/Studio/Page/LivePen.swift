import Foundation
import InkCore
import InkEditor
import PenInput

/// A message with the samples of a pen that is down.
///
/// It only saves time: the whole stroke comes as a command when the pen is up, and is confirmed. So a
/// message that is lost or malformed loses no ink.
package struct PenMovement: Sendable {
  /// The name of the stroke, which its command repeats.
  var pen: String
  /// The number of samples that were sent before.
  var from: Int
  /// The new samples.
  var samples: PageStroke
  /// True if nothing of the stroke is to remain.
  var isCancelled: Bool

  package init(pen: String, from: Int, samples: PageStroke, isCancelled: Bool) {
    self.pen = pen
    self.from = from
    self.samples = samples
    self.isCancelled = isCancelled
  }
}

extension PenMovement: Decodable {
  private enum CodingKeys: String, CodingKey {
    case pen, from, isCancelled
  }

  /// Reads a message, such as `{"pen": "a", "from": 0, "x": [1], "y": [2]}`.
  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    pen = try values.decode(String.self, forKey: .pen)
    isCancelled = try values.decodeIfPresent(Bool.self, forKey: .isCancelled) ?? false
    from = isCancelled ? 0 : try values.decode(Int.self, forKey: .from)
    samples = isCancelled ? PageStroke(x: [], y: []) : try PageStroke(from: decoder)
  }
}

/// A pen that is down on a page.
package struct LivePen {
  /// The client that holds it, which has one pen.
  let client: Int
  /// The samples so far.
  var stroke: PageStroke
}

extension PageDocument {
  /// The difference in milliseconds above which the clock of a client is another one. Times of its
  /// pens would be shifted to this machine's clock, and those of whole strokes are not.
  private static let sameClock = 60_000.0

  /// Passes samples of a client's pen to the editor. A message that does not continue what came before
  /// ends the pen; its stroke comes whole later.
  package func follow(_ movement: PenMovement, of client: Int) {
    guard !movement.isCancelled, let samples = try? movement.samples.checked("samples") else {
      return lift(movement.pen)
    }
    if movement.from == 0 {
      liftPens(of: client)
      begin(movement.pen, samples, of: client)
    } else if var pen = pens[movement.pen], pen.client == client,
      pen.stroke.x.count == movement.from, movement.from + samples.x.count <= PageLimits.points,
      pen.stroke.append(samples)
    {
      pens[movement.pen] = pen
      // The only error is a missing part.
      _ = try? editor.handle(
        .moved(coalesced: pen.stroke.samples(from: movement.from), predicted: []), pointer: client)
    } else {
      lift(movement.pen)
    }
  }

  private func begin(_ name: String, _ stroke: PageStroke, of client: Int) {
    let now = Date().timeIntervalSince1970 * 1000
    guard pens[name] == nil, strokeCount + pens.count < PageLimits.strokes,
      abs(now - (stroke.time ?? now)) < Self.sameClock
    else { return }
    pens[name] = LivePen(client: client, stroke: stroke)
    var samples = stroke.samples(from: 0)
    // A part is set as long as the page is open.
    _ = try? editor.handle(.began(samples.removeFirst()), pointer: client)
    guard !samples.isEmpty else { return }
    _ = try? editor.handle(.moved(coalesced: samples, predicted: []), pointer: client)
  }

  /// Returns true if a command is the whole stroke of a pen that is down.
  package func endsPen(_ command: PageCommand) -> Bool {
    guard case .strokes(let strokes) = command.action, strokes.count == 1,
      let pen = command.pen.flatMap({ pens[$0] })
    else { return false }
    return strokes[0].begins(with: pen.stroke)
  }

  /// Ends a pen with the whole of its stroke; see ``endsPen(_:)``.
  func end(pen name: String, _ stroke: PageStroke) throws(EditorError) {
    guard let pen = pens.removeValue(forKey: name) else { return }
    let rest = stroke.samples(from: pen.stroke.x.count)
    if !rest.isEmpty {
      try editor.handle(.moved(coalesced: rest, predicted: []), pointer: pen.client)
    }
    try editor.handle(.ended(nil), pointer: pen.client)
  }

  /// Forgets the pens of a client, or all pens. Their strokes come whole later.
  package func liftPens(of client: Int? = nil) {
    for (name, pen) in pens where client == nil || pen.client == client { lift(name) }
  }

  private func lift(_ name: String) {
    guard let pen = pens.removeValue(forKey: name) else { return }
    _ = try? editor.handle(.cancelled, pointer: pen.client)
  }
}

extension PageStroke {
  /// Returns the samples of a pen, from an index on.
  func samples(from first: Int) -> [PenSample] {
    x.indices.dropFirst(first).map { index in
      PenSample(
        point: StrokePoint(
          x: x[index], y: y[index], t: time.flatMap { time in t.map { time + $0[index] } },
          force: force.flatMap { $0[index] > 0 ? $0[index] : nil }, azimuth: azimuth?[index],
          altitude: altitude?[index]))
    }
  }

  /// Appends samples; returns false if they have other columns.
  mutating func append(_ more: PageStroke) -> Bool {
    func join(_ column: inout [Double]?, _ more: [Double]?) -> Bool {
      guard let more else { return column == nil }
      column?.append(contentsOf: more)
      return column != nil
    }
    x += more.x
    y += more.y
    return join(&t, more.t) && join(&force, more.force) && join(&azimuth, more.azimuth)
      && join(&altitude, more.altitude)
  }

  /// Returns true if another stroke is the beginning of this one.
  func begins(with other: PageStroke) -> Bool {
    func starts(_ column: [Double]?, _ other: [Double]?) -> Bool {
      guard let column, let other else { return column == nil && other == nil }
      return column.starts(with: other)
    }
    return time == other.time && x.starts(with: other.x) && y.starts(with: other.y)
      && starts(t, other.t) && starts(force, other.force) && starts(azimuth, other.azimuth)
      && starts(altitude, other.altitude)
  }
}
