import Foundation

/// The state of a text that is being written: caret, selection, marked text, clipboard and history.
///
///     var editor = IntensityEditor()
///     editor.intensity = 70
///     editor.type("hello")
///     print(editor.text.averageIntensity)  // 70
///
/// A plain value without a screen: a host sends what a keyboard does, and draws ``text``. A copy of
/// the text costs nothing, so that the history holds whole texts. Positions count UTF-16 units.
public struct IntensityEditor: Hashable, Sendable {
  /// The text.
  public private(set) var text: IntensityString
  /// The selected range; empty for a caret.
  public private(set) var selection: Range<Int>
  /// The range of text that an input method may still replace.
  public private(set) var marked: Range<Int>?
  /// The intensity of what is typed, 0 ... 100.
  public var intensity: Int {
    get { level }
    set { level = min(max(newValue, 0), 100) }
  }
  /// The base attributes of what is typed.
  public var attributes = BaseAttributes()

  private var level = IntensityString.defaultIntensity
  private var undone: [State] = []
  private var done: [State] = []
  /// True if the next typed character joins the last step of the history.
  private var joinsStep = false

  private struct State: Hashable, Sendable {
    var text: IntensityString
    var selection: Range<Int>
  }

  /// The most steps that the history keeps.
  private static let longestHistory = 1000

  /// Makes an editor with the caret at the end of a text.
  public init(_ text: IntensityString = IntensityString()) {
    self.text = text
    selection = text.count..<text.count
  }

  // MARK: - Selecting

  /// Selects a range, or puts the caret with an empty one. It ends the marking of text.
  ///
  /// - Throws: ``IntensityTextError`` for a range that lies outside of the text or cuts a surrogate
  ///   pair.
  public mutating func select(_ range: Range<Int>) throws(IntensityTextError) {
    try text.check(range)
    selection = range
    marked = nil
    joinsStep = false
  }

  /// Moves the caret by characters, or changes the end of the selection.
  public mutating func moveCaret(by characters: Int, extendsSelection: Bool = false) {
    marked = nil
    joinsStep = false
    if !extendsSelection, !selection.isEmpty {
      let place = characters < 0 ? selection.lowerBound : selection.upperBound
      selection = place..<place
      return
    }
    let start = characters < 0 && !extendsSelection ? selection.lowerBound : selection.upperBound
    let place = border(start, movedBy: characters)
    if extendsSelection {
      selection = min(selection.lowerBound, place)..<max(selection.lowerBound, place)
    } else {
      selection = place..<place
    }
  }

  /// Returns the border of characters that is some characters away.
  private func border(_ index: Int, movedBy characters: Int) -> Int {
    // Characters are short: a window is enough, which grows if it is not.
    var reach = 64 * max(abs(characters), 1)
    while true {
      let low = wholeScalar(characters < 0 ? max(index - reach, 0) : index)
      let high = wholeScalar(characters < 0 ? index : min(index + reach, text.count))
      let piece = String(decoding: text.units(in: low..<high), as: UTF16.self)
      let isWhole = characters < 0 ? low == 0 : high == text.count
      if isWhole || piece.count > abs(characters) + 1 {
        let kept =
          characters < 0 ? piece.dropLast(-characters) : piece.prefix(characters)[...]
        return low + kept.utf16.count
      }
      reach *= 2
    }
  }

  private func wholeScalar(_ index: Int) -> Int { text.cutsPair(index) ? index - 1 : index }

  // MARK: - Typing

  /// Types text in place of the selection, with the current intensity and base attributes. Text of
  /// another keyboard, of dictation and of a paste without intensities comes this way too.
  public mutating func type(_ string: String) {
    insert(IntensityString(string, intensity: level, attributes: attributes), isTyping: true)
  }

  /// Inserts text with intensities of its own in place of the selection.
  public mutating func insert(_ new: IntensityString) { insert(new, isTyping: false) }

