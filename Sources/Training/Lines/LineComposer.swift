import Features
import InkCore
import InkDatasets
import InkSynthesis

/// Concatenates words of one writer to a line, or digits and marks to a number. Not thread-safe;
/// reuses its memory.
package struct LineComposer {
  package init() {}

  /// The line that was composed last.
  package private(set) var line = NormalizedLine()
  /// Its text, a space between words and none in numbers.
  package private(set) var labels: [Int32] = []
  private var ink = Trajectory()
  /// Line heights of the words.
  private var heights: [Double] = []

  /// Composes a line of samples. A single sample is copied unchanged. O(points).
  ///
  /// Words keep their relative sizes up to the variation of one writer on a line; larger
  /// differences come from files of different scales. Baselines are aligned, except for a small
  /// random offset.
  package mutating func compose(
    _ words: [Int], of set: LineTrainingSet, using generator: inout SeededGenerator
  ) {
    labels.removeAll(keepingCapacity: true)
    let isNumber = set.isNumber(words)
    for (place, index) in words.enumerated() {
      if place > 0, !isNumber, let space = set.space { labels.append(space) }
      labels.append(contentsOf: set.samples[index].labels)
    }
    if words.count == 1 {
      set.samples[words[0]].line.copy(into: &line)
    } else {
      join(words, of: set, gaps: isNumber ? 0.05...0.9 : 0.15...0.7, using: &generator)
    }
  }

  private mutating func join(
    _ words: [Int], of set: LineTrainingSet, gaps: ClosedRange<Float>,
    using generator: inout SeededGenerator
  ) {
    heights.removeAll(keepingCapacity: true)
    for index in words {
      let word = set.samples[index]
      heights.append(Double(word.line.area?.height ?? 1) * word.unit)
    }
    heights.sort()
    let usual = heights[heights.count / 2]
    // In line heights of the composed line.
    let gap = generator.uniform(gaps)
    var edge: Float = 0
    ink.removeAll()
    // The digits of a number may run against the direction of the line.
    let isBackward = set.isNumber(words) && set.runsBackward(words)
    for index in words {
      let word = set.samples[index]
      guard let area = word.line.area else { continue }
      let size = min(1.25, max(0.8, Double(area.height) * word.unit / usual))
      let factor = Float(size) / area.height
      let baseline = area.top + area.height * Float(1 - TextProfile.baseline)
      let offset = 0.025 * generator.normal()
      let width = isBackward ? factor * (word.line.trajectory.x.max() ?? 0) : 0
      append(word.line.trajectory, factor: factor, x: edge - width, baseline: baseline, y: offset)
      let space = gap * max(0.4, 1 + 0.25 * generator.normal())
      edge = isBackward ? (ink.x.min() ?? edge) - space : (ink.x.max() ?? edge) + space
    }
    line.load(
      ink, area: LocalArea(top: Float(TextProfile.baseline) - 1, height: 1), isOneRow: true)
  }

  private mutating func append(
    _ word: Trajectory, factor: Float, x left: Float, baseline: Float, y offset: Float
  ) {
    for stroke in word.strokeEnds.indices {
      for point in word.stroke(stroke) {
        ink.append(
          x: left + word.x[point] * factor, y: (word.y[point] - baseline) * factor + offset,
          time: .nan)
      }
      ink.endStroke()
    }
  }
}
