import Foundation
import IntensityText
import Testing

@Suite("Preferences")
struct PreferenceTests {
  @Test("An override beats the text's option, which beats the standard, for each role")
  func resolving() throws {
    var preferences = IntensityPreferences()
    preferences.viewer.standard = .init(scheme: "size", smoothing: .line, animates: false)
    preferences.editor.override.smoothing = .message
    let options = IntensityOptions(scheme: "alpha", smoothing: .word)
    let viewed = preferences.resolved(options, role: .viewer)
    #expect(viewed == .init(scheme: "alpha", smoothing: .word, animates: false))
    let edited = preferences.resolved(options, role: .editor)
    #expect(edited == .init(scheme: "alpha", smoothing: .message, animates: true))
    preferences.viewer.override = IntensityOptions(scheme: "hue", animates: true)
    #expect(
      preferences.resolved(options, role: .viewer)
        == .init(scheme: "hue", smoothing: .word, animates: true))
    let none = preferences.resolved(IntensityOptions(), role: .editor)
    #expect(none.scheme == "weight")
    var text = IntensityString("a", intensity: 100)
    text.options = options
    #expect(text.rendered(preferences).bottom != nil)
    #expect(text.rendered(preferences).runs.first?.style.color == .black)
  }

  @Test("Preferences are the same after each store")
  func stores() throws {
    var preferences = IntensityPreferences()
    preferences.viewer.override = IntensityOptions(
      scheme: "hue", smoothing: .paragraph, animates: false,
      animation: try AnimationOptions(duration: 3))
    preferences.editor.standard.scheme = "alpha"
    preferences.estimator = .impact
    preferences.durationRate = 3.5
    preferences.sampleSmoothing = .peak
    preferences.manualValue = 0.25
    preferences.mapping = .logarithmic(threshold: 0.1, ceiling: 0.9, a: 20)
    #expect(IntensityPreferences(json: preferences.json()) == preferences)
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let suite = "ductus-test-\(UUID().uuidString)"
    defer { UserDefaults.standard.removePersistentDomain(forName: suite) }
    let stores: [any PreferenceStore] = [
      MemoryPreferenceStore(), FilePreferenceStore(folder: folder),
      DefaultsPreferenceStore(suite: suite),
    ]
    for store in stores {
      #expect(PreferenceKeeper(store: store).text == IntensityPreferences())
      let keeper = PreferenceKeeper(store: store)
      let wanted = preferences
      try keeper.update { $0 = wanted }
      try keeper.updateVisual { $0.keyboardTheme = "dark" }
      let again = PreferenceKeeper(store: store)
      #expect(again.text == preferences && again.visual.keyboardTheme == "dark")
    }
    #expect(throws: IntensityTextError.self) {
      try FilePreferenceStore(folder: folder).save(Data(), "../x")
    }
    let nowhere = FilePreferenceStore(folder: folder.appendingPathComponent("none"))
    let keeper = PreferenceKeeper(store: nowhere)
    #expect(throws: IntensityTextError.self) { try keeper.update { $0.manualValue = 0.9 } }
    #expect(keeper.text == IntensityPreferences())
  }

  @Test("Values that cannot be used are those of a new user")
  func damaged() {
    for json in [
      "", "[]", "{\"estimator\":\"x\",\"durationRate\":9,\"mapping\":{\"name\":\"linear\"}}",
    ] {
      #expect(IntensityPreferences(json: Data(json.utf8)) == IntensityPreferences())
    }
    let visual = VisualPreferences(json: Data("{\"accentHue\":7,\"keyboardTheme\":3}".utf8))
    #expect(visual == VisualPreferences())
    var odd = VisualPreferences()
    odd.keyboardTheme = "no such theme"
    #expect(odd.theme(named: odd.keyboardTheme) == .light)
    #expect(odd.theme(named: "dark") == .dark)
    #expect(VisualPreferences(json: odd.json()) == odd)
  }

  @Test("A change is told once, and no change is not")
  func changes() async throws {
    let keeper = PreferenceKeeper(store: MemoryPreferenceStore())
    var changes = keeper.changes.makeAsyncIterator()
    try keeper.updateVisual { $0.accentHue = VisualPreferences().accentHue }
    try keeper.updateVisual { $0.accentHue = 0.1 }
    try keeper.update { $0.viewer.override.scheme = "hue" }
    var visual = VisualPreferences()
    visual.accentHue = 0.1
    #expect(await changes.next() == .visual(visual))
    var text = IntensityPreferences()
    text.viewer.override.scheme = "hue"
    #expect(await changes.next() == .text(text))
  }
}
