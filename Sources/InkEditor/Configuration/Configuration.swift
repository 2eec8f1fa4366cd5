import Files
import Foundation

/// Settings by typed keys. A key that is not set here takes its value from the parent, and then
/// from the defaults, at every read.
///
/// An engine has the upper configuration, and each editor has its own below it. A string may refer
/// to other keys as `${other.key}`; references are resolved when the string is read. Thread-safe.
///
///     try engine.configuration.set("math.solver.angle-unit", to: "rad")
///     try editor.configuration.string("math.solver.angle-unit")  // "rad"
public final class Configuration: Sendable {
  private struct State {
    var values: [String: ConfigurationValue] = [:]
    var isStrict = false
    var observer: (@Sendable ([String]) -> Void)?
  }
  private let state = Guarded(State())
  private let parent: Configuration?

  /// Makes a configuration.
  ///
  /// - Parameter parent: The configuration for keys that are not set here, or nil for the defaults
  ///   only.
  public init(parent: Configuration? = nil) {
    self.parent = parent
  }

  // MARK: - Reading

  /// Returns the text of a key, with references resolved.
  ///
  /// - Throws: ``ConfigurationError``.
  public func string(
    _ key: String, default fallback: String? = nil
  ) throws(ConfigurationError) -> String {
    guard let value = try found(key, kind: .string) else {
      guard let fallback else { throw .missingKey(key) }
      return fallback
    }
    guard case .string(let text) = value else {
      throw .wrongKind(key: key, expected: .string, found: value.kind)
    }
    return try resolved(text, key: key, path: [key])
  }

  /// Returns the boolean value of a key.
  ///
  /// - Throws: ``ConfigurationError``.
  public func boolean(
    _ key: String, default fallback: Bool? = nil
  ) throws(ConfigurationError) -> Bool {
    guard let value = try found(key, kind: .boolean) else {
      guard let fallback else { throw .missingKey(key) }
      return fallback
    }
    guard case .boolean(let result) = value else {
      throw .wrongKind(key: key, expected: .boolean, found: value.kind)
    }
    return result
  }

  /// Returns the number of a key.
  ///
  /// - Throws: ``ConfigurationError``.
  public func number(
    _ key: String, default fallback: Double? = nil
  ) throws(ConfigurationError) -> Double {
    guard let value = try found(key, kind: .number) else {
      guard let fallback else { throw .missingKey(key) }
      return fallback
    }
    guard case .number(let result) = value else {
      throw .wrongKind(key: key, expected: .number, found: value.kind)
    }
    return result
  }

  /// Returns the texts of a key, with references resolved.
  ///
  /// - Throws: ``ConfigurationError``.
  public func strings(
    _ key: String, default fallback: [String]? = nil
  ) throws(ConfigurationError) -> [String] {
    guard let value = try found(key, kind: .strings) else {
      guard let fallback else { throw .missingKey(key) }
      return fallback
    }
    var result: [String] = []
    switch value {
    case .strings(let texts): result = texts
    case .numbers(let numbers) where numbers.isEmpty: return []
    default: throw .wrongKind(key: key, expected: .strings, found: value.kind)
    }
    for index in result.indices {
      result[index] = try resolved(result[index], key: key, path: [key])
    }
    return result
  }

  /// Returns the numbers of a key.
  ///
  /// - Throws: ``ConfigurationError``.
  public func numbers(
    _ key: String, default fallback: [Double]? = nil
  ) throws(ConfigurationError) -> [Double] {
    guard let value = try found(key, kind: .numbers) else {
      guard let fallback else { throw .missingKey(key) }
      return fallback
    }
    switch value {
    case .numbers(let numbers): return numbers
    case .strings(let texts) where texts.isEmpty: return []
    default: throw .wrongKind(key: key, expected: .numbers, found: value.kind)
    }
  }

  /// Returns the keys directly below a section, sorted: left, right and top for `text.margin`.
  public func keys(inSection section: String) -> [String] {
    let prefix = section.isEmpty ? "" : section + "."
    var names: Set<String> = []
    for key in allKeys() where key.hasPrefix(prefix) {
      names.insert(String(key.dropFirst(prefix.count).prefix { $0 != "." }))
    }
    return names.sorted()
  }

  /// Returns whether a key has a value here, in the parent or by default.
  public func hasValue(_ key: String) -> Bool { value(key) != nil }

  // MARK: - Writing

