import Foundation
import InkCore
import InkEditor
import IntensityText
import LanguageModels
import TestSamples
import Testing
import Typesetting

@Suite("Intensity of handwriting")
struct IntensityTests {
  /// Writes a text with a force, or with none for 0, each point 10 ms after the one before.
  private func write(
    _ text: String, force: Double, milliseconds: Int64 = 10, x: Double, y: Double = 15,
    on desk: Desk
  ) throws {
    var time: Int64 = 1_700_000_000_000
    for stroke in Pen.strokes(text, x: x, y: y) {
      for (index, point) in stroke.enumerated() {
        let editor = desk.editor
        if index == 0 {
          try editor.pointerDown(x: point.x, y: point.y, t: time, force: force)
        } else if index == stroke.count - 1 {
          try editor.pointerUp(x: point.x, y: point.y, t: time, force: force)
        } else {
          try editor.pointerMove(x: point.x, y: point.y, t: time, force: force)
        }
        time += milliseconds
      }
      time += 50
    }
  }

  @Test("A soft and a hard word have different numbers, and the space their mean")
  func softAndHard() throws {
    let desk = try Desk()
    try write("soft", force: 0.2, x: 20, on: desk)
    try write("hard", force: 0.8, x: 35, on: desk)
    try desk.editor.waitUntilIdle()
    let text = try desk.editor.intensityText()
    #expect(text.string == "soft hard")
    #expect(text.intensities == [20, 20, 20, 20, 50, 80, 80, 80, 80])
    let json = try desk.editor.export(as: .intensity)
    #expect(try IntensityString(json: Data(json.utf8)) == text)
    let doubled = try desk.editor.intensityText(nil, InkIntensity(maximumForce: 1.6))
    #expect(doubled.intensities == [12, 12, 12, 12, 31, 50, 50, 50, 50])
  }

  @Test("Ink without force has 50, and forces above 1 are shares of the largest")
  func scale() throws {
    let desk = try Desk()
    try write("no", force: 0, x: 20, on: desk)
    try desk.editor.waitUntilIdle()
    #expect(try desk.editor.intensityText().intensities == [50, 50])
    let other = try Desk()
    try write("a", force: 2, x: 20, on: other)
    try write("b", force: 4, x: 35, on: other)
    try other.editor.waitUntilIdle()
    #expect(try other.editor.intensityText().intensities == [50, 75, 100])
  }

  @Test("The text is that of the plain text export, with all its lines")
  func lines() throws {
    let desk = try Desk()
    try write("one two", force: 0.3, x: 20, on: desk)
    try write("three", force: 0.9, x: 20, y: 25, on: desk)
    try desk.editor.waitUntilIdle()
    let text = try desk.editor.intensityText()
    #expect(try text.string == desk.text())
    #expect(text.string == "one two\nthree")
    // The break has the mean of both lines.
    #expect(try text.intensity(at: 7) == 60)
  }

  @Test("A word with a typed label has the mean of its ink")
  func typedLabel() throws {
    let desk = try Desk()
    try write("so", force: 0.2, x: 20, on: desk)
    try write("ft", force: 0.8, x: 26, on: desk)
    try desk.editor.waitUntilIdle()
    #expect(try desk.editor.intensityText().intensities == [20, 20, 80, 80])
    let word = try #require(desk.editor.typedText()?.words.first)
    try desk.editor.setLabel("strong", of: word)
    let typed = try desk.editor.intensityText()
    #expect(typed.string == "strong")
    let numbers = Set(typed.intensities)
    #expect(numbers.count == 1 && (20...80).contains(numbers.first ?? 0))
    try desk.editor.undo()
    try desk.editor.waitUntilIdle()
    #expect(try desk.editor.intensityText().intensities == [20, 20, 80, 80])
  }

  @Test("Undo, redo and moving the ink keep intensities right")
  func history() throws {
    let desk = try Desk()
    try write("ab", force: 0.4, x: 20, on: desk)
    try write("cd", force: 0.6, x: 40, on: desk)
    try desk.editor.waitUntilIdle()
    let before = try desk.editor.intensityText()
    for _ in 0..<2 { try desk.editor.undo() }
    try desk.editor.waitUntilIdle()
    #expect(try desk.editor.intensityText().intensities == [40, 40])
    for _ in 0..<2 { try desk.editor.redo() }
    try desk.editor.waitUntilIdle()
    #expect(try desk.editor.intensityText() == before)
  }

