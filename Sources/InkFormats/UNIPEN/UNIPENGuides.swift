import InkCore

/// The guide lines in a file, which mark the intended place of the writing.
///
/// `.H_LINE` gives heights in the units of the ink, y up, from the bottom of the writing surface;
/// `.Y_DIM` the height of that surface, `.V_LINE` the columns of a form. The meaning of the values
/// was found by drawing ink with its guides:
///
/// - One value (aga, ced, cee, lou): the baseline of a surface for one line. The height of a line
///   is 0.4 of the surface.
/// - One value and ink with y below 0 (lex): the same, measured from the top.
/// - Two values (pap): the baseline and the top of small letters. The height of a line is three
///   times their distance.
/// - More values (att, dar): the baselines of a page; the one nearest to the bottom of the ink is
///   used. The height of a line is 0.4 of the smallest distance.
/// - More values, and columns (syn): the lower edges of cells. A line is in the middle of the cell;
///   its height is 0.4 of the cell.
///
/// A twelfth of a line's height is below the baseline. The line is not the box but the part of it
/// that letters use: capitals have half of its height and small letters a third, in all of these
/// files. The numbers were chosen on the validation part of `splits/unipen.tsv`, with a model
/// trained on estimated areas.
///
/// The single value of cea, ceb and cec is one line of a surface for several lines, and that of scr
/// is unrelated to the ink, so these are not used as guides.
struct UNIPENGuides: Hashable, Sendable {
  /// The contributors whose values are not guides to their ink.
  static let misleading: Set<String> = ["cea", "ceb", "cec", "scr"]

  /// The height of a line divided by that of a surface, by the distance of two baselines, or by a
  /// cell.
  private static let share = 0.4
  /// The largest number of lines of a form. Searching more for every ink would take too long.
  private static let mostLines = 100
  /// The share of a line that is below its baseline.
  private static let partBelow = 1.0 / 12

  /// `.H_LINE`, ascending.
  var lines: [Double] = []
  /// The number of values of `.V_LINE`.
  var columns = 0
  /// `.Y_DIM`, above 0, or nil.
  var surface: Double?

  /// Returns the line of an ink, y up; nil if the guides do not determine it, or if the ink is
  /// taller than the space that they leave for a line.
  ///
  /// - Parameter box: The ink's box, y up.
  func line(of box: BoundingBox) -> (bottom: Double, height: Double)? {
    guard let first = lines.first else { return nil }
    let middle = box.minY / 2 + box.maxY / 2
    switch lines.count {
    case 1:
      guard let surface else { return nil }
      let baseline = box.maxY <= 0 ? -first : first
      return standing(on: baseline, height: Self.share * surface, in: surface, box)
    case 2:
      let height = 3 * (lines[1] - first)
      return standing(on: first, height: height, in: 2 * height, box)
    default:
      let room = zip(lines, lines.dropFirst()).map { $1 - $0 }.min() ?? 0
      guard columns > 1 else {
        let baseline = lines.min { abs($0 - box.minY) < abs($1 - box.minY) } ?? first
        return standing(on: baseline, height: Self.share * room, in: room, box)
      }
      let edge = lines.last { $0 <= middle } ?? first - room
      let height = Self.share * room
      guard box.height <= room, abs(middle - edge - room / 2) <= room else { return nil }
      return (edge + (room - height) / 2, height)
    }
  }

  private func standing(
    on baseline: Double, height: Double, in room: Double, _ box: BoundingBox
  ) -> (bottom: Double, height: Double)? {
    guard box.height <= room, box.minY < baseline + room / 2, box.maxY > baseline - room / 2 else {
      return nil
    }
    return (baseline - Self.partBelow * height, height)
  }
}

extension UNIPENGuides {
  /// Sets the values of `.H_LINE`; if one is not a number, there are no guides.
  mutating func take(lines words: [String]) {
    lines = words.prefix(Self.mostLines).compactMap(Double.init).filter(\.isFinite).sorted()
    if lines.count != words.count { lines = [] }
  }

  /// Sets the value of `.Y_DIM`.
  mutating func take(surface word: String?) {
    surface = word.flatMap(Double.init).flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
  }
}
