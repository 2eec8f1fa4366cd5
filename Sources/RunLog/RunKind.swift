import Foundation
import Training

/// What a training run makes, and the figure that tells how good it is.
public enum RunKind: String, Codable, Hashable, Sendable, CaseIterable {
  /// A model of one ink with one label.
  case glyphs
  /// A model of one ink with a text.
  case lines
  /// A recurrent language model.
  case language

  /// The name of the figure.
  public var figureName: String {
    switch self {
    case .glyphs: "top-1"
    case .lines: "CER"
    case .language: "bits per character"
    }
  }

  /// Whether less of the figure is better.
  public var lessIsBetter: Bool { self != .glyphs }

  /// The figure of an epoch on the validation data: a share of 0 ... 1, or bits per character.
  public func figure(of epoch: EpochRecord) -> Double {
    switch self {
    case .glyphs: epoch.validationAccuracy
    case .lines: 1 - epoch.validationAccuracy
    case .language: epoch.validationLoss / log(2)
    }
  }

  /// A figure with its name: `CER 6.80 %`, `1.734 bits per character`.
  public func phrase(_ figure: Double) -> String {
    self == .language
      ? "\(text(of: figure)) \(figureName)" : "\(figureName) \(text(of: figure))"
  }

  /// A figure as people read it: `6.80 %`, `1.734`.
  public func text(of figure: Double) -> String {
    self == .language ? String(format: "%.3f", figure) : String(format: "%.2f %%", 100 * figure)
  }
}
