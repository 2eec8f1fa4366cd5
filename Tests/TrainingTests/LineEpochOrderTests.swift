import Features
import InkCore
import Testing
import Training

/// The batches of an epoch, and the lines that are combined for them.
@Suite struct LineEpochOrderTests {
  private static func area(around trajectory: Trajectory) throws -> LocalArea {
    let (top, bottom) = (try #require(trajectory.y.min()), try #require(trajectory.y.max()))
    return LocalArea(top: top, height: bottom - top)
  }

  @Test func everyLineIsInOneBatchOfAnEpoch() throws {
    let set = try LineTrainingSet.arcs(count: 101, seed: 7)
    let order = LineEpochOrder(set, LineTrainingConfiguration.tiny())
    let batches = order.batches(epoch: 3, of: set)
    #expect(batches.count == 13)
    #expect(batches.flatMap { $0.flatMap { $0 } }.sorted() == Array(0..<101))
    #expect(batches == order.batches(epoch: 3, of: set))
    #expect(batches != order.batches(epoch: 4, of: set))
  }

  @Test func wordsOfAWriterMakeLinesInEveryEpoch() throws {
    var set = LineTrainingSet(labels: [" ", "l", "o"])
    for index in 0..<90 {
      set.append(
        try Trajectory(Ink.word(index)), text: index % 3 == 0 ? "lo ol" : "lol",
        writer: "w\(index % 4)", for: .training)
    }
    var configuration = LineTrainingConfiguration.tiny()
    configuration.cutsLines = false
    let order = LineEpochOrder(set, configuration)
    for epoch in 0..<3 {
      let batches = order.batches(epoch: epoch, of: set)
      #expect(batches.count == order.batchCount)
      let lines = batches.flatMap { $0 }
      #expect(lines.flatMap { $0 }.sorted() == Array(0..<90), "epoch \(epoch)")
      #expect(lines.allSatisfy { Set($0.map { set.samples[$0].writer }).count == 1 })
      #expect(lines.allSatisfy { $0.count == 1 || $0.allSatisfy { $0 % 3 != 0 } })
      #expect(lines.contains { $0.count > 2 })
    }
    configuration.joinedWords = 1
    #expect(
      LineEpochOrder(set, configuration).batches(epoch: 0, of: set).flatMap { $0 }.count == 90)
  }

