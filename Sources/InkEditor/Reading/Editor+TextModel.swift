extension Editor {
  /// Reads the text of the part with another bundle from now on. The part keeps the name of the
  /// bundle. Text that was read stays; ``recognize(again:)`` reads it with the new bundle.
  ///
  /// - Parameters:
  ///   - bundle: The bundle, such as a language.
  ///   - name: The configuration of the bundle.
  /// - Throws: ``EditorError/noPart``, ``EditorError/bundleNotFound(_:)`` or
  ///   ``EditorError/configurationNotFound(bundle:name:)``. Nothing has changed then.
  package func read(
    with bundle: String, name: String = ProvidedModels.configurationName
  ) throws(EditorError) {
    let models = engine.models
    switch Self.calling({ models.configuration(bundle: bundle, name: name) }) {
    case .found: break
    case .unknownBundle: throw .bundleNotFound(bundle)
    case .unknownName: throw .configurationNotFound(bundle: bundle, name: name)
    }
    let text = TextConfiguration(bundle: bundle, name: name)
    let direction = direction(of: text)
    let part = try withDocument { (state, document) throws(EditorError) -> ContentPart? in
      guard document.textConfiguration != text else { return nil }
      document.textConfiguration = text
      document.take(direction)
      state.discardReadings()
      document.requeueDirtyRuns()
      document.retryWaiting()
      state.schedule()
      return state.part
    }
    guard let part else { return }
    part.ownership.withLock { $0.knownConfiguration = text }
    part.store?.partDidChange(part)
  }
}
