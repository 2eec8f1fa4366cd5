import Foundation
import Testing

/// The commands on data of formulas.
@Suite(
  "Commands for formulas",
  .enabled(if: BuiltTool.found != nil, "the ductus binary is not beside the test bundle"))
struct FormulaCommandTests {
  @Test(
    "Options that formulas do not have are refused, not left out",
    arguments: [["--robustness"], ["--greedy"], ["--predictions", "p.jsonl"]])
  func refusedOptions(options: [String]) throws {
    let tool = try #require(BuiltTool.found)
    let result = try tool.run(
      ["evaluate", "--model", "latin-lines", "--data", "inkml:none?unit=formula"] + options)
    #expect(result.exitCode == 2)
    #expect(result.errors.contains("expected the options --model, --data, --json and --report"))
  }

  @Test("A model of another kind is refused")
  func otherModel() throws {
    let tool = try #require(BuiltTool.found)
    let result = try tool.run(
      ["evaluate", "--model", "latin-lines", "--data", "inkml:none?unit=formula"])
    #expect(result.exitCode == 2)
    #expect(result.errors.contains("expected a model of formulas"))
  }
}