  /// Inserts an attachment in place of the selection.
  public mutating func attach(_ attachment: Attachment) {
    var piece = IntensityString(
      units: [IntensityString.attachmentUnit], intensities: [UInt8(level)], attributes: attributes)
    piece.place(attachment, at: 0)
    insert(piece, isTyping: false)
  }

  /// Deletes the selection, or the character before the caret.
  public mutating func deleteBackward() {
    let range =
      selection.isEmpty
      ? border(selection.lowerBound, movedBy: -1)..<selection.lowerBound : selection
    guard !range.isEmpty else { return }
    replace(range, with: IntensityString(), isTyping: false)
  }

  /// Deletes the selection, or the character behind the caret.
  public mutating func deleteForward() {
    let range =
      selection.isEmpty
      ? selection.lowerBound..<border(selection.lowerBound, movedBy: 1) : selection
    guard !range.isEmpty else { return }
    replace(range, with: IntensityString(), isTyping: false)
  }

  /// Replaces a range, such as a word by a suggestion, with the mean intensity of the range; an empty
  /// range has the current one.
  ///
  /// - Throws: ``IntensityTextError`` for a range that lies outside of the text or cuts a surrogate
  ///   pair.
  public mutating func replace(
    _ range: Range<Int>, withText string: String
  ) throws(IntensityTextError) {
    try text.check(range)
    let mean = range.isEmpty ? level : try text.averageIntensity(in: range)
    let base = range.isEmpty ? attributes : try text.attributes(at: range.lowerBound)
    marked = nil
    replace(
      range, with: IntensityString(string, intensity: mean, attributes: base), isTyping: false)
  }

  // MARK: - Marked text

  /// Marks text that an input method composes, in place of the text that was marked before or of the
  /// selection. What was marked keeps its mean intensity in its next form.
  ///
  /// - Parameters:
  ///   - string: The text; none takes the marked text away.
  ///   - selected: The selection within it; nil for a caret at its end.
  /// - Throws: ``IntensityTextError`` for a selection outside of the text.
  public mutating func setMarkedText(
    _ string: String, selected: Range<Int>? = nil
  ) throws(IntensityTextError) {
    let length = string.utf16.count
    let within = selected ?? length..<length
    try IntensityTextError.check(within, count: length, "selected")
    let old = marked ?? selection
    let mean = try marked.flatMap { range throws(IntensityTextError) in
      range.isEmpty ? nil : try text.averageIntensity(in: range)
    }
    let new = IntensityString(string, intensity: mean ?? level, attributes: attributes)
    // A composition is one step of the history.
    replace(old, with: new, isTyping: true, joins: marked != nil)
    marked = length > 0 ? old.lowerBound..<old.lowerBound + length : nil
    selection = old.lowerBound + within.lowerBound..<old.lowerBound + within.upperBound
  }

  /// Accepts the marked text unchanged, or in a final form that has the same mean intensity.
  public mutating func unmark(final string: String? = nil) {
    if let string, let range = marked, let mean = try? text.averageIntensity(in: range) {
      replace(
        range, with: IntensityString(string, intensity: mean, attributes: attributes),
        isTyping: true, joins: true)
    }
    marked = nil
    joinsStep = false
  }

  // MARK: - Values of the selection

  /// Sets the intensity of the selection, as one step of the history.
  public mutating func setIntensityOfSelection(_ number: Int) {
    let range = selection
    change { text throws(IntensityTextError) in
      try text.setIntensity(min(max(number, 0), 100), in: range)
    }
  }

  /// Changes the base attributes of the selection, or of what is typed next.
  public mutating func changeAttributes(_ change: (inout BaseAttributes) -> Void) {
    guard !selection.isEmpty else { return change(&attributes) }
    let range = selection
    self.change { text throws(IntensityTextError) in
      try text.changeAttributes(in: range, change)
    }
  }

  /// Links the selection, or takes its links away.
  public mutating func setLink(_ url: URL?) {
    let range = selection
    change { text throws(IntensityTextError) in try text.setLink(url, in: range) }
  }

