import ArgumentParser
import Files
import Foundation

/// `ductus quickstart`.
package struct Quickstart: AsyncParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    abstract: "Train, score and report on built-in synthetic ink.",
    discussion: """
      Trains a model of characters and shapes on ink of virtual writers, scores it on other \
      writers, reads an example, and writes a report. It prints the commands that do the same \
      one by one. Nothing is downloaded.

      Example:
        ductus quickstart --output quickstart
      """)

  @Option(name: .shortAndLong, help: "The folder for the model, an example and the report.")
  var output = "quickstart"

  @Option(help: "Threads. The result does not depend on it.")
  var workers: Int = max(1, ProcessInfo.processInfo.activeProcessorCount)

  @Option(help: "Passes over the training data.")
  var epochs = 8

  package func validate() throws {
    guard workers >= 1 else { throw ValidationError("--workers: expected 1 or more") }
    guard epochs >= 1 else { throw ValidationError("--epochs: expected 1 or more") }
  }

  private static func data(_ part: String) -> [String] {
    ["starter:characters?split=\(part)&count=30000", "starter:shapes?split=\(part)&count=5000"]
  }

  private static let exampleData = "starter:characters?split=test&labels=[a-z]&limit=3"

  package func run() async throws {
    let started = ContinuousClock.now
    let model = "\(output)/model.ductus"
    let example = "\(output)/example.jsonl"
    try await step(
      "Train on characters and shapes of virtual writers.", TrainGlyphs.self,
      ["train", "glyphs"],
      Self.data("train").flatMap { ["--data", $0] }
        + Self.data("val").flatMap { ["--validation", $0] }
        + [
          "--output", model, "--epochs", "\(epochs)", "--workers", "\(workers)", "--restart",
        ])
    try await step(
      "Score it on writers that it never saw, and write the report.", Evaluate.self, ["evaluate"],
      ["--model", model] + Self.data("test").flatMap { ["--data", $0] } + [
        "--report", "\(output)/report",
      ])
    try await step(
      "Write three letters of such a writer to a file of ink.", DataConvertCommand.self,
      ["data", "convert"], ["--data", Self.exampleData, "--output", example])
    try await step(
      "Read them.", Recognize.self, ["recognize"],
      ["--model", model, "--candidates", "3", example])
    let seconds = (ContinuousClock.now - started) / .seconds(1)
    print(
      """

      Done in \(ProgressLine.clock(seconds)).

      Next:
        open \(output)/report/index.html     figures, and the worst errors drawn
        less \(example)     the format of ink: write your own, one object per line
        ductus train glyphs --data ink:YOURS.jsonl --output yours.ductus
        ductus data list     public datasets of real ink
      """)
  }

  /// Prints a purpose and a command, and runs the command.
  private func step<Command: ParsableCommand>(
    _ purpose: String, _ command: Command.Type, _ name: [String], _ arguments: [String]
  ) async throws {
    print("\n\(purpose)\n$ \(ShellQuoting.command(name + arguments))")
    // The commands also write to standard error, and both must be in order.
    fflush(nil)
    var parsed = try command.parse(arguments)
    if var asynchronous = parsed as? any AsyncParsableCommand {
      try await asynchronous.run()
    } else {
      try parsed.run()
    }
    fflush(nil)
  }
}
