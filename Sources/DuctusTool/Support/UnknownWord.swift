import ArgumentParser
import Foundation

/// A word of a command line that is the name of no command, or of no option of the command.
///
/// The argument parser takes a misspelt command for an argument of its group, and tells a missing
/// argument before a misspelt option. Both are looked for here, at every level, and answered with
/// the nearest name.
package struct UnknownWord: Error, Equatable {
  /// A kind of word.
  package enum Kind: Equatable {
    case command
    /// An option of a command.
    case option
  }

  package let kind: Kind
  /// The word as it was written, without the value after "=".
  package let word: String
  /// The command in which it was looked for, as `["ductus", "train"]`.
  let path: [String]
  /// The nearest names: of commands with their whole path, of options with their dashes.
  package let suggestions: [String]

  /// Returns the first word that should be a command and is none; nil if all of them are.
  package static func command(
    in arguments: [String], of root: any ParsableCommand.Type = Ductus.self
  ) -> UnknownWord? {
    let place = CommandPlace(of: arguments, in: root)
    guard place.hasSubcommands, let word = place.rest.first, !word.hasPrefix("-") else {
      return nil
    }
    let names = place.command.configuration.subcommands.map(CommandPlace.name)
    let here = NearestName.nearest(to: word, among: names).map { place.path + [$0] }
    // Otherwise the same name in another group, such as "install".
    let elsewhere = here.isEmpty ? CommandPlace.paths(named: word, in: root) : []
    return UnknownWord(
      kind: .command, word: word, path: place.path,
      suggestions: (here + elsewhere).map { $0.joined(separator: " ") })
  }

  /// Returns the first option that the command does not have; nil if it has all of them.
  ///
  /// Call it only for arguments that the parser refuses: the value of an option may begin with two
  /// dashes.
  package static func option(
    in arguments: [String], of root: any ParsableCommand.Type = Ductus.self
  ) -> UnknownWord? {
    var place = CommandPlace(of: arguments, in: root)
    place.enterDefault()
    let names = place.optionNames
    for argument in place.rest {
      if argument == "--" { return nil }
      let word = argument.prefix { $0 != "=" }
      guard word.hasPrefix("--"), word.dropFirst(2).first != "-" else { continue }
      let name = String(word.dropFirst(2))
      if names.contains(name) || CommandPlace.commonOptions.contains(name) { continue }
      return UnknownWord(
        kind: .option, word: String(word), path: place.path,
        suggestions: NearestName.nearest(to: name, among: names).map { "--\($0)" })
    }
    return nil
  }
}

extension UnknownWord: BadInputError, CustomStringConvertible {
  package var description: String {
    let hint = (["ductus", "help"] + path.dropFirst()).joined(separator: " ")
    let start =
      switch kind {
      case .command: "unknown command '\(word)'"
      case .option: "unknown option '\(word)' of '\(path.joined(separator: " "))'"
      }
    let question =
      suggestions.isEmpty
      ? "" : "; did you mean \(suggestions.map { "'\($0)'" }.joined(separator: " or "))?"
    return "\(start)\(question) (see \(hint))"
  }
}

/// The command that the first words of a command line name, and the words after them.
package struct CommandPlace {
  private(set) var command: any ParsableCommand.Type
  private(set) var path: [String]
  private(set) var rest: ArraySlice<String>

  /// Options of every command, which the argument parser adds.
  package static let commonOptions: Set<String> = [
    "help", "help-hidden", "version", "experimental-dump-help", "generate-completion-script",
  ]

  package init(of arguments: [String], in root: any ParsableCommand.Type) {
    command = root
    path = [Self.name(of: root)]
    rest = arguments[...]
    // "help train glyphs" names a command, too.
    if rest.first == "help" { rest.removeFirst() }
    while let word = rest.first, let next = Self.subcommand(word, of: command) {
      rest.removeFirst()
      command = next
      path.append(Self.name(of: next))
    }
  }

  /// True if the next word must be a command.
  var hasSubcommands: Bool { !command.configuration.subcommands.isEmpty }

  /// Goes on to the command that a group runs if none is named.
  mutating func enterDefault() {
    guard let next = command.configuration.defaultSubcommand else { return }
    command = next
    path.append(Self.name(of: next))
  }

  /// The long names of the command's options and flags, hidden ones too.
  package var optionNames: [String] {
    // The parser says what a command has as JSON only.
    guard let help = try? JSONDecoder().decode(Help.self, from: Data(command._dumpHelp().utf8))
    else { return [] }
    return (help.command.arguments ?? []).flatMap { $0.names ?? [] }
      .filter { $0.kind.hasPrefix("long") }.map(\.name)
  }

  package static func name(of command: any ParsableCommand.Type) -> String {
    command.configuration.commandName ?? String(describing: command).lowercased()
  }

  private static func subcommand(
    _ word: String, of command: any ParsableCommand.Type
  ) -> (any ParsableCommand.Type)? {
    command.configuration.subcommands.first {
      name(of: $0) == word || $0.configuration.aliases.contains(word)
    }
  }

  /// The paths of the commands with a name, in all groups that are shown.
  static func paths(
    named word: String, in command: any ParsableCommand.Type, below path: [String] = []
  ) -> [[String]] {
    let path = path + [name(of: command)]
    var found: [[String]] = []
    for each in command.configuration.subcommands where each.configuration.shouldDisplay {
      if name(of: each) == word { found.append(path + [word]) }
      found += paths(named: word, in: each, below: path)
    }
    return found
  }

  /// The part of the parser's description of a command that is used here.
  private struct Help: Decodable {
    struct Command: Decodable {
      var arguments: [Argument]?
    }

    struct Argument: Decodable {
      var names: [Name]?
    }

    struct Name: Decodable {
      var kind: String
      var name: String
    }

    var command: Command
  }
}
