import InkCore

/// Builds labelled inks of the tags of an InkML file.
struct InkMLDocument {
  /// A group of traces.
  private struct Group {
    var parent: Int?
    var label: String?
    var writer: String?
    /// Of traces that name no context.
    var format: InkMLFormat?
    var traces: [Int] = []
  }

  private static let namespace = "http://www.w3.org/2003/InkML"

  private let sign: Double
  /// The prefixes of other vocabularies, the empty one too where it is that of the first element.
  private var foreign: Set<String> = []
  private var hasRoot = false
  private var formats = InkMLFormats()
  /// Without points where the pen was up.
  private var traces: [Stroke] = []
  /// The traces that are no definitions.
  private var drawn: [Int] = []
  /// The places of traces by their ids, with and without a leading `#`.
  private var places: [String: Int] = [:]
  private var groups: [Group] = []
  /// The groups that are open, and those with labels and traces in the order of their ends.
  private var open: [Int] = []
  private var labelled: [Int] = []
  private var openViews = 0
  private var truth: String?
  private var writer: String?

  init(sign: Double) { self.sign = sign }

  mutating func take(
    _ tag: XMLScanner.Tag, from scanner: inout XMLScanner
  ) throws(InkFormatError) {
    guard let name = name(of: tag) else { return }
    try formats.take(name, tag, from: scanner)
    switch (name, tag.kind) {
    case ("trace", .start): try addTrace(tag, &scanner)
    case ("traceView", .start):
      openViews += 1
      try addView(tag, scanner)
    case ("traceView", .empty): try addView(tag, scanner)
    case ("traceView", .end): openViews -= 1
    case ("traceGroup", .start):
      let format = try formats.format(of: tag, scanner) ?? open.last.flatMap { groups[$0].format }
      open.append(groups.count)
      groups.append(Group(parent: open.dropLast().last, format: format))
    case ("traceGroup", .end):
      guard let place = open.popLast() else { return }
      if groups[place].label != nil, !groups[place].traces.isEmpty { labelled.append(place) }
    case ("annotation", .start):
      guard let type = tag["type"], type == "truth" || type == "writer" else { return }
      try annotate(type, Self.label(try scanner.content()), scanner)
    default: break
    }
  }

  /// The name of an element without its prefix; nil if it belongs to another vocabulary. An
  /// undeclared prefix counts as InkML's, because files of the flowcharts FC_A have such prefixes.
  private mutating func name(of tag: XMLScanner.Tag) -> Substring? {
    for (key, value) in tag.attributes where key.hasPrefix("xmlns") {
      let prefix: String
      if key.hasPrefix("xmlns:") {
        prefix = String(key.dropFirst("xmlns:".count))
      } else if key == "xmlns", !hasRoot {
        prefix = ""
      } else {
        continue
      }
      if value == Self.namespace { foreign.remove(prefix) } else { foreign.insert(prefix) }
    }
    let colon = tag.name.firstIndex(of: ":")
    let prefix = colon.map { String(tag.name[..<$0]) } ?? ""
    let name = colon.map { tag.name[tag.name.index(after: $0)...] } ?? tag.name[...]
    if !hasRoot, name == "ink" { foreign.remove(prefix) }
    hasRoot = true
    return foreign.contains(prefix) ? nil : name
  }

  /// A label without the blanks around it, or the quotes.
  private static func label(_ text: String) -> String {
    let value = text.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed()
    let label = String(value)
    guard label.count >= 2, label.first == "\"", label.last == "\"" else { return label }
    return String(label.dropFirst().dropLast())
  }

  private mutating func annotate(
    _ type: String, _ label: String, _ scanner: XMLScanner
  ) throws(InkFormatError) {
    guard openViews == 0 else {
      throw scanner.error(
        .unsupported, expected: "labels and writers of files and groups of traces",
        found: "those of a view")
    }
    switch (type, open.last) {
    case ("truth", nil): truth = label
    case ("truth", let group?): groups[group].label = label
    case (_, nil):
      guard writer == nil || writer == label else {
        throw scanner.error(
          .malformed, expected: "one writer of the file; others in their groups", found: "several")
      }
      writer = label
    case (_, let group?): groups[group].writer = label
    }
  }

  private mutating func addView(
    _ tag: XMLScanner.Tag, _ scanner: XMLScanner
  ) throws(InkFormatError) {
    guard let group = open.last, let reference = tag["traceDataRef"] else { return }
    guard tag["from"] == nil, tag["to"] == nil else {
      throw scanner.error(
        .unsupported, expected: "views of whole traces", found: "a view of a part, from or to")
    }
    guard let place = places[reference] else {
      throw scanner.error(
        .rangeOutOfBounds, expected: "views of traces that stand before them",
        found: "a view of another trace")
    }
    groups[group].traces.append(place)
  }

