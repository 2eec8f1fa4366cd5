import CDuctus
import Files
import Foundation
import InkCore

/// An ink that C adds to. Thread-safe: its calls run one after another.
final class CInk: Sendable {
  /// The largest number of points of one ink: more than an hour of writing.
  static let maximumPoints = 4_000_000
  /// The largest number of strokes of one ink.
  static let maximumStrokes = 200_000

  private struct State {
    var ink: Ink
    var pointCount: Int
  }
  private let state: Guarded<State>

  init(_ ink: Ink = Ink()) {
    state = Guarded(State(ink: ink, pointCount: ink.pointCount))
  }

  /// A copy of the ink.
  var value: Ink { state.withLock { $0.ink } }

  /// Begins a stroke of these points, or adds them to the last stroke.
  ///
  /// - Returns: The reason why nothing was added; nil if all was added.
  func add(_ points: [StrokePoint], toNewStroke isNew: Bool) -> CError? {
    for (index, point) in points.enumerated()
    where !(point.x.magnitude <= 1e9 && point.y.magnitude <= 1e9) {
      return .argument("point \(index): expected finite x and y from -1e9 to 1e9")
    }
    return state.withLock { state in
      let startsStroke = isNew || state.ink.strokes.isEmpty
      guard state.pointCount + points.count <= Self.maximumPoints,
        !startsStroke || state.ink.strokes.count < Self.maximumStrokes
      else {
        return CError(
          DUCTUS_TOO_LARGE,
          "expected at most \(Self.maximumPoints) points and "
            + "\(Self.maximumStrokes) strokes in an ink, found more")
      }
      if startsStroke { state.ink.strokes.append(Stroke(points: [])) }
      state.ink.strokes[state.ink.strokes.count - 1].points.append(contentsOf: points)
      state.pointCount += points.count
      return nil
    }
  }

  /// Removes the last stroke; returns false if there is none.
  func removeLast() -> Bool {
    state.withLock { state in
      guard let last = state.ink.strokes.popLast() else { return false }
      state.pointCount -= last.points.count
      return true
    }
  }

  func clear() {
    state.withLock { $0 = State(ink: Ink(), pointCount: 0) }
  }

  /// The number of strokes.
  var strokeCount: Int { state.withLock { $0.ink.strokes.count } }

  /// Returns the points of a stroke; nil for an index out of range.
  func points(of stroke: Int64) -> [StrokePoint]? {
    state.withLock { state in
      guard let index = Int(exactly: stroke), state.ink.strokes.indices.contains(index) else {
        return nil
      }
      return state.ink.strokes[index].points
    }
  }
}

/// `ductus_ink_new`.
@_cdecl("ductus_ink_new")
package func ductusInkNew() -> OpaquePointer { Handle.make(CInk()) }

/// `ductus_ink_free`.
@_cdecl("ductus_ink_free")
package func ductusInkFree(_ ink: OpaquePointer?) { Handle.free(ink, CInk.self) }

/// `ductus_ink_begin_stroke`.
@_cdecl("ductus_ink_begin_stroke")
package func ductusInkBeginStroke(
  _ ink: OpaquePointer?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 {
  add(nil, 0, to: ink, isNew: true, error)
}

/// `ductus_ink_add_points`.
@_cdecl("ductus_ink_add_points")
package func ductusInkAddPoints(
  _ ink: OpaquePointer?, _ points: UnsafePointer<ductus_point>?, _ count: Int64,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 {
  add(points, count, to: ink, isNew: false, error)
}

/// `ductus_ink_add_stroke`.
@_cdecl("ductus_ink_add_stroke")
package func ductusInkAddStroke(
  _ ink: OpaquePointer?, _ points: UnsafePointer<ductus_point>?, _ count: Int64,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 {
  add(points, count, to: ink, isNew: true, error)
}

private func add(
  _ points: UnsafePointer<ductus_point>?, _ count: Int64, to ink: OpaquePointer?, isNew: Bool,
  _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 {
  let fault: CError?
  if let ink = Handle.object(ink, CInk.self) {
    if count < 0 {
      fault = .argument("count: expected 0 or more, found \(count)")
    } else if count > CInk.maximumPoints {
      fault = CError(
        DUCTUS_TOO_LARGE, "count: expected at most \(CInk.maximumPoints), found \(count)")
    } else if points == nil, count > 0 {
      fault = .argument("points: expected \(count) points, found NULL")
    } else {
      let buffer = UnsafeBufferPointer(start: points, count: Int(count))
      fault = ink.add(
        buffer.map { StrokePoint(x: $0.x, y: $0.y, t: finite($0.t), force: finite($0.force)) },
        toNewStroke: isNew)
    }
  } else {
    fault = .argument("ink: expected an ink, found NULL")
  }
  guard let fault else { return 0 }
  Handle.report(fault, error)
  return -1
}

/// Returns a value that a point may lack; nil if it is not finite.
private func finite(_ value: Double) -> Double? {
  value.magnitude <= 1e15 ? value : nil
}

/// `ductus_ink_remove_last_stroke`.
@_cdecl("ductus_ink_remove_last_stroke")
package func ductusInkRemoveLastStroke(
  _ ink: OpaquePointer?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 {
  if Handle.object(ink, CInk.self)?.removeLast() == true { return 0 }
  Handle.report(.argument("ink: expected an ink with a stroke, found none"), error)
  return -1
}

/// `ductus_ink_clear`.
@_cdecl("ductus_ink_clear")
package func ductusInkClear(_ ink: OpaquePointer?) { Handle.object(ink, CInk.self)?.clear() }

/// `ductus_ink_stroke_count`.
@_cdecl("ductus_ink_stroke_count")
package func ductusInkStrokeCount(_ ink: OpaquePointer?) -> Int64 {
  Int64(Handle.object(ink, CInk.self)?.strokeCount ?? 0)
}

/// `ductus_ink_point_count`.
@_cdecl("ductus_ink_point_count")
package func ductusInkPointCount(_ ink: OpaquePointer?, _ stroke: Int64) -> Int64 {
  Int64(Handle.object(ink, CInk.self)?.points(of: stroke)?.count ?? 0)
}

/// `ductus_ink_points`.
@_cdecl("ductus_ink_points")
package func ductusInkPoints(
  _ ink: OpaquePointer?, _ stroke: Int64, _ target: UnsafeMutablePointer<ductus_point>?,
  _ capacity: Int64, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> Int64 {
  guard let points = Handle.object(ink, CInk.self)?.points(of: stroke) else {
    Handle.report(.argument("stroke: expected a stroke of an ink, found none"), error)
    return -1
  }
  guard capacity >= 0, target != nil || capacity == 0 else {
    Handle.report(.argument("points: expected memory for as many points as the capacity"), error)
    return -1
  }
  for (index, point) in points.prefix(Int(capacity)).enumerated() {
    target?[index] = ductus_point(
      x: point.x, y: point.y, t: point.t ?? .nan, force: point.force ?? .nan)
  }
  return Int64(points.count)
}
