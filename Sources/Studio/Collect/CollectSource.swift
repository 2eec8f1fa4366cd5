import Foundation
import InkCore

/// The description of a session's prompts, as the page sends it.
package struct CollectSource: Decodable, Sendable {
  /// The origin of the prompts.
  enum Kind: String, Decodable, Sendable {
    /// A pasted text.
    case text
    /// Pasted names of own symbols: `name`, or `name = look`.
    case names
    /// A built-in list.
    case builtIn
    /// A file of the project.
    case file
    /// A text of an installed language.
    case language
  }

  /// The units that a text is divided into.
  enum Unit: String, Decodable, Sendable {
    case lines
    /// Words or symbols with white space between them.
    case words
    /// Each character once.
    case characters
  }

  /// The choice among the units of a text.
  enum Choice: String, Decodable, Sendable {
    case all
    /// The first ones.
    case first
    case random
    /// Lines in which all characters occur about equally often.
    case balanced
  }

  var kind: Kind
  var text: String?
  var list: CollectTexts.BuiltIn?
  var path: String?
  var tag: String?
  var part: String?
  var unit: Unit?
  var choice: Choice?
  /// The number of prompts to choose.
  var count: Int?
  /// The most characters of a chosen line.
  var longest: Int?
  /// The number of times that each prompt occurs.
  var repetitions: Int?
  /// True if the order is random, another one in each repetition.
  var shuffle: Bool?
  var seed: UInt32?

  /// The longest line unless the page says otherwise: it fits a line of writing.
  static let longestLine = 60
  /// The most repetitions.
  static let mostRepetitions = 1000

  /// Returns the prompts.
  ///
  /// - Throws: ``StudioError`` for a member that is missing or not valid, and for a text that
  ///   cannot be read.
  /// - Complexity: O(characters of the text).
  package func prompts(from texts: CollectTexts) throws(StudioError) -> [CollectPrompt] {
    let seed = UInt64(seed ?? 1)
    let repetitions = repetitions ?? 1
    guard (1...Self.mostRepetitions).contains(repetitions) else {
      throw StudioError(
        .invalidValue, "expected 1 ... \(Self.mostRepetitions)", field: "source.repetitions")
    }
    let once = kind == .names ? try symbols() : try chosen(units(texts), seed: seed)
    guard once.count <= CollectPlan.mostPrompts / repetitions else {
      throw StudioError(
        .invalidValue,
        "expected at most \(CollectPlan.mostPrompts) prompts, found \(once.count) for "
          + "\(repetitions) repetitions; choose fewer", field: "source.count")
    }
    var prompts: [CollectPrompt] = []
    for round in 0..<repetitions {
      var order = once
      if shuffle == true {
        var generator = SeededGenerator(seed: seed, UInt64(round), 0x0C)
        for index in order.indices.dropFirst().reversed() {
          order.swapAt(index, generator.index(below: index + 1))
        }
      }
      prompts += order
    }
    return prompts
  }

  private func member<Value>(_ value: Value?, _ name: String) throws(StudioError) -> Value {
    guard let value else {
      throw StudioError(.invalidValue, "expected the member \(name), found none", field: "source")
    }
    return value
  }

  /// The names of own symbols, with their looks.
  private func symbols() throws(StudioError) -> [CollectPrompt] {
    var prompts: [CollectPrompt] = []
    var seen: Set<String> = []
    let names = try member(text, "text").precomposedStringWithCanonicalMapping
    for line in Self.lines(names) {
      let parts = line.split(separator: "=", maxSplits: 1).map {
        $0.trimmingCharacters(in: .whitespaces)
      }
      // "=" and "==" are symbols of their own.
      let isPair = parts.count == 2 && parts.allSatisfy { !$0.isEmpty }
      let prompt = CollectPrompt(
        label: isPair ? parts[0] : line, show: isPair ? parts[1] : nil)
      guard CollectPrompt.isUsable(prompt.label), prompt.show.map(CollectPrompt.isUsable) ?? true
      else { throw Self.unusable(prompts.count + 1) }
      if seen.insert(prompt.label).inserted { prompts.append(prompt) }
    }
    return prompts
  }

  /// The units of the text, in the normal form NFC, the form of the labels of other data.
  private func units(_ texts: CollectTexts) throws(StudioError) -> [String] {
    var text: String
    switch kind {
    case .text, .names: text = try member(self.text, "text")
    case .builtIn: return try CollectTexts.lines(of: try member(list, "list"))
    case .file: text = try texts.file(try member(path, "path"))
    case .language:
      text = try texts.language(try member(tag, "tag"), part: try member(part, "part"))
    }
    text = text.precomposedStringWithCanonicalMapping
    switch unit ?? .lines {
    case .lines: return Self.lines(text)
    case .words: return text.split(whereSeparator: \.isWhitespace).map(String.init)
    case .characters:
      var seen: Set<Character> = []
      return text.filter { !$0.isWhitespace && seen.insert($0).inserted }.map(String.init)
    }
  }

  private func chosen(_ units: [String], seed: UInt64) throws(StudioError) -> [CollectPrompt] {
    let choice = choice ?? .all
    guard choice != .all else {
      if let bad = units.firstIndex(where: { !CollectPrompt.isUsable($0) }) {
        throw Self.unusable(bad + 1)
      }
      return units.map { CollectPrompt(label: $0) }
    }
    let longest = longest ?? Self.longestLine
    guard (1...CollectPrompt.mostCharacters).contains(longest) else {
      throw StudioError(
        .invalidValue, "expected 1 ... \(CollectPrompt.mostCharacters)", field: "source.longest")
    }
    let count = try member(count, "count")
    guard (1...CollectPlan.mostPrompts).contains(count) else {
      throw StudioError(
        .invalidValue, "expected 1 ... \(CollectPlan.mostPrompts)", field: "source.count")
    }
    var seen: Set<String> = []
    // Bytes first: to count the characters of a whole book takes longer.
    let usable = units.filter {
      $0.utf8.count <= 8 * longest && $0.count <= longest && CollectPrompt.isUsable($0)
        && seen.insert($0).inserted
    }
    let indices: [Int]
    switch choice {
    case .all, .first: indices = Array(usable.indices.prefix(count))
    case .balanced: indices = BalancedCorpus.choose(usable, count: count, seed: seed)
    case .random:
      var order = Array(usable.indices)
      var generator = SeededGenerator(seed: seed, 0, 0x0D)
      // The first steps of a shuffle (Fisher, Yates) are a choice.
      for index in 0..<min(count, order.count) {
        order.swapAt(index, index + generator.index(below: order.count - index))
      }
      indices = Array(order.prefix(count))
    }
    return indices.map { CollectPrompt(label: usable[$0]) }
  }

  /// The lines of a text, trimmed, without empty ones. White space inside a line becomes one space.
  private static func lines(_ text: String) -> [String] {
    text.split(whereSeparator: \.isNewline).compactMap { line in
      let words = line.split(whereSeparator: \.isWhitespace)
      return words.isEmpty ? nil : words.joined(separator: " ")
    }
  }

  private static func unusable(_ number: Int) -> StudioError {
    StudioError(
      .invalidValue,
      "prompt \(number): expected 1 to \(CollectPrompt.mostCharacters) characters without control "
        + "characters; shorten or remove it", field: "source")
  }
}