  private mutating func addTrace(
    _ tag: XMLScanner.Tag, _ scanner: inout XMLScanner
  ) throws(InkFormatError) {
    var format = try formats.format(of: tag, scanner) ?? open.last.flatMap { groups[$0].format }
    if format == nil { format = try formats.unnamed(scanner) }
    let isPenUp: Bool
    switch tag["type"] {
    case nil, "penDown", "indeterminate": isPenUp = false
    case "penUp": isPenUp = true
    default:
      throw scanner.error(
        .unsupported, expected: "traces of type penDown, penUp or indeterminate",
        found: "another type")
    }
    let points = isPenUp ? [] : try points(format ?? .plain, &scanner)
    let place = try place(of: tag, scanner)
    for id in InkMLFormats.ids(of: tag) {
      places[id] = place
      places["#" + id] = place
    }
    if place < traces.count {
      traces[place].points += points
      return
    }
    traces.append(Stroke(points: points))
    if let group = open.last { groups[group].traces.append(place) }
    if !formats.isDefining { drawn.append(place) }
  }

  /// Returns a new index, or the index of the trace that this one continues.
  private func place(
    of tag: XMLScanner.Tag, _ scanner: XMLScanner
  ) throws(InkFormatError) -> Int {
    guard let part = tag["continuation"], part != "begin" else { return traces.count }
    guard let prior = tag["priorRef"], let place = places[prior] else {
      throw scanner.error(
        .rangeOutOfBounds, expected: "the trace before a trace that goes on, in priorRef",
        found: "another")
    }
    return place
  }

  private func points(
    _ format: InkMLFormat, _ scanner: inout XMLScanner
  ) throws(InkFormatError) -> [StrokePoint] {
    let channels = format.channels
    guard let x = channels.firstIndex(of: "X"), let y = channels.firstIndex(of: "Y") else {
      throw scanner.error(.missingKey, expected: "the channels X and Y", found: "others")
    }
    let time = format.timeScale == nil ? nil : channels.firstIndex(of: "T")
    let scale = format.timeScale ?? 1
    let force = channels.firstIndex(of: "F")
    var decoder = InkMLTraceDecoder(channels: channels.count)
    var points: [StrokePoint] = []
    for point in try scanner.content().split(separator: ",") {
      guard point.contains(where: { !$0.isWhitespace }) else { continue }
      guard let values = decoder.decode(point), values.count > max(x, y) else {
        throw scanner.error(
          .malformed, expected: "\(channels.count) numbers in each point of a trace",
          found: "another point")
      }
      guard values[x].isFinite, values[y].isFinite else {
        throw scanner.error(
          .nonFiniteNumber, expected: "finite coordinates", found: "NaN or infinity")
      }
      points.append(
        StrokePoint(
          x: values[x], y: sign * values[y], t: Self.value(time, values).map { $0 * scale },
          force: Self.value(force, values)))
    }
    return points
  }

  private static func value(_ place: Int?, _ values: [Double]) -> Double? {
    guard let place, place < values.count, values[place].isFinite else { return nil }
    return values[place]
  }

  /// The inks of the labelled groups, or the one of the file.
  func inks(
    from scanner: XMLScanner
  ) throws(InkFormatError) -> [Result<LabeledInk, InkFormatError>] {
    guard traces.contains(where: { !$0.points.isEmpty }) else {
      throw scanner.error(.emptyInk, expected: "at least one trace with points", found: "none")
    }
    guard labelled.isEmpty else {
      return labelled.map { place in
        labeledInk(groups[place].traces, groups[place].label ?? "", writer(of: place), scanner)
      }
    }
    guard let truth else {
      throw scanner.error(
        .missingKey, expected: "an annotation of type truth", found: "a file without one")
    }
    return [labeledInk(drawn, truth, writer, scanner)]
  }

  /// The writer of a group, of one around it or of the file.
  private func writer(of group: Int) -> String? {
    var place: Int? = group
    while let group = place {
      if let writer = groups[group].writer { return writer }
      place = groups[group].parent
    }
    return writer
  }

  private func labeledInk(
    _ places: [Int], _ label: String, _ writer: String?, _ scanner: XMLScanner
  ) -> Result<LabeledInk, InkFormatError> {
    let strokes = places.map { traces[$0] }.filter { !$0.points.isEmpty }
    guard !strokes.isEmpty else {
      return .failure(
        scanner.error(
          .emptyInk, expected: "a trace with points in what has a label", found: "none"))
    }
    return .success(LabeledInk(ink: Ink(strokes: strokes), label: label, writer: writer))
  }
}
