import Features
import Foundation
import InkCore
import LinearAlgebra
import Networks
import Recognition
import Testing
import Training

@Suite("Training in any script")
struct ScriptTrainingTests {
  /// Letters without known heights: of a script from left to right, from right to left, and from
  /// top to bottom, in the order of their code points.
  private static let letters: [WritingDirection: [String]] = [
    .leftToRight: ["ก", "ข"], .rightToLeft: ["ܐ", "ܒ"], .topToBottom: ["ᠠ", "ᠡ"],
  ]

  /// Lines of words of two kinds of letter, in the direction of a script.
  private static func lines(
    _ direction: WritingDirection, count: Int, seed: UInt64
  ) throws -> LineTrainingSet {
    let letters = letters[direction] ?? []
    var set = LineTrainingSet(labels: [" "] + letters)
    for index in 0..<count {
      var generator = SeededGenerator(seed: seed, UInt64(index))
      let words = (0..<3 + generator.index(below: 2)).map { _ in generator.index(below: 2) }
      let ink = Ink(
        strokes: words.enumerated().flatMap { place, word in
          Ink.word(word, right: Double(place) * 260 + Double(generator.uniform(0...30))).strokes
        })
      let text = words.map { $0 == 0 ? "lol" : "ool" }.joined(separator: " ")
        .map { $0 == "l" ? letters[0] : $0 == "o" ? letters[1] : " " }.joined()
      set.append(
        try Trajectory(ink.turned(direction)), text: text, writer: "w\(index % 4)", for: .training)
    }
    return set
  }

  /// A trainer of the lines of a direction.
  private static func trainer(
    _ direction: WritingDirection, from start: LineModel? = nil
  ) throws -> LineTrainer {
    var configuration = LineTrainingConfiguration.tiny(epochs: 4)
    configuration.precision = .single
    return try LineTrainer(
      configuration: configuration, training: lines(direction, count: 40, seed: 5),
      validation: lines(direction, count: 8, seed: 6), workers: 1, from: start)
  }

  private static func model(_ direction: WritingDirection) throws -> LineModel {
    try trainer(direction).train()
  }

  @Test("Mirrored ink of a script from right to left gives the same weights, bit for bit")
  func sameWeights() throws {
    let left = try Self.model(.leftToRight)
    let right = try Self.model(.rightToLeft)
    #expect(left.pipeline.direction == .leftToRight)
    #expect(right.pipeline.direction == .rightToLeft)
    #expect(left.parameters.values == right.parameters.values)
    let ink = Ink(strokes: Ink.word(1).strokes + Ink.word(0, right: 260).strokes)
    let output = try LineRecognizer(model: left).logProbabilities(ink)
    #expect(try LineRecognizer(model: right).logProbabilities(ink.turned(.rightToLeft)) == output)
  }

  @Test("A model of another direction is a start: its layers are copied, and not its direction")
  func startOfAnotherDirection() throws {
    let left = try Self.model(.leftToRight)
    let trainer = try Self.trainer(.rightToLeft, from: left)
    // No symbol is the same but the space, so the last layer, of two tensors, is new in part.
    for tensor in left.network.parameters.dropLast(2) {
      let isCopied = (0..<tensor.count).allSatisfy {
        trainer.optimizer.parameters.pointer[tensor.offset + $0]
          == left.parameters.pointer[tensor.offset + $0]
      }
      #expect(isCopied, "\(tensor.name)")
    }
    let right = try trainer.train()
    #expect(right.pipeline.direction == .rightToLeft)
    #expect(right.labels == [" ", "ܐ", "ܒ"])
    // An average of inks that are read in opposite directions would read neither.
    #expect(LineModel.average(of: [left, right]) == nil)
    var turned = left.pipeline
    turned.direction = .rightToLeft
    let same = LineModel(
      labels: left.labels, pipeline: turned, network: left.network, parameters: left.parameters)
    #expect(LineModel.average(of: [left, left]) != nil)
    #expect(LineModel.average(of: [left, same]) == nil)
  }

