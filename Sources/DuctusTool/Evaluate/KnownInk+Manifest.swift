import Evaluation
import Foundation
import InkDatasets
import ModelFormat

extension KnownInk {
  /// A model's previous knowledge of the scored data, according to its manifest; nil if the
  /// manifest does not mention this data.
  ///
  /// - Parameters:
  ///   - data: The scored data, with the selected parts.
  ///   - hash: SHA-256 of the scored records.
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

  /// Prints a warning to standard error if the model knows the ink.
  static func warn(of known: KnownInk?, model: String) {
    if let known { Outcome.writeToStandardError("note: \(model): \(known.text)\n") }
  }
}

extension DataSpecification {
  /// Returns whether both name the same ink, ignoring parts.
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

  /// True if the scored part is not specified.
  fileprivate var namesNoPart: Bool {
    (split == nil || split == .all) && fold == nil && writers == nil
  }
}
