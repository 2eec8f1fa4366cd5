import Foundation
import InkCore
import LanguageModels
import Recognition

/// The source of recognisers of an engine.
///
/// Implementations are thread-safe and answer from the current state: a model may appear later, and
/// ``Engine/modelsDidChange()`` notifies the editors.
public protocol EditorModels: Sendable {
  /// Returns whether there is a bundle and a configuration with these names. The model itself may
  /// be missing.
  func configuration(bundle: String, name: String) -> ConfigurationLookup

  /// Returns the direction of the lines that a text configuration reads, as far as it is known without
  /// opening the model. Text is laid out in this direction until it is read.
  func direction(bundle: String, name: String) -> WritingDirection

  /// Returns the recogniser of a text configuration.
  ///
  /// - Throws: ``MissingModel`` if the model is not available yet, and the errors of opening it.
  func textRecognizer(bundle: String, name: String) throws -> any Recognizer

  /// Returns the recogniser of shapes.
  ///
  /// - Throws: The errors of ``textRecognizer(bundle:name:)``.
  func shapeRecognizer(name: String) throws -> any Recognizer

  /// Returns the recogniser of gestures, whose labels are those of the shipped model `gestures`.
  /// Without one, geometry and content decide alone.
  ///
  /// - Throws: The errors of ``textRecognizer(bundle:name:)``.
  func gestureRecognizer(name: String) throws -> any Recognizer

  /// Returns the recogniser of formulas: its candidates have a `formula`. Without one, formulas stay
  /// ink.
  ///
  /// - Throws: The errors of ``textRecognizer(bundle:name:)``.
  func formulaRecognizer(name: String) throws -> any Recognizer
}

extension EditorModels {
  /// The direction of the language that the bundle is named after, of the first of several; from left
  /// to right for another name.
  public func direction(bundle: String, name: String) -> WritingDirection {
    let first = bundle.split(separator: ",").first.map(String.init) ?? bundle
    return (try? LanguageTag(parsing: first))?.direction ?? .leftToRight
  }

  /// There is none.
  ///
  /// - Throws: ``MissingModel``.
  public func formulaRecognizer(name: String) throws -> any Recognizer {
    throw MissingModel(name: name)
  }

  /// There is none.
  ///
  /// - Throws: ``MissingModel``.
  public func gestureRecognizer(name: String) throws -> any Recognizer {
    throw MissingModel(name: name)
  }
}

/// The result of looking for a text configuration.
public enum ConfigurationLookup: Hashable, Sendable {
  case found
  case unknownBundle
  case unknownName
}

/// A known model that is not available yet.
public struct MissingModel: Error, Hashable, Sendable, CustomStringConvertible {
  /// The name of the model.
  public var name: String
  /// The reason why it is missing, and what to do; nil to advise to install it.
  public var reason: String?

  /// Makes an error.
  public init(name: String, reason: String? = nil) {
    self.name = name
    self.reason = reason
  }

  /// The message: what happened and what to do.
  public var description: String {
    (reason ?? "model \(name): not available; install it")
      + "; then call Engine.modelsDidChange"
  }
}

/// A table of models in memory, by name. Models can be added at any time. Thread-safe.
public final class LoadedModels: EditorModels, @unchecked Sendable {
  // Unchecked because the lock guards the tables.
  private let lock = NSLock()
  private var names: [String: Set<String>] = [:]
  private var text: [String: any Recognizer] = [:]
  private var shapes: [String: any Recognizer] = [:]
  private var gestures: [String: any Recognizer] = [:]
  private var formulas: [String: any Recognizer] = [:]

  /// Makes an empty table.
  public init() {}

  /// Declares a configuration whose model is added later.
  public func declare(bundle: String, name: String = "text") {
    lock.withLock { _ = names[bundle, default: []].insert(name) }
  }

  /// Adds or replaces the model of a text configuration.
  public func setText(_ recognizer: any Recognizer, bundle: String, name: String = "text") {
    declare(bundle: bundle, name: name)
    lock.withLock { text[bundle + "/" + name] = recognizer }
  }

  /// Adds or replaces a shape model.
  public func setShapes(_ recognizer: any Recognizer, name: String = "shapes") {
    lock.withLock { shapes[name] = recognizer }
  }

  /// Adds or replaces a model of gestures.
  public func setGestures(_ recognizer: any Recognizer, name: String = "gestures") {
    lock.withLock { gestures[name] = recognizer }
  }

  /// Adds or replaces a model of formulas.
  public func setFormulas(_ recognizer: any Recognizer, name: String = "formulas") {
    lock.withLock { formulas[name] = recognizer }
  }

  /// Returns whether the configuration was declared or set.
  public func configuration(bundle: String, name: String) -> ConfigurationLookup {
    lock.withLock {
      guard let known = names[bundle] else { return .unknownBundle }
      return known.contains(name) ? .found : .unknownName
    }
  }

  /// Returns the direction of the model, or of the language that a missing one is named after.
  public func direction(bundle: String, name: String) -> WritingDirection {
    if let found = lock.withLock({ text[bundle + "/" + name] }) { return found.direction }
    return (try? LanguageTag(parsing: bundle))?.direction ?? .leftToRight
  }

  /// Returns the recogniser of the configuration.
  public func textRecognizer(bundle: String, name: String) throws -> any Recognizer {
    guard let found = lock.withLock({ text[bundle + "/" + name] }) else {
      throw MissingModel(name: "\(bundle)/\(name)")
    }
    return found
  }

  /// Returns the recogniser with this name.
  public func shapeRecognizer(name: String) throws -> any Recognizer {
    guard let found = lock.withLock({ shapes[name] }) else { throw MissingModel(name: name) }
    return found
  }

  /// Returns the recogniser with this name.
  public func gestureRecognizer(name: String) throws -> any Recognizer {
    guard let found = lock.withLock({ gestures[name] }) else { throw MissingModel(name: name) }
    return found
  }

  /// Returns the recogniser with this name.
  public func formulaRecognizer(name: String) throws -> any Recognizer {
    guard let found = lock.withLock({ formulas[name] }) else { throw MissingModel(name: name) }
    return found
  }
}

extension MissingModel: LocalizedError {
  /// The text of `localizedDescription`: ``description``.
  public var errorDescription: String? { description }
}
