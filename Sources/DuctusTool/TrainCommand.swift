import ArgumentParser

/// `ductus train`.
struct Train: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Train a recognition model from labelled ink.",
    subcommands: [TrainGlyphs.self, TrainLines.self])
}
