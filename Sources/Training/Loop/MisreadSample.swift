/// A validation ink that the current weights misread, for displays of a training run.
///
/// It holds ink and text of the data: show it to the user, and keep it out of logs.
public struct MisreadSample: Hashable, Codable, Sendable {
  /// A stroke as columns of coordinates, y growing downward.
  public struct Stroke: Hashable, Codable, Sendable {
    /// Horizontal positions.
    public var x: [Float]
    /// Vertical positions.
    public var y: [Float]

    package init(x: [Float], y: [Float]) {
      self.x = x
      self.y = y
    }
  }

  /// Its place among the validation samples, from 0.
  public var index: Int
  /// The label or text of the data.
  public var label: String
  /// The label or text that the weights read.
  public var read: String
  /// The probability of the answer, before calibration, 0 … 1; nil for line models.
  package var confidence: Double?
  /// The number of wrong characters for line models, 1 for glyph models.
  package var edits: Int
  /// The ink, in a unit that depends on the model; thinned to a few hundred points.
  public var strokes: [Stroke]

  package init(
    index: Int, label: String, read: String, confidence: Double? = nil, edits: Int,
    strokes: [Stroke]
  ) {
    self.index = index
    self.label = label
    self.read = read
    self.confidence = confidence
    self.edits = edits
    self.strokes = strokes
  }

  /// The most points of all strokes.
  package static let mostPoints = 300

  /// Copies the strokes of a trajectory, every n-th point of each if there are too many. The ends
  /// of a stroke are kept.
  package static func strokes(
    of x: [Float], _ y: [Float], ends: [Int]
  ) -> [Stroke] {
    let step = max(1, (x.count + mostPoints - 1) / mostPoints)
    var start = 0
    return ends.map { end in
      defer { start = end }
      var stroke = Stroke(x: [], y: [])
      var point = start
      while point < end {
        stroke.x.append((x[point] * 1000).rounded() / 1000)
        stroke.y.append((y[point] * 1000).rounded() / 1000)
        point = point == end - 1 ? end : min(point + step, end - 1)
      }
      return stroke
    }
  }
}

/// The worst of the errors that it is given, at most a limit.
struct WorstErrors {
  /// The most errors to keep; 0 keeps none and costs nothing.
  let limit: Int
  /// The place and the weight of the errors, the worst first; equal ones in the order of their
  /// samples.
  private(set) var places: [(index: Int, weight: Double)] = []

  init(limit: Int) { self.limit = max(0, limit) }

  /// Adds the error of a sample. O(limit).
  mutating func add(_ index: Int, weight: Double) {
    guard limit > 0 else { return }
    let place =
      places.firstIndex { ($0.weight, -$0.index) < (weight, -index) } ?? places.count
    guard place < limit else { return }
    places.insert((index, weight), at: place)
    if places.count > limit { places.removeLast() }
  }
}