  /// Sets a text here.
  ///
  /// - Throws: ``ConfigurationError`` if the key is malformed or has another type.
  public func set(_ key: String, to value: String) throws(ConfigurationError) {
    try store(key, .string(value))
  }

  /// Sets a boolean here.
  ///
  /// - Throws: ``ConfigurationError``.
  public func set(_ key: String, to value: Bool) throws(ConfigurationError) {
    try store(key, .boolean(value))
  }

  /// Sets a number here.
  ///
  /// - Throws: ``ConfigurationError``, also for a number that is not finite.
  public func set(_ key: String, to value: Double) throws(ConfigurationError) {
    try store(key, .number(value))
  }

  /// Sets texts here.
  ///
  /// - Throws: ``ConfigurationError``.
  public func set(_ key: String, to value: [String]) throws(ConfigurationError) {
    try store(key, .strings(value))
  }

  /// Sets numbers here.
  ///
  /// - Throws: ``ConfigurationError``, also for a number that is not finite.
  public func set(_ key: String, to value: [Double]) throws(ConfigurationError) {
    try store(key, .numbers(value))
  }

  /// Sets every value of nested JSON here, or none if one of them is refused.
  ///
  ///     try configuration.inject(#"{"text": {"margin": {"left": 5}, "guides": {"enable": false}}}"#)
  ///
  /// - Throws: ``ConfigurationError``.
  public func inject(_ json: String) throws(ConfigurationError) {
    let values = try ConfigurationJSON.values(of: json)
    try Self.checkSections(values)
    for (key, value) in values { try check(key, value) }
    change { own in
      for (key, value) in values { own[key] = value }
    }
  }

  /// Removes all values that are set here, so that every key follows the parent and the defaults
  /// again.
  public func reset() { change { $0.removeAll() } }

  /// Removes the value of one key here, so that it follows the parent and the defaults again.
  ///
  /// - Returns: true if the key was set here.
  @discardableResult
  public func remove(_ key: String) -> Bool {
    var wasSet = false
    change { wasSet = $0.removeValue(forKey: key) != nil }
    return wasSet
  }

  /// The values that are set here, as nested JSON with sorted keys, in the form that ``inject(_:)``
  /// reads.
  public var json: String {
    ConfigurationJSON.text(of: state.withLock { $0.values })
  }

  // MARK: - Keys

  /// Returns true if a key is one of ``ConfigurationKey/all``.
  public static func isKnown(_ key: String) -> Bool { ConfigurationKey.named(key) != nil }

  /// If true, unknown keys, such as misspelt ones, are refused. The default is false.
  public var isStrict: Bool {
    get { state.withLock { $0.isStrict } }
    set { state.withLock { $0.isStrict = newValue } }
  }

  /// Returns true if a key is set here, and not only in the parent or by default.
  public func isSetHere(_ key: String) -> Bool {
    state.withLock { $0.values[key] != nil }
  }

  /// Returns the keys of a section; their names leave out the name of the section.
  public func section(_ name: String) -> ConfigurationSection {
    ConfigurationSection(configuration: self, name: name)
  }

  /// Sets a closure that is called after keys have changed here, outside of every lock.
  func setObserver(_ observer: @escaping @Sendable ([String]) -> Void) {
    state.withLock { $0.observer = observer }
  }

  private func change(_ body: (inout [String: ConfigurationValue]) -> Void) {
    let (before, after, observer) = state.withLock { state in
      let before = state.values
      body(&state.values)
      return (before, state.values, state.observer)
    }
    guard let observer else { return }
    let changed = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
    if !changed.isEmpty { observer(changed.sorted()) }
  }

  // MARK: - Values

  private func value(_ key: String) -> ConfigurationValue? {
    if let own = state.withLock({ $0.values[key] }) { return own }
    return parent.map { $0.value(key) } ?? ConfigurationKey.defaults[key]
  }

  private func allKeys() -> Set<String> {
    let own = state.withLock { Set($0.values.keys) }
    return own.union(parent.map { $0.allKeys() } ?? Set(ConfigurationKey.defaults.keys))
  }

  private func isSection(_ key: String) -> Bool {
    let prefix = key + "."
    return allKeys().contains { $0.hasPrefix(prefix) }
  }

  /// Returns the value of a key, or nil if it has none.
  private func found(
    _ key: String, kind: ConfigurationValue.Kind
  ) throws(ConfigurationError) -> ConfigurationValue? {
    if let value = value(key) { return value }
    guard !isSection(key) else {
      throw .wrongKind(key: key, expected: kind, found: .section)
    }
    return nil
  }

