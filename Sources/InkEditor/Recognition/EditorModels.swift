import Foundation
import InkCore
import LanguageModels
import Recognition

/// Where an engine gets its recognisers.
///
/// Implementations are thread-safe and answer from what is there now: a model may appear later, and
/// ``Engine/modelsDidChange()`` tells the editors.
public protocol EditorModels: Sendable {
  /// Whether there is a bundle of this name, and a configuration of that name in it. The model
  /// itself need not be there yet.
  func configuration(bundle: String, name: String) -> ConfigurationLookup

  /// The recogniser of a configuration of text.
  ///
  /// - Throws: ``MissingModel`` where the model is not there yet, and what opening it throws.
  func textRecognizer(bundle: String, name: String) throws -> any Recognizer

  /// The recogniser of shapes.
  ///
  /// - Throws: As ``textRecognizer(bundle:name:)``.
  func shapeRecognizer(name: String) throws -> any Recognizer
}

/// What looking for a configuration of text finds.
public enum ConfigurationLookup: Hashable, Sendable {
  case found
  case unknownBundle
  case unknownName
}

/// A model is known and not there yet.
public struct MissingModel: Error, Hashable, Sendable, CustomStringConvertible {
  /// Its name.
  public var name: String

  /// Makes an error.
  public init(name: String) {
    self.name = name
  }

  /// What happened and what to do.
  public var description: String {
    "model \(name): not there; install it, then call Engine.modelsDidChange"
  }
}

/// Models in memory, by name; more can be added at any time. Thread-safe.
public final class LoadedModels: EditorModels, @unchecked Sendable {
  // Unchecked because the lock guards the tables.
  private let lock = NSLock()
  private var names: [String: Set<String>] = [:]
  private var text: [String: any Recognizer] = [:]
  private var shapes: [String: any Recognizer] = [:]

  /// Makes an empty table.
  public init() {}

  /// Makes a configuration known whose model comes later.
  public func declare(bundle: String, name: String = "text") {
    lock.withLock { _ = names[bundle, default: []].insert(name) }
  }

  /// Adds or replaces the model of a configuration of text.
  public func setText(_ recognizer: any Recognizer, bundle: String, name: String = "text") {
    declare(bundle: bundle, name: name)
    lock.withLock { text[bundle + "/" + name] = recognizer }
  }

  /// Adds or replaces a model of shapes.
  public func setShapes(_ recognizer: any Recognizer, name: String = "shapes") {
    lock.withLock { shapes[name] = recognizer }
  }

  /// What was declared or set.
  public func configuration(bundle: String, name: String) -> ConfigurationLookup {
    lock.withLock {
      guard let known = names[bundle] else { return .unknownBundle }
      return known.contains(name) ? .found : .unknownName
    }
  }

  /// What was set for the configuration.
  public func textRecognizer(bundle: String, name: String) throws -> any Recognizer {
    guard let found = lock.withLock({ text[bundle + "/" + name] }) else {
      throw MissingModel(name: "\(bundle)/\(name)")
    }
    return found
  }

  /// What was set under the name.
  public func shapeRecognizer(name: String) throws -> any Recognizer {
    guard let found = lock.withLock({ shapes[name] }) else { throw MissingModel(name: name) }
    return found
  }
}
