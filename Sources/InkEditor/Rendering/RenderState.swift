import InkCore

/// A layer of the picture, from back to front. Each is drawn alone.
public enum RenderLayer: String, Hashable, Sendable, CaseIterable {
  /// The page and the guides.
  case background
  /// The ink of the document.
  case ink
  /// The ink of pointers and pens that are down.
  case live
  /// The frames of the selected block and of the selection.
  case selection
}

/// A part of a layer that looks different than before.
public struct Invalidation: Hashable, Sendable {
  /// The layer.
  public var layer: RenderLayer
  /// The part of the document in millimetres.
  public var box: BoundingBox
  /// The upright box around it in pixels of the view, as it is when the invalidation is taken.
  public var viewBox: BoundingBox
}

/// What an editor knows of its picture. Guarded by the editor's lock.
struct RenderState {
  /// The theme.
  var styleSheet = StyleSheet.standard
  /// The limits of the scale.
  var scaleLimits = ViewState.usualScales
  /// The limits of the middle of the view.
  var panLimits: BoundingBox?
  /// The guides that were told last.
  var guides: Guides?
  /// True once someone takes invalidations.
  var isWatched = false
  /// True if the readers of events were told, and nothing has been taken since.
  var isTold = false
  /// The strokes that are being drawn, as they were drawn last.
  var live: [Int: LiveStroke] = [:]
  /// The pictures of decorations, as they were drawn last.
  var decorations: [Int: DecorationPicture] = [:]
  /// The frames of the selected block and of the selection, as they were drawn last.
  var selection: [BoundingBox] = []
  private var regions: [RenderLayer: Region] = [:]

  private enum Region {
    case boxes([BoundingBox])
    case all
  }

  /// The most boxes of a layer; more are merged.
  private static let mostBoxes = 16

  var hasInvalidations: Bool { !regions.isEmpty }

  /// Adds a box to what is to be drawn again. O(boxes), of which there are few.
  mutating func invalidate(_ layer: RenderLayer, _ box: BoundingBox) {
    switch regions[layer] {
    case .all?: break
    case nil: regions[layer] = .boxes([box])
    case .boxes(var boxes)?:
      if let place = boxes.firstIndex(where: { $0.overlaps(box) }) {
        boxes[place].formUnion(box)
      } else if boxes.count < Self.mostBoxes {
        boxes.append(box)
      } else if let union = BoundingBox(holding: boxes + [box]) {
        boxes = [union]
      }
      regions[layer] = .boxes(boxes)
    }
  }

  /// Adds a whole layer to what is to be drawn again.
  mutating func invalidate(_ layer: RenderLayer) { regions[layer] = .all }

  /// Adds all layers to what is to be drawn again.
  mutating func invalidateAll() {
    for layer in RenderLayer.allCases { invalidate(layer) }
  }

  /// Returns what is to be drawn again, and forgets it.
  mutating func take(_ view: ViewState) -> [Invalidation] {
    defer {
      regions = [:]
      isTold = false
    }
    return RenderLayer.allCases.flatMap { layer -> [Invalidation] in
      let boxes: [BoundingBox] =
        switch regions[layer] {
        case .all?: [view.visibleBox]
        case .boxes(let boxes)?: boxes
        case nil: []
        }
      return boxes.map {
        Invalidation(layer: layer, box: $0, viewBox: view.transform.viewBox($0))
      }
    }
  }
}

/// Finds the box that a change of a stroke's points can be seen in.
enum StrokeDifference {
  /// Returns the box of the points whose part of the line changed, grown by half a width; nil if
  /// nothing has changed. O(points).
  ///
  /// A position changes the line up to three samples away, and a force up to two.
  static func box(_ old: [StrokePoint], _ new: [StrokePoint], half: Double) -> BoundingBox? {
    let common = min(old.count, new.count)
    var first = 0
    while first < common, old[first] == new[first] { first += 1 }
    let isLonger = old.count != new.count
    guard first < common || isLonger else { return nil }
    var last = max(old.count, new.count) - 1
    var moves = isLonger
    if !isLonger {
      while last > first, old[last] == new[last] { last -= 1 }
      moves = (first...last).contains { old[$0].x != new[$0].x || old[$0].y != new[$0].y }
    }
    let reach = moves ? 3 : 2
    let range = max(0, first - reach)..<last + reach + 1
    let boxes = [old, new].compactMap { points in
      box(of: points[range.clamped(to: 0..<points.count)])
    }
    return BoundingBox(holding: boxes)?.grown(by: half)
  }

  private static func box(of points: ArraySlice<StrokePoint>) -> BoundingBox? {
    guard let first = points.first else { return nil }
    var box = BoundingBox(minX: first.x, minY: first.y, maxX: first.x, maxY: first.y)
    for point in points { box.formUnion(x: point.x, y: point.y) }
    return box
  }
}
