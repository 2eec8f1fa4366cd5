/// The models of this project whose networks read a script. Packs of languages share these networks.
enum ScriptNetworks {
  /// The line model of the Latin script.
  static let latin = "latin-lines"
  /// The model of Japanese characters, which a model of lines shares.
  private static let japanese = "japanese-characters"

  /// The other scripts whose lines have a network, each with the language that its other languages are
  /// compared with.
  static let others: [(script: String, network: String, language: String)] = [
    ("Cyrl", "cyrillic-lines", "ru"), ("Grek", "greek-lines", "el"),
    ("Geor", "georgian-lines", "ka"), ("Hebr", "hebrew-lines", "he"),
    ("Armn", "armenian-lines", "hy"),
  ]

  /// The languages whose model of lines reads single characters.
  static let languagesOfCharacters = ["ja"]

  /// The model with the network of a script, such as `Cyrl`; nil if there is none.
  static func network(ofScript script: String) -> String? {
    switch script {
    case "Latn": latin
    case "Jpan": japanese
    default: others.first { $0.script == script }?.network
    }
  }
}
