import ArgumentParser

/// `ductus train`.
struct Train: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Train a recognition model from labelled ink, or a language model from text.",
    subcommands: [TrainGlyphs.self, TrainLines.self, TrainLanguage.self])
}
