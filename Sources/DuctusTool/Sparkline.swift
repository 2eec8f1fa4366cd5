import Foundation

/// Numbers as a line of blocks.
enum Sparkline {
  private static let blocks = Array("▁▂▃▄▅▆▇█")

  /// One block a value, from the smallest to the largest by their logarithms, so that the end of a
  /// curve that falls from 100 to 7 can be seen. Where there are more values than room, each block is
  /// the mean of its neighbours. Values that are not above 0 count as the smallest that is.
  static func text(_ values: [Double], width: Int) -> String {
    guard !values.isEmpty, width > 0 else { return "" }
    let count = min(width, values.count)
    let means = (0..<count).map { place in
      let part = values[place * values.count / count..<(place + 1) * values.count / count]
      return part.reduce(0, +) / Double(part.count)
    }
    let floor = means.filter { $0 > 0 && $0.isFinite }.min() ?? 1
    let heights = means.map { log($0.isFinite ? max($0, floor) : floor) }
    let (low, high) = (heights.min() ?? 0, heights.max() ?? 0)
    let step = (high - low) / Double(blocks.count - 1)
    return String(heights.map { blocks[step > 0 ? Int((($0 - low) / step).rounded()) : 0] })
  }
}
