import Files
import Foundation

/// A place that keeps preferences between runs of an app.
public protocol PreferenceStore: Sendable {
  /// Returns the bytes that were kept last for a name, nil for none.
  ///
  /// - Throws: ``IntensityTextError`` if they cannot be read.
  func load(_ name: String) throws(IntensityTextError) -> Data?
  /// Keeps bytes for a name.
  ///
  /// - Throws: ``IntensityTextError`` if they cannot be written; the earlier ones are then unchanged.
  func save(_ bytes: Data, _ name: String) throws(IntensityTextError)
}

/// Keeps preferences in memory, for tests and previews. Copies share them.
public struct MemoryPreferenceStore: PreferenceStore {
  private let values = Guarded<[String: Data]>([:])

  /// Makes an empty store.
  public init() {}

  /// Returns the bytes of a name.
  public func load(_ name: String) -> Data? { values.withLock { $0[name] } }

  /// Keeps bytes for a name.
  public func save(_ bytes: Data, _ name: String) { values.withLock { $0[name] = bytes } }
}

/// Keeps each name in a file of a folder, which is replaced as a whole.
public struct FilePreferenceStore: PreferenceStore {
  private let folder: URL

  /// Makes a store in a folder, which must exist.
  public init(folder: URL) { self.folder = folder }

  /// Returns the bytes of a name.
  public func load(_ name: String) throws(IntensityTextError) -> Data? {
    let url = try url(of: name)
    guard FileManager.default.fileExists(atPath: url.path) else { return nil }
    do {
      return try Data(contentsOf: url)
    } catch {
      throw Self.error("a file that can be read")
    }
  }

  /// Keeps bytes for a name.
  public func save(_ bytes: Data, _ name: String) throws(IntensityTextError) {
    let path = try url(of: name).path
    do {
      try AtomicFile.replace(
        path, with: bytes, temporary: "\(path).\(UUID().uuidString)", folderSync: .attempted)
    } catch {
      throw Self.error("a folder that can be written")
    }
  }

  private func url(of name: String) throws(IntensityTextError) -> URL {
    let isSafe = name.utf8.allSatisfy {
      ($0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A) || ($0 >= 0x30 && $0 <= 0x39) || $0 == 0x2D
    }
    guard isSafe, !name.isEmpty else {
      throw IntensityTextError(
        .unknownName, "name", expected: "letters, digits and hyphens", found: "others")
    }
    return folder.appendingPathComponent("\(name).json")
  }

  private static func error(_ expected: String) -> IntensityTextError {
    IntensityTextError(
      .unreadable, "preferences", expected: expected, found: "a refusal of the system")
  }
}

/// Keeps preferences in the user defaults of an app.
public struct DefaultsPreferenceStore: PreferenceStore {
  private let suite: String?

  /// Makes a store in the standard defaults, or in those of a suite.
  public init(suite: String? = nil) { self.suite = suite }

  private var defaults: UserDefaults {
    suite.flatMap { UserDefaults(suiteName: $0) } ?? .standard
  }

  /// Returns the bytes of a name.
  public func load(_ name: String) -> Data? { defaults.data(forKey: name) }

  /// Keeps bytes for a name.
  public func save(_ bytes: Data, _ name: String) { defaults.set(bytes, forKey: name) }
}

/// Preferences that are kept in a store, with notices of their changes.
///
///     let keeper = PreferenceKeeper(store: DefaultsPreferenceStore())
///     try keeper.update { $0.viewer.override.scheme = "hue" }
///
/// Safe to use from several threads.
public final class PreferenceKeeper: Sendable {
  /// A change that was made.
  public enum Change: Hashable, Sendable {
    /// The look of texts or the measure of keys.
    case text(IntensityPreferences)
    /// How keyboards look.
    case visual(VisualPreferences)
  }

  private struct State {
    var text: IntensityPreferences
    var visual: VisualPreferences
    var listeners: [Int: AsyncStream<Change>.Continuation] = [:]
    var nextListener = 0
  }

  private let store: any PreferenceStore
  private let state: Guarded<State>

  private static let textName = "intensity-text"
  private static let visualName = "intensity-visual"

  /// Reads the preferences of a store. Values that cannot be read are those of a new user.
  public init(store: any PreferenceStore) {
    self.store = store
    func load(_ name: String) -> Data { (try? store.load(name)) ?? Data() }
    state = Guarded(
      State(
        text: IntensityPreferences(json: load(Self.textName)),
        visual: VisualPreferences(json: load(Self.visualName))))
  }

  /// The preferences of texts and keys.
  public var text: IntensityPreferences { state.withLock { $0.text } }

  /// The preferences of the look of keyboards.
  public var visual: VisualPreferences { state.withLock { $0.visual } }

  /// The changes from now on.
  public var changes: AsyncStream<Change> {
    let (stream, continuation) = AsyncStream.makeStream(of: Change.self)
    let number = state.withLock { state in
      state.nextListener += 1
      state.listeners[state.nextListener] = continuation
      return state.nextListener
    }
    continuation.onTermination = { [state] _ in
      state.withLock { $0.listeners[number] = nil }
    }
    return stream
  }

  /// Changes the preferences, keeps them, and tells the change if there is one.
  ///
  /// - Throws: ``IntensityTextError`` if the store refuses them; then nothing changes.
  public func update(
    _ change: (inout IntensityPreferences) -> Void
  ) throws(IntensityTextError) {
    var next = text
    change(&next)
    guard next != text else { return }
    try store.save(next.json(), Self.textName)
    let kept = next
    tell(.text(kept)) { $0.text = kept }
  }

  /// Changes the look, keeps it, and tells the change if there is one.
  ///
  /// - Throws: ``IntensityTextError`` if the store refuses it; then nothing changes.
  public func updateVisual(
    _ change: (inout VisualPreferences) -> Void
  ) throws(IntensityTextError) {
    var next = visual
    change(&next)
    guard next != visual else { return }
    try store.save(next.json(), Self.visualName)
    let kept = next
    tell(.visual(kept)) { $0.visual = kept }
  }

  private func tell(_ change: Change, _ apply: @Sendable (inout State) -> Void) {
    let listeners = state.withLock { state in
      apply(&state)
      return Array(state.listeners.values)
    }
    for listener in listeners { listener.yield(change) }
  }
}
