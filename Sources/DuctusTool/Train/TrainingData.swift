import Files
import Training

/// The words for the training data of a kind of model.
protocol DescribedData: TrainingData {
  /// A summary: `28078 inks of 256 writers, 111 classes; validation: 3501 inks`.
  var summary: String { get }

  /// Notes about data that needs attention.
  ///
  /// - Parameter names: The training data, as named on the command line.
  func notes(for names: [String]) -> [String]
}

extension GlyphTrainingData: DescribedData {
  var summary: String {
    TerminalText.count(trainingCount, "ink") + TrainingConsole.writers(writers) + ", "
      + TerminalText.count(training.labels.count, "class", "classes") + "; validation: "
      + TerminalText.count(validationCount, "ink")
  }

  func notes(for names: [String]) -> [String] { [] }
}

extension LineTrainingData: DescribedData {
  var summary: String {
    TerminalText.count(trainingCount, "line") + TrainingConsole.writers(writers) + ", "
      + TerminalText.count(training.labels.count, "symbol") + "; validation: "
      + TerminalText.count(validationCount, "line")
  }

  /// The inks of several rows, and the command that cuts them if nothing else does.
  func notes(for names: [String]) -> [String] {
    var notes: [String] = []
    let inks = TerminalText.count(rows.inks, "ink")
    if let lines = rows.lines, rows.inks > 0 {
      notes.append(
        "cut \(inks) of several rows into \(TerminalText.count(lines, "line")) with the model of "
          + "--from"
          + (rows.unread > 0 ? "; left out: \(rows.unread) that it reads as other texts" : ""))
    } else if rows.inks > 0 {
      let data = names.map { "--data \(ShellQuoting.quoted($0))" }.joined(separator: " ")
      notes.append(
        "warning: \(inks) of several rows, trained on side by side as one line, because there is no "
          + "model to cut them: use --from MODEL, or train on the lines of 'ductus data cut --into "
          + "lines \(data) --output lines.jsonl'")
    }
    if rows.validationInks > 0 {
      notes.append(
        "validation: \(TerminalText.count(rows.validationInks, "ink")) of several rows, read row by "
          + "row")
    }
    return notes
  }
}

extension DataIndexUse {
  /// A sentence for the user; nil if nothing is new.
  var note: String? {
    switch self {
    case .none: return nil
    case .used(let path): return "read from the index \(path)"
    case .made(let path, let bytes):
      return
        "made the index \(path), \((bytes + 500_000) / 1_000_000) MB: the next start takes seconds "
        + "(DUCTUS_INDEX=off makes none)"
    case .failed(let path, let reason):
      return "no index of the data: \(path): \(reason). The next start reads all data again; set "
        + "DUCTUS_INDEX to a folder where files can be written, or to off"
    }
  }
}
