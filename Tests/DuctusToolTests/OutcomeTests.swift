import ArgumentParser
import DuctusTool
import Foundation
import Testing

@Suite("Outcomes of commands that threw")
struct OutcomeTests {
  struct BrokenFile: BadInputError, CustomStringConvertible {
    var description: String { "a.dat:3: expected a number,\n  found 'x'" }
  }

  struct Diverged: Error, CustomStringConvertible {
    var description: String { "the loss is not a number" }
  }

  @Test("An error that declares itself bad input exits with 2 and is told in one line")
  func badInput() {
    let outcome = Outcome(of: BrokenFile())
    #expect(outcome.exitCode == 2)
    #expect(outcome.message == "a.dat:3: expected a number, found 'x'")
    #expect(outcome.output == nil)
  }

  @Test("Any other error exits with 1")
  func failed() {
    let outcome = Outcome(of: Diverged())
    #expect(outcome.exitCode == 1)
    #expect(outcome.message == "the loss is not a number")
  }

  @Test("The code of an error of the tool decides the exit code")
  func codes() {
    #expect(Outcome(of: ToolError.badInput("no such model")).exitCode == 2)
    #expect(Outcome(of: ToolError.failed("interrupted")).exitCode == 1)
    #expect(Outcome(of: ToolError.failed("interrupted")).message == "interrupted")
  }

  @Test("A validation error of the argument parser exits with 2, not 64")
  func validation() {
    let outcome = Outcome(of: ValidationError("--fold must be K/N"))
    #expect(outcome.exitCode == 2)
    #expect(outcome.message == "--fold must be K/N (see ductus help)")
  }

  @Test("An explicit exit code is kept and says nothing more, and 64 becomes 2")
  func exitCode() {
    #expect(Outcome(of: ExitCode(7)).exitCode == 7)
    #expect(Outcome(of: ExitCode(7)).message == nil)
    #expect(Outcome(of: ExitCode.validationFailure).exitCode == 2)
  }

  @Test("A missing file is bad input, and the message names it")
  func missingFile() {
    #expect {
      _ = try Data(contentsOf: URL(fileURLWithPath: "/nonexistent/ink.jsonl"))
    } throws: { error in
      let outcome = Outcome(of: error)
      return outcome.exitCode == 2
        && outcome.message?.hasPrefix("/nonexistent/ink.jsonl: ") == true
    }
  }
}
