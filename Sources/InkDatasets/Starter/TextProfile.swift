import InkCore

/// Where the ink of a text lies on its line: what the letters say of a writing's size and place
/// before it is seen.
///
/// Heights are over the baseline, in heights of capitals. Computed from the starter set's
/// prototypes, each letter by the length of its path.
public struct TextProfile: Hashable, Sendable {
  /// Mean height of the ink.
  public let mean: Double
  /// Standard deviation of its height.
  public let deviation: Double
  /// Length of the pen's path.
  public let length: Double

  /// Height of capitals over the baseline, as a share of a line's height, from the depth of
  /// descenders to the height of capitals.
  public static let capitals = 100 / LineArea.ruled.height
  /// Height of the baseline over the line's lower edge, as a share of the line's height.
  public static let baseline = 0.5 - LineArea.ruled.middle / LineArea.ruled.height

  /// Makes the profile of a text; nil where none of its characters is known. O(characters).
  public init?(_ text: String) {
    var sum = Moments()
    for character in text {
      if let moments = Moments.ofCharacters[character] { sum += moments }
    }
    guard sum.length > 0 else { return nil }
    length = sum.length
    mean = sum.first / sum.length
    deviation = max(0, sum.second / sum.length - mean * mean).squareRoot()
  }
}

/// Sums over a path of its height and the square of it.
private struct Moments: Sendable {
  var length = 0.0
  var first = 0.0
  var second = 0.0

  static func += (sum: inout Moments, other: Moments) {
    sum.length += other.length
    sum.first += other.first
    sum.second += other.second
  }

  /// Adds the polygon through the knots.
  private mutating func add(_ stroke: [Knot], weight: Double) {
    for (start, end) in zip(stroke, stroke.dropFirst()) {
      let (dx, dy) = (end.x - start.x, end.y - start.y)
      let share = weight * (dx * dx + dy * dy).squareRoot() / 100
      let middle = (start.y + end.y) / 200
      length += share
      first += share * middle
      second += share * (middle * middle + dy * dy / 120_000)
    }
  }

  /// Of each character, the mean over its forms that stand alone.
  static let ofCharacters: [Character: Moments] = {
    guard let library = try? PrototypeLibrary.characters.get() else { return [:] }
    var result: [Character: Moments] = [:]
    for label in library.labels {
      let forms = library.formsAlone(of: label)
      guard !forms.isEmpty, let character = label.first else { continue }
      var moments = Moments()
      for (prototype, share) in forms {
        for stroke in prototype.strokes { moments.add(stroke, weight: share) }
      }
      result[character] = moments
    }
    return result
  }()
}
