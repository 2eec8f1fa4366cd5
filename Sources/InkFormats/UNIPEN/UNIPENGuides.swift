import InkCore

/// The guide lines that a file records: where the writer was to write.
///
/// `.H_LINE` gives heights in the units of the ink, y up, from the bottom of the writing surface;
/// `.Y_DIM` the height of that surface, `.V_LINE` the columns of a form. What the values mean was
/// found by drawing ink with its guides:
///
/// - One value (aga, ced, cee, lou): the baseline of a surface that takes one line. A line is 0.4
///   of the surface tall.
/// - One value and ink whose y is below 0 (lex): the same, measured from the top.
/// - Two values (pap): the baseline and the top of small letters. A line is three times as tall as
///   the distance.
/// - More values (att, dar): the baselines of a page; the one nearest to the bottom of the ink
///   counts. A line is 0.4 of the smallest distance tall.
/// - More values, and columns (syn): the lower edges of cells. A line stands in the middle of the
///   cell and is 0.4 of it tall.
///
/// A line stands with a twelfth of its height below the baseline. It is not the box but what
/// letters take of it: capitals take half of its height and small letters a third, in all of these
/// files. The numbers were chosen on the validation part of `splits/unipen.tsv`, with a model
/// trained on estimated areas.
///
/// The single value of cea, ceb and cec names one line of a surface on which several are written,
/// and that of scr stands in no relation to the ink: these are no guides.
struct UNIPENGuides: Hashable, Sendable {
  /// The contributors whose values are no guides to their ink.
  static let misleading: Set<String> = ["cea", "ceb", "cec", "scr"]

  /// The height of a line over that of a surface, over the distance of two baselines, or over a
  /// cell.
  private static let share = 0.4
  /// More lines than this are no form: a search through them for every ink would take its time.
  private static let mostLines = 100
  /// The part of a line that is below its baseline.
  private static let partBelow = 1.0 / 12

  /// `.H_LINE`, ascending.
  var lines: [Double] = []
  /// The number of values of `.V_LINE`.
  var columns = 0
  /// `.Y_DIM`, above 0, or nil.
  var surface: Double?

  /// Where the line of an ink lies, y up; nil where the guides do not say, or where the ink is
  /// taller than the room that they leave for a line.
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
  /// Takes the values of `.H_LINE`; there are no guides where one is no number.
  mutating func take(lines words: [String]) {
    lines = words.prefix(Self.mostLines).compactMap(Double.init).filter(\.isFinite).sorted()
    if lines.count != words.count { lines = [] }
  }

  /// Takes the value of `.Y_DIM`.
  mutating func take(surface word: String?) {
    surface = word.flatMap(Double.init).flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
  }
}
