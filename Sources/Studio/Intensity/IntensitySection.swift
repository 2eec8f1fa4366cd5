import Foundation
import IntensityText

/// `POST /v1/studio/intensity`: types on the pressure keyboard and shows the text in every scheme.
/// `POST /v1/studio/intensity/export`: the text as a file.
///
/// All logic is that of IntensityText; the page sends touches and draws.
struct IntensitySection: StudioSection {
  /// The most events of a request.
  private static let mostEvents = 2000

  /// A file of an export.
  private struct File: Encodable {
    var name: String
    var type: String
    var content: String
  }

  var routes: [StudioRoute] {
    [
      StudioRoute(.POST, "/v1/studio/intensity") { request in
        try .json(Self.answer(try request.decoded(IntensityBody.self)))
      },
      StudioRoute(.POST, "/v1/studio/intensity/export") { request in
        try .json(Self.file(try request.decoded(IntensityBody.self)))
      },
    ]
  }

  private static func answer(_ body: IntensityBody) throws -> IntensityAnswer {
    let events = body.events ?? []
    guard events.count <= mostEvents else {
      throw StudioError(.tooLarge, "expected at most \(mostEvents) events", field: "events")
    }
    var editor = IntensityEditor(try body.intensityText())
    if let ends = body.selection { try editor.select(range(ends, "selection")) }
    editor.intensity = body.intensity ?? IntensityString.defaultIntensity
    var keyboard = KeyboardMachine(
      keys: try KeySet.basicLatin(), preferences: try body.preferences(),
      hasForce: events.contains { $0.force != nil },
      hasAcceleration: events.contains { $0.z != nil }, page: body.page ?? 0,
      isShifted: body.isShifted ?? false)
    var variants: [String] = []
    for event in events {
      for effect in try effects(of: event, &keyboard, &editor) {
        if case .expand(let shown) = effect { variants = shown }
        if case .collapse = effect { variants = [] }
        editor.apply(effect)
      }
    }
    guard editor.text.count <= IntensityBody.mostUnits else {
      throw StudioError(
        .tooLarge, "expected a text of at most \(IntensityBody.mostUnits) UTF-16 units",
        field: "text")
    }
    return try IntensityAnswer(editor, keyboard, variants: variants)
  }

  private static func effects(
    of event: IntensityBody.Event, _ keyboard: inout KeyboardMachine,
    _ editor: inout IntensityEditor
  ) throws -> [KeyEffect] {
    func sample() -> TouchSample {
      TouchSample(
        time: event.time ?? 0, force: event.force, maximumForce: event.maximumForce, z: event.z)
    }
    switch event.kind {
    case "down":
      return try keyboard.handle(
        .down(row: event.row ?? -1, key: event.key ?? -1, sample: sample()))
    case "press": return try keyboard.handle(.press(sample()))
    case "variant": return try keyboard.handle(.variant(event.variant))
    case "up": return try keyboard.handle(.up(sample()))
    case "cancel": return try keyboard.handle(.cancelled)
    case "text": editor.type(event.text ?? "")
    case "delete": editor.deleteBackward()
    case "slider":
      guard let value = event.value, value.isFinite else {
        throw StudioError(.invalidValue, "expected 0 to 100", field: "value")
      }
      editor.intensity = Int(min(max(value, 0), 100))
      if !editor.selection.isEmpty { editor.setIntensityOfSelection(editor.intensity) }
    case "select": try editor.select(range(event.range ?? [], "range"))
    default:
      throw StudioError(
        .invalidValue, "expected down, press, variant, up, cancel, text, delete, slider or select",
        field: "kind")
    }
    return []
  }

  private static func range(_ ends: [Int], _ field: String) throws -> Range<Int> {
    guard ends.count == 2, ends[0] >= 0, ends[0] <= ends[1] else {
      throw StudioError(.invalidValue, "expected [start, end]", field: field)
    }
    return ends[0]..<ends[1]
  }

  private static func file(_ body: IntensityBody) throws -> File {
    let text = try body.intensityText()
    let rendered = text.rendered(schemes: try IntensitySchemes.ofStudio())
    switch body.format {
    case "json":
      return File(
        name: "text.intensity.json", type: "application/json",
        content: String(decoding: text.json(), as: UTF8.self))
    case "html": return File(name: "text.html", type: "text/html", content: rendered.html())
    case "svg":
      return File(name: "text.svg", type: "image/svg+xml", content: rendered.svg(width: 600))
    case "ansi": return File(name: "text.ansi", type: "text/plain", content: rendered.ansi())
    default:
      throw StudioError(.invalidValue, "expected json, html, svg or ansi", field: "format")
    }
  }
}
