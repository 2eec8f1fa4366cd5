import Foundation
import InkCore
import Training

extension LineTrainingSet {
  /// Lines of two kinds of letter, "u" and "n": arcs that open upward or downward, side by side.
  static func arcs(count: Int, seed: UInt64, longest: Int = 5) throws -> LineTrainingSet {
    var set = LineTrainingSet(labels: ["n", "u"])
    for index in 0..<count {
      var generator = SeededGenerator(seed: seed, UInt64(index))
      let text = String(
        (0..<(1 + generator.index(below: longest))).map { _ in
          generator.uniform() < 0.5 ? "u" as Character : "n"
        })
      var strokes: [Stroke] = []
      for (place, letter) in text.enumerated() {
        let sign: Double = letter == "u" ? 1 : -1
        let size = Double(generator.uniform(8...11))
        strokes.append(
          Stroke(
            points: (0...12).map { step in
              let angle = Double.pi * Double(step) / 12
              return StrokePoint(
                x: Double(place) * 30 - size * cos(angle), y: sign * size * sin(angle))
            }))
      }
      set.append(
        try Trajectory(Ink(strokes: strokes)), text: text, for: .training)
    }
    return set
  }

  /// Words of four writers, which training combines to lines.
  static func words(count: Int) throws -> LineTrainingSet {
    var set = LineTrainingSet(labels: [" ", "l", "o"])
    for index in 0..<count {
      set.append(
        try Trajectory(.word(index)), text: index % 2 == 0 ? "lol" : "ool",
        writer: "w\(index % 4)", for: .training)
    }
    return set
  }

  /// Lines of two to four of these words, by four writers; one in eight has no writer.
  static func lines(count: Int, seed: UInt64) throws -> LineTrainingSet {
    var set = LineTrainingSet(labels: [" ", "l", "o"])
    for index in 0..<count {
      var generator = SeededGenerator(seed: seed, UInt64(index))
      let words = (0..<2 + generator.index(below: 3)).map { _ in generator.index(below: 2) }
      let strokes = words.enumerated().flatMap { place, word in
        Ink.word(word, right: Double(place) * 260 + Double(generator.uniform(0...30))).strokes
      }
      set.append(
        try Trajectory(Ink(strokes: strokes)),
        text: words.map { $0 == 0 ? "lol" : "ool" }.joined(separator: " "),
        writer: index % 8 == 7 ? nil : "w\(index % 4)", for: .training)
    }
    return set
  }
}

extension Ink {
  /// A word of three letters that alternate between tall bars and rings: "lol" for an even number,
  /// "ool" for an odd one.
  static func word(
    _ number: Int, scale: Double = 1, below: Double = 0, right: Double = 0
  ) -> Ink {
    let text = number % 2 == 0 ? "lol" : "ool"
    return Ink(
      strokes: text.enumerated().map { place, letter in
        Stroke(
          points: (0...16).map { step in
            let part = Double(step) / 16
            let angle = 2 * Double.pi * part
            let x = Double(place) * 60 + (letter == "o" ? 22 * sin(angle) : 0)
            let y = letter == "o" ? -25 - 25 * cos(angle) : -100 + 100 * part
            return StrokePoint(x: scale * x + right, y: scale * y + below)
          })
      })
  }
}

extension LineTrainingConfiguration {
  /// The settings of a small network with batches of eight.
  static func tiny(epochs: Int = 3) -> LineTrainingConfiguration {
    var result = LineTrainingConfiguration()
    result.epochs = epochs
    result.batchSize = 8
    result.layers = LineLayers(
      stages: [.init(channels: 12, kernel: 5, stride: 2)], hidden: [12], dropout: 0.1)
    return result
  }
}
