import Foundation
import InkCore
import Studio
import Testing

private func source(_ text: String) throws -> CollectSource {
  try JSONDecoder().decode(CollectSource.self, from: Data(text.utf8))
}

/// The prompts of a source, in a project with texts and an installed language.
private func prompts(_ text: String) throws -> [CollectPrompt] {
  let folder = try CollectFolder()
  let project = try Project(at: folder.file("project"))
  let manager = FileManager.default
  try manager.createDirectory(
    at: project.root.appendingPathComponent("texts"), withIntermediateDirectories: true)
  try Data("eins\n\n  zwei   drei\nvier".utf8)
    .write(to: project.root.appendingPathComponent("texts/mine.txt"))
  try Data([0xFF, 0xFE, 0x41]).write(to: project.root.appendingPathComponent("texts/bad.txt"))
  try Data("secret".utf8).write(to: folder.file("secret.txt"))
  try manager.createSymbolicLink(
    at: project.root.appendingPathComponent("texts/link.txt"),
    withDestinationURL: folder.file("secret.txt"))
  try manager.createDirectory(
    at: folder.file("data/languages/xx"), withIntermediateDirectories: true)
  try Data("a b\nc d\n".utf8).write(to: folder.file("data/languages/xx/cc0.txt"))
  try Data("tag\tlicence\tpart\nxx\tCC0 1.0\tcc0\n".utf8)
    .write(to: folder.file("data/languages/SOURCES.tsv"))
  let texts = CollectTexts(project, environment: ["INK_DATASETS": folder.file("data").path])
  #expect(
    texts.installedLanguages()
      == [.init(tag: "xx", part: "cc0", bytes: 8, licence: "CC0 1.0")])
  return try source(text).prompts(from: texts)
}

private func labels(_ text: String) throws -> [String] { try prompts(text).map(\.label) }

