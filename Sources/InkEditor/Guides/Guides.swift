import InkCore

/// A row of guides: the place of one line of writing. Millimetres.
///
/// A row reaches from the top of capitals to the bottom of descenders; letters stand on its
/// baseline.
public struct GuideRow: Hashable, Sendable {
  /// The number of the row, from 0.
  public let index: Int
  /// The upper edge.
  public let top: Double
  /// The line that letters stand on.
  public let baseline: Double
  /// The lower edge, which is the upper edge of the next row.
  public let bottom: Double
  /// The left end.
  public let left: Double
  /// The right end.
  public let right: Double

  /// The row as a box.
  public var box: BoundingBox {
    BoundingBox(minX: left, minY: top, maxX: right, maxY: bottom)
  }

  /// Returns the row in pixels.
  public func inView(_ transform: ViewTransform) -> ViewGuideRow {
    let ends = [PlanePoint(x: left, y: baseline), PlanePoint(x: right, y: baseline)]
    return ViewGuideRow(
      index: index, corners: transform.viewPolygon(box.corners),
      baseline: transform.viewPolygon(ends))
  }
}

/// A row of guides in pixels of the view. It may be turned.
public struct ViewGuideRow: Hashable, Sendable {
  /// The number of the row, from 0.
  public let index: Int
  /// The corners: upper left, upper right, lower right, lower left.
  public let corners: [PlanePoint]
  /// The left and the right end of the baseline.
  public let baseline: [PlanePoint]
}

/// The guides of a page: rows of equal height below each other. Millimetres.
public struct Guides: Hashable, Sendable {
  /// The upper edge of the first row.
  public let top: Double
  /// The height of a row.
  public let spacing: Double
  /// The left end of the rows.
  public let left: Double
  /// The right end of the rows.
  public let right: Double

  /// Returns a row.
  ///
  /// - Parameter index: The number of the row, from 0.
  public func row(_ index: Int) -> GuideRow {
    let upper = top + Double(index) * spacing
    return GuideRow(
      index: index, top: upper, baseline: upper + Chosen.baseline * spacing,
      bottom: upper + spacing, left: left, right: right)
  }

  /// Returns the rows that have a part in a region, from top to bottom. O(rows of the result), at
  /// most 10,000.
  public func rows(in region: BoundingBox) -> [GuideRow] {
    guard region.minX <= right, region.maxX >= left, region.maxY > top else { return [] }
    let first = max(0, ((region.minY - top) / spacing).rounded(.down))
    let end = ((region.maxY - top) / spacing).rounded(.up)
    guard first.isFinite, end.isFinite, end > first, first < 1e9 else { return [] }
    let count = Int(min(end - first, 10_000))
    return (0..<count).map { row(Int(first) + $0) }
  }

  /// Returns the row whose baseline is nearest to a height; nil above the first row.
  ///
  /// - Parameter baseline: Millimetres.
  public func row(nearBaseline baseline: Double) -> GuideRow? {
    let index = ((baseline - top) / spacing - Chosen.baseline).rounded()
    return index >= 0 && index < 1e9 ? row(Int(index)) : nil
  }

  /// Returns the lines along the baselines in a region.
  func commands(in region: BoundingBox, _ look: StyleSheet.LineLook) -> [DrawCommand] {
    var path = DrawPath()
    for row in rows(in: region) {
      path.append(.move(PlanePoint(x: row.left, y: row.baseline)))
      path.append(.line(PlanePoint(x: row.right, y: row.baseline)))
    }
    guard !path.isEmpty else { return [] }
    return [.stroke(path, look.color, LineStyle(width: look.width, cap: .butt))]
  }
}

/// Numbers that were chosen and not derived.
private enum Chosen {
  /// The place of the baseline in a row. Chosen by hand.
  static let baseline = 0.75
}