  /// Sets how the whole text wants to be shown, as one step of the history.
  public mutating func setOptions(_ options: IntensityOptions) {
    change { text throws(IntensityTextError) in text.options = options }
  }

  private mutating func change(
    _ body: (inout IntensityString) throws(IntensityTextError) -> Void
  ) {
    var next = text
    do throws(IntensityTextError) {
      try body(&next)
    } catch {
      return
    }
    record()
    text = next
    joinsStep = false
  }

  // MARK: - Clipboard

  /// Returns the selection for a clipboard, nil if nothing is selected.
  public func copy() -> IntensityClipboard? {
    guard !selection.isEmpty, let part = try? text.substring(selection) else { return nil }
    return IntensityClipboard(part)
  }

  /// Returns the selection for a clipboard and deletes it.
  public mutating func cut() -> IntensityClipboard? {
    guard let clipboard = copy() else { return nil }
    deleteBackward()
    return clipboard
  }

  /// Inserts what a clipboard holds: text with its intensities, or plain text with the current one.
  public mutating func paste(_ clipboard: IntensityClipboard) {
    if let archive = clipboard.archive, let rich = try? IntensityString(archive: archive) {
      insert(rich, isTyping: false)
    } else {
      insert(
        IntensityString(clipboard.plain, intensity: level, attributes: attributes), isTyping: false)
    }
  }

  // MARK: - History

  /// True if a step can be undone.
  public var canUndo: Bool { !done.isEmpty }
  /// True if a step can be done again.
  public var canRedo: Bool { !undone.isEmpty }

  /// Takes the last step back.
  public mutating func undo() {
    guard let state = done.popLast() else { return }
    undone.append(State(text: text, selection: selection))
    restore(state)
  }

  /// Does the step again that was taken back last.
  public mutating func redo() {
    guard let state = undone.popLast() else { return }
    done.append(State(text: text, selection: selection))
    restore(state)
  }

  private mutating func restore(_ state: State) {
    (text, selection, marked, joinsStep) = (state.text, state.selection, nil, false)
  }

  private mutating func record() {
    done.append(State(text: text, selection: selection))
    if done.count > Self.longestHistory { done.removeFirst(done.count - Self.longestHistory) }
    undone = []
  }

  private mutating func insert(_ new: IntensityString, isTyping: Bool) {
    guard !new.isEmpty || !selection.isEmpty else { return }
    let range = marked ?? selection
    marked = nil
    replace(range, with: new, isTyping: isTyping)
  }

  /// Replaces a range that was checked. Characters that are typed one after the other are one step
  /// of the history up to the next space.
  private mutating func replace(
    _ range: Range<Int>, with new: IntensityString, isTyping: Bool, joins: Bool = false
  ) {
    marked = nil
    let joins = joins || (isTyping && joinsStep && range.isEmpty)
    if !joins { record() }
    guard (try? text.replace(range, with: new)) != nil else { return }
    let end = range.lowerBound + new.count
    selection = end..<end
    joinsStep = isTyping && !new.string.contains(where: \.isWhitespace)
  }
}

/// A part of a text on a clipboard: with its intensities, and as plain text for other programs.
public struct IntensityClipboard: Hashable, Sendable {
  /// The type of the archive on a clipboard with types.
  public static let archiveType = "application/vnd.ductus.intensity-text"
  /// The type of the plain text.
  public static let plainType = "text/plain;charset=utf-8"

  /// The text with its intensities as an archive, nil for text of another program.
  public let archive: Data?
  /// The text alone. Attachments are left out.
  public let plain: String

  /// Makes the clipboard of a text.
  public init(_ text: IntensityString) {
    archive = text.archive()
    plain = text.string.filter { $0 != "\u{FFFC}" }
  }

  /// Makes the clipboard of another program.
  public init(plain: String) {
    archive = nil
    self.plain = plain
  }
}
