import Files
import Foundation
import InkCore

/// Makes the commands that draw strokes.
enum StrokeDrawing {
  /// Returns the command for a stroke; nil without points. O(points).
  ///
  /// A stroke of constant width is a line along its curve, one without length is a disc, and any
  /// other is its outline.
  static func command(_ stroke: InkStroke, style: StrokeStyle) -> DrawCommand? {
    switch stroke.digital {
    case nil: return command(stroke.points, style: style)
    case .outline?:
      let points = stroke.points.map { PlanePoint(x: $0.x, y: $0.y) }
      let isClosed = points.count > 2 && points.first == points.last
      return .stroke(
        DrawPath(isClosed ? points.dropLast() : points, isClosed: isClosed), style.inkColor,
        LineStyle(width: style.width))
    case .text(let typed)?:
      guard let first = stroke.points.first, let last = stroke.points.last else { return nil }
      let isLeftward = first.x > last.x
      return .text(
        DrawText(
          typed.text, origin: PlanePoint(x: isLeftward ? last.x : first.x, y: first.y),
          size: stroke.fontSize, family: typed.face.family, color: style.inkColor,
          width: abs(last.x - first.x), isBold: typed.face.isBold, isItalic: typed.face.isItalic))
    case .picture(let picture)?:
      return .image(DrawImage(bytes: picture.bytes, type: picture.type, box: stroke.box))
    }
  }

  /// Returns the command for the points of a stroke; nil without points. O(points).
  static func command(
    _ points: [StrokePoint], style: StrokeStyle
  ) -> DrawCommand? {
    guard let first = points.first else { return nil }
    let tip = BrushTip(style, points: points)
    if points.allSatisfy({ $0.x == first.x && $0.y == first.y }) {
      let half = points.indices.map(tip.greatestHalf).max() ?? 0
      return .fill(
        DrawPath(ellipse: PlanePoint(x: first.x, y: first.y), radiusX: half, radiusY: half),
        style.inkColor)
    }
    if style.brush != .nib {
      let half = tip.greatestHalf(at: 0)
      if points.indices.allSatisfy({ tip.greatestHalf(at: $0) == half }) {
        return .stroke(InkCurve(points).path, style.inkColor, LineStyle(width: 2 * half))
      }
    }
    return .fill(StrokeOutline(points: points, style: style).path, style.inkColor)
  }
}

extension DrawCommand {
  /// Returns the command that draws a stroke; nil without points. O(points).
  ///
  /// - Parameters:
  ///   - points: The points.
  ///   - style: The look of the stroke.
  public static func ink(
    _ points: [StrokePoint], style: StrokeStyle = .standard
  ) -> DrawCommand? {
    StrokeDrawing.command(points, style: style)
  }

  /// Returns the command that draws the ideal form of a shape as a line.
  ///
  /// - Parameters:
  ///   - shape: The shape, in millimetres.
  ///   - color: The colour of the line.
  ///   - width: The width of the line.
  public static func shape(
    _ shape: RecognizedShape, color: InkColor, width: Double
  ) -> DrawCommand {
    func points(_ all: [RecognizedShape.Point]) -> [PlanePoint] {
      all.map { PlanePoint(x: $0.x, y: $0.y) }
    }
    var path: DrawPath
    switch shape.form {
    case .rectangle(let box): path = DrawPath(box)
    case .circle(let center, let radius):
      path = DrawPath(ellipse: points([center])[0], radiusX: radius, radiusY: radius)
    case .ellipse(let center, let radiusX, let radiusY):
      path = DrawPath(ellipse: points([center])[0], radiusX: radiusX, radiusY: radiusY)
    case .polygon(_, let corners): path = DrawPath(points(corners))
    case .polyline(let corners): path = DrawPath(points(corners), isClosed: false)
    case .line(let from, let to, let startArrow, let endArrow):
      let ends = points([from, to])
      path = DrawPath(ends, isClosed: false)
      if startArrow { addHead(to: &path, at: ends[0], from: ends[1], width) }
      if endArrow { addHead(to: &path, at: ends[1], from: ends[0], width) }
    }
    return .stroke(path, color, LineStyle(width: width))
  }

  /// Adds the head of an arrow: two lines back from its tip.
  private static func addHead(
    to path: inout DrawPath, at tip: PlanePoint, from start: PlanePoint, _ width: Double
  ) {
    let angle = atan2(start.y - tip.y, start.x - tip.x)
    let length = max(2, 5 * width)
    func side(_ turn: Double) -> PlanePoint {
      PlanePoint(x: tip.x + length * cos(angle + turn), y: tip.y + length * sin(angle + turn))
    }
    path.append(.move(side(Chosen.headAngle)))
    path.append(.line(tip))
    path.append(.line(side(-Chosen.headAngle)))
  }
}

/// The commands of strokes that were drawn before. Thread-safe.
final class DrawingCache: Sendable {
  private struct Entry {
    var revision: Int
    var style: StrokeStyle
    var command: DrawCommand
    var points: Int
  }

  private struct State {
    var entries: [Int: Entry] = [:]
    var points = 0
  }
  private let state = Guarded(State())

  /// The most points of strokes that are kept: about 60 MB of commands.
  private static let mostPoints = 1_000_000

  /// Returns the commands of strokes in order, and makes those that are missing. O(strokes), and
  /// O(points) of those.
  func commands(of strokes: [(stroke: InkStroke, style: StrokeStyle)]) -> [DrawCommand] {
    var result: [DrawCommand] = []
    result.reserveCapacity(strokes.count)
    state.withLock { state in
      for (stroke, style) in strokes {
        if let entry = state.entries[stroke.id], entry.revision == stroke.revision,
          entry.style == style
        {
          result.append(entry.command)
          continue
        }
        guard let command = StrokeDrawing.command(stroke, style: style) else { continue }
        if state.points > Self.mostPoints {
          state.entries = [:]
          state.points = 0
        }
        let entry = Entry(
          revision: stroke.revision, style: style, command: command, points: stroke.points.count)
        state.points +=
          entry.points - (state.entries.updateValue(entry, forKey: stroke.id)?.points ?? 0)
        result.append(command)
      }
    }
    return result
  }
}

/// Numbers that were chosen and not derived.
private enum Chosen {
  /// The angle between an arrow and each side of its head. Radians, chosen by eye, at up to eight times the size of paper on pages of IAM-OnDB as SVG in a browser.
  static let headAngle = 0.5
}
