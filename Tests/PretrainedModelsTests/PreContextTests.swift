import Foundation
import InkCore
import InkDatasets
import PretrainedModels
import Recognition
import Testing

/// What text before the ink does, through the whole recogniser, on ink of virtual writers.
@Suite struct PreContextTests {
  private let recognizer: any Recognizer

  init() throws {
    recognizer = try PretrainedModels().openRecognizer(identifier: "latin-lines")
  }

  /// A word as four writers print it.
  private func inks(of word: String) throws -> [Ink] {
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("word-\(UUID().uuidString).txt")
    try Data(word.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let data = try DataSpecification(
      parsing: "starter:words?words=\(file.path)&split=all&limit=4&style=printed")
    return try data.records().map { try $0.get().labeled.ink }
  }

  private func read(_ ink: Ink, after text: String) throws -> [RecognitionCandidate] {
    try recognizer.recognize(ink, context: RecognitionContext(preContext: text)).candidates
  }

  @Test func aWordBehindAWordBeginsWithASpace() throws {
    for ink in try inks(of: "world") {
      #expect(try read(ink, after: "").first?.text == "world")
      #expect(try read(ink, after: "hello").first?.text == " world")
    }
  }

  @Test func theRestOfAWordGoesOnWithIt() throws {
    for ink in try inks(of: "ument") {
      #expect(try read(ink, after: "arg").first?.text == "ument")
    }
    // One of the four writers makes the l no taller than the o: an e as well.
    let readings = try inks(of: "lo").map { try read($0, after: "hel").first?.text }
    #expect(readings.filter { $0 == "lo" }.count >= 3, "\(readings)")
  }

  @Test func aCapitalIsLikelierBehindAFullStop() throws {
    for ink in try inks(of: "so") {
      let shares = try ["It was late. ", "It was and "].map { text in
        try read(ink, after: text).filter { $0.text.first?.isUppercase == true }
          .reduce(0) { $0 + exp($1.score) }
      }
      #expect(shares[0] > 1.5 * shares[1], "\(shares)")
    }
  }

  @Test func onlyTheLastTwentyCharactersCount() throws {
    let ink = try #require(try inks(of: "ument").first)
    let tail = "we had a serious arg"
    #expect(tail.count == 20)
    let texts = ["", "x", String(repeating: "On the other hand ", count: 50)].map { $0 + tail }
    // What is longer than twenty characters was cut there, whatever stands before.
    let cut = try texts.dropFirst().map { try read(ink, after: $0) }
    #expect(cut[0] == cut[1])
  }
}