  @Test("Duration and speed are measures by option and by setting")
  func measures() throws {
    let desk = try Desk()
    // The letter c has five points: 40 ms and 160 ms.
    try write("c", force: 0.2, milliseconds: 10, x: 20, on: desk)
    try write("c", force: 0.8, milliseconds: 40, x: 35, on: desk)
    try desk.editor.waitUntilIdle()
    let durations = try desk.editor.intensityText(nil, InkIntensity(source: .duration)).intensities
    #expect(durations == [8, 20, 32])
    let speeds = try desk.editor.intensityText(nil, InkIntensity(source: .speed)).intensities
    // Twice 4.47 mm in 200 ms is the usual speed.
    #expect(speeds == [100, 65, 31])
    let json = try desk.editor.export(
      as: .intensity, overrides: #"{"export": {"intensity": {"source": "duration"}}}"#)
    #expect(try IntensityString(json: Data(json.utf8)).intensities == durations)
    let mapped = try desk.editor.export(
      as: .intensity, overrides: #"{"export": {"intensity": {"mapping": "logarithmic"}}}"#)
    #expect(try IntensityString(json: Data(mapped.utf8)).intensities.first == 45)
    #expect(throws: EditorError.self) {
      try desk.editor.export(
        as: .intensity, overrides: #"{"export": {"intensity": {"source": "mood"}}}"#)
    }
  }

  @Test("A drawing has no text with intensity")
  func drawing() throws {
    let desk = try Desk(type: "Drawing")
    #expect(throws: EditorError.self) { try desk.editor.export(as: .intensity) }
    #expect(throws: EditorError.self) { try desk.editor.intensityText() }
  }

  @Test("Suggestions come from a language model in the order of its probabilities")
  func suggestions() throws {
    var text = NormalizedText()
    for _ in 0..<40 { text.append("say thus say then say thus say that say thus say then\n") }
    let model = try LanguageModel(bytes: LanguageModelTrainer.train(text, options: .init()))
    var bar = SuggestionBar(source: LanguageSuggestions(model), limit: 3)
    var editor = IntensityEditor()
    editor.intensity = 80
    editor.type("say th")
    bar.update(for: editor)
    #expect(bar.suggestions == ["thus", "then", "that"])
    try bar.choose(1, in: &editor)
    #expect(editor.text.string == "say then " && Set(editor.text.intensities) == [80])
  }

  @Test("Conversion to typed text keeps intensities, and another text has their mean")
  func conversion() throws {
    let desk = try Desk()
    try write("so", force: 0.2, x: 20, on: desk)
    try write("ft", force: 0.8, x: 26, on: desk)
    try desk.editor.waitUntilIdle()
    let before = try desk.editor.intensityText()
    try desk.editor.convert()
    try desk.editor.waitUntilIdle()
    #expect(try desk.editor.intensityText() == before)
    let word = try #require(desk.editor.typedText()?.words.first)
    try desk.editor.setLabel("gentle", of: word)
    try desk.editor.waitUntilIdle()
    let changed = try desk.editor.intensityText()
    #expect(changed.string == "gentle" && Set(changed.intensities) == [50])
    try desk.editor.undo()
    try desk.editor.undo()
    try desk.editor.waitUntilIdle()
    #expect(try desk.editor.intensityText() == before)
  }

  @Test("The fonts of an editor are sizes of characters for layouts")
  func metrics() throws {
    let font = TextFont(size: 10)
    for sizes in [BundledFont(), FontGlyphSizes(BundledFont())] as [any GlyphSizes] {
      let widths = sizes.widths(of: "im", font: font)
      #expect(widths.count == 2 && widths[0] < widths[1])
      #expect(sizes.extent(of: font).ascent > sizes.extent(of: font).descent)
      let rendered = IntensityString("a wide text").rendered()
      #expect(TextLayout(rendered, width: 50, sizes: sizes).lines.count > 1)
    }
  }
}