  private func store(
    _ key: String, _ value: ConfigurationValue
  ) throws(ConfigurationError) {
    try check(key, value)
    change { $0[key] = value }
  }

  private func check(
    _ key: String, _ value: ConfigurationValue
  ) throws(ConfigurationError) {
    let parts = key.split(separator: ".", omittingEmptySubsequences: false)
    guard !parts.isEmpty, parts.allSatisfy({ !$0.isEmpty }) else { throw .malformedKey(key) }
    guard !isSection(key) else {
      throw .wrongKind(key: key, expected: .section, found: value.kind)
    }
    // A key keeps its type, because its readers rely on it. An empty array has both array types.
    let isEmptyArray = value == .strings([]) || value == .numbers([])
    if let old = self.value(key), old.kind != value.kind,
      !(isEmptyArray && (old.kind == .strings || old.kind == .numbers))
    {
      let wasEmpty = old == .strings([]) || old == .numbers([])
      guard wasEmpty, value.kind == .strings || value.kind == .numbers,
        ConfigurationKey.defaults[key] == nil
      else { throw .wrongKind(key: key, expected: old.kind, found: value.kind) }
    }
    for count in 1..<max(1, parts.count) {
      let upper = parts.prefix(count).joined(separator: ".")
      if let found = self.value(upper) {
        throw .wrongKind(key: upper, expected: .section, found: found.kind)
      }
    }
    if isStrict, ConfigurationKey.named(key) == nil { throw .unknownKey(key) }
    try ConfigurationKey.check(key, value)
  }

  /// Refuses JSON in which one name is both a key and a section.
  private static func checkSections(
    _ values: [(key: String, value: ConfigurationValue)]
  ) throws(ConfigurationError) {
    var kinds: [String: ConfigurationValue.Kind] = [:]
    for (key, value) in values {
      if kinds[key] != nil { throw .duplicateKey(key) }
      kinds[key] = value.kind
    }
    for (key, _) in values {
      let parts = key.split(separator: ".")
      for count in 1..<max(1, parts.count) {
        let upper = parts.prefix(count).joined(separator: ".")
        if let found = kinds[upper] {
          throw .wrongKind(key: upper, expected: .section, found: found)
        }
      }
    }
  }

  // MARK: - References

  private func resolved(
    _ text: String, key: String, path: [String]
  ) throws(ConfigurationError) -> String {
    var result = ""
    var rest = text[...]
    while let start = rest.range(of: "${") {
      result += rest[..<start.lowerBound]
      guard let end = rest[start.upperBound...].firstIndex(of: "}") else {
        rest = rest[start.lowerBound...]
        break
      }
      let reference = String(rest[start.upperBound..<end])
      guard !path.contains(reference), case .string(let value)? = value(reference) else {
        throw .unresolvedReference(key: key, reference: reference)
      }
      result += try resolved(value, key: key, path: path + [reference])
      rest = rest[rest.index(after: end)...]
    }
    return result + rest
  }
}

/// A section of a configuration: `section("text.margin").number("left")`.
public struct ConfigurationSection: Sendable {
  let configuration: Configuration
  /// The name of the section.
  public let name: String

  private func full(_ key: String) -> String { name.isEmpty ? key : "\(name).\(key)" }

  /// The keys and sections directly below, sorted.
  public var keys: [String] { configuration.keys(inSection: name) }

  /// Returns the text of a key; see ``Configuration/string(_:default:)``.
  public func string(_ key: String) throws(ConfigurationError) -> String {
    try configuration.string(full(key))
  }

  /// Returns the boolean value of a key; see ``Configuration/boolean(_:default:)``.
  public func boolean(_ key: String) throws(ConfigurationError) -> Bool {
    try configuration.boolean(full(key))
  }

  /// Returns the number of a key; see ``Configuration/number(_:default:)``.
  public func number(_ key: String) throws(ConfigurationError) -> Double {
    try configuration.number(full(key))
  }

  /// Returns the texts of a key; see ``Configuration/strings(_:default:)``.
  public func strings(_ key: String) throws(ConfigurationError) -> [String] {
    try configuration.strings(full(key))
  }

  /// Returns the numbers of a key; see ``Configuration/numbers(_:default:)``.
  public func numbers(_ key: String) throws(ConfigurationError) -> [Double] {
    try configuration.numbers(full(key))
  }
}
