import Foundation
import Testing

@Suite(
  "The command reference",
  .enabled(if: BuiltTool.found != nil, "the ductus binary is not beside the test bundle"))
struct CommandReferenceTests {
  let tool: BuiltTool

  init() throws { tool = try #require(BuiltTool.found) }

  @Test("docs/CLI.md is made of the commands as they are; scripts/cli-reference writes it again")
  func page() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "python3", root.appendingPathComponent("scripts/cli-reference").path, "--check",
    ]
    process.environment = ProcessInfo.processInfo.environment.merging(["DUCTUS": tool.url.path]) {
      $1
    }
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    let text = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(String(decoding: text, as: UTF8.self))")
  }

  @Test("The help of every command has an example and a summary of one short line")
  func examples() throws {
    let dump = try tool.run("--experimental-dump-help")
    let help = try JSONDecoder().decode(Help.self, from: Data(dump.output.utf8))
    for command in help.command.all where command.shouldDisplay && command.commandName != "help" {
      #expect(command.discussion?.contains("Example") == true, "\(command.commandName)")
      #expect(
        (command.abstract ?? "").count <= 80, "\(command.commandName): \(command.abstract ?? "")")
    }
  }

  /// The part of the dump of the argument parser that is looked at.
  private struct Help: Decodable {
    var command: Command
  }

  private struct Command: Decodable {
    var commandName: String
    var abstract: String?
    var discussion: String?
    var shouldDisplay: Bool
    var subcommands: [Command]?

    var all: [Command] { [self] + (subcommands ?? []).flatMap(\.all) }
  }
}
