import EventFiles
import Foundation
import RunLog

/// A logged run as a file of events for TensorBoard. The log has epochs and no steps, so that the
/// horizontal axis is the epoch, from 0.
struct RunEvents {
  private let logged: LoggedRun

  init(_ logged: LoggedRun) {
    self.logged = logged
  }

  /// The name of the run's folder: its number, and the name of its model.
  private var name: String {
    let model = URL(fileURLWithPath: logged.run.output).deletingPathExtension().lastPathComponent
    return (logged.run.id.map { "\($0)-" } ?? "") + model
  }

  /// Writes the run into a folder of its own. Files of an earlier export are removed, so that no
  /// value is shown twice.
  ///
  /// - Throws: `EventFileError` if the folder cannot be written.
  func write(inFolder folder: String) throws {
    let place = "\(folder)/\(name)"
    let files = FileManager.default
    for file in (try? files.contentsOfDirectory(atPath: place)) ?? []
    where file.hasPrefix("events.out.tfevents.") {
      try files.removeItem(atPath: "\(place)/\(file)")
    }
    let run = logged.run
    let file = try EventFile(inFolder: place, time: run.started)
    try file.write(.text("command", "    " + run.command), step: 0, time: run.started)
    try file.write(.text("settings", EventTable.text(of: run.settings)), step: 0, time: run.started)
    var before = 0.0
    for epoch in logged.epochs {
      let time = run.started.addingTimeInterval(epoch.seconds ?? before)
      for value in run.kind.events(of: epoch.figures) {
        try file.write(value, step: epoch.figures.epoch, time: time)
      }
      try file.write(
        .scalar("rate", Double(epoch.figures.rate)), step: epoch.figures.epoch, time: time)
      if let seconds = epoch.seconds {
        try file.write(
          .scalar("time/epochSeconds", seconds - before), step: epoch.figures.epoch, time: time)
        before = seconds
      }
    }
    let last = logged.epochs.last?.figures.epoch ?? 0
    for (name, value) in run.figures.sorted(by: { $0.key < $1.key }) {
      try file.write(.scalar("model/\(name)", value), step: last, time: run.updated)
    }
    try file.flush()
  }
}
