import Foundation
import InkCore

/// Finds ink that may be a table: formulas one below the other, and rows between brackets.
///
/// These are only places that are worth reading in two ways; the scores of both readings decide.
struct TableFinder {
  /// Rows of cells, each with its strokes, and the groups of strokes of the brackets.
  struct Region {
    var open: [Int]
    var close: [Int]?
    var cells: [[[Int]]]

    /// All strokes of the region.
    var strokes: [Int] { open + (close ?? []) + cells.joined().joined() }
  }

  let ink: FormulaInk
  private var unit: Double { ink.unit }

  // MARK: - Lines

  /// The strokes of formulas one below the other, from top to bottom; one element if there are no more.
  func lines() -> [[Int]] {
    var lines: [[Int]] = []
    for band in bands(of: Array(ink.strokes.indices), gap: Chosen.lineGap) {
      if let last = lines.last, !isLine(band, under: last) {
        lines[lines.count - 1] += band
      } else {
        lines.append(band)
      }
    }
    // Each line is as tall as one, with the ink that was joined to it.
    return lines.contains { !isTall($0) } ? [Array(ink.strokes.indices)] : lines.map { $0.sorted() }
  }

  /// Groups strokes by the gaps between them in y.
  private func bands(of strokes: [Int], gap: Double) -> [[Int]] {
    grouped(strokes, gap: gap) { (ink.boxes[$0].minY, ink.boxes[$0].maxY) }
  }

  /// Groups strokes by the gaps between their extents in one direction.
  private func grouped(
    _ strokes: [Int], gap: Double, _ extent: (Int) -> (start: Double, end: Double)
  ) -> [[Int]] {
    var result: [[Int]] = []
    var edge = -Double.infinity
    for stroke in strokes.sorted(by: { extent($0).start < extent($1).start }) {
      let (start, end) = extent(stroke)
      if start > edge + gap * unit { result.append([]) }
      result[result.count - 1].append(stroke)
      edge = max(edge, end)
    }
    return result
  }

  private func isTall(_ strokes: [Int]) -> Bool {
    strokes.count > 1 && ink.box(of: strokes).height > Chosen.leastHeight * unit
  }

  /// True if ink below other ink may be a formula of its own: it begins where that begins, is not much
  /// narrower, and its symbols are about as large.
  private func isLine(_ strokes: [Int], under above: [Int]) -> Bool {
    guard isTall(strokes), isTall(above) else { return false }
    let (box, other) = (ink.box(of: strokes), ink.box(of: above))
    let width = max(box.width, other.width)
    return min(box.width, other.width) > Chosen.leastWidth * width
      && abs(box.minX - other.minX) < Chosen.indent * width
      && size(strokes) > Chosen.leastSize * size(above)
      && size(above) > Chosen.leastSize * size(strokes)
  }

  /// The median of the larger sides of strokes.
  private func size(_ strokes: [Int]) -> Double {
    let sizes = strokes.map { max(ink.boxes[$0].width, ink.boxes[$0].height) }.sorted()
    return sizes[sizes.count / 2]
  }

  // MARK: - Brackets

  /// The regions between tall brackets that hold several rows, from left to right, without overlaps.
  ///
  /// - Parameters:
  ///   - openings: The groups of strokes that may open a region.
  ///   - closings: Those that may close one.
  ///   - braces: Those among the openings that may stand alone, before cases.
  func regions(openings: [[Int]], closings: [[Int]], braces: [[Int]]) -> [Region] {
    var regions: [Region] = []
    var used: Set<Int> = []
    let sorted = openings.filter(isTallBracket).sorted {
      ink.box(of: $0).minX < ink.box(of: $1).minX
    }
    for open in sorted where used.isDisjoint(with: open) {
      let box = ink.box(of: open)
      let partner = closings.filter { close in
        let other = ink.box(of: close)
        return isTallBracket(close) && other.minX > box.maxX && used.isDisjoint(with: close)
          && Set(close).isDisjoint(with: open) && Self.overlap(box, other) > Chosen.likeHeight
      }.min { ink.box(of: $0).minX < ink.box(of: $1).minX }
      let found =
        partner.flatMap { region(open, $0) }
        ?? (braces.contains(open) ? region(open, nil) : nil)
      if let found, used.isDisjoint(with: found.strokes) {
        regions.append(found)
        used.formUnion(found.strokes)
      }
    }
    return regions
  }

  private func isTallBracket(_ group: [Int]) -> Bool {
    let box = ink.box(of: group)
    return box.height > Chosen.leastBracket * unit && box.width < Chosen.bracketWidth * box.height
  }

  /// The share of the extent in y that both boxes have.
  private static func overlap(_ first: BoundingBox, _ second: BoundingBox) -> Double {
    let common = min(first.maxY, second.maxY) - max(first.minY, second.minY)
    return common / max(first.height, second.height, 1e-9)
  }

  private func region(_ open: [Int], _ close: [Int]?) -> Region? {
    let (left, right) = (ink.box(of: open), close.map { ink.box(of: $0) })
    let brackets = Set(open + (close ?? []))
    let reach = (
      min(left.minY, right?.minY ?? left.minY) - 0.3 * unit,
      max(left.maxY, right?.maxY ?? left.maxY) + 0.3 * unit
    )
    let inside = ink.strokes.indices.filter { stroke in
      let box = ink.boxes[stroke]
      return !brackets.contains(stroke) && box.midX > left.midX
        && box.midX < right?.midX ?? .infinity && box.midY > reach.0 && box.midY < reach.1
    }
    guard inside.count > 1 else { return nil }
    let rows = bands(of: inside, gap: Chosen.rowGap)
    // The bar of a fraction is no row.
    guard rows.count > 1, rows.allSatisfy({ !isBar($0) }) else { return nil }
    let columns = columns(of: inside, gap: close == nil ? Chosen.casesGap : Chosen.columnGap)
    let cells = rows.map { row in
      columns.map { column in row.filter { column.contains($0) }.sorted() }
    }
    guard cells.joined().allSatisfy({ !$0.isEmpty }) || close == nil else { return nil }
    return Region(open: open, close: close, cells: cells)
  }

  private func isBar(_ strokes: [Int]) -> Bool {
    let box = ink.box(of: strokes)
    return strokes.count == 1 && box.height < 0.2 * box.width
  }

  /// Groups strokes by the gaps between them in x.
  private func columns(of strokes: [Int], gap: Double) -> [Set<Int>] {
    grouped(strokes, gap: gap) { (ink.boxes[$0].minX, ink.boxes[$0].maxX) }.map { Set($0) }
  }
}

/// Numbers that were chosen by hand and not derived, in typical strokes unless said otherwise.
private enum Chosen {
  /// The least gap between lines, and between the rows of a matrix.
  static let (lineGap, rowGap) = (0.1, 0.05)
  /// The least height of a line.
  static let leastHeight = 0.5
  /// The least width of a line, as a share of a wider one.
  static let leastWidth = 0.3
  /// The farthest beginning of a line from that of the line above, as a share of their width.
  static let indent = 0.3
  /// The least size of the strokes of a line, as a share of those of another.
  static let leastSize = 0.65
  /// The least height of a bracket around rows, and its greatest width as a share of the height.
  static let (leastBracket, bracketWidth) = (1.7, 0.6)
  /// The least share of their extent that two brackets have in common.
  static let likeHeight = 0.6
  /// The least gap between columns of a matrix, and between a case and its condition.
  static let (columnGap, casesGap) = (0.55, 2.0)
}
