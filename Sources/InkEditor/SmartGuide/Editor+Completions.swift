import Foundation
import Recognition

/// A recogniser that knows how words go on.
public protocol WordCompleting {
  /// Returns words that begin with a prefix, the most probable first.
  ///
  /// - Parameters:
  ///   - prefix: The beginning of a word, not empty.
  ///   - context: The text before it.
  ///   - limit: The largest number of words.
  func completions(of prefix: String, after context: String, limit: Int) -> [String]
}

extension LineRecognizer: WordCompleting {
  /// Words of the language model; none without one.
  public func completions(of prefix: String, after context: String, limit: Int) -> [String] {
    languageModel?.completions(of: prefix, after: context, limit: limit).map(\.text) ?? []
  }
}

extension Editor {
  /// Returns completions of the last word of the active block: words of the user, then those of the
  /// language model. The last word itself is not among them.
  ///
  /// Opens the model if it is not open yet. Do not call on a thread that must not wait for that.
  ///
  /// - Parameter limit: The largest number of words, at least 1.
  /// - Returns: Whole words; empty if the last word is unread, or no model completes words.
  public func completions(limit: Int = 5) -> [String] {
    guard limit > 0, let typed = typedText(candidates: 1), let last = typed.words.last,
      !last.isUnread, !last.label.contains(where: \.isWhitespace)
    else { return [] }
    let own = engineWords.filter { $0 != last.label && $0.hasPrefix(last.label) }
    guard own.count < limit else { return Array(own.prefix(limit)) }
    let key = read { state in state.document.flatMap { state.completionKey($0) } }
    guard let key,
      let completer = Self.calling({
        try? engine.readers.recognizer(key, models: engine.models)
      }) as? any WordCompleting
    else { return own }
    let context = String(typed.text[..<last.range.lowerBound]).replacing("\n", with: " ")
    let found = Self.calling {
      completer.completions(of: last.label, after: context, limit: limit + own.count + 1)
    }
    let others = found.filter { $0 != last.label && !own.contains($0) }
    return Array((own + others).prefix(limit))
  }

  /// Takes a completion of the last word of the active block: its ink becomes the typed word, on its
  /// baseline and in its size. One step of the history.
  ///
  /// - Parameter text: One of ``completions(limit:)``, or another word without spaces.
  /// - Throws: ``EditorError/noSuchCandidate`` if there is no last word that was read, or the text is
  ///   no word; ``EditorError/notIdle``, ``EditorError/pointerIsDown``, ``EditorError/noPart``.
  public func acceptCompletion(_ text: String) throws(EditorError) {
    guard !text.isEmpty, !text.contains(where: \.isWhitespace) else { throw .noSuchCandidate }
    try idle(nil) { (state, document, _) throws(EditorError) in
      guard !state.isWriting else { throw .pointerIsDown }
      guard let node = document.activeBlock, let line = node.lines.last,
        let run = line.runs.last, let word = run.words.last
      else { throw .noSuchCandidate }
      let rules = state.settingRules(.publish, document)
      var missing: Set<Character> = []
      state.change(document) { _ in
        document.label(
          word: line.runs.reduce(0) { $0 + $1.words.count } - 1, of: line, text,
          fonts: rules.fonts)
        _ = document.convertText(
          of: node, items: Set(word.items), rules, missing: &missing)
        document.markEdited()
      }
      state.tellOfMissing(missing, in: node.id)
      state.tellText(of: node)
      state.schedule()
    }
  }

  private var engineWords: [String] {
    (try? configuration.strings(UserWords.key)) ?? []
  }
}

extension EditorState {
  mutating func completionKey(_ document: Document) -> TextReaderKey? {
    guard case .success(let key) = readerKey(document, block: document.root.id) else { return nil }
    return key
  }
}