  @Test func singleDigitsAndMarksStandInNoLine() throws {
    var set = LineTrainingSet(labels: [" ", ".", "1", "a", "l"])
    let texts = ["1", ".", "a", "11", "la"]
    for index in 0..<50 {
      set.append(
        try Trajectory(Ink.word(index)), text: texts[index % 5], writer: "w", for: .training)
    }
    let batches = LineEpochOrder(set, LineTrainingConfiguration.tiny()).batches(epoch: 0, of: set)
    let lines = batches.flatMap { $0 }
    for line in lines where line.contains(where: { $0 % 5 < 2 }) { #expect(line.count == 1) }
    #expect(lines.contains { $0.count > 1 && $0.contains { $0 % 5 == 2 } })
  }

  @Test func lettersThatWereWrittenOneByOneStandAlone() throws {
    var set = LineTrainingSet(labels: [" ", "a", "l"])
    for index in 0..<40 {
      let trajectory = try Trajectory(Ink.word(index))
      set.append(
        trajectory, area: try Self.area(around: trajectory), text: index % 4 < 2 ? "a" : "la",
        level: index % 2 == 0 ? .character : .word, writer: "w", for: .training)
    }
    let batches = LineEpochOrder(set, LineTrainingConfiguration.tiny()).batches(epoch: 0, of: set)
    let lines = batches.flatMap { $0 }
    for line in lines where line.contains(where: { $0 % 4 == 0 }) { #expect(line.count == 1) }
    #expect(lines.contains { $0.count > 1 && $0.contains { $0 % 4 == 1 } })
  }

  @Test("Single digits of a writer make numbers, with that writer's marks and without spaces")
  func digitsMakeNumbers() throws {
    var set = LineTrainingSet(labels: [" ", ".", "1", "2", "l", "o"])
    let texts = ["1", ".", "2", "1", "lol"]
    for index in 0..<120 {
      let writer = index < 100 ? "w\(index % 5 % 2)" : "marks"
      let trajectory = try Trajectory(Ink.word(index))
      set.append(
        trajectory, area: try Self.area(around: trajectory),
        text: index < 100 ? texts[index % 5] : ".", writer: writer, for: .training)
    }
    var configuration = LineTrainingConfiguration.tiny()
    configuration.joinedDigits = 6
    let order = LineEpochOrder(set, configuration)
    func isDigit(_ index: Int) -> Bool { index < 100 && [0, 2, 3].contains(index % 5) }
    var composer = LineComposer()
    var generator = SeededGenerator(seed: 5)
    for epoch in 0..<3 {
      let lines = order.batches(epoch: epoch, of: set).flatMap { $0 }
      #expect(order.batches(epoch: epoch, of: set).count == order.batchCount)
      let numbers = lines.filter { $0.contains(where: isDigit) }
      #expect(numbers.contains { $0.count > 4 } && numbers.contains { !$0.allSatisfy(isDigit) })
      for number in numbers {
        #expect(Set(number.map { set.samples[$0].writer }).count == 1)
        #expect((1...6).contains(number.count(where: isDigit)))
        let (first, last) = (try #require(number.first), try #require(number.last))
        #expect(isDigit(first) && isDigit(last), "epoch \(epoch): \(number)")
        composer.compose(number, of: set, using: &generator)
        #expect(composer.labels == number.flatMap { set.samples[$0].labels })
      }
      // Digits and marks also remain samples of their own, even if their writer has only one kind.
      let alone = Set(lines.filter { $0.count == 1 }.map { $0[0] })
      #expect(alone.isSuperset(of: (0..<120).filter { $0 >= 100 || $0 % 5 < 4 }))
    }
  }

  @Test("Marks of numbers are in their places, as in ($12%), and brackets come in pairs")
  func marksStandWhereTheyBelong() throws {
    let symbols = ["$", "%", "(", ")", "+", "1", "2"]
    var set = LineTrainingSet(labels: symbols)
    for index in 0..<240 {
      let trajectory = try Trajectory(Ink.word(index))
      // The second writer opens brackets and never closes them.
      let text = symbols[index % 7]
      set.append(
        trajectory, area: try Self.area(around: trajectory), text: text,
        writer: text == ")" || index < 120 ? "w" : "opens", for: .training)
    }
    var configuration = LineTrainingConfiguration.tiny()
    configuration.joinedDigits = 6
    let order = LineEpochOrder(set, configuration)
    let number = /\(?\$?[12]+(\+[12]+)*%?\)?/
    var numbers: [String] = []
    for epoch in 0..<4 {
      for line in order.batches(epoch: epoch, of: set).flatMap({ $0 }) where line.count > 1 {
        let text = line.map { symbols[Int(set.samples[$0].labels[0]) - 1] }.joined()
        #expect(try number.wholeMatch(in: text) != nil, "epoch \(epoch): \(text)")
        #expect(text.hasPrefix("(") == text.hasSuffix(")"), "epoch \(epoch): \(text)")
        if text.hasPrefix("(") { #expect(set.samples[line[0]].writer == "w") }
        numbers.append(text)
      }
    }
    for mark in "$%(+" { #expect(numbers.contains { $0.contains(mark) }, "\(mark)") }
  }

  @Test func joinedWordsStandOnOneLine() throws {
    var set = LineTrainingSet(labels: [" ", "l", "o"])
    // The second word is in another unit and far below, as if from another file.
    set.append(try Trajectory(Ink.word(0)), text: "lol", writer: "a", for: .training)
    set.append(
      try Trajectory(Ink.word(1, scale: 40, below: 9000)), text: "ool", writer: "a", for: .training)
    var composer = LineComposer()
    var generator = SeededGenerator(seed: 11)
    composer.compose([0, 1], of: set, using: &generator)
    #expect(composer.labels == [2, 3, 2, 1, 3, 3, 2])
    let ink = composer.line.trajectory
    #expect(ink.strokeEnds.count == 6)
    let bottoms = (0..<6).map { ink.stroke($0).map { ink.y[$0] }.max() ?? 0 }
    let tops = (0..<6).map { ink.stroke($0).map { ink.y[$0] }.min() ?? 0 }
    #expect((bottoms.max() ?? 0) - (bottoms.min() ?? 0) < 0.4, "seed 11: \(bottoms)")
    #expect(tops[5] < tops[4], "an l is taller than an o: \(tops)")
    let ends = (0..<6).map { ink.stroke($0).map { ink.x[$0] }.max() ?? 0 }
    #expect(ends == ends.sorted())
    #expect(composer.line.area != nil)
  }
}