@Suite("Sources of prompts") struct CollectSourceTests {
  @Test("A pasted text is divided into lines, words or characters")
  func units() throws {
    #expect(
      try labels(#"{"kind":"text","text":" one  two \n\nthree\r\n"}"#) == ["one two", "three"])
    #expect(try labels(#"{"kind":"text","unit":"words","text":"α β\nα"}"#) == ["α", "β", "α"])
    #expect(try labels(#"{"kind":"text","unit":"characters","text":"abba c"}"#) == ["a", "b", "c"])
  }

  @Test("Labels have the normal form NFC")
  func normalForm() throws {
    let label = try labels(#"{"kind":"text","text":"e\u0301"}"#)[0]
    #expect(Array(label.unicodeScalars) == ["\u{E9}"])
  }

  @Test("Own symbols have names and may have looks")
  func names() throws {
    let found = try prompts(#"{"kind":"names","text":"integral = ∫\nspiral\n=\nspiral"}"#)
    #expect(
      found == [
        CollectPrompt(label: "integral", show: "∫"), CollectPrompt(label: "spiral"),
        CollectPrompt(label: "="),
      ])
  }

  @Test(
    "Every built-in list has labels without repetitions", arguments: CollectTexts.BuiltIn.allCases)
  func builtIn(_ list: CollectTexts.BuiltIn) throws {
    let found = try labels(#"{"kind":"builtIn","list":"\#(list.rawValue)"}"#)
    #expect(found.count >= 3)
    #expect(Set(found).count == found.count)
    switch list {
    case .digits: #expect(found.sorted() == (0...9).map(String.init))
    case .lowerCase, .upperCase: #expect(found.count == 26)
    default: break
    }
  }

  @Test("Texts of the project and of installed languages are read")
  func files() throws {
    #expect(try labels(#"{"kind":"file","path":"mine.txt"}"#) == ["eins", "zwei drei", "vier"])
    #expect(try labels(#"{"kind":"language","tag":"xx","part":"cc0"}"#) == ["a b", "c d"])
  }

  @Test(
    "Files elsewhere are not read",
    arguments: [
      #"{"kind":"file","path":"../../secret.txt"}"#, #"{"kind":"file","path":"link.txt"}"#,
      #"{"kind":"file","path":"/etc/passwd"}"#, #"{"kind":"file","path":".hidden"}"#,
      #"{"kind":"file","path":""}"#, #"{"kind":"file","path":"bad.txt"}"#,
      #"{"kind":"file","path":"none.txt"}"#, #"{"kind":"file"}"#,
      #"{"kind":"language","tag":"..","part":"cc0"}"#,
      #"{"kind":"language","tag":"xx","part":"../xx/cc0"}"#,
      #"{"kind":"language","tag":"xx/../xx","part":"cc0"}"#,
      #"{"kind":"language","tag":"","part":"cc0"}"#,
      #"{"kind":"language","tag":"yy","part":"cc0"}"#,
    ])
  func attacks(_ text: String) throws {
    let code = collectCode { _ = try prompts(text) }
    #expect([.forbidden, .notFound, .invalidValue].contains(code), "\(String(describing: code))")
  }

  @Test(
    "Values outside of their ranges are refused",
    arguments: [
      #"{"kind":"text","text":"a","repetitions":0}"#,
      #"{"kind":"text","text":"a","repetitions":9223372036854775807}"#,
      #"{"kind":"text","text":"a\nb","choice":"random"}"#,
      #"{"kind":"text","text":"a\nb","choice":"random","count":0}"#,
      #"{"kind":"text","text":"a\nb","choice":"random","count":9223372036854775807}"#,
      #"{"kind":"text","text":"a\nb","choice":"first","count":1,"longest":0}"#,
      #"{"kind":"text","text":"a\u0007b"}"#, #"{"kind":"names","text":"a\u0000"}"#,
    ])
  func ranges(_ text: String) throws {
    #expect(collectCode { _ = try prompts(text) } == .invalidValue)
  }

  @Test("Too many prompts are refused")
  func many() throws {
    let words = Array(repeating: "a", count: 201).joined(separator: " ")
    #expect(
      collectCode {
        _ = try prompts(
          #"{"kind":"text","unit":"words","text":"\#(words)","repetitions":100}"#)
      } == .invalidValue)
  }

  @Test("Each repetition has every prompt once, in the order of the seed")
  func order() throws {
    let text = #"{"kind":"text","unit":"words","text":"a b c d e f","repetitions":3,"shuffle":true"#
    let first = try labels(text + #","seed":5}"#)
    #expect(first == (try labels(text + #","seed":5}"#)))
    #expect(first != (try labels(text + #","seed":6}"#)))
    for round in 0..<3 {
      #expect(first[(6 * round)..<(6 * round + 6)].sorted() == ["a", "b", "c", "d", "e", "f"])
    }
    #expect(first[0..<6] != first[6..<12] || first[6..<12] != first[12..<18])
  }

  @Test("A choice has distinct lines of the asked length")
  func choices() throws {
    let lines = (0..<50).map { "line\($0 % 25)" }.joined(separator: #"\n"#)
    for choice in ["first", "random", "balanced"] {
      let found = try labels(
        #"{"kind":"text","text":"\#(lines)\nmuch too long","choice":"\#(choice)","count":20,"#
          + #""longest":6,"seed":3}"#)
      #expect(found.count == 20, "\(choice)")
      #expect(Set(found).count == 20, "\(choice)")
      #expect(found.allSatisfy { $0.count <= 6 }, "\(choice)")
    }
  }
}

@Suite("Balanced corpora") struct BalancedCorpusTests {
  /// Lines of random letters, of which the early ones are far more frequent.
  private func lines(_ count: Int, seed: UInt64) -> [String] {
    var generator = SeededGenerator(seed: seed)
    let letters = Array("abcdefghijklmnopqrstuvwxyz")
    return (0..<count).map { _ in
      String(
        (0..<(4 + generator.index(below: 12))).map { _ in
          let draw = generator.uniform()
          return letters[min(25, Int(26 * draw * draw * draw))]
        })
    }
  }

  /// The entropy of the characters of lines, in bits.
  private func entropy(_ lines: [String]) -> Double {
    let counts = BalancedCorpus.counts(lines).values.map(Double.init)
    let total = counts.reduce(0, +)
    return -counts.reduce(0) { $0 + $1 / total * log2($1 / total) }
  }

  @Test("A chosen corpus is far more even than a random one", arguments: [1, 2, 3] as [UInt64])
  func evenness(_ seed: UInt64) {
    let lines = lines(2000, seed: seed)
    let chosen = BalancedCorpus.choose(lines, count: 60, seed: seed).map { lines[$0] }
    let random = Array(lines.prefix(60))
    #expect(chosen.count == 60)
    #expect(entropy(chosen) > entropy(random) + 0.3, "seed \(seed)")
    let counts = BalancedCorpus.counts(chosen).values
    let (least, most) = (counts.min() ?? 0, counts.max() ?? 0)
    #expect(counts.count == 26, "seed \(seed)")
    // In all lines, the most frequent letter occurs about 26 times as often as the rarest.
    #expect(most <= 6 * least, "seed \(seed): \(least) to \(most)")
  }

  @Test("Every character is covered before any is repeated for long")
  func coverage() {
    let common = (0..<200).map { "ee\($0 % 10)" }
    let rare = ["x ω", "y ß", "z 🙂"]
    let chosen = BalancedCorpus.choose(common + rare, count: 14, seed: 1)
    #expect(chosen.filter { $0 >= 200 }.count == 3)
  }

  @Test("The choice depends on nothing but lines, count and seed")
  func reproducible() {
    let lines = lines(500, seed: 9)
    let first = BalancedCorpus.choose(lines, count: 40, seed: 4)
    #expect(first == BalancedCorpus.choose(lines, count: 40, seed: 4))
    #expect(Set(first).count == 40)
    #expect(
      BalancedCorpus.choose(Array(repeating: "same", count: 50), count: 5, seed: 1)
        != BalancedCorpus.choose(Array(repeating: "same", count: 50), count: 5, seed: 2))
  }

  @Test("The queue gives the choice of a plain greedy search")
  func plainGreedy() {
    let lines = lines(120, seed: 7)
    let chosen = BalancedCorpus.choose(lines, count: 30, seed: 1)
    var totals: [Character: Double] = [:]
    func gain(_ line: String) -> Double {
      let counts = BalancedCorpus.counts([line])
      return counts.reduce(0) {
        $0 + log1p(Double($1.value) / (totals[$1.key, default: 0] + BalancedCorpus.epsilon))
      } / (Double(line.count) + BalancedCorpus.lineCost)
    }
    var left = Set(lines.indices)
    for index in chosen {
      let best = left.map { gain(lines[$0]) }.max() ?? 0
      #expect(gain(lines[index]) >= best - 1e-9)
      left.remove(index)
      for (character, count) in BalancedCorpus.counts([lines[index]]) {
        totals[character, default: 0] += Double(count)
      }
    }
  }

  @Test("Few lines, empty lines and no lines are no problem")
  func edges() {
    #expect(BalancedCorpus.choose([], count: 5, seed: 1).isEmpty)
    #expect(BalancedCorpus.choose(["", "  ", "a"], count: 5, seed: 1) == [2])
    #expect(BalancedCorpus.choose(["a"], count: 0, seed: 1).isEmpty)
  }
}
