import Foundation
import InstalledModels
import Recognition

extension ModelLibrary {
  /// The models that the arguments of commands name: bundles by their path, installed models and
  /// those that ship.
  static let local = InstalledModels.library(takesPaths: true)
}
