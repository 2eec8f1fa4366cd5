import DuctusTool
import Files
import InkDatasets
import Testing
import Training

@Suite("Output of the tool")
struct TerminalTests {
  @Test("A progress line never reaches the terminal's last column", arguments: 0...140)
  func progressLine(columns: Int) {
    for fraction in [nil, 0, 0.5, 1] as [Double?] {
      let line = ProgressLine.line(
        fraction, "epoch 1/30  2:44 left  2446 samples/s", columns: columns)
      #expect(line.count <= max(0, columns - 1))
    }
  }

  @Test("The bar fills with the fraction and is omitted if there is no space")
  func bar() {
    #expect(ProgressLine.line(0.5, "x", columns: 80).hasPrefix("████████████░░░░░░░░░░░░  50 %  x"))
    #expect(ProgressLine.line(1, "x", columns: 80).hasPrefix("████████████████████████ 100 %"))
    #expect(ProgressLine.line(0.5, "1234567890", columns: 20) == " 50 %  1234567890")
    #expect(ProgressLine.line(nil, "20 inks", columns: 80) == "20 inks")
  }

  @Test("A training run with wasted epochs reports their number")
  func lostEpochs() throws {
    for (best, epochs) in [(0, 1), (0, 3), (21, 22), (10, 22), (2, 5), (9, 12)] {
      #expect(TrainingConsole.advice(keptEpoch: best, epochs: epochs) == nil, "\(best), \(epochs)")
    }
    let advice = try #require(TrainingConsole.advice(keptEpoch: 0, epochs: 22))
    #expect(advice.contains("the last 21 epochs") && advice.contains("validation data"))
    #expect(TrainingConsole.advice(keptEpoch: 1, epochs: 5) != nil)
  }

  @Test("The best epoch is reported as that of a mean if it is")
  func keptEpoch() {
    var record = EpochRecord(
      epoch: 8, trainingLoss: 1, validationAccuracy: 0.9, validationLoss: 1, rate: 1)
    #expect(TrainingConsole.name(of: record, keeping: .best) == "best epoch 9")
    record.validationAccuracyWithoutArea = 0.8
    #expect(
      TrainingConsole.name(of: record, keeping: .best)
        == "best epoch 9 (by the mean with and without area)")
    #expect(TrainingConsole.name(of: record, keeping: .last) == "last epoch 9")
  }

  @Test(
    "Clocks", arguments: [(0.0, "0:00"), (65.2, "1:05"), (7384, "2:03:04"), (.nan, "–"), (-1, "–")])
  func clock(seconds: Double, text: String) {
    #expect(ProgressLine.clock(seconds) == text)
  }

  @Test("Commands can be pasted into a shell")
  func quoting() {
    #expect(
      ShellQuoting.command(["evaluate", "--data", "unipen:a?category=1a&split=val"])
        == "ductus evaluate --data 'unipen:a?category=1a&split=val'")
    #expect(ShellQuoting.quoted("it's") == #"'it'\''s'"#)
    #expect(ShellQuoting.quoted("") == "''")
    #expect(ShellQuoting.quoted("a/b-c_d.e:f=g,h+1@2%20") == "a/b-c_d.e:f=g,h+1@2%20")
    for text in ["a b", "$x", "é", "`x`", "a*", "~", "#", "!x", "a;b", "[a]", "{a,b}"] {
      #expect(ShellQuoting.quoted(text) == "'\(text)'")
    }
    #expect(ShellQuoting.quoted("a\u{1B}[2J'\\\n") == #"$'a\033[2J\047\134\012'"#)
    #expect(ShellQuoting.quoted("\u{202E}é") == #"$'\342\200\256é'"#)
  }

  @Test("Data is named with the part that a command chose")
  func textWithSplit() throws {
    func text(_ source: String, _ split: DataSplit) throws -> String {
      try DataSpecification(parsing: source).withSplit(split).textWithSplit
    }
    #expect(try text("ink:a.jsonl", .val) == "ink:a.jsonl?split=val")
    #expect(
      try text("unipen:u?category=1a&split=train&limit=5", .val)
        == "unipen:u?category=1a&limit=5&split=val")
    #expect(try DataSpecification(parsing: "ink:a.jsonl").textWithSplit == "ink:a.jsonl")
    let stated = try DataSpecification(parsing: "ink:a.jsonl?licence=CC0&split=val&attribution=us")
    #expect(stated.text(without: ["licence", "attribution"]) == "ink:a.jsonl?split=val")
    #expect(stated.text(without: ["licence", "attribution", "split"]) == "ink:a.jsonl")
  }

  @Test("Training warns if ink has no writer ids")
  func unnamedInk() throws {
    #expect(TrainingRun.unnamed(0, writers: 3) == nil)
    let none = try #require(TrainingRun.unnamed(9, writers: nil))
    #expect(none.hasSuffix("so results do not generalise to new writers"))
    #expect(try #require(TrainingRun.unnamed(9, writers: 3)).hasPrefix("9 inks name no writer: "))
    #expect(try #require(TrainingRun.unnamed(1, writers: 3)).hasPrefix("1 ink names no writer: "))
  }

  @Test func labelsOfDataDoNothingToATerminal() {
    #expect(TerminalText.label("a") == "a" && TerminalText.label("") == "(empty)")
    #expect(TerminalText.label("a ") == "\"a \"" && TerminalText.label(" ") == "\" \"")
    #expect(TerminalText.label("\u{1B}[2J\n\u{202E}") == #"\u{1B}[2J\u{A}\u{202E}"#)
    #expect(TerminalText.label(String(repeating: "x", count: 900)).count == 61)
    #expect(TerminalText.spelling("e\u{301}") == "e\u{301} (U+0301)")
    #expect(TerminalText.count(1, "ink") == "1 ink" && TerminalText.count(0, "ink") == "0 inks")
  }
}
