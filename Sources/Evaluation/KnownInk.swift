import Foundation
import InkDatasets
import ModelFormat

/// The scored model's previous knowledge of the ink. Figures on known ink are better than on new
/// ink.
package enum KnownInk: String, Codable, Hashable, Sendable, CaseIterable {
  /// The model was trained on it.
  case training
  /// Training used it to choose the model and to fit its confidences.
  case validation
  /// The model was trained on a part of this data, and all of it is scored.
  case whole

  /// The warning as a sentence on a page.
  package var sentence: String { text.prefix(1).uppercased() + text.dropFirst() }

  /// The warning, without a full stop.
  package var text: String {
    switch self {
    case .training:
      "the model was trained on this ink, so the figures do not measure new ink; add split=test"
    case .validation:
      "training chose the model by this ink, so the figures are too good for new ink; add "
        + "split=test"
    case .whole:
      "all of this data is scored, but the model was trained on a part of it; add split=test"
    }
  }
}

extension KnownInk {
  /// A model's previous knowledge of the scored data, according to its manifest; nil if the
  /// manifest does not mention this data.
  ///
  /// - Parameters:
  ///   - data: The scored data, with the selected parts.
  ///   - hash: SHA-256 of the scored records.
  package init?(of manifest: ModelManifest, on data: [DataSpecification], hash: String) {
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
}

extension DataSpecification {
  /// Returns whether both name the same ink, ignoring parts.
  fileprivate func isFromSource(of other: DataSpecification) -> Bool {
    guard format == other.format else { return false }
    guard format != .starter else {
      return path == other.path && starter.seed == other.starter.seed
    }
    // Virtual writers of another seed are others.
    if virtualWriters != nil, other.virtualWriters != nil, starter.seed != other.starter.seed {
      return false
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
