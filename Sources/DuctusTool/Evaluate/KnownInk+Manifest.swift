import Evaluation
import Foundation
import InkDatasets
import ModelFormat

extension KnownInk {
  /// What a model knows of data that it is scored on, as far as its manifest tells; nil where it tells
  /// nothing of this data.
  ///
  /// - Parameters:
  ///   - data: What is scored, with the parts in use.
  ///   - hash: SHA-256 of the records that were scored.
  init?(of manifest: ModelManifest, on data: [DataSpecification], hash: String) {
    if let training = manifest.training {
      if training.dataHash == hash {
        self = .training
        return
      }
      if training.validationHash == hash {
        self = .validation
        return
      }
    }
    let learned = manifest.data.compactMap { DataSpecification(originName: $0.name) }
    let known = data.filter { scored in learned.contains { scored.isFromSource(of: $0) } }
    if known.contains(where: { $0.split == .train && $0.fold == nil && $0.splits == nil }) {
      self = .training
    } else if known.contains(where: \.namesNoPart) {
      self = .whole
    } else {
      return nil
    }
  }

  /// Says on standard error, if anything, what a model knows.
  static func warn(of known: KnownInk?, model: String) {
    if let known { Outcome.writeToStandardError("note: \(model): \(known.text)\n") }
  }
}

extension DataSpecification {
  /// Whether both name the same ink, parts aside.
  fileprivate func isFromSource(of other: DataSpecification) -> Bool {
    guard format == other.format else { return false }
    guard format != .starter else {
      return path == other.path && starter.seed == other.starter.seed
    }
    if let categories, let others = other.categories, Set(categories).isDisjoint(with: others) {
      return false
    }
    func place(_ path: String) -> String {
      URL(fileURLWithPath: Self.locate(path)).standardizedFileURL.path
    }
    return place(path) == place(other.path)
  }

  /// Whether nothing says which part is scored.
  fileprivate var namesNoPart: Bool {
    (split == nil || split == .all) && fold == nil && writers == nil
  }
}