  @Test("Lines from top to bottom are trained and read in their own frame")
  func vertical() throws {
    let model = try Self.model(.topToBottom)
    #expect(model.pipeline.direction == .topToBottom)
    let isFinite = model.parameters.values.allSatisfy(\.isFinite)
    #expect(isFinite)
    let area = try WritingArea(width: 40, height: 400)
    let ink = Ink.word(0).turned(.topToBottom)
    let recognizer = try LineRecognizer(model: model)
    #expect(
      try recognizer.logProbabilities(ink, area: area) == recognizer.logProbabilities(ink))
  }

  @Test("A direction is saved with the features, and left to right is not mentioned")
  func saved() throws {
    for direction in WritingDirection.allCases {
      var pipeline = LinePipeline()
      pipeline.direction = direction
      let data = try JSONEncoder().encode(pipeline)
      #expect(try JSONDecoder().decode(LinePipeline.self, from: data) == pipeline)
      let text = String(decoding: data, as: UTF8.self)
      #expect(text.contains("direction") == (direction != .leftToRight))
    }
    let old = Data(#"{"spacing":0.1,"maximumSteps":8192}"#.utf8)
    #expect(try JSONDecoder().decode(LinePipeline.self, from: old).direction == .leftToRight)
  }

  @Test("Lines without known letter heights can be cut into words and recombined")
  func recombined() throws {
    let set = try Self.lines(.rightToLeft, count: 12, seed: 9)
    #expect(set.samples.contains { set.isCuttable($0) })
    // A full stop is known, but says nothing about the letters before it.
    var stops = LineTrainingSet(labels: [" ", ".", "ܐ", "ܒ"])
    stops.append(
      try Trajectory(Ink.word(0).turned(.rightToLeft)), text: "ܐܒܐ.", for: .training)
    #expect(stops.samples.first?.line.area == nil)
  }

  @Test("Digits of a line from right to left are joined from left to right")
  func numbers() throws {
    var set = LineTrainingSet(labels: [" ", "1", "2", "ܐ", "ܒ", "ܓ"])
    let area = LocalArea(top: -1, height: 2)
    for digit in ["1", "2"] {
      set.append(
        try Trajectory(Ink.word(0)), area: area, text: digit, writer: "w", for: .training)
    }
    var composer = LineComposer()
    var generator = SeededGenerator(seed: 3)
    composer.compose([0, 1, 0], of: set, using: &generator)
    #expect(composer.labels == [2, 3, 2])
    let line = composer.line.trajectory
    // In the reading frame, x falls from digit to digit; in a word of letters, it grows.
    let middles = (0..<3).map { digit in
      let points = line.stroke(3 * digit).lowerBound..<line.stroke(3 * digit + 2).upperBound
      return points.reduce(Float(0)) { $0 + line.x[$1] } / Float(points.count)
    }
    #expect(middles[0] > middles[1] && middles[1] > middles[2])
  }

  @Test("A thousand symbols are trained and read")
  func manySymbols() throws {
    // Syllables of Hangul, drawn as bars whose heights tell some of them apart.
    let symbols = (0..<1200).compactMap { Unicode.Scalar(0xAC00 + $0).map { String($0) } }
    func set(count: Int, seed: UInt64) throws -> LineTrainingSet {
      var set = LineTrainingSet(labels: symbols)
      for index in 0..<count {
        var generator = SeededGenerator(seed: seed, UInt64(index))
        let text = (0..<4).map { _ in symbols[generator.index(below: symbols.count)] }.joined()
        let refusal = set.append(try Trajectory(Ink.word(index)), text: text, for: .training)
        #expect(refusal == nil)
      }
      return set
    }
    var configuration = LineTrainingConfiguration.tiny(epochs: 1)
    configuration.precision = .single
    let model = try LineTrainer(
      configuration: configuration, training: set(count: 16, seed: 1),
      validation: set(count: 4, seed: 2), workers: 1
    ).train()
    #expect(model.labels == symbols && model.network.architecture.classes == 1201)
    let recognizer = try LineRecognizer(model: model)
    let result = try recognizer.recognize(Ink.word(0), context: .init(), maximumCandidates: 3)
    #expect(result.unreadStrokes == 0)
    let aligned = try recognizer.align(symbols[7], with: Ink.word(0))
    #expect(aligned?.count == 1)
  }
}

@Suite("Pages aligned with their text")
struct PageCutterTests {
  private func divided(_ text: String, _ readings: [String]) -> [String] {
    let words = text.split(separator: " ").map { Array($0) }
    return PageCutter.divide(words, among: readings.map { Array($0) }).map { part in
      words[part.words].map { String($0) }.joined(separator: " ")
    }
  }

  @Test("Words go to the lines that are read like them, however badly")
  func words() {
    #expect(
      divided("the quick brown fox jumps over", ["the qnick", "brwn for", "jmps ovr"])
        == ["the quick", "brown fox", "jumps over"])
    #expect(divided("one two", ["one two", ""]) == ["one two", ""])
    #expect(divided("one two", ["", "one", "", "two"]) == ["", "one", "", "two"])
    #expect(divided("one", ["xyz", "one"]) == ["", "one"])
    #expect(divided("", ["ab", "c"]) == ["", ""])
  }

  @Test("A text that is too long for its lines is cut off and costs no crash")
  func tooLong() {
    let text = Array(repeating: "word", count: 60).joined(separator: " ")
    let parts = divided(text, ["word", "w"])
    #expect(parts.count == 2 && parts[0].count < text.count)
  }
}
