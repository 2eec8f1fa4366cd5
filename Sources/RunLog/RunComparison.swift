/// The differences between training runs.
package struct RunComparison: Encodable, Sendable {
  /// A setting that is not equal in all runs.
  package struct Setting: Encodable, Hashable, Sendable {
    /// Its path in the configuration.
    package var name: String
    /// The value of each run; nil if the run has no such setting.
    package var values: [String?]
  }

  /// The figures at the end of an epoch.
  package struct Point: Encodable, Hashable, Sendable {
    /// The epoch, from 0.
    package var epoch: Int
    /// The figure of each run; nil if it has not reached the epoch.
    package var figures: [Double?]
  }

  /// The runs, in the given order.
  package let runs: [LoggedRun]
  /// True if all were trained on the same records.
  package let sharesTraining: Bool
  /// True if their figures are of the same records.
  package let sharesValidation: Bool
  /// True if their figures are of one kind.
  package let sharesKind: Bool
  /// Differences in the environment and input of runs: kind, data, BLAS, version.
  package let circumstances: [Setting]
  /// The settings that differ, by name.
  package let settings: [Setting]
  /// Figures after 1, 2, 5, 10, 20, 50 … epochs, and after the last of each run; empty for runs of
  /// different kinds.
  package let curve: [Point]

  /// Compares runs.
  package init(_ runs: [LoggedRun]) {
    self.runs = runs
    sharesTraining = Set(runs.map(\.run.dataHash)).count < 2
    sharesValidation = Set(runs.map(\.run.validationHash)).count < 2
    sharesKind = Set(runs.map(\.run.kind)).count < 2
    func differing(_ name: String, _ value: (RunRecord) -> String?) -> Setting? {
      let values = runs.map { value($0.run) }
      return Set(values).count < 2 ? nil : Setting(name: name, values: values)
    }
    circumstances = [
      differing("kind") { $0.kind.rawValue },
      differing("training data") { $0.data.joined(separator: " ") },
      differing("validation data") { $0.validation.joined(separator: " ") },
      differing("machine") { $0.host }, differing("BLAS") { $0.blas },
      differing("version") { $0.version },
    ].compactMap { $0 }
    let names = Set(runs.flatMap(\.run.settings.keys)).sorted()
    settings = names.compactMap { name in differing(name) { $0.settings[name] } }
    guard sharesKind else {
      curve = []
      return
    }
    let lasts = runs.compactMap { $0.epochs.last?.figures.epoch }
    let marks = Self.marks(below: lasts.max() ?? -1).union(lasts)
    let tables = runs.map { run in
      Dictionary(run.epochs.map { ($0.figures.epoch, run.run.kind.figure(of: $0.figures)) }) { $1 }
    }
    curve = marks.sorted().map { epoch in
      Point(epoch: epoch, figures: tables.map { $0[epoch] })
    }
  }

  /// 0, 1, 4, 9, 19, 49, 99 … below a limit.
  private static func marks(below limit: Int) -> Set<Int> {
    var result: Set<Int> = []
    var scale = 1
    while scale - 1 < limit {
      result.formUnion([1, 2, 5].map { $0 * scale - 1 }.filter { $0 < limit })
      scale *= 10
    }
    return result
  }
}
