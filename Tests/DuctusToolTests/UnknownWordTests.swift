import ArgumentParser
import DuctusTool
import Testing

@Suite("Misspelt commands and options")
struct UnknownWordTests {
  /// Arguments, and the names that the answer suggests.
  static let commands: [([String], [String])] = [
    (["recognise", "x"], ["ductus recognize"]),
    (["recog"], ["ductus recognize"]),
    (["eval"], ["ductus evaluate"]),
    (["Train"], ["ductus train"]),
    (["modles", "list"], ["ductus models"]),
    (["train", "glyph", "--data", "x"], ["ductus train glyphs"]),
    (["train", "lnies"], ["ductus train lines"]),
    (["runs", "shwo"], ["ductus runs show"]),
    (["data", "inspekt", "x"], ["ductus data inspect"]),
    (["models", "verfiy"], ["ductus models verify"]),
    (["doc", "exprot"], ["ductus doc export"]),
    (["language", "evalute"], ["ductus language evaluate"]),
    (["help", "recognise"], ["ductus recognize"]),
    (["help", "train", "glyph"], ["ductus train glyphs"]),
    (["install", "x"], ["ductus data install", "ductus models install"]),
    (["keygen"], ["ductus models keygen"]),
    (["zzzzzzzz"], []),
  ]

  @Test("A word that is no command is answered with the nearest one, at every level")
  func commands() throws {
    for (arguments, expected) in Self.commands {
      let unknown = try #require(UnknownWord.command(in: arguments), "\(arguments)")
      #expect(Set(unknown.suggestions) == Set(expected), "\(arguments)")
      #expect(Set(unknown.suggestions).count == unknown.suggestions.count)
      for name in expected { #expect(unknown.description.contains("'\(name)'")) }
      #expect(throws: UnknownWord.self) { try Ductus.parsed(arguments) }
    }
  }

  @Test("The whole message names the word, the nearest command and the help of the group")
  func message() {
    #expect(
      UnknownWord.command(in: ["train", "glyph"])?.description
        == "unknown command 'glyph'; did you mean 'ductus train glyphs'? (see ductus help train)")
    #expect(
      UnknownWord.command(in: ["zzzzzzzz"])?.description
        == "unknown command 'zzzzzzzz' (see ductus help)")
    #expect(Outcome(of: UnknownWord.command(in: ["zz"]) ?? ToolError.failed("none")).exitCode == 2)
  }

  @Test(
    "Words that need not be commands are left to the parser",
    arguments: [
      [], ["recognize", "recognise"], ["train", "--help"], ["--version"], ["help"], ["runs"],
      ["runs", "--last", "3"], ["data", "list", "glyph"], ["help", "train", "glyphs"],
      ["--generate-completion-script", "bash"],
    ])
  func noCommand(arguments: [String]) {
    #expect(UnknownWord.command(in: arguments) == nil)
  }

  /// Arguments, the option that is none, and the suggestion.
  static let options: [([String], String, [String])] = [
    (["recognize", "--modle", "m", "x"], "--modle", ["--model"]),
    // The parser would tell the missing --model first.
    (["evaluate", "--modle=m", "--data", "d"], "--modle", ["--model"]),
    (["train", "lines", "--epoch", "3"], "--epoch", ["--epochs"]),
    (["train", "glyphs", "--log"], "--log", ["--no-log"]),
    (["runs", "--lsat", "3"], "--lsat", ["--last"]),
    (["models", "--languagse"], "--languagse", ["--languages"]),
    (["data", "--chek", "x"], "--chek", ["--check"]),
    (["doctor", "--nonsense"], "--nonsense", []),
  ]

  @Test("An option that the command does not have is answered with the nearest one")
  func options() throws {
    for (arguments, word, expected) in Self.options {
      do {
        _ = try Ductus.parsed(arguments)
        Issue.record("\(arguments) was accepted")
      } catch let unknown as UnknownWord {
        #expect(unknown.kind == .option && unknown.word == word)
        #expect(unknown.suggestions.prefix(1) == expected.prefix(1), "\(arguments)")
        #expect(unknown.description.contains("unknown option '\(word)' of 'ductus"))
      }
    }
  }

  @Test("Known options are never called unknown, whatever else is wrong")
  func knownOptions() {
    func check(_ command: any ParsableCommand.Type, _ path: [String]) {
      let place = CommandPlace(of: path, in: Ductus.self)
      let names = place.optionNames
      if command.configuration.subcommands.isEmpty {
        // The help shows every option that is not hidden.
        let help = command.helpMessage()
        for match in help.matches(of: /--([a-z][-a-z]*)/) {
          let name = String(match.output.1)
          if CommandPlace.commonOptions.contains(name) { continue }
          let forms = ["  --\(name)", ", --\(name)"].flatMap { start in
            [" ", "\n", "/", ","].map { start + $0 }
          }
          guard forms.contains(where: help.contains) else { continue }
          #expect(names.contains(name), "\(path) --\(name)")
          #expect(UnknownWord.option(in: path + ["--\(name)"]) == nil)
        }
      }
      for next in command.configuration.subcommands {
        check(next, path + [CommandPlace.name(of: next)])
      }
    }
    check(Ductus.self, [])
    #expect(UnknownWord.option(in: ["recognize", "--", "--modle"]) == nil)
    #expect(UnknownWord.option(in: ["doctor", "--help"]) == nil)
  }

  @Test("Short words need a nearer name than long ones")
  func distances() {
    #expect(NearestName.nearest(to: "x", among: ["list", "show"]).isEmpty)
    #expect(NearestName.nearest(to: "lst", among: ["list", "show"]) == ["list"])
    #expect(NearestName.nearest(to: "recognition", among: ["recognize", "runs"]).isEmpty)
    #expect(NearestName.nearest(to: "a", among: ["b"]).isEmpty)
  }
}

@Suite("Groups of commands that are called alone")
struct GroupTests {
  @Test(
    "A group with an obvious reading command does it",
    arguments: [
      ("runs", "list"), ("models", "list"), ("data", "list"), ("doc", "list"),
    ])
  func reading(group: String, command: String) throws {
    let alone = try Ductus.parsed([group])
    let named = try Ductus.parsed([group, command])
    #expect(type(of: alone) == type(of: named))
    // Its options can be given without its name.
    let asJSON = try Ductus.parsed([group, "--json", "-"])
    #expect(type(of: asJSON) == type(of: named))
  }

  @Test("A group whose commands all do work prints its help", arguments: ["train", "language"])
  func working(group: String) {
    #expect(throws: (any Error).self) {
      var command = try Ductus.parsed([group])
      try command.run()
    }
  }
}
