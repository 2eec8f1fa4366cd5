import Features
import InkCore
import InkDatasets

/// A word that was cut out of a line.
struct CutWord {
  /// Its ink, in a frame of the line's units.
  var trajectory: Trajectory
  /// The line's area, in the trajectory's frame.
  var area: LocalArea
  var text: String
  /// Where it can be parted without cutting a stroke.
  var seams: [InkSeam] = []

  /// The words of a line that are whole strokes, and letters or digits; none where the line is read as
  /// another text.
  static func words(
    of sample: LineTrainingSet.Sample, _ text: String, by cutter: InkCutter
  ) -> [CutWord] {
    guard let area = sample.line.writingArea,
      let pieces = try? cutter.cutIntoWords(
        LabeledInk(ink: sample.line.ink, label: text, writingArea: area))
    else { return [] }
    return pieces.compactMap { piece, seams in
      guard let trajectory = try? Trajectory(piece.ink) else { return nil }
      let word = CutWord(
        trajectory: trajectory, area: LocalArea(area, in: trajectory.frame), text: piece.label,
        seams: seams)
      return word.isWord ? word : nil
    }
  }

  /// Whether it is more than marks.
  var isWord: Bool { text.contains { $0.isLetter || $0.isNumber } }

  /// The beginning of this word up to a seam and the end of another behind one of its seams, as far
  /// apart as this word's own parts, in this word's line and size. Dots and bars that came behind the whole
  /// word come behind its beginning.
  func spliced(at seam: InkSeam, with other: CutWord, at otherSeam: InkSeam) -> CutWord {
    var result = CutWord(
      trajectory: trajectory, area: area,
      text: String(text.prefix(seam.characters) + other.text.dropFirst(otherSeam.characters)))
    result.trajectory.removeAll()
    var left = Float.infinity
    for stroke in trajectory.strokeEnds.indices {
      if seam.isBefore[stroke] {
        result.trajectory.append(trajectory, stroke: stroke) { ($0, $1) }
      } else {
        left = min(left, trajectory.left(of: stroke))
      }
    }
    let behind = other.trajectory.strokeEnds.indices.filter { !otherSeam.isBefore[$0] }
    let otherLeft = behind.reduce(.infinity) { min($0, other.trajectory.left(of: $1)) }
    let factor = area.height / other.area.height
    for stroke in behind {
      result.trajectory.append(other.trajectory, stroke: stroke) { x, y in
        ((x - otherLeft) * factor + left, (y - other.baseline) * factor + baseline)
      }
    }
    return result
  }

  private var baseline: Float { area.top + area.height * Float(1 - TextProfile.baseline) }
}

extension Trajectory {
  fileprivate func left(of stroke: Int) -> Float {
    x[self.stroke(stroke)].min() ?? .infinity
  }

  /// Adds a stroke of another trajectory, its points moved.
  fileprivate mutating func append(
    _ other: Trajectory, stroke: Int, moved: (_ x: Float, _ y: Float) -> (Float, Float)
  ) {
    for point in other.stroke(stroke) {
      let (x, y) = moved(other.x[point], other.y[point])
      append(x: x, y: y, time: .nan)
    }
    endStroke()
  }
}

extension NormalizedLine {
  /// The points in line heights.
  fileprivate var ink: Ink {
    Ink(
      strokes: trajectory.strokeEnds.indices.map { stroke in
        Stroke(
          points: trajectory.stroke(stroke).map {
            StrokePoint(x: Double(trajectory.x[$0]), y: Double(trajectory.y[$0]))
          })
      })
  }

  /// The area in line heights.
  fileprivate var writingArea: WritingArea? {
    area.flatMap {
      try? WritingArea(
        x: 0, y: Double($0.top), width: max(1, Double(trajectory.x.max() ?? 0)),
        height: Double($0.height))
    }
  }
}
